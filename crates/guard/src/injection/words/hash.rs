//! Hashes words for the phrase vocabulary and the classifier features. The learned weights depend on the hash values,
//! so the weights must be learned again after a change to these functions.

use super::is_ideograph;

const NUMBER: u32 = 7;
const SEED: u32 = 0x811c_9dc5;
const PRIME: u32 = 0x0100_0193;

pub(crate) fn word_hash(word: &str) -> u32 {
    let is_ascii_word = match word.bytes().next() {
        Some(b'0'..=b'9') if word.bytes().all(|byte| byte.is_ascii_digit()) => return NUMBER,
        first => first.is_some_and(|first| first.is_ascii()),
    };
    if !is_ascii_word && word.chars().all(is_ideograph) {
        return word.chars().fold(11, |hash, character| mix(hash, character as u32));
    }
    hash_of(word.bytes())
}

pub(crate) fn hash_of(bytes: impl Iterator<Item = u8>) -> u32 {
    bytes.fold(SEED, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(PRIME))
}

/// Hashes the first `length` bytes of `eight` without branching on the length. The remaining steps use the byte 0 and
/// the factor 1, which do not change the hash.
#[inline]
pub(crate) fn hash_of_start(eight: u64, length: usize) -> u32 {
    let bytes = eight & u64::MAX.checked_shr(64 - 8 * length as u32).unwrap_or(0);
    let factors = &FACTORS[length];
    (0..8).fold(SEED, |hash, index| {
        (hash ^ (bytes >> (8 * index)) as u32 & 0xff).wrapping_mul(factors[index])
    })
}

/// The factors of the eight steps, indexed by the length of the word.
static FACTORS: [[u32; 8]; 9] = {
    let mut table = [[1; 8]; 9];
    let mut length = 0;
    while length <= 8 {
        let mut index = 0;
        while index < length {
            table[length][index] = PRIME;
            index += 1;
        }
        length += 1;
    }
    table
};

pub(crate) fn mix(first: u32, second: u32) -> u32 {
    (first.rotate_left(13).wrapping_mul(0x9e37_79b1) ^ second).wrapping_mul(0x85eb_ca6b)
}
