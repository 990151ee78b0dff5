//! Finds encoded text: base64 and hexadecimal strings (blobs) and escapes that decode to words, and runs of Unicode tag
//! characters.

use std::ops::Range;

use super::words::is_ideograph;
use crate::base64;
use crate::bytes::{DIGITS, LETTERS, byte_classes, run_after, run_before};

const MIN_BLOB_BYTES: usize = 24;
const MAX_BLOB_BYTES: usize = 16 * 1024;
/// The number of bytes at the start of a blob that are decoded first, to rule out most blobs. It is a multiple of the
/// base64 group size.
const BLOB_START_BYTES: usize = 12;
/// The minimum number of escapes for a line to count as encoded. A few escapes are normal, for example for accented
/// letters.
const MIN_ESCAPES: usize = 6;
const MAX_ESCAPE_DISTANCE: usize = 12;
/// The minimum length of a run of tag characters. Shorter runs are ignored, because flag emoji contain up to six tag
/// characters.
const MIN_TAG_CHARACTERS: usize = 8;

/// A span of encoded text, and the decoded text.
pub(crate) struct Hidden {
    pub(crate) span: Range<usize>,
    pub(crate) text: String,
}

/// Returns every blob in `text` whose decoded text [`is_prose`] accepts.
pub(crate) fn blobs(text: &str) -> Vec<Hidden> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut floor = 0;
    // Every blob contains a probe, because the distance between two probes equals the minimum length of a blob.
    let mut probe = MIN_BLOB_BYTES - 1;
    while probe < bytes.len() {
        if may_be_in_blob(bytes, probe) {
            let start = probe - run_before(&bytes[floor..probe], usize::MAX, is_blob_byte);
            let end = probe + run_after(&bytes[probe..], usize::MAX, is_blob_byte);
            if end - start >= MIN_BLOB_BYTES {
                found.extend(decoded(text, start..end));
            }
            (floor, probe) = (end, end);
        }
        probe += MIN_BLOB_BYTES;
    }
    found
}

/// Returns false if no blob contains the byte at `at`. A blob that contains the byte extends at least twelve bytes
/// before or after it, so samples on both sides are checked.
fn may_be_in_blob(bytes: &[u8], at: usize) -> bool {
    const HALF: usize = MIN_BLOB_BYTES / 2;
    let around =
        at.checked_sub(HALF).and_then(|start| bytes[start..].first_chunk::<{ 2 * HALF + 1 }>());
    let Some(around) = around else { return is_blob_byte(bytes[at]) };
    // The checks avoid branches, because they would often be mispredicted.
    let all = |samples: [usize; 6]| {
        samples.iter().fold(true, |all, &index| all & is_blob_byte(around[index]))
    };
    is_blob_byte(around[HALF]) & (all([0, 2, 4, 6, 8, 10]) | all([14, 16, 18, 20, 22, 24]))
}

fn is_blob_byte(byte: u8) -> bool {
    BLOB_BYTES[usize::from(byte)] != 0
}

const BLOB_BYTES: [u8; 256] = byte_classes(&[(1, LETTERS), (1, DIGITS), (1, b"+/=-_")]);

fn decoded(text: &str, span: Range<usize>) -> Option<Hidden> {
    let blob = text.get(span.clone())?.as_bytes();
    if blob.len() > MAX_BLOB_BYTES {
        return None;
    }
    let plain = match hexadecimal(blob) {
        Some(plain) => plain,
        // Nearly every blob is a name or a path. Its first characters do not decode to text.
        None if !may_be_text(&base64::decode(&blob[..BLOB_START_BYTES])?) => return None,
        None => base64::decode(blob)?,
    };
    let plain = String::from_utf8(plain).ok()?;
    is_prose(&plain).then_some(Hidden { span, text: plain })
}

/// Returns false if no text that [`is_prose`] accepts can start with these bytes.
fn may_be_text(start: &[u8]) -> bool {
    let is_control = |byte: &u8| byte.is_ascii_control() && !char::from(*byte).is_whitespace();
    let is_broken = || str::from_utf8(start).is_err_and(|error| error.error_len().is_some());
    !start.iter().any(is_control) && !is_broken()
}

fn hexadecimal(blob: &[u8]) -> Option<Vec<u8>> {
    if !blob.len().is_multiple_of(2) {
        return None;
    }
    blob.chunks(2).map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// Returns whether decoded text is printable and contains words or is itself a blob. Only such text is scored.
fn is_prose(text: &str) -> bool {
    let is_printable =
        text.chars().all(|character| !character.is_control() || character.is_whitespace());
    let has_words = text.contains(' ') || text.chars().any(is_ideograph);
    let is_blob = text.len() >= MIN_BLOB_BYTES && text.bytes().all(is_blob_byte);
    is_printable && (has_words || is_blob)
}

/// Returns whether at least [`MIN_ESCAPES`] characters that can start an escape are close together, as in encoded
/// text.
pub(crate) fn has_escapes(text: &[u8]) -> bool {
    let (mut run, mut last) = (0, 0);
    memchr::memchr3_iter(b'\\', b'&', b'%', text).any(|at| {
        run = if run > 0 && at - last <= MAX_ESCAPE_DISTANCE { run + 1 } else { 1 };
        last = at;
        run >= MIN_ESCAPES
    })
}

/// Decodes the escapes in a line: `\u0069`, `\x69`, `&#105;`, `&#x69;`, `%69`. Returns `None` if there are fewer than
/// [`MIN_ESCAPES`].
pub(crate) fn unescaped(line: &str) -> Option<String> {
    let mut plain = String::with_capacity(line.len());
    let mut count = 0;
    let mut rest = line;
    while let Some(next) = rest.chars().next() {
        match escape(rest) {
            Some((character, length)) => {
                plain.push(character);
                count += 1;
                rest = &rest[length..];
            }
            None => {
                plain.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    (count >= MIN_ESCAPES).then_some(plain)
}

/// The start of each kind of escape, the number of its digits, and their radix. An escape with `&` has at most this number of
/// digits, and a semicolon after them.
const ESCAPES: &[(&str, usize, u32)] =
    &[("\\u", 4, 16), ("\\x", 2, 16), ("%", 2, 16), ("&#x", 6, 16), ("&#", 7, 10)];

/// Decodes the escape at the start of `text`. Returns the character and the length of the escape, or `None` if `text`
/// does not start with a valid escape.
fn escape(text: &str) -> Option<(char, usize)> {
    let &(start, length, radix) = ESCAPES.iter().find(|(start, ..)| text.starts_with(start))?;
    let rest = &text[start.len()..];
    let semicolon = usize::from(start.starts_with('&'));
    let length =
        if semicolon == 0 { length } else { rest.find(';').filter(|end| *end <= length)? };
    let digits = rest.get(..length)?;
    let character = char::from_u32(u32::from_str_radix(digits, radix).ok()?)?;
    Some((character, start.len() + length + semicolon))
}

/// Finds runs of Unicode tag characters. They are invisible, but a model's tokeniser can read them as letters.
pub(crate) fn tag_text(text: &str) -> Vec<Range<usize>> {
    // The UTF-8 encoding of a tag character has four bytes and starts with F3 A0.
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(&text.as_bytes()[from..], b"\xf3\xa0") {
        let start = from + at;
        let run: usize = text[start..]
            .chars()
            .take_while(|character| matches!(character, '\u{e0000}'..='\u{e007f}'))
            .count();
        from = start + (run.max(1)) * 4;
        if run >= MIN_TAG_CHARACTERS {
            found.push(start..from);
        }
    }
    found
}

#[cfg(test)]
mod tests;
