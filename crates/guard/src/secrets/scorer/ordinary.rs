//! Recognises ordinary values after the name of a secret: versions, addresses, options, redirections and words in a
//! sentence.

use std::net::{IpAddr, SocketAddr};

use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::direct::is_words;

use super::digests::is_digest;
use super::stand_ins::is_stand_in;

/// How many bytes to search backwards from a name for the start of its line.
const MAX_LINE: usize = 96;

const MAX_NAME: usize = 24;
/// The minimum number of words in a message. A passphrase can have fewer words.
const MIN_MESSAGE_WORDS: usize = 4;
/// The maximum number of digits in the length that a password rule states, such as 12 in "at least 12 characters".
const MAX_NUMBER: usize = 4;
/// The suffix of a public client identifier that Google issues.
const GOOGLE_CLIENT: &str = ".apps.googleusercontent.com";
/// The lengths of a base64-encoded public key of the curve P-256, with and without padding.
const PUSH_KEY_LENGTHS: std::ops::RangeInclusive<usize> = 86..=88;
/// Phrases that tell the reader to choose a value, in lower case and without separators.
#[rustfmt::skip]
const INSTRUCTIONS: &[&str] = &[
    "changeme", "changethis", "changemeplease", "pleasechangeme", "pleasechange", "replaceme", "replacethis", "fillme", "fillmein",
    "setme", "putyourpasswordhere", "passwordhere", "secrethere", "tokenhere", "yourpassword", "yourpasswordhere", "mysecretpassword",
];
const INSTRUCTION_STARTS: &[&str] = &[
    "replacewith",
    "changethis",
    "changeto",
    "generatewith",
    "generatea",
    "enteryour",
    "putyour",
    "insertyour",
    "fillin",
];

/// Participles, adjectives and adverbs that do not end in `ed` and can end a sentence after `is` or `was`:
/// `the password is wrong`.
const STATES: &[&str] = &[
    "given", "correct", "wrong", "known", "shown", "sent", "lost", "hidden", "chosen", "here",
    "there", "below", "above", "broken", "written", "stolen", "taken", "kept", "built", "made",
];

/// Returns whether the value's form and its position after the name show that it is ordinary text or a public value.
pub(super) fn is_ordinary(candidate: &Candidate<'_>, value: &str) -> bool {
    is_version(value)
        || is_network_address(value)
        || is_option(candidate, value)
        || is_redirection(value)
        || is_state(candidate, value)
        || is_count(candidate, value)
        || is_listed_name(candidate, value)
        || is_next_statement(candidate)
        || is_passed_argument(candidate, value)
        || value.ends_with(GOOGLE_CLIENT)
        || is_push_key(candidate, value)
        || is_instruction(value)
        || is_cache_key(candidate, value)
        || is_length_rule(candidate, value)
        || is_stand_in(candidate, value)
        || is_digest(candidate, value)
        || is_message(value)
        || is_nested_key(candidate)
        || is_name_service(candidate, value)
        || is_named_identifier(candidate)
        || is_bound_variable(candidate, value)
        || is_colour(value)
        || is_package_version(value)
}

/// Recognises a colour in a style sheet: `--password-strength-weak: #d9480f;`.
fn is_colour(value: &str) -> bool {
    let digits = value.trim_end_matches(';').strip_prefix('#');
    digits.is_some_and(|digits| {
        matches!(digits.len(), 3 | 6 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Recognises the name and the version of a package: `io.jsonwebtoken:jjwt-api:0.12.5`.
fn is_package_version(value: &str) -> bool {
    value.split_once(':').is_some_and(|(name, version)| {
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && version.contains('.')
            && version.split('.').all(|part| part.starts_with(|first: char| first.is_ascii_digit()))
    })
}

/// Recognises the identifier of a key: `密钥 ID：47f9…`.
fn is_named_identifier(candidate: &Candidate<'_>) -> bool {
    let between = &candidate.text[candidate.word.end..candidate.value.start];
    let between = between.trim_start_matches(['的', ' ']);
    !candidate.text[candidate.word.clone()].is_ascii()
        && ["ID", "id", "Id", "编号", "名称", "标识", "版本", "别名"]
            .iter()
            .any(|word| between.starts_with(word))
}

/// Recognises a variable of `psql`: `PASSWORD :'app_password'`.
fn is_bound_variable(candidate: &Candidate<'_>, value: &str) -> bool {
    let before = &candidate.text.as_bytes()[..candidate.value.start];
    before.ends_with(b" :'") && value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// Recognises a message about a password: `errors.password = "Password must contain at least 8 characters"`.
fn is_message(value: &str) -> bool {
    const WORDS: &[&str] = &[
        "cannot",
        "characters",
        "contain",
        "contains",
        "empty",
        "enter",
        "incorrect",
        "invalid",
        "least",
        "match",
        "must",
        "please",
        "required",
    ];
    let words = || value.split([' ', ',', '.', '!']).filter(|word| !word.is_empty());
    words().count() >= MIN_MESSAGE_WORDS
        && words().any(|word| WORDS.iter().any(|other| word.eq_ignore_ascii_case(other)))
}

/// Recognises the name of a property in the object that describes a field: `{"password": {"write_only": True}}`.
fn is_nested_key(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let between = bytes[candidate.word.end..candidate.value.start].trim_ascii_end();
    let opened = between.strip_suffix(b"\"").or_else(|| between.strip_suffix(b"'"));
    let after = bytes.get(candidate.value.end + 1..).unwrap_or_default().trim_ascii_start();
    opened.is_some_and(|before| before.trim_ascii_end().ends_with(b"{")) && after.starts_with(b":")
}

/// Recognises a line of `nsswitch.conf`: `passwd: files systemd`.
fn is_name_service(candidate: &Candidate<'_>, value: &str) -> bool {
    const SERVICES: &[&str] =
        &["cache", "cache_db", "compat", "db", "files", "ldap", "nis", "sss", "systemd", "winbind"];
    let name = &candidate.text[candidate.word.clone()];
    candidate.relation == Relation::Colon && name == "passwd" && SERVICES.contains(&value)
}

/// Recognises a cache key that ends with a digest: `node-cache-Linux-x64-8f2c…`.
fn is_cache_key(candidate: &Candidate<'_>, value: &str) -> bool {
    const PARTS: &[&str] = &["cache", "linux", "macos", "windows", "ubuntu"];
    candidate.name == Name::Vague
        && value.rsplit_once('-').is_some_and(|(name, digest)| {
            digest.bytes().all(|byte| byte.is_ascii_hexdigit())
                && name.split('-').any(|part| PARTS.contains(&part.to_ascii_lowercase().as_str()))
        })
}

/// Recognises a rule about the length of a password in any language: `Passwort: mindestens 12 Zeichen`.
fn is_length_rule(candidate: &Candidate<'_>, value: &str) -> bool {
    let rest = candidate.text.as_bytes().get(candidate.value.end..).unwrap_or_default();
    let digits = rest.iter().skip(1).take(MAX_NUMBER).take_while(|byte| byte.is_ascii_digit());
    let n_digits = digits.count();
    candidate.quoting == Quoting::Bare
        && rest.first() == Some(&b' ')
        && n_digits > 0
        && matches!(rest.get(1 + n_digits..), Some([b' ', next, ..]) if next.is_ascii_alphabetic())
        && value.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Recognises the public key of a push notification server: `applicationServerKey: 'B…'`.
fn is_push_key(candidate: &Candidate<'_>, value: &str) -> bool {
    if !PUSH_KEY_LENGTHS.contains(&value.len()) || !value.starts_with('B') {
        return false;
    }
    let bytes = candidate.text.as_bytes();
    let name = bytes[candidate.word.start.saturating_sub(MAX_NAME)..candidate.word.end]
        .to_ascii_lowercase();
    let is_public = [&b"applicationserver"[..], b"vapid", b"p256dh", b"public"]
        .iter()
        .any(|word| memchr::memmem::find(&name, word).is_some());
    is_public && memchr::memmem::find(&name, b"private").is_none()
}

/// Recognises a placeholder that tells the reader to choose a value: `changeme`, `replace-with-a-long-random-string`.
fn is_instruction(value: &str) -> bool {
    let letters =
        || value.bytes().filter(u8::is_ascii_alphabetic).map(|letter| letter.to_ascii_lowercase());
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let starts_with = |start: &&str| letters().take(start.len()).eq(start.bytes());
    !has_digit
        && (INSTRUCTIONS.iter().any(|words| letters().eq(words.bytes()))
            || value.contains(['-', '_', ' ']) && INSTRUCTION_STARTS.iter().any(starts_with))
}

/// Recognises versions such as `1.2.1` and `v1.0.0-beta.37`.
fn is_version(value: &str) -> bool {
    let body = value.strip_prefix('v').unwrap_or(value);
    let numbers = body.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let (numbers, rest) = body.split_at(numbers);
    let parts = || numbers.trim_end_matches('.').split('.');
    parts().count() >= 3
        && parts().all(|part| (1..=8).contains(&part.len()))
        && (rest.is_empty() || rest.starts_with(['-', '+']) || numbers.ends_with('.'))
        && rest
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.'))
}

/// Recognises an IP address, an address with a port, and a list of addresses.
fn is_network_address(value: &str) -> bool {
    let is_address =
        |part: &str| part.parse::<IpAddr>().is_ok() || part.parse::<SocketAddr>().is_ok();
    value.contains(['.', ':'])
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && !value.bytes().any(|byte| matches!(byte, b'g'..=b'z' | b'G'..=b'Z'))
        && value.split(',').all(|part| part.is_empty() || is_address(part))
}

/// Recognises command-line options in a sentence: "pass `--enable-feature=x`".
fn is_option(candidate: &Candidate<'_>, value: &str) -> bool {
    let is_long = value.starts_with("--");
    let is_short = value.starts_with('-') && value.contains(' ');
    matches!(candidate.relation, Relation::Beside | Relation::Words | Relation::Prose)
        && (is_long || is_short)
}

/// Recognises a shell redirection: `>&2`.
fn is_redirection(value: &str) -> bool {
    value.starts_with(">&")
}

/// Recognises a word that ends a sentence about a password: `the password was changed!`, `Password forgotten?`.
fn is_state(candidate: &Candidate<'_>, value: &str) -> bool {
    let word = value.trim_end_matches(['.', '!', '?', '}', ')', ':']);
    let is_question = value.ends_with('?');
    let is_letters = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_verb = candidate.text.as_bytes()[candidate.word.clone()].eq_ignore_ascii_case(b"pass");
    let is_lower_case = word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_participle = word.len() > 3 && word.ends_with("ed") || STATES.contains(&word);
    candidate.quoting == Quoting::Bare
        && is_letters
        && match candidate.relation {
            Relation::Words | Relation::Prose => is_lower_case && is_participle,
            Relation::Beside => is_question || is_verb || is_lower_case && is_participle,
            Relation::Equals
            | Relation::Colon
            | Relation::Sign
            | Relation::Attribute
            | Relation::Flag
            | Relation::Argument
            | Relation::Joined
            | Relation::Column
            | Relation::RestOfLine => false,
        }
}

/// Recognises the next name in a list of names: `["old_password", "next_password1"]`. The next name may be on the next
/// line.
fn is_listed_name(candidate: &Candidate<'_>, value: &str) -> bool {
    let bytes = candidate.text.as_bytes();
    let between = &bytes[candidate.word.end..candidate.value.start];
    let word = bytes[candidate.word.clone()].to_ascii_lowercase();
    let is_identifier =
        value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
    let repeats_name =
        memchr::memmem::find(&value.as_bytes().to_ascii_lowercase(), &word).is_some();
    candidate.relation == Relation::Sign
        && between.contains(&b',')
        && (between.contains(&b'\n') && is_words(value)
            || is_identifier && value.contains('_') && repeats_name)
}

/// Recognises a bare word on the line after a statement that ends with a colon, such as `return` after
/// `if not password:`. If the name is at the start of its line, the word may instead be the value of a setting.
fn is_next_statement(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let between = &bytes[candidate.word.end..candidate.value.start];
    if candidate.quoting == Quoting::Quoted
        || candidate.relation != Relation::Colon
        || !between.contains(&b'\n')
    {
        return false;
    }
    let before = &bytes[candidate.word.start.saturating_sub(MAX_LINE)..candidate.word.start];
    let line = memchr::memrchr(b'\n', before).map_or(before, |at| &before[at + 1..]);
    let name = line
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
        .count();
    let starts_line = line[..line.len() - name]
        .iter()
        .all(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'"' | b'\'' | b'#' | b'*' | b'/'));
    crate::work::count(line.len());
    !starts_line || between.contains(&b')')
}

/// Recognises code after the verb `pass`: "pass ``clean()`` an empty value".
fn is_passed_argument(candidate: &Candidate<'_>, value: &str) -> bool {
    let bytes = candidate.text.as_bytes();
    let is_verb = bytes[candidate.word.clone()].eq_ignore_ascii_case(b"pass")
        && candidate.relation == Relation::Beside;
    let is_code = bytes[..candidate.value.start].ends_with(b"`");
    is_verb && (is_code || value.ends_with("()"))
}

/// Recognises a number after a vague name such as `key`: `EXPIREAT key 1893456000`.
fn is_count(candidate: &Candidate<'_>, value: &str) -> bool {
    candidate.name == Name::Vague
        && matches!(candidate.relation, Relation::Beside | Relation::Colon | Relation::Equals)
        && value.len() <= 13
        && value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Recognises validation rules for a form field, such as `required|min:8|confirmed`.
pub(super) fn is_validation_rule(value: &str) -> bool {
    value.contains('|')
        && value.split('|').all(|rule| {
            rule.len() > 2
                && rule
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b','))
        })
        && value.split('|').any(|rule| {
            matches!(rule, "required" | "confirmed" | "nullable" | "string" | "sometimes")
        })
}
