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

/// Returns the end of the first line of `rest`, the text after the identifier. If this line contains only the end of an
/// argument (`",`), returns the end of the next line, which contains the next argument.
fn arguments_end(rest: &[u8]) -> usize {
    let line_end = |from: usize| {
        memchr::memchr(b'\n', &rest[from..]).map_or(rest.len(), |newline| from + newline)
    };
    let end = line_end(0);
    let is_argument = matches!(rest[..end].trim_ascii(), b"\"," | b"'," | b"`,");
    if is_argument && end < rest.len() { line_end(end + 1) } else { end }
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
