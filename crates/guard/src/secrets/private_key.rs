//! Finds private key blocks. A block starts with `-----BEGIN … PRIVATE KEY-----` and ends at the END line. If the END
//! line is missing, the block ends at the end of the key text. The lines of SSH2 keys have four dashes and a blank:
//! `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----`.

use crate::bytes::{bytes_after, is_word_or, line_after, run_after, run_before, starts_with_any};
use crate::work;
use std::ops::Range;

/// The length of `-----BEGIN` and of `---- BEGIN`.
const BEGIN_LENGTH: usize = 10;
const DASHES: &[u8] = b"-----";
const SSH2_DASHES: &[u8] = b"----";
const MAX_LABEL_BYTES: usize = 64;
/// The minimum length of a line of key text. A shorter line ends a block that has no END line.
const MIN_LINE_BYTES: usize = 16;
/// The minimum number of characters of key text. This also applies to a key that has been cut off.
const MIN_BODY_BYTES: usize = 8;
const MAX_PLACEHOLDER_BYTES: usize = 64;
/// The maximum number of bytes that are searched for key text before an END line without a BEGIN line. A
/// `StreamRedactor` holds back at least this many bytes.
const MAX_BEFORE_END: usize = 3 * 1024;

/// Returns the key text of the block whose `-----BEGIN` or `---- BEGIN` is at `start`.
pub(crate) fn secret_at(text: &str, start: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let dashes = if bytes[start..].starts_with(DASHES) { DASHES } else { SSH2_DASHES };
    let header = header_end(bytes, start, dashes)?;
    // Only the next dashes can start the END line. Searching further would read the text again for every BEGIN line
    // without an END line.
    let next_dashes = memchr::memmem::find(&bytes[header..], dashes);
    let is_end_line = |at: usize| starts_with_any(&bytes[at..], &["-----END", "---- END"]);
    let end = match next_dashes.map(|length| header + length) {
        Some(end) if is_end_line(end) => end,
        _ => open_end(bytes, header),
    };
    let has_body = bytes[header..end].iter().filter(|byte| byte.is_ascii_alphanumeric()).count()
        >= MIN_BODY_BYTES;
    // `<paste your key here>`, `{{ key }}`
    let mut body = bytes[header..end].trim_ascii();
    while let Some(rest) = body.strip_prefix(b"\\n").or_else(|| body.strip_prefix(b"\\r")) {
        body = rest;
    }
    while let Some(rest) = body.strip_suffix(b"\\n").or_else(|| body.strip_suffix(b"\\r")) {
        body = rest;
    }
    let is_placeholder =
        matches!(body.first(), Some(b'<' | b'[' | b'{' | b'$')) || is_placeholder_text(body);
    (has_body && !is_placeholder).then_some(header..end)
}

/// Returns the key text of a PuTTY key. `from` is the end of `Private-Lines:`. The key text starts on the next line.
pub(crate) fn putty_lines(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let start = from + line_length(&bytes[from..]);
    let end = open_end(bytes, start);
    work::count(end - start);
    (end >= start + MIN_BODY_BYTES).then_some(start..end)
}

/// Returns the key text before the END line at `end`. This is used if the BEGIN line is missing because the input has
/// been cut. The key text does not start before `covered`.
pub(crate) fn secret_before(text: &str, covered: usize, end: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let label = line_after(bytes, end, MAX_LABEL_BYTES);
    memchr::memmem::find(label, b"PRIVATE KEY")?;
    let floor = covered.max(end.saturating_sub(MAX_BEFORE_END));
    let length =
        run_before(&bytes[floor..end], usize::MAX, |byte| is_word_or(byte, b"+/=\n\r\t\\"));
    let start = end - length;
    let skipped = bytes[start..end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    (length - skipped >= MIN_LINE_BYTES).then_some(start + skipped..end)
}

/// Recognises words instead of key text: `REPLACE ME`, `your-key-here`. Key text contains digits or a long line.
fn is_placeholder_text(body: &[u8]) -> bool {
    let is_separator = |byte: &u8| matches!(byte, b' ' | b'_' | b'-' | b'.' | b'!');
    let has_long_word = body.split(is_separator).any(|word| word.len() >= MIN_LINE_BYTES);
    let is_word_text = body.iter().all(|byte| byte.is_ascii_alphabetic() || is_separator(byte));
    body.len() <= MAX_PLACEHOLDER_BYTES
        && is_word_text
        && !has_long_word
        && body.iter().any(is_separator)
}

/// Returns the end of the closing dashes of the BEGIN line if a private key block starts at `start`.
fn header_end(bytes: &[u8], start: usize, dashes: &[u8]) -> Option<usize> {
    let label_start = start + BEGIN_LENGTH;
    let label = bytes_after(bytes, label_start, MAX_LABEL_BYTES);
    let length = memchr::memmem::find(label, dashes)?;
    let is_private = memchr::memmem::find(&label[..length], b"PRIVATE KEY").is_some();
    is_private.then_some(label_start + length + dashes.len())
}

/// Returns the end of a block without an END line. The block ends where the lines no longer look like key text.
fn open_end(bytes: &[u8], from: usize) -> usize {
    let mut end = from;
    let mut at = from;
    while at < bytes.len() {
        let length = line_length(&bytes[at..]);
        let line = bytes[at..at + length].trim_ascii();
        if !line.is_empty() && !is_key_line(line) {
            // If the key has been cut off within this line, other text follows it. The key text at the start of the
            // line still belongs to the block.
            let skip = run_after(&bytes[at..], usize::MAX, |byte| {
                is_wrapping(byte) || byte.is_ascii_whitespace()
            });
            let cut = at + skip;
            let run = run_after(&bytes[cut..], usize::MAX, is_key_byte);
            let is_first = end == from;
            if run >= MIN_LINE_BYTES || is_first && run >= MIN_BODY_BYTES {
                end = cut + run;
            }
            break;
        }
        at += length;
        end = if line.is_empty() { end } else { at };
    }
    end
}

/// Returns the length of the first line, including its line ending. The line ending is a newline or the escape sequence
/// `\n`.
fn line_length(bytes: &[u8]) -> usize {
    let newline = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
    memchr::memmem::find(&bytes[..newline], b"\\n").map_or(newline, |at| at + 2)
}

fn is_key_line(line: &[u8]) -> bool {
    let start = run_after(line, usize::MAX, is_wrapping);
    let body = run_after(&line[start..], usize::MAX, is_key_byte);
    let rest = &line[start + body..];
    starts_with_any(line, &["Proc-Type:", "DEK-Info:", "Version:", "Subject:", "Comment:"])
        || start + body >= MIN_LINE_BYTES
            && rest.iter().all(|&byte| is_wrapping(byte) || byte == b';')
}

fn is_key_byte(byte: u8) -> bool {
    is_word_or(byte, b"+/=")
}

/// Returns true for characters that may surround a line of key text in source code and comments.
fn is_wrapping(byte: u8) -> bool {
    b"\"'+ \\,nr#*/.".contains(&byte)
}
