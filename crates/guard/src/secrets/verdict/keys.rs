//! Recognises generated keys whose name is vague or the name of a service, or that do not directly follow their name.

use crate::bytes::{
    bytes_after, bytes_before, consists_of, contains_any, ends_with_any, starts_with_any,
    without_separator,
};
use crate::secrets::WORDS;
use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::forms::{Characters, is_random, is_uuid};
use crate::secrets::letters::surprise;
use crate::secrets::positions::NAMES;
use crate::table::WordList;

const MIN_LENGTH: usize = 20;
const MAX_LENGTH: usize = 160;
/// The minimum length of a generated value that is on the same line as its name, but not directly after it.
const MIN_LATER: usize = 16;
/// The minimum surprise (see `letters`), in half nats, of a generated value without digits.
const MIN_SURPRISE: i32 = 24;
/// The minimum length of a word in lower case that shows that the value is a path.
const MIN_PATH_WORD: usize = 3;
const ALERT_KEY_LENGTH: usize = 32;
const MIN_ALERT_KEY_DIGITS: usize = 5;
const ACCESS_KEY_LENGTH: usize = 20;
/// The key lengths of the usual ciphers.
const CIPHER_KEY_LENGTHS: [usize; 3] = [16, 24, 32];
const MIN_CIPHER_KEY: usize = CIPHER_KEY_LENGTHS[0];

static PUBLIC_KEYS: WordList = WordList::new(WORDS, "public keys");

/// Returns whether the value is a generated key: `billing_key: "tQ7mZx2LkV9pRw4NsB8yHd3C"`,
/// `<secret>provider Vt4Kq9ZmXw2RbN7s</secret>`.
pub(super) fn is_generated_key(candidate: &Candidate<'_>) -> bool {
    if is_alert_key(candidate)
        || is_access_key(candidate)
        || is_header_key(candidate) && is_random(candidate.value())
    {
        return true;
    }
    let min = match (candidate.name, candidate.relation) {
        (
            Name::Vague,
            Relation::Equals
            | Relation::Colon
            | Relation::Sign
            | Relation::Attribute
            | Relation::Flag,
        ) if names_key(candidate) => MIN_LENGTH,
        (Name::Vague, Relation::Equals) if is_constant_cipher_key(candidate) => MIN_CIPHER_KEY,
        (Name::Token, Relation::RestOfLine) => MIN_LATER,
        _ => return false,
    };
    let value = candidate.value();
    // `ser.Vt4Kq9ZmXw2RbN7sTq3L`: the part before the dot states the kind of the key.
    let body = value.split_once('.').map_or(value, |(_, body)| body);
    (min..=MAX_LENGTH).contains(&body.len()) && is_generated_body(body)
}

/// Returns whether the identifier is a compound name that ends with `key`.
fn names_key(candidate: &Candidate<'_>) -> bool {
    candidate.tail(b"_").is_empty() && is_key(candidate) && !candidate.head(b"_-").is_empty()
}

/// Recognises the key of an alerting service: 32 letters and digits after `routing_key`. Message brokers also use the
/// name `routing_key`, but their routing keys consist of words.
fn is_alert_key(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    is_key(candidate)
        && value.len() == ALERT_KEY_LENGTH
        && candidate.head(b"_-").to_ascii_lowercase().starts_with(b"routing")
        && value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte.is_ascii_uppercase())
        && value.bytes().filter(u8::is_ascii_digit).count() >= MIN_ALERT_KEY_DIGITS
}

/// Recognises the identifier that a store of objects issues together with a secret: 20 capital letters and digits after
/// `s3_key`. The name may also be that of a stored object, but such names have separators or lower-case letters.
fn is_access_key(candidate: &Candidate<'_>) -> bool {
    let value = candidate.value();
    let head = candidate.head(b"_-").to_ascii_lowercase();
    is_key(candidate)
        && value.len() == ACCESS_KEY_LENGTH
        && (head.ends_with(b"s3_") || head.ends_with(b"s3"))
        && value.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        && value.bytes().filter(u8::is_ascii_digit).count() >= MIN_ALERT_KEY_DIGITS
        && is_random(value)
}

/// Returns whether the value is a generated key in a request header: `Fastly-Key: 4f1e…`.
fn is_header_key(candidate: &Candidate<'_>) -> bool {
    if !is_key(candidate) || candidate.relation != Relation::Colon {
        return false;
    }
    let head = candidate.head(b"_-");
    let before = &candidate.before()[..candidate.word.start - head.len()];
    head.ends_with(b"-")
        && head[0].is_ascii_alphabetic()
        && ends_with_any(before, &["-H ", "-H '", "-H \"", "header ", "header '", "header \""])
}

/// Returns whether the constant `KEY` is a literal with the length of a cipher key: `KEY = "Vt4Kq9ZmXw2RbN7s"`.
fn is_constant_cipher_key(candidate: &Candidate<'_>) -> bool {
    candidate.word() == "KEY"
        && candidate.head(b"_-").is_empty()
        && candidate.quoting == Quoting::Quoted
        && CIPHER_KEY_LENGTHS.contains(&candidate.value.len())
}

/// Returns whether the name, such as `cache_key`, belongs to a value that is not secret.
pub(super) fn names_public_key(candidate: &Candidate<'_>) -> bool {
    if is_alert_key(candidate) || is_access_key(candidate) {
        return false;
    }
    let head = candidate.head(b"_-").to_ascii_lowercase();
    let head = without_separator(&head);
    // `amap` is a service that issues keys.
    is_key(candidate) && head != b"amap" && ends_with_any(head, &PUBLIC_KEYS)
}

fn is_key(candidate: &Candidate<'_>) -> bool {
    candidate.name == Name::Vague && candidate.word().eq_ignore_ascii_case("key")
}

/// Returns whether the value looks generated: it contains upper-case and lower-case letters, is random, and either
/// has at least two digits or has a very unlikely sequence of letters.
fn is_generated_body(value: &str) -> bool {
    let Characters { upper, lower, digits, others } = Characters::of(value);
    upper >= 3
        && lower >= 3
        && others * 8 <= value.len()
        && consists_of(value, u8::is_ascii_alphanumeric, "_-+/=")
        && is_random(value)
        && (digits >= 2 || surprise(value.as_bytes()) >= MIN_SURPRISE)
}

/// Returns whether the value is a random base64 string that starts with a slash, rather than a path. A path contains
/// words in lower case, or characters that base64 does not have.
pub(super) fn is_base64_after_slash(value: &str) -> bool {
    let body = value.trim_start_matches('/').trim_end_matches('=');
    let is_word = |part: &str| {
        part.len() >= MIN_PATH_WORD && part.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let longest = body.split('/').max_by_key(|part| part.len()).unwrap_or_default();
    value.starts_with('/')
        && (MIN_LENGTH..=MAX_LENGTH).contains(&body.len())
        && consists_of(body, u8::is_ascii_alphanumeric, "+/")
        && !body.split('/').any(is_word)
        && is_generated_body(longest)
        && longest.len() * 5 >= body.len()
}

const MAX_KEY: usize = 160;
/// The minimum length of a key with letters and digits.
const MIN_KEY: usize = 20;
/// The minimum length of a key with letters of both cases and digits, if the name is that of a variable or of a key.
const MIN_MIXED_KEY: usize = 16;
const MIN_HEXADECIMAL: usize = 32;
/// The minimum length of a run of letters and digits in a key. Names consist of shorter words.
const MIN_RUN: usize = 12;
/// Like [`MIN_RUN`], for a key with letters of both cases and digits.
const MIN_MIXED_RUN: usize = 8;
/// The length of a commit identifier and of a package checksum, in hexadecimal digits.
const COMMIT: usize = 40;
/// The length of an SHA-256 checksum in hexadecimal digits.
const CHECKSUM: usize = 64;
const MAX_POINTS: usize = 2;
/// The maximum length of the end of a file's name or a host's name.
const MAX_EXTENSION: usize = 6;
/// How many bytes before and after an assignment are searched for other checksums.
const MAX_TABLE: usize = 160;
/// Words in a table of checksums.
const DIGEST_WORDS: &[&str] = &["sum", "sha", "digest", "integrity"];

/// The ends of a name, without separators, after which the name is still that of a key: `intelowlkey`, `EDGAR_API`.
const KEY_WORDS: &[&str] = &["key", "token", "secret", "pat", "sk"];
/// The words that may precede one of [`KEY_WORDS`], without separators.
const KEY_KINDS: &[&str] = &[
    "", "access", "account", "admin", "api", "app", "auth", "license", "private", "rest", "s3",
    "server", "service", "user",
];

static IDENTIFIERS: WordList = WordList::new(WORDS, "identifiers");

/// The names of services that are also ordinary words, or that often name a public identifier of the service, such as a
/// verification code.
static AMBIGUOUS: WordList = WordList::new(NAMES, "ambiguous");

/// Returns whether the value looks generated and is assigned to the name of a service, or to such a name with a word for
/// a key.
pub(super) fn is_service_key(candidate: &Candidate<'_>) -> bool {
    if !matches!(candidate.name, Name::Provider | Name::Service) || !is_assigned(candidate) {
        return false;
    }
    let Some(name) = ServiceName::of(candidate) else { return false };
    let value = candidate.value();
    if !(MIN_MIXED_KEY..=MAX_KEY).contains(&value.len())
        || !name.fits(candidate)
        || is_public_identifier(value)
    {
        return false;
    }
    let is_equals = candidate.relation == Relation::Equals;
    if is_uuid(value) {
        return is_random(value) && (is_equals || name.is_certain());
    }
    if value.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let may_be_digest = !name.is_certain()
            && (value.len() == COMMIT
                || value.len() >= CHECKSUM && (!is_equals || is_in_checksums(candidate)));
        return value.len() >= MIN_HEXADECIMAL && !may_be_digest && is_random(value);
    }
    is_generated_for_service(value, name.is_certain())
}

/// Returns whether the text near the assignment contains another digest or a word for one, as a table of checksums does.
fn is_in_checksums(candidate: &Candidate<'_>) -> bool {
    let bytes = candidate.text.as_bytes();
    let (start, end) = (candidate.word.start, candidate.value.end);
    let before = bytes_before(bytes, start, MAX_TABLE).to_ascii_lowercase();
    let after = bytes_after(bytes, end, MAX_TABLE).to_ascii_lowercase();
    [before, after].iter().any(|part| {
        contains_any(part, DIGEST_WORDS)
            || part.split(|byte| !byte.is_ascii_hexdigit()).any(|run| run.len() >= COMMIT)
    })
}

/// Recognises the address of an account on a blockchain (`0x…`), the identifier of a project or a user (`prj_…`), and the
/// name of a file or a host.
fn is_public_identifier(value: &str) -> bool {
    let is_file_or_host = value.rsplit_once('.').is_some_and(|(_, end)| {
        end.len() <= MAX_EXTENSION && end.bytes().all(|byte| byte.is_ascii_lowercase())
    });
    is_file_or_host || value.starts_with("0x") || starts_with_any(value, &IDENTIFIERS)
}

/// Returns whether the value is assigned with `=`, `=>` or a colon before a blank or a quote. A colon without a blank
/// also separates an image from its tag.
fn is_assigned(candidate: &Candidate<'_>) -> bool {
    let between = candidate.between();
    matches!(candidate.relation, Relation::Equals | Relation::Attribute)
        || candidate.relation == Relation::Colon
            && !between.ends_with(':')
            && !between.contains('\n')
        || candidate.relation == Relation::Sign
            && between.contains("=>")
            && candidate.quoting == Quoting::Quoted
}

/// The identifier that a key is assigned to.
struct ServiceName<'t> {
    service: &'t str,
    /// Whether the identifier has no lower-case letters, as the name of an environment variable.
    is_variable: bool,
    /// Whether the identifier ends with a word for a key.
    is_key: bool,
}

impl<'t> ServiceName<'t> {
    /// Returns the name of the candidate if the service is the last part of the identifier, or is followed only by words
    /// for a key.
    fn of(candidate: &Candidate<'t>) -> Option<Self> {
        let before = candidate.before();
        let (head, tail) = (candidate.head(b"_-."), candidate.tail(b"_-."));
        let service = candidate.word();
        let is_start = head.last().is_none_or(|last| {
            !last.is_ascii_alphanumeric()
                || last.is_ascii_lowercase()
                    && service.starts_with(|first: char| first.is_ascii_uppercase())
        });
        // `example.com/service`, `@scope`, `data-service`: the service is part of an address, of a package's name or of the
        // name of an attribute in a document.
        let is_address = matches!(before[..before.len() - head.len()].last(), Some(b'/' | b'@'))
            || head.starts_with(b"data-");
        let is_key = is_personal_token(service) || ends_with_key(tail)?;
        let name = head.iter().chain(service.as_bytes()).chain(tail.as_bytes());
        let is_variable =
            !name.clone().any(u8::is_ascii_lowercase) && name.clone().any(u8::is_ascii_uppercase);
        (is_start && !is_address).then_some(Self { service, is_variable, is_key })
    }

    /// Returns whether the name cannot be that of a dependency, so that its value is not a checksum.
    fn is_certain(&self) -> bool {
        self.is_variable || self.is_key
    }

    /// Returns whether the position fits the name. An ordinary word must be the name of a variable, or be assigned a
    /// quoted literal.
    fn fits(&self, candidate: &Candidate<'_>) -> bool {
        let is_literal =
            candidate.quoting == Quoting::Quoted && candidate.relation == Relation::Equals;
        self.is_certain() || is_literal || !AMBIGUOUS.has(self.service)
    }
}

/// Returns whether the anchor is the abbreviation `pat`, which may include a quote or a blank after it.
fn is_personal_token(anchor: &str) -> bool {
    anchor.trim_end_matches(['"', '\'', ' ']).eq_ignore_ascii_case("pat")
}

/// Returns whether the rest of an identifier after the name of a service is a word for a key, or `None` if it is
/// something else, as in `sentry_release`. It may be empty or a number.
fn ends_with_key(tail: &str) -> Option<bool> {
    let tail =
        tail.trim_end_matches(|last: char| last.is_ascii_digit() || matches!(last, '_' | '-'));
    let word = tail.replace(|sign: char| !sign.is_ascii_alphanumeric(), "").to_ascii_lowercase();
    if word.is_empty() || word == "api" {
        return Some(false);
    }
    let kind = KEY_WORDS.iter().find_map(|key| word.strip_suffix(key))?;
    KEY_KINDS.contains(&kind).then_some(true)
}

/// Returns whether the value consists of letters and digits in an order that is unlikely in names. `is_certain` states
/// that the name is certainly that of a key.
fn is_generated_for_service(value: &str, is_certain: bool) -> bool {
    let Characters { upper, lower, digits, others } = Characters::of(value);
    let points = memchr::memchr_iter(b'.', value.as_bytes()).count();
    let longest = value
        .split(|character: char| !character.is_ascii_alphanumeric())
        .max_by_key(|run| run.len())
        .unwrap_or_default();
    let is_mixed = is_certain && upper >= 2 && lower >= 2;
    let (min_length, min_run) =
        if is_mixed { (MIN_MIXED_KEY, MIN_MIXED_RUN) } else { (MIN_KEY, MIN_RUN) };
    value.len() >= min_length
        && consists_of(value, u8::is_ascii_alphanumeric, "_-+/=.")
        && others * 8 <= value.len()
        && points <= MAX_POINTS
        && upper + lower >= 4
        && (digits >= 2 || is_mixed && digits == 1 && surprise(value.as_bytes()) >= MIN_SURPRISE)
        && longest.len() >= min_run
        && is_random(longest)
        && is_random(value)
}
