//! Finds passwords in configuration lines that consist of a key and a value without an operator: `bindpw …`,
//! `password …`.

use std::ops::Range;

use super::chosen::{is_chosen_password, is_strong_password};
use super::dummy_values::is_placeholder;
use super::vocabulary::is_label;
use crate::work;

const MAX_KEY: usize = 48;
const MAX_VALUE: usize = 96;
const MIN_PASSWORD: usize = 4;

/// Keys that occur only in configuration files. Any word after such a key is a password.
const PASSWORD_KEYS: &[&str] = &[
    "bindpw",
    "rootpw",
    "rootpwmodpw",
    "adminpw",
    "requirepass",
    "masterauth",
    "wpa_passphrase",
    "wpa-psk",
    "ldap_bind_pw",
];

/// Returns the value at `from` if the line has exactly two words: a key, which contains `word`, and the value.
pub(crate) fn value_on_line(text: &str, word: Range<usize>, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let before = &bytes[word.start.saturating_sub(MAX_KEY)..word.start];
    let line = memchr::memrchr(b'\n', before).map_or(before, |at| &before[at + 1..]);
    let starts_line = line.len() < MAX_KEY
        && line
            .trim_ascii_start()
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if !starts_line {
        return None;
    }
    let key = text.get(word.start - line.trim_ascii_start().len()..from)?.trim_ascii_end();
    let is_known_key = PASSWORD_KEYS.iter().any(|name| key.eq_ignore_ascii_case(name));
    let from = if is_known_key { from + options_length(&bytes[from..]) } else { from };
    let rest = &bytes[from..bytes.len().min(from + MAX_VALUE)];
    let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    let is_last = rest[length..]
        .iter()
        .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'))
        .is_none_or(|byte| *byte == b'\n');
    work::count(length);
    let value = text.get(from..from + length)?;
    let is_password =
        if is_known_key { is_any_password(value) } else { is_other_password(text, word, value) };
    (is_last && is_password).then_some(from..from + length)
}

/// Returns the length of the options before the value, with the blanks after them: `rootpw --plaintext …`.
fn options_length(rest: &[u8]) -> usize {
    let mut length = 0;
    while length < MAX_VALUE && rest[length..].starts_with(b"--") {
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        let is_option = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
        let end = length + rest[length..].iter().take(MAX_KEY).take_while(is_option).count();
        let blanks = rest[end..].iter().take(MAX_KEY).take_while(is_blank).count();
        if blanks == 0 {
            break;
        }
        length = end + blanks;
    }
    work::count(length);
    length
}

/// Returns whether the value has the form of a password and is not the name of a type. The key `pass` may also be a
/// verb or a Python statement, so the stricter check [`is_strong_password`] applies to it.
fn is_other_password(text: &str, word: Range<usize>, value: &str) -> bool {
    let is_verb = text.as_bytes()[word].eq_ignore_ascii_case(b"pass");
    is_chosen_password(value) && (!is_verb || is_strong_password(value)) && !is_type(value)
}

fn is_any_password(value: &str) -> bool {
    value.len() >= MIN_PASSWORD
        && !value.starts_with(['$', '{', '<', '%', '/', '"', '-'])
        && !is_label(value)
        && !is_placeholder(value)
}

/// Recognises the type of a field in a declaration: `password sql.NullString`, `Secret corev1.Secret`, `pass *Config2`.
fn is_type(value: &str) -> bool {
    let parts: Vec<&str> = value.split('.').collect();
    let is_name =
        |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    value.starts_with(['*', '&', '['])
        || value.ends_with(['?', ';', ','])
        || parts.len() <= 2
            && parts.iter().all(|part| is_name(part))
            && value.bytes().filter(u8::is_ascii_digit).count() < 2
}
