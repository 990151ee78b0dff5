//! Finds the secret of an access key next to the key's identifier: `-i LTAI… -k …`, `AKIA…,…`, `AKID… / …`,
//! `new Api('rzp_live_…', '…')`.

use super::Secret;
use super::value::is_random;
use crate::work;

/// The prefixes of the identifiers that are issued together with a secret, and the length of that secret.
const PAIRED_SECRETS: &[(&str, usize)] =
    &[("LTAI", 30), ("AKID", 32), ("AKIA", 40), ("ASIA", 40), ("rzp_live_", 24), ("rzp_test_", 24)];
/// The maximum number of bytes after an identifier that are searched on its line.
const MAX_DISTANCE: usize = 160;

/// Returns the secret on the same line after the identifier that ends at `end`. `prefix` is the fixed start of the
/// identifier.
pub(crate) fn secret_after(text: &str, prefix: &str, end: usize) -> Option<Secret> {
    let &(_, length) = PAIRED_SECRETS.iter().find(|(issued, _)| *issued == prefix)?;
    let bytes = text.as_bytes();
    let rest = &bytes[end..bytes.len().min(end + MAX_DISTANCE)];
    let line = &rest[..arguments_end(rest)];
    work::count(line.len());
    let mut start = end;
    line.split(|byte| !is_key_byte(*byte)).find_map(|word| {
        let span = start..start + word.len();
        start = span.end + 1;
        let key = text.get(span.clone())?;
        (key.len() == length && is_key(key)).then_some(Secret { kind: "secret-assignment", span })
    })
}

/// Returns the end of the first line of `rest`, the text after the identifier. Returns the end of the next line if the
/// first line contains only the end of an argument (`",`), or if it is empty and the next line is a single word.
fn arguments_end(rest: &[u8]) -> usize {
    let line_end = |from: usize| {
        memchr::memchr(b'\n', &rest[from..]).map_or(rest.len(), |newline| from + newline)
    };
    let end = line_end(0);
    if end == rest.len() {
        return end;
    }
    let first = rest[..end].trim_ascii();
    let is_argument = matches!(first, b"\"," | b"'," | b"`,");
    let next_end = line_end(end + 1);
    let is_next_word = matches!(first, b"" | b"," | b":" | b"\"" | b"'")
        && rest[end + 1..next_end]
            .trim_ascii()
            .iter()
            .all(|byte| is_key_byte(*byte) || matches!(byte, b'"' | b'\'' | b','));
    if is_argument || is_next_word { next_end } else { end }
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

fn is_key(key: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| key.as_bytes().iter().any(kind);
    has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_digit)
        && is_random(key.trim_start_matches('/'))
}
