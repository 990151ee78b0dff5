//! Finds values after an authorization scheme: `Bearer …`, `Basic …`.

use super::Secret;
use super::assignment::extended_end;
use super::bounds::value_bounds;
use super::candidate::{Candidate, Name, Relation};
use super::cursor::Cursor;
use super::published::is_published;
use super::scorer::is_secret;
use super::shape::is_member;
use super::value::is_random;
use crate::base64;

const MIN_BASIC: usize = 8;
/// The minimum length of a value that is not the base64 form of `user:password`.
const MIN_OPAQUE: usize = 12;

/// Returns the token after an authorization scheme such as `Bearer`.
pub(crate) fn bearer_secret(text: &str, start: usize, scheme_end: usize) -> Option<Secret> {
    if start > 0 && text.as_bytes()[start - 1].is_ascii_alphanumeric() {
        return None;
    }
    let (begin, end, quoting) = value_bounds(text, scheme_end, Name::Token)?;
    let word = start..start + "bearer".len();
    let candidate = Candidate {
        text,
        name: Name::Token,
        word,
        relation: Relation::Equals,
        quoting,
        value: begin..end,
    };
    let span = begin..extended_end(text, begin..end);
    is_secret(&candidate).then_some(Secret { kind: "bearer-token", span })
}

/// Finds the base64-encoded `user:password` that follows `Basic` or `"auth":`.
pub(crate) fn basic_secret(text: &str, scheme_end: usize) -> Option<Secret> {
    let mut cursor = Cursor::new(text, scheme_end);
    cursor.skip_blanks();
    // In JSON text that is a string of another JSON text, backslashes precede the quote.
    cursor.skip(3, |byte| byte == b'\\');
    let (begin, end, _) = value_bounds(text, cursor.at, Name::Token)?;
    let value = text.get(begin..end)?;
    let is_pair = base64::decode(value.as_bytes()).is_some_and(|decoded| {
        memchr::memchr(b':', &decoded).is_some()
            && decoded.iter().all(|byte| matches!(byte, b' '..=b'~'))
    });
    // After the key `"auth"` of a registry's credentials, the value may also be an opaque token.
    let is_field = text[..scheme_end].ends_with(':');
    (value.len() >= MIN_BASIC && (is_pair || is_field && is_opaque(value)) && !is_published(value))
        .then_some(Secret { kind: "basic-auth", span: begin..end })
}

/// Returns whether the value is a random base64 string with upper-case letters, lower-case letters and digits.
fn is_opaque(value: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| value.as_bytes().iter().any(kind);
    value.len() >= MIN_OPAQUE
        && value.bytes().all(|byte| is_member(b'v', byte))
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_digit)
        && is_random(value.trim_start_matches('/'))
}
