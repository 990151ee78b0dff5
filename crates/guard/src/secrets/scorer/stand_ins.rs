//! Recognises values that follow the name of a password but are not secret: a note that the value was removed, the
//! default password of a server, a repetition of the user name, and the translation of a label.

use crate::secrets::candidate::{Candidate, Name, Quoting, Relation};
use crate::secrets::value::ends_with;

use super::texts::is_text_of_interface;

/// Words that replace a removed value, in lower case.
#[rustfmt::skip]
const REMOVED: &[&str] = &[
    "redacted", "omitted", "removed", "hidden", "masked", "filtered", "scrubbed", "sanitized", "sanitised", "protected", "censored",
    "stripped", "obfuscated", "suppressed", "concealed", "sensitive", "withheld", "elided", "snipped",
];
/// Default passwords of local servers. Each is also the name of the server or of its default account.
#[rustfmt::skip]
const DEFAULTS: &[&str] = &[
    "postgres", "postgresql", "guest", "minioadmin", "rabbitmq", "mysql", "mariadb", "mongo", "mongodb", "neo4j", "cassandra", "sonar",
    "keycloak", "elastic", "grafana", "airflow", "activemq", "artemis", "clickhouse", "influxdb",
];
/// The minimum number of zeros that mask a token after its prefix.
const MIN_ZEROS: usize = 16;
const MAX_PREFIX: usize = 24;
/// The number of bytes before a name and after its value that are searched for a user name.
const MAX_ACCOUNT: usize = 128;

pub(super) fn is_stand_in(candidate: &Candidate<'_>, value: &str) -> bool {
    is_removed(value)
        || candidate.name == Name::Password && (is_default(value) || repeats_user(candidate, value))
        || is_translation(candidate, value)
        || is_text_of_interface(candidate, value)
}

/// Recognises a note that the value was removed: `REDACTED`, `[FILTERED]`.
fn is_removed(value: &str) -> bool {
    let word = value.trim_matches(|character: char| character.is_ascii_punctuation());
    REMOVED.iter().any(|removed| word.eq_ignore_ascii_case(removed))
}

fn is_default(value: &str) -> bool {
    DEFAULTS.contains(&value)
}

/// Returns whether the value is also the name of a user on the same line or on a line close to it:
/// `default_user = guest`, `default_pass = guest`.
fn repeats_user(candidate: &Candidate<'_>, value: &str) -> bool {
    let bytes = candidate.text.as_bytes();
    if !value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
        return false;
    }
    let before = &bytes[candidate.word.start.saturating_sub(MAX_ACCOUNT)..candidate.word.start];
    let end = bytes.len().min(candidate.value.end + MAX_ACCOUNT);
    crate::work::count(2 * MAX_ACCOUNT);
    names_user(before, value.as_bytes())
        || names_user(&bytes[candidate.value.end..end], value.as_bytes())
}

/// Returns whether `part` contains a field for a user with exactly this value: `user: app`, `"USER": "app"`.
fn names_user(part: &[u8], value: &[u8]) -> bool {
    let is_sign = |byte: &u8| matches!(byte, b'"' | b'\'' | b' ' | b':' | b'=' | b'>' | b',');
    memchr::memmem::find_iter(part, value).any(|at| {
        let field = &part[..at];
        let signs = field.iter().rev().take_while(|byte| is_sign(byte)).count();
        let name = &field[..field.len() - signs];
        let next = part.get(at + value.len());
        signs > 0
            && !next.is_some_and(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
            })
            && [&b"user"[..], b"username", b"user_name", b"login", b"account"]
                .iter()
                .any(|word| ends_with(name, word))
    })
}

/// Recognises the translation of a label: a quoted word with accented Latin, Greek or Cyrillic letters, or a line of an
/// application's translation file (`"Repeat password" = "Gjenta passord";`).
fn is_translation(candidate: &Candidate<'_>, value: &str) -> bool {
    if candidate.quoting != Quoting::Quoted {
        return false;
    }
    let bytes = candidate.text.as_bytes();
    let between = &bytes[candidate.word.end..candidate.value.start];
    let is_entry = candidate.relation == Relation::Equals
        && memchr::memmem::find(between, b"\" = \"").is_some()
        && bytes.get(candidate.value.end..).is_some_and(|rest| rest.starts_with(b"\";"));
    let is_text = |character: char| {
        character.is_alphabetic()
            || matches!(character, ' ' | '-' | '\'' | '’' | '.' | '!' | '?' | ',' | ':' | '…')
    };
    let is_foreign_word = !value.is_ascii()
        && value.chars().all(char::is_alphabetic)
        && value.chars().any(|letter| matches!(letter, '\u{c0}'..='\u{52f}'));
    (is_entry && value.chars().all(is_text)) || is_foreign_word
}

/// Recognises masked values such as `****`, `xxxxxxxx`, `••••`, `......` and `0x0000`.
pub(super) fn is_masked(value: &str) -> bool {
    let digits = value.strip_prefix("0x").unwrap_or(value);
    let mut characters = digits.chars().filter(|character| !matches!(character, '-' | '_' | ' '));
    let Some(first) = characters.next() else { return true };
    let is_uniform = characters.all(|character| character == first);
    is_uniform && (value.len() >= 6 || !first.is_ascii_alphanumeric())
        || value.contains("****")
        || value.contains("xxxx")
        || value.contains("XXXX")
        || value.contains("ignore-me")
        || value.contains("...")
        || value.contains('…')
        || is_zero_after_prefix(value)
}

/// Recognises zeros after a prefix of letters: `napi_00000000000000000000`.
fn is_zero_after_prefix(value: &str) -> bool {
    let prefix = value.trim_end_matches(['0', '-', '_']);
    value.len() - prefix.len() >= MIN_ZEROS
        && prefix.len() <= MAX_PREFIX
        && prefix.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'))
}
