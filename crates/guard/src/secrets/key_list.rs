//! Finds lists of private keys: `accounts: ["0x…"]` of Hardhat and Truffle, the keys that a local chain prints, and
//! keys written as a list of bytes.

use super::Secret;
use crate::work;

const MAX_LIST: usize = 4096;
const KEY_DIGITS: usize = 64;
/// A key of 32 bytes, written as numbers.
const MIN_BYTES: usize = 32;

/// The text before a list of private keys, in lower case.
#[rustfmt::skip]
pub(crate) const LISTS: &[&str] = &[
    "accounts: [", "accounts:[", "accounts = [", "accounts=[", "accounts\": [", "accounts\":[", "private keys", "privatekeys", "private_keys",
    "privatekeys:", "deployer_keys", "signer_keys",
];
/// The text before the bytes of a key, in lower case.
pub(crate) const BYTES: &[&str] =
    &["secretkey(", "secret_key(", "secretkey = [", "secret_key = [", "keypair(", "from_bytes("];

/// Returns the keys of the list that starts after `from`. The list ends at the first element that is not a key.
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

/// Returns the bytes of a key, written as numbers in brackets shortly after `from`.
pub(crate) fn bytes_after(text: &str, from: usize) -> Option<Secret> {
    const MAX_DISTANCE: usize = 32;
    let bytes = text.as_bytes();
    let near = &bytes[from..bytes.len().min(from + MAX_DISTANCE)];
    let start = match memchr::memchr2(b'[', b'\n', near) {
        Some(open) if near[open] == b'[' => from + open + 1,
        // The anchor ends with the bracket.
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

/// Quotes, separators, brackets and the line below a heading.
fn is_separator(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(
            byte,
            b'"' | b'\'' | b'`' | b',' | b'[' | b'(' | b')' | b'=' | b'-' | b':' | b'*'
        )
}
