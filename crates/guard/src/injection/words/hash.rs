//! The hash of a word, which the vocabulary of phrases and the features of the classifier share. The learned weights depend on
//! its values.

use super::is_ideograph;

const NUMBER: u32 = 7;

pub(crate) fn word_hash(word: &str) -> u32 {
    let is_ascii_word = match word.bytes().next() {
        Some(b'0'..=b'9') if word.bytes().all(|byte| byte.is_ascii_digit()) => return NUMBER,
        first => first.is_some_and(|first| first.is_ascii()),
    };
    if !is_ascii_word && word.chars().all(is_ideograph) {
        return word.chars().fold(11, |hash, character| mix(hash, character as u32));
    }
    word.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

pub(crate) fn mix(first: u32, second: u32) -> u32 {
    (first.rotate_left(13).wrapping_mul(0x9e37_79b1) ^ second).wrapping_mul(0x85eb_ca6b)
}
