//! Finds values after an authorization scheme: `Bearer …`, `Basic …`.

use super::Secret;
use super::assignment::extended_end;
use super::bounds::value_bounds;
use super::candidate::{Candidate, Name, Relation};
use super::cursor::Cursor;
use super::published::is_published;
use super::scorer::is_secret;
use crate::base64;

const MIN_BASIC: usize = 8;

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

/// Finds the base64-encoded `user:password` that follows `Basic`.
pub(crate) fn basic_secret(text: &str, scheme_end: usize) -> Option<Secret> {
    let mut cursor = Cursor::new(text, scheme_end);
    cursor.skip_blanks();
    let (begin, end, _) = value_bounds(text, cursor.at, Name::Token)?;
    let value = text.get(begin..end)?;
    let decoded = base64::decode(value.as_bytes())?;
    let is_pair = memchr::memchr(b':', &decoded).is_some()
        && decoded.iter().all(|byte| matches!(byte, b' '..=b'~'));
    (value.len() >= MIN_BASIC && is_pair && !is_published(value))
        .then_some(Secret { kind: "basic-auth", span: begin..end })
}
