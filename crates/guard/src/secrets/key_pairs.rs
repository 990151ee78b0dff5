//! Finds the secret of an access key next to the key's identifier: `-i LTAI… -k …`, `AKIA…,…`, `AKID… / …`.

use super::Secret;
use super::value::is_random;
use crate::work;

/// The maximum number of bytes after an identifier that are searched on its line.
const MAX_DISTANCE: usize = 160;

/// Returns the secret on the same line after the identifier that ends at `end`. `prefix` is the fixed start of the
/// identifier.
pub(crate) fn secret_after(text: &str, prefix: &str, end: usize) -> Option<Secret> {
    // Each issuer uses a fixed length for its secrets.
    let length = match prefix {
        "LTAI" => 30,
        "AKID" => 32,
        "AKIA" | "ASIA" => 40,
        _ => return None,
    };
    let bytes = text.as_bytes();
    let rest = &bytes[end..bytes.len().min(end + MAX_DISTANCE)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    work::count(line.len());
    let mut start = end;
    line.split(|byte| !is_key_byte(*byte)).find_map(|word| {
        let span = start..start + word.len();
        start = span.end + 1;
        let key = text.get(span.clone())?;
        (key.len() == length && is_key(key)).then_some(Secret { kind: "secret-assignment", span })
    })
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

fn is_key(key: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| key.as_bytes().iter().any(kind);
    has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_digit)
        && is_random(key)
}
