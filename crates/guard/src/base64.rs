//! Decodes standard and URL-safe base64, so that encoded text can be checked.

/// Returns the decoded bytes, or `None` if `text` is not valid base64. Padding is optional.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let body = match text.iter().position(|&byte| byte == b'=') {
        Some(padding) if text[padding..].iter().all(|&byte| byte == b'=') => &text[..padding],
        Some(_) => return None,
        None => text,
    };
    let mut decoded = Vec::with_capacity(body.len() / 4 * 3 + 3);
    for group in body.chunks(4) {
        let mut bits: u32 = 0;
        for &byte in group {
            bits = bits << 6 | u32::from(sextet(byte)?);
        }
        let missing = 4 - group.len();
        bits <<= 6 * missing;
        let bytes = bits.to_be_bytes();
        match missing {
            3 => return None,
            _ => decoded.extend_from_slice(&bytes[1..4 - missing]),
        }
    }
    Some(decoded)
}

fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
