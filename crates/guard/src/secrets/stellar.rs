//! Finds secret seeds of Stellar accounts: 56 characters of base32 that start with `S` and end with a checksum.

use super::Secret;
use crate::work;

const SEED: usize = 56;
/// The number of bytes that a seed encodes: the version, the key and the checksum.
const DECODED: usize = 35;
const VERSION: u8 = 18 << 3;

/// Returns all seeds in the text.
pub(crate) fn seeds(text: &str) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = SEED - 1;
    // Every run of `SEED` characters contains one of the positions that are examined.
    while at < bytes.len() {
        if !is_base32(bytes[at]) {
            at += SEED;
            continue;
        }
        let before = bytes[..at].iter().rev().take(SEED).take_while(|byte| is_base32(**byte));
        let start = at - before.count();
        let length = bytes[start..].iter().take(SEED).take_while(|byte| is_base32(**byte)).count();
        work::count(at - start + length);
        let span = start..start + length;
        let is_whole = !is_word_byte(start.checked_sub(1).map(|before| bytes[before]))
            && !is_word_byte(bytes.get(span.end).copied());
        if length == SEED && is_whole && is_seed(&bytes[span.clone()]) {
            found.push(Secret { kind: "stellar-key", span });
        }
        at += SEED;
    }
    found
}

fn is_base32(byte: u8) -> bool {
    matches!(byte, b'A'..=b'Z' | b'2'..=b'7')
}

fn is_word_byte(byte: Option<u8>) -> bool {
    byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns whether the characters of base32 decode to the version of a seed, a key, and the checksum of both.
fn is_seed(characters: &[u8]) -> bool {
    let mut decoded = Vec::with_capacity(DECODED);
    let (mut bits, mut n_bits) = (0_u32, 0);
    for &character in characters {
        let digit =
            if character.is_ascii_digit() { character - b'2' + 26 } else { character - b'A' };
        bits = (bits << 5 | u32::from(digit)) & 0xfff;
        n_bits += 5;
        if n_bits >= 8 {
            n_bits -= 8;
            decoded.push(u8::try_from(bits >> n_bits & 0xff).unwrap_or_default());
        }
    }
    let Some((payload, checksum)) = decoded.split_last_chunk::<2>() else { return false };
    payload.first() == Some(&VERSION) && crc16(payload) == u16::from_le_bytes(*checksum)
}

/// Returns the CRC-16/XMODEM checksum.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, &byte| {
        (0..8).fold(crc ^ u16::from(byte) << 8, |crc, _| {
            if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x1021 }
        })
    })
}
