//! The words of a text as the gate sees them: runs of ASCII letters and pairs of ideographs.

use std::ops::Range;

const BITS: u32 = 14;
pub(in super::super) const SIZE: usize = 1 << BITS;
/// What [`words`] reports for a letter of a script for which nothing was learned.
pub(super) const FOREIGN_WORD: u32 = u32::MAX;

/// Bytes that are classified at once, one bit each.
const BLOCK: usize = 64;

/// Passes every word to `sink`, as an index into the gate's weights, with its place. Two ideographs in a row are a word; their
/// place is empty and at the end of the second.
pub(in super::super) fn words(bytes: &[u8], mut sink: impl FnMut(u32, Range<usize>)) {
    let mut at = 0;
    let mut previous = 0_u32;
    while at < bytes.len() {
        let (letters, length) = classified(bytes, at);
        if letters != 0 {
            previous = 0;
        }
        let end = ascii_words(bytes, at, letters, &mut sink);
        at = end.unwrap_or(at + length);
        while let Some(byte) = bytes.get(at).filter(|byte| !byte.is_ascii()) {
            let character = bytes.get(at..at + 3).filter(|_| (0xe3..=0xe9).contains(byte));
            if let Some(character) = character {
                let character = [character[0], character[1], character[2], 0];
                at += 3;
                previous = ideograph(character, previous, |word| sink(word, at..at));
            } else {
                if is_foreign(*byte) {
                    sink(FOREIGN_WORD, at..at + 1);
                }
                at += 1;
                previous = 0;
            }
        }
    }
}

/// Passes the words of a block, given its letters. Returns where to continue if a word reaches the end of the block.
fn ascii_words(
    bytes: &[u8],
    at: usize,
    mut letters: u64,
    sink: &mut impl FnMut(u32, Range<usize>),
) -> Option<usize> {
    while letters != 0 {
        let first = letters.trailing_zeros() as usize;
        let end = first + (!(letters >> first)).trailing_zeros() as usize;
        if end >= BLOCK {
            if first > 0 {
                return Some(at + first);
            }
            let rest = bytes[at..].iter().position(|byte| !byte.is_ascii_alphabetic());
            let end = rest.map_or(bytes.len(), |rest| at + rest);
            sink(hash(&bytes[at..end]), at..end);
            return Some(end);
        }
        if end - first > 1 {
            let word = at + first..at + end;
            sink(hash(&bytes[word.clone()]), word);
        }
        letters &= u64::MAX << end;
    }
    None
}

/// Which of the bytes from `at` on are ASCII letters, and how many were looked at: not more than a block, and no byte that is
/// not ASCII.
fn classified(bytes: &[u8], at: usize) -> (u64, usize) {
    let rest = &bytes[at..];
    let mut padded = [0; BLOCK];
    let (block, length) = match rest.first_chunk::<BLOCK>() {
        Some(block) => (block, BLOCK),
        None => {
            padded[..rest.len()].copy_from_slice(rest);
            (&padded, rest.len())
        }
    };
    let mut is_letter = [0_u8; BLOCK];
    let mut all = 0;
    for (flag, byte) in is_letter.iter_mut().zip(block) {
        *flag = u8::from((byte | 0x20).wrapping_sub(b'a') < 26);
        all |= byte;
    }
    let mut letters = 0;
    for (index, flags) in is_letter.as_chunks::<8>().0.iter().enumerate() {
        // Moves the lowest bits of the eight bytes next to each other.
        let bits = u64::from_le_bytes(*flags).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        letters |= bits << (index * 8);
    }
    if all.is_ascii() {
        return (letters, length);
    }
    let length = block.iter().position(|byte| !byte.is_ascii()).unwrap_or(length);
    (letters & !(u64::MAX << length), length)
}

fn hash(letters: &[u8]) -> u32 {
    let hash = letters.iter().fold(0x811c_9dc5_u32, |hash, letter| {
        (hash ^ u32::from(letter | 0x20)).wrapping_mul(0x0100_0193)
    });
    hash >> (32 - BITS)
}

/// Passes the word that a character makes with the one before it. Returns the character for the next one.
fn ideograph(character: [u8; 4], previous: u32, sink: impl FnOnce(u32)) -> u32 {
    // Punctuation of Chinese texts is at U+3000 and is no part of a word.
    if character[0] == 0xe3 && character[1] == 0x80 {
        return 0;
    }
    let character = u32::from_le_bytes(character);
    if previous != 0 {
        let hash = (previous.rotate_left(11) ^ character).wrapping_mul(0x9e37_79b1);
        sink((hash ^ hash >> 13).wrapping_mul(0x85eb_ca6b) >> (32 - BITS));
    }
    character
}

/// Whether the byte starts a letter of another script, an invisible character or a sign; its other bytes are below 0xc0.
fn is_foreign(byte: u8) -> bool {
    matches!(byte, 0xc3..=0xe1 | 0xea..=0xed | 0xef..)
}

#[cfg(test)]
mod tests;
