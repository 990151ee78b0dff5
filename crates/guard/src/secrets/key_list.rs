//! Finds lists of private keys, and keys that are written as a list of bytes. Examples of key lists are
//! `accounts: ["0x…"]` in Hardhat and Truffle configurations, and the output of a local blockchain.

use super::Secret;
use crate::work;

const MAX_LIST: usize = 4096;
const KEY_DIGITS: usize = 64;
/// The minimum number of bytes in a list of bytes that counts as a key.
const MIN_BYTES: usize = 32;

/// Returns the keys in the list that starts at `from`. The list ends at the first element that is neither a key nor an
/// index.
pub(crate) fn keys_after(text: &str, from: usize) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let limit = bytes.len().min(from + MAX_LIST);
    let mut keys = Vec::new();
    let mut at = from;
    while at < limit {
        at += bytes[at..limit].iter().take_while(|byte| is_separator(**byte)).count();
        at += if bytes[at..limit].starts_with(b"0x") { 2 } else { 0 };
        let length =
            bytes[at..limit].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let run = &bytes[at..at + length];
        let is_index = length <= 2 && run.iter().all(u8::is_ascii_digit);
        if length == KEY_DIGITS && run.iter().all(u8::is_ascii_hexdigit) {
            keys.push(Secret { kind: "private-key", span: at..at + length });
        } else if !is_index || length == 0 {
            break;
        }
        at += length;
    }
    work::count(at - from);
    keys
}

/// Returns a key that is written as a list of numbers in brackets shortly after `from`.
pub(crate) fn bytes_after(text: &str, from: usize) -> Option<Secret> {
    const MAX_DISTANCE: usize = 32;
    let bytes = text.as_bytes();
    let near = &bytes[from..bytes.len().min(from + MAX_DISTANCE)];
    let start = match memchr::memchr2(b'[', b'\n', near) {
        Some(open) if near[open] == b'[' => from + open + 1,
        // The bracket is the last byte of the anchor.
        _ if bytes[from - 1] == b'[' => from,
        _ => return None,
    };
    let rest = &bytes[start..bytes.len().min(start + MAX_LIST)];
    let length = rest
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace() || **byte == b',')
        .count();
    work::count(length);
    let n_bytes = text[start..start + length]
        .split(',')
        .filter(|number| number.trim().parse::<u8>().is_ok())
        .count();
    (n_bytes >= MIN_BYTES && rest.get(length) == Some(&b']'))
        .then_some(Secret { kind: "private-key", span: start..start + length })
}

/// Returns true for bytes that may separate keys: blanks, quotes, commas, brackets, and the characters that underline a
/// heading.
fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(
            byte,
            b'"' | b'\'' | b'`' | b',' | b'[' | b'(' | b')' | b'=' | b'-' | b':' | b'*'
        )
}
