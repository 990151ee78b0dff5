//! Splits a text into the words that the gate reads: runs of ASCII letters, pairs of ideographs, and single letters of
//! other scripts.

use crate::injection::words::{hash_of, hash_of_start};

const BITS: u32 = 14;
pub(in super::super) const SIZE: usize = 1 << BITS;
/// The index that represents every letter of a script without learned weights.
pub(super) const FOREIGN_WORD: u32 = u32::MAX;

/// The number of bytes that are classified at once. The result has one bit per byte.
const BLOCK: usize = 64;

/// A word's index into the gate's weights, and its position. Two consecutive ideographs form a word with an empty range
/// at the end of the second ideograph.
pub(in super::super) struct GateWord {
    pub(in super::super) index: u32,
    pub(in super::super) start: usize,
    pub(in super::super) end: usize,
}

/// Iterates over the words of a text.
pub(in super::super) struct GateWords<'t> {
    bytes: &'t [u8],
    /// The unread letters of the current block, one bit per byte. `block` is the start of the block.
    letters: u64,
    block: usize,
    /// The position at which reading continues after the block.
    at: usize,
    /// The previous ideograph, or 0.
    previous: u32,
}

impl<'t> GateWords<'t> {
    pub(in super::super) fn new(bytes: &'t [u8]) -> Self {
        Self { bytes, letters: 0, block: 0, at: 0, previous: 0 }
    }

    /// Returns the range of the next run of letters in the current block.
    ///
    /// Returns `None` if the run starts inside the block and reaches its end, because it may continue in the next
    /// block. The next block then starts with this run. If the run fills the whole block, its end is searched beyond
    /// the block.
    #[inline]
    fn next_in_block(&mut self) -> Option<(usize, usize)> {
        let first = self.letters.trailing_zeros() as usize;
        let length = (!(self.letters >> first)).trailing_zeros() as usize;
        if first + length < BLOCK {
            self.letters &= u64::MAX << (first + length);
            return Some((self.block + first, self.block + first + length));
        }
        self.letters = 0;
        if first > 0 {
            self.at = self.block + first;
            return None;
        }
        let letters = self.bytes[self.block..].iter().take_while(|byte| byte.is_ascii_alphabetic());
        self.at = self.block + letters.count();
        Some((self.block, self.at))
    }

    /// Reads the next block of ASCII characters, or one character that is not ASCII. Returns a word only if that
    /// character completes one.
    fn advance(&mut self) -> Option<GateWord> {
        let byte = *self.bytes.get(self.at)?;
        if byte.is_ascii() {
            self.block = self.at;
            let length;
            (self.letters, length) = classified(self.bytes, self.at);
            self.at += length;
            if self.letters != 0 {
                self.previous = 0;
            }
            return None;
        }
        let character =
            self.bytes.get(self.at..self.at + 3).filter(|_| (0xe3..=0xe9).contains(&byte));
        if let Some(character) = character {
            self.at += 3;
            let character = [character[0], character[1], character[2], 0];
            let (index, previous) = ideograph(character, self.previous);
            self.previous = previous;
            return index.map(|index| GateWord { index, start: self.at, end: self.at });
        }
        self.previous = 0;
        self.at += 1;
        is_foreign(byte).then_some(GateWord {
            index: FOREIGN_WORD,
            start: self.at - 1,
            end: self.at,
        })
    }
}

impl Iterator for GateWords<'_> {
    type Item = GateWord;

    #[inline]
    fn next(&mut self) -> Option<GateWord> {
        loop {
            while self.letters != 0 {
                if let Some((start, end)) = self.next_in_block()
                    && end - start > 1
                {
                    return Some(GateWord { index: index_of(self.bytes, start, end), start, end });
                }
            }
            if self.at >= self.bytes.len() {
                return None;
            }
            let word = self.advance();
            if word.is_some() {
                return word;
            }
        }
    }
}

/// Classifies the bytes from `at`. Returns a bit set of the ASCII letters and the number of classified bytes. Stops
/// after a block or before the first byte that is not ASCII.
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
        // Collects the lowest bits of the eight bytes in one byte.
        let bits = u64::from_le_bytes(*flags).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        letters |= bits << (index * 8);
    }
    if all.is_ascii() {
        return (letters, length);
    }
    let length = block.iter().position(|byte| !byte.is_ascii()).unwrap_or(length);
    (letters & !(u64::MAX << length), length)
}

/// Returns the index of a word with at least two letters. The index consists of the upper bits of the lower-case
/// word's hash.
#[inline]
fn index_of(bytes: &[u8], start: usize, end: usize) -> u32 {
    let hash = match bytes[start..].first_chunk::<8>() {
        Some(eight) if end - start <= 8 => {
            hash_of_start(u64::from_le_bytes(*eight) | 0x2020_2020_2020_2020, end - start)
        }
        _ => hash_of(bytes[start..end].iter().map(|letter| letter | 0x20)),
    };
    hash >> (32 - BITS)
}

/// Returns the index of the pair that the previous ideograph and this one form, or `None` if there is no previous
/// ideograph. Also returns the ideograph to pass as `previous` to the next call.
fn ideograph(character: [u8; 4], previous: u32) -> (Option<u32>, u32) {
    // U+3000 to U+303F is Chinese punctuation, which is not part of a word.
    if character[0] == 0xe3 && character[1] == 0x80 {
        return (None, 0);
    }
    let character = u32::from_le_bytes(character);
    let hash = (previous.rotate_left(11) ^ character).wrapping_mul(0x9e37_79b1);
    let index = (hash ^ hash >> 13).wrapping_mul(0x85eb_ca6b) >> (32 - BITS);
    ((previous != 0).then_some(index), character)
}

/// Returns whether the byte is the first UTF-8 byte of a letter of another script, an invisible character or a symbol.
fn is_foreign(byte: u8) -> bool {
    matches!(byte, 0xc3..=0xe1 | 0xea..=0xed | 0xef..)
}

#[cfg(test)]
mod tests;
