//! Finds secret keys named `sk`, the usual short name next to `ak` (access key): `ak = …`, `sk = …`.

use super::Secret;
use super::bounds::value_bounds;
use super::candidate::Name;
use super::cursor::Cursor;
use super::value::is_random;

const MIN_KEY: usize = 20;
const MIN_DIGITS: usize = 3;

/// Returns the key after `sk` and its operator. `end` is the position after the operator.
pub(crate) fn key_after(text: &str, end: usize) -> Option<Secret> {
    let mut cursor = Cursor::new(text, end);
    cursor.skip_blanks();
    let (begin, end, _) = value_bounds(text, cursor.at, Name::Token)?;
    let value = text.get(begin..end)?;
    let is_key = value.len() >= MIN_KEY
        && value.bytes().all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=' | b'.')
        })
        && value.bytes().filter(u8::is_ascii_digit).count() >= MIN_DIGITS
        && is_random(value);
    is_key.then_some(Secret { kind: "secret-assignment", span: begin..end })
}
