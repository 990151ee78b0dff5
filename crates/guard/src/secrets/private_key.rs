//! Private key blocks: `-----BEGIN … PRIVATE KEY-----` to its END line, or to where the key text stops.

use super::Secret;

const BEGIN: &str = "-----BEGIN";
const DASHES: &[u8] = b"-----";
const LABEL_LIMIT: usize = 64;
/// A line of key text has at least this many base64 characters; only the last may be shorter.
const SHORTEST_LINE: usize = 16;

/// The body of the key block whose `-----BEGIN` starts at `start`.
pub(crate) fn secret_at(text: &str, start: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let header = header_end(bytes, start)?;
    // The next dashes close the block; looking no further keeps many unclosed blocks from being read again and again.
    let dashes = memchr::memmem::find(&bytes[header..], DASHES);
    let end = match dashes.map(|length| header + length) {
        Some(end) if bytes[end..].starts_with(b"-----END") => end,
        _ => open_end(bytes, header),
    };
    let has_body = bytes[header..end].iter().filter(|byte| byte.is_ascii_alphanumeric()).count()
        >= SHORTEST_LINE;
    has_body.then_some(Secret { kind: "private-key", span: header..end })
}

/// Where the header of a private key ends, if a private key starts here.
fn header_end(bytes: &[u8], start: usize) -> Option<usize> {
    let label_start = start + BEGIN.len();
    let label = &bytes[label_start..bytes.len().min(label_start + LABEL_LIMIT)];
    let length = memchr::memmem::find(label, DASHES)?;
    let is_private = memchr::memmem::find(&label[..length], b"PRIVATE KEY").is_some();
    is_private.then_some(label_start + length + DASHES.len())
}

/// The end of a block without an END line: as long as lines look like key text.
fn open_end(bytes: &[u8], from: usize) -> usize {
    let mut end = from;
    let mut at = from;
    while at < bytes.len() {
        let length = line_length(&bytes[at..]);
        let line = bytes[at..at + length].trim_ascii();
        if !line.is_empty() && !is_key_line(line) {
            break;
        }
        at += length;
        end = if line.is_empty() { end } else { at };
    }
    end
}

/// A line ends with its newline, also with one written as an escape.
fn line_length(bytes: &[u8]) -> usize {
    let newline = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
    memchr::memmem::find(&bytes[..newline], b"\\n").map_or(newline, |at| at + 2)
}

fn is_key_line(line: &[u8]) -> bool {
    let is_header = line.starts_with(b"Proc-Type:")
        || line.starts_with(b"DEK-Info:")
        || line.starts_with(b"Version:");
    let is_wrapping = |byte: u8| {
        matches!(
            byte,
            b'"' | b'\'' | b'+' | b' ' | b'\\' | b',' | b'n' | b'r' | b'#' | b'*' | b'/' | b'.'
        )
    };
    let start = line.iter().take_while(|&&byte| is_wrapping(byte)).count();
    let body = line[start..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
        .count();
    let rest = &line[start + body..];
    is_header
        || start + body >= SHORTEST_LINE
            && rest.iter().all(|&byte| is_wrapping(byte) || byte == b';')
}
