//! Recognises ordinary values after the name of a secret: versions, addresses, options, digests, names, texts of a user
//! interface, and words in a sentence.

use crate::bytes::{
    bytes_after, bytes_before, consists_of, contains_any, ends_with_any,
    ends_with_any_ignoring_case, equals_any_ignoring_case, is_word_or, line_before, run_after,
    run_before, starts_with_any,
};
use crate::secrets::WORDS;
use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::direct::is_words;
use crate::secrets::forms::is_random;
use crate::secrets::stand_ins::{is_file_name, is_instruction, is_path_of_file, names_credential};
use crate::table::WordList;
use std::net::{IpAddr, SocketAddr};

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
static STATES: WordList = WordList::new(WORDS, "states");

/// Returns whether the value's form and its position after the name show that it is ordinary text or a public value.
pub(super) fn is_ordinary(candidate: &Candidate<'_>, value: &str) -> bool {
    is_version(value)
        || is_network_address(value)
        || is_option(candidate, value)
        // `>&2`: a redirection of a shell.
        || value.starts_with(">&")
        || is_state(candidate, value)
        || is_number_after_key(candidate, value)
        || is_listed_name(candidate, value)
        || is_next_statement(candidate)
        || is_passed_argument(candidate, value)
        || value.ends_with(GOOGLE_CLIENT)
        || is_push_key(candidate, value)
        || is_instruction(value)
        || is_cache_key(candidate, value)
        || is_length_rule(candidate, value)
        || is_removed(value)
        || candidate.name == Name::Password
            && (DEFAULTS.contains(&value) || repeats_user(candidate, value))
        || is_translation(candidate, value)
        || candidate.quoting == Quoting::Quoted
            && (is_label_of_field(value) || is_sentence(candidate, value))
        || is_fingerprint(candidate, value)
        || is_checksum_of_package(candidate, value)
        || is_message(value)
        || is_nested_key(candidate)
        || is_name_service(candidate, value)
        || is_named_identifier(candidate)
        // A variable of `psql`: `PASSWORD :'app_password'`.
        || candidate.text[..candidate.value.start].ends_with(" :'")
            && consists_of(value, u8::is_ascii_lowercase, "_")
        || is_colour(value)
        || is_package_version(value)
        || names_constant(candidate, value)
        || candidate.name == Name::Vague && is_alphabet(value)
        || is_path_of_file(value)
        || is_file_name(value)
            && (candidate.name == Name::Token
                || matches!(candidate.relation, Relation::Words | Relation::Prose))
        || is_command_or_markup(value)
}

/// Recognises a colour in a style sheet: `--password-strength-weak: #d9480f;`.
fn is_colour(value: &str) -> bool {
    value.trim_end_matches(';').strip_prefix('#').is_some_and(|digits| {
        matches!(digits.len(), 3 | 6 | 8) && consists_of(digits, u8::is_ascii_hexdigit, "")
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
    let between = candidate.between();
    let between = between.trim_start_matches(['的', ' ']);
    !candidate.word().is_ascii()
        && starts_with_any(between, &["ID", "id", "Id", "编号", "名称", "标识", "版本", "别名"])
}

static MESSAGE_WORDS: WordList = WordList::new(WORDS, "words of messages");

/// Recognises a message about a password: `errors.password = "Password must contain at least 8 characters"`.
fn is_message(value: &str) -> bool {
    let words = || value.split([' ', ',', '.', '!']).filter(|word| !word.is_empty());
    words().count() >= MIN_MESSAGE_WORDS
        && words().any(|word| equals_any_ignoring_case(word, &MESSAGE_WORDS))
}

/// Recognises the name of the next pair, or of a property in the object that describes a field:
/// `"repeat": "Confirm password", "next_1": …`, `{"password": {"write_only": True}}`.
fn is_nested_key(candidate: &Candidate<'_>) -> bool {
    let between = candidate.between().as_bytes().trim_ascii_end();
    let opened = between.strip_suffix(b"\"").or_else(|| between.strip_suffix(b"'"));
    let after = candidate.after().get(1..).unwrap_or_default().trim_ascii_start();
    opened.is_some_and(|before| matches!(before.trim_ascii_end(), [.., b'{' | b',']))
        && after.starts_with(b":")
}

/// Recognises a line of `nsswitch.conf`: `passwd: files systemd`.
fn is_name_service(candidate: &Candidate<'_>, value: &str) -> bool {
    const SERVICES: &[&str] =
        &["cache", "cache_db", "compat", "db", "files", "ldap", "nis", "sss", "systemd", "winbind"];
    candidate.relation == Relation::Colon
        && candidate.word() == "passwd"
        && SERVICES.contains(&value)
}

/// Recognises a cache key that ends with a digest: `node-cache-Linux-x64-8f2c…`.
fn is_cache_key(candidate: &Candidate<'_>, value: &str) -> bool {
    const PARTS: &[&str] = &["cache", "linux", "macos", "windows", "ubuntu"];
    candidate.name == Name::Vague
        && value.rsplit_once('-').is_some_and(|(name, digest)| {
            digest.bytes().all(|byte| byte.is_ascii_hexdigit())
                && name.split('-').any(|part| equals_any_ignoring_case(part, PARTS))
        })
}

/// Recognises a rule about the length of a password in any language: `Passwort: mindestens 12 Zeichen`.
fn is_length_rule(candidate: &Candidate<'_>, value: &str) -> bool {
    let rest = candidate.after();
    let Some(rest) = rest.strip_prefix(b" ") else { return false };
    let n_digits = run_after(rest, MAX_NUMBER, |byte| byte.is_ascii_digit());
    candidate.quoting == Quoting::Bare
        && n_digits > 0
        && matches!(&rest[n_digits..], [b' ', next, ..] if next.is_ascii_alphabetic())
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
    contains_any(&name, &["applicationserver", "vapid", "p256dh", "public"])
        && !contains_any(&name, &["private"])
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
        && consists_of(rest, u8::is_ascii_alphanumeric, "-+.")
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
    matches!(candidate.relation, Relation::Beside | Relation::Words | Relation::Prose)
        && (value.starts_with("--") || value.starts_with('-') && value.contains(' '))
}

/// Recognises a word that ends a sentence about a password: `the password was changed!`, `Password forgotten?`.
fn is_state(candidate: &Candidate<'_>, value: &str) -> bool {
    let word = value.trim_end_matches(['.', '!', '?', '}', ')', ':']);
    let is_question = value.ends_with('?');
    let is_letters = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_verb = candidate.word().eq_ignore_ascii_case("pass");
    let is_lower_case = word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_participle = word.len() > 3 && word.ends_with("ed") || STATES.contains(&word);
    let is_in_prose = matches!(candidate.relation, Relation::Words | Relation::Prose);
    candidate.quoting == Quoting::Bare
        && is_letters
        && (is_in_prose && is_lower_case && is_participle
            || candidate.relation == Relation::Beside
                && (is_question || is_verb || is_lower_case && is_participle))
}

/// Recognises the next name in a list of names: `["old_password", "next_password1"]`. The next name may be on the next
/// line.
fn is_listed_name(candidate: &Candidate<'_>, value: &str) -> bool {
    let between = candidate.between().as_bytes();
    let word = candidate.word().to_ascii_lowercase();
    candidate.relation == Relation::Sign
        && between.contains(&b',')
        && (between.contains(&b'\n') && is_words(value)
            || consists_of(value, u8::is_ascii_alphanumeric, "_.")
                && value.contains('_')
                && value.to_ascii_lowercase().contains(&word))
}

/// Recognises a bare word on the line after a statement that ends with a colon, such as `return` after
/// `if not password:`. If the name is at the start of its line, the word may instead be the value of a setting.
fn is_next_statement(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let between = candidate.between().as_bytes();
    if candidate.quoting == Quoting::Quoted
        || candidate.relation != Relation::Colon
        || !between.contains(&b'\n')
    {
        return false;
    }
    let line = line_before(bytes, candidate.word.start, MAX_LINE);
    let name = run_before(line, usize::MAX, |byte| is_word_or(byte, b"_-."));
    let starts_line = line[..line.len() - name]
        .iter()
        .all(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'"' | b'\'' | b'#' | b'*' | b'/'));
    !starts_line || between.contains(&b')')
}

/// Recognises code after the verb `pass`: "pass ``clean()`` an empty value".
fn is_passed_argument(candidate: &Candidate<'_>, value: &str) -> bool {
    candidate.relation == Relation::Beside
        && candidate.word().eq_ignore_ascii_case("pass")
        && (candidate.between().ends_with('`') || value.ends_with("()"))
}

/// Recognises a number after a vague name such as `key`: `EXPIREAT key 1893456000`.
fn is_number_after_key(candidate: &Candidate<'_>, value: &str) -> bool {
    candidate.name == Name::Vague
        && matches!(candidate.relation, Relation::Beside | Relation::Colon | Relation::Equals)
        && value.len() <= 13
        && consists_of(value, u8::is_ascii_digit, ".")
}

/// The length of a SHA-1 digest in hexadecimal digits. Checksums of packages and fingerprints of keys have this length.
const DIGEST: usize = 40;
const SHORT_FINGERPRINT: usize = 16;
/// How many bytes before and after a line are searched for the previous line and the next line.
const MAX_LINES: usize = 160;
const MAX_ENTRY_NAME: usize = 48;

/// Recognises the fingerprint of a GnuPG key: `ENV GPG_KEY A035…`, `signingkey = 3AA5…`.
fn is_fingerprint(candidate: &Candidate<'_>, value: &str) -> bool {
    let word = candidate.word().as_bytes();
    let is_key = candidate.name == Name::Vague && word.eq_ignore_ascii_case(b"key")
        || word.eq_ignore_ascii_case(b"signingkey");
    is_key
        && matches!(value.len(), DIGEST | SHORT_FINGERPRINT)
        && value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'A'..=b'F'))
        && value.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Recognises an entry in a list of package checksums: `  KeychainAccess: c0c4f7f3…`. The package name must be
/// capitalised, and the line before or after the entry must be another entry or the heading of the list.
fn is_checksum_of_package(candidate: &Candidate<'_>, value: &str) -> bool {
    let is_entry = candidate.relation == Relation::Colon
        && candidate.quoting == Quoting::Bare
        && value.len() == DIGEST
        && value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'));
    if !is_entry {
        return false;
    }
    let bytes = candidate.text.as_bytes();
    let line = line_before(bytes, candidate.word.start, MAX_ENTRY_NAME);
    let first = line.trim_ascii_start().first().unwrap_or(&bytes[candidate.word.start]);
    let start = candidate.word.start - line.len();
    let above = bytes_before(bytes, start, MAX_LINES);
    let above = above.rsplit(|byte| *byte == b'\n').find(|line| !line.is_empty());
    let rest = bytes_after(bytes, candidate.value.end, MAX_LINES);
    let below = rest.split(|byte| *byte == b'\n').nth(1);
    first.is_ascii_uppercase() && above.into_iter().chain(below).any(is_entry_or_heading)
}

/// Returns whether a line is the heading of a list of checksums, or an entry whose name does not end with a word for a
/// secret.
fn is_entry_or_heading(line: &[u8]) -> bool {
    if memchr::memmem::find(line, b"CHECKSUM").is_some() {
        return true;
    }
    let line = line.trim_ascii();
    let Some(colon) = memchr::memmem::find(line, b": ") else { return false };
    let (name, digest) = (line[..colon].to_ascii_lowercase(), &line[colon + 2..]);
    digest.len() == DIGEST
        && digest.iter().all(u8::is_ascii_hexdigit)
        && !ends_with_any(name, &["key", "token", "secret", "password"])
}

const LOWER_CASE: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER_CASE: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Recognises the name of a constant, a variable or a setting: `__GITLAB_OAUTH_SECRET__`. After the name of a password,
/// it must contain a word such as `password` or `token`, because a password may consist of capital letters.
fn names_constant(candidate: &Candidate<'_>, value: &str) -> bool {
    let n_words = value.split('_').filter(|word| !word.is_empty()).count();
    n_words > 1
        && consists_of(value, u8::is_ascii_uppercase, "_")
        && (candidate.name != Name::Password || names_credential(value))
        && !is_random(value)
}

/// Recognises the characters of an encoding: all letters in ascending order, and no character twice.
fn is_alphabet(value: &str) -> bool {
    let mut characters: Vec<u8> = value.bytes().collect();
    characters.sort_unstable();
    characters.dedup();
    characters.len() == value.len() && (value.contains(LOWER_CASE) || value.contains(UPPER_CASE))
}

/// Recognises a quoted shell command, an escaped placeholder and the first line of a script:
/// `` password: "`pwgen 16`" ``, `&lt;password&gt;`, `#!/bin/sh`.
fn is_command_or_markup(value: &str) -> bool {
    let command = value.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    let is_command = command.is_some_and(|command| {
        command.contains(' ') || consists_of(command, u8::is_ascii_lowercase, "-_")
    });
    is_command || value.starts_with("&lt;") || value.starts_with("#!/")
}

static REMOVED: WordList = WordList::new(WORDS, "removed");
static DEFAULTS: WordList = WordList::new(WORDS, "defaults");
/// The number of bytes before a name and after its value that are searched for a user name.
const MAX_ACCOUNT: usize = 128;

/// Recognises a note that the value was removed: `REDACTED`, `[FILTERED]`.
fn is_removed(value: &str) -> bool {
    let word = value.trim_matches(|character: char| character.is_ascii_punctuation());
    equals_any_ignoring_case(word, &REMOVED)
}

/// Returns whether the value is also the name of a user on the same line or on a line close to it:
/// `default_user = guest`, `default_pass = guest`.
fn repeats_user(candidate: &Candidate<'_>, value: &str) -> bool {
    let bytes = candidate.text.as_bytes();
    if !consists_of(value, u8::is_ascii_lowercase, "_") {
        return false;
    }
    let before = bytes_before(bytes, candidate.word.start, MAX_ACCOUNT);
    let after = bytes_after(bytes, candidate.value.end, MAX_ACCOUNT);
    [before, after].iter().any(|part| names_user(part, value.as_bytes()))
}

/// Returns whether `part` contains a field for a user with exactly this value: `user: app`, `"USER": "app"`.
fn names_user(part: &[u8], value: &[u8]) -> bool {
    memchr::memmem::find_iter(part, value).any(|at| {
        let field = &part[..at];
        let signs = run_before(field, usize::MAX, |byte| b"\"' :=>,".contains(&byte));
        let name = &field[..field.len() - signs];
        let next = part.get(at + value.len());
        signs > 0
            && !next.is_some_and(|byte| is_word_or(*byte, b"_-."))
            && ends_with_any_ignoring_case(
                name,
                &["user", "username", "user_name", "login", "account"],
            )
    })
}

/// Recognises the translation of a label: a quoted word with accented Latin, Greek or Cyrillic letters, or a line of an
/// application's translation file (`"Repeat password" = "Gjenta passord";`).
fn is_translation(candidate: &Candidate<'_>, value: &str) -> bool {
    if candidate.quoting != Quoting::Quoted {
        return false;
    }
    let between = candidate.between().as_bytes();
    let is_entry = candidate.relation == Relation::Equals
        && memchr::memmem::find(between, b"\" = \"").is_some()
        && candidate.after().starts_with(b"\";");
    let is_text = |character: char| {
        character.is_alphabetic()
            || matches!(character, ' ' | '-' | '\'' | '’' | '.' | '!' | '?' | ',' | ':' | '…')
    };
    let is_foreign_word = !value.is_ascii()
        && value.chars().all(char::is_alphabetic)
        && value.chars().any(|letter| matches!(letter, '\u{c0}'..='\u{52f}'));
    (is_entry && value.chars().all(is_text)) || is_foreign_word
}

/// The minimum number of words in a sentence. A passphrase that ends with a punctuation character usually has fewer
/// words, or capitalised words.
const MIN_WORDS: usize = 4;
/// The minimum number of words in a sentence that ends with an exclamation mark, which is common in passwords.
const MIN_EXCLAMATION: usize = 5;
/// The minimum number of words in a question and in a text that ends with a colon.
const MIN_QUESTION: usize = 3;
/// The minimum number of words that no passphrase has.
const MIN_LONG: usize = 7;
const MIN_LABEL: usize = 3;

/// Recognises one word that ends with a colon: `Engangskode:`.
fn is_label_of_field(value: &str) -> bool {
    value.strip_suffix([':', '：']).is_some_and(|word| {
        word.chars().count() >= MIN_LABEL && word.chars().all(char::is_alphabetic)
    })
}

/// Recognises a sentence: it starts with a capital letter, ends with a punctuation character, and most of its other
/// words start with a lower-case letter.
fn is_sentence(candidate: &Candidate<'_>, value: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_matches(['.', ',', ';', ':', '!', '?', '"', '(', ')', '…']);
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        is_number || word.chars().all(|letter| letter.is_alphabetic() || "'’-/".contains(letter))
    };
    let is_lower = |word: &&str| word.chars().next().is_some_and(char::is_lowercase);
    let words = || value.split(' ').filter(|word| !word.is_empty());
    let n_words = words().count();
    let min_words = match value.chars().next_back() {
        Some('!') => MIN_EXCLAMATION,
        Some('?' | ':') => MIN_QUESTION,
        _ => MIN_WORDS,
    };
    value.chars().next().is_some_and(|first| first.is_uppercase() || "¿¡".contains(first))
        && value.ends_with(['.', '!', '?', ':', '…'])
        && n_words >= min_words
        && words().filter(is_lower).count() * 2 >= n_words
        && words().all(is_word)
        && (n_words >= MIN_LONG || value.contains([',', '?', ':']) || is_entry(candidate))
}

/// Returns whether the name is a compound name in a list of texts, such as `"createPassword": …`. A field that is just
/// called `password` may contain a passphrase.
fn is_entry(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| is_word_or(*byte, b"_"));
    candidate.relation == Relation::Colon
        && (is_part(candidate.before().last()) || is_part(bytes.get(candidate.word.end)))
}
