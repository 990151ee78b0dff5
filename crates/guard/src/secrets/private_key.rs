//! Private key blocks: `-----BEGIN … PRIVATE KEY-----` to its END line, or to where the key text stops.

use super::Secret;

const LABEL_LIMIT: usize = 64;

/// The body of the key block whose `-----BEGIN` starts at `start`.
pub(crate) fn secret_at(text: &str, start: usize) -> Option<Secret> {
    let bytes = text.as_bytes();
    let label_end = header_end(bytes, start)?;
    let end = body_end(bytes, label_end);
    has_body(&bytes[label_end..end]).then_some(Secret { kind: "private-key", span: label_end..end })
}

/// Where the header of a private key ends, if a private key starts here.
fn header_end(bytes: &[u8], start: usize) -> Option<usize> {
    let label = bytes.get(start + "-----BEGIN".len()..)?;
    let length = memchr::memmem::find(&label[..label.len().min(LABEL_LIMIT)], b"-----")?;
    let is_private = memchr::memmem::find(&label[..length], b"PRIVATE KEY").is_some();
    is_private.then_some(start + "-----BEGIN".len() + length + 5)
}

/// The key's text goes on as long as bytes could be part of one: base64, headers, line breaks, quotes and escapes.
fn body_end(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from..];
    let length = match memchr::memmem::find(rest, b"-----END") {
        Some(end) if rest[..end].iter().all(|&byte| could_be_key_text(byte)) => end,
        _ => rest.iter().position(|&byte| !could_be_key_text(byte)).unwrap_or(rest.len()),
    };
    from + length
}

fn could_be_key_text(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>' | b'{' | b'}' | b'(' | b')' | b';')
        || matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn has_body(body: &[u8]) -> bool {
    body.iter().filter(|byte| byte.is_ascii_alphanumeric()).count() >= 16
}
