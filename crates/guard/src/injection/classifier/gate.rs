//! The parts of a text that may contain an order: one pass over the bytes adds up learned weights of words, fading.

use std::ops::Range;

use super::weight;

const BITS: u32 = 14;
pub(super) const SIZE: usize = 1 << BITS;

/// A part is read when the fading sum reaches this.
const OPEN: i32 = 56;
/// One sixteenth of the sum fades with every word.
const FADE: u32 = 4;
/// How much is read before and after the words that opened the gate.
const BEFORE: usize = 160;
const AFTER: usize = 240;
/// The weight of a letter of a script for which nothing was learned.
const FOREIGN: i32 = 12;
/// What [`words`] reports for such a letter.
const FOREIGN_WORD: u32 = u32::MAX;

/// The parts of `text` to read, in order and without overlap, from line to line where lines are not long.
pub(crate) fn candidates(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut sum = 0_i32;
    words(bytes, |word, end| {
        let gain = match word {
            FOREIGN_WORD => FOREIGN,
            _ if is_part_of_code(bytes, end) => i32::from(weight(word as usize)).min(0),
            _ => i32::from(weight(word as usize)),
        };
        sum = (sum - (sum >> FADE) + gain).max(0);
        if sum >= OPEN {
            let start = end.saturating_sub(BEFORE);
            match found.last_mut() {
                Some(last) if last.end >= start => last.end = end + AFTER,
                _ => found.push(start..end + AFTER),
            }
        }
    });
    let mut covered = 0;
    found.retain_mut(|part| {
        part.start = line_start(bytes, part.start).max(covered);
        part.end = line_end(bytes, part.end.min(bytes.len())).max(part.start);
        while !text.is_char_boundary(part.start) {
            part.start += 1;
        }
        while !text.is_char_boundary(part.end) {
            part.end += 1;
        }
        covered = part.end;
        part.start < part.end
    });
    found
}

/// Whether the word that ends at `end` is part of a path, a call or a name with dots: `scan.pop()`, `keys:read`. Words that
/// underscores join are read as a sentence: a file may have an order as its name.
fn is_part_of_code(bytes: &[u8], end: usize) -> bool {
    match bytes.get(end) {
        Some(b'(' | b'=' | b'[' | b'{' | b'<' | b'/' | b'\\' | b'@' | b'$') => true,
        // A full stop or a colon inside a word, and not at the end of a sentence.
        Some(b'.' | b':') => {
            bytes.get(end + 1).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b':')
        }
        _ => {
            let start = bytes[..end].iter().rposition(|byte| !byte.is_ascii_alphabetic());
            start.is_some_and(|before| {
                matches!(bytes[before], b'.' | b'=' | b'$' | b'\\' | b'@' | b'{')
            })
        }
    }
}

fn line_start(bytes: &[u8], at: usize) -> usize {
    let lowest = at.saturating_sub(BEFORE);
    memchr::memrchr(b'\n', &bytes[lowest..at]).map_or(at, |newline| lowest + newline + 1)
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let highest = bytes.len().min(at + AFTER);
    memchr::memchr(b'\n', &bytes[at..highest]).map_or(highest, |newline| at + newline)
}

/// Passes every word to `sink`, as an index into the gate's weights, with the place where it ends. Two ideographs in a row are
/// a word.
pub(super) fn words(bytes: &[u8], mut sink: impl FnMut(u32, usize)) {
    let mut at = 0;
    let mut previous = 0_u32;
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii_alphabetic() {
            let start = at;
            let mut hash = 0x811c_9dc5_u32;
            while let Some(letter) = bytes.get(at).filter(|letter| letter.is_ascii_alphabetic()) {
                hash = (hash ^ u32::from(letter | 0x20)).wrapping_mul(0x0100_0193);
                at += 1;
            }
            if at - start > 1 {
                sink(hash >> (32 - BITS), at);
            }
            previous = 0;
        } else if byte < 0x80 {
            at += 1;
        } else if (0xe3..=0xe9).contains(&byte) && at + 2 < bytes.len() {
            let character = u32::from_le_bytes([byte, bytes[at + 1], bytes[at + 2], 0]);
            at += 3;
            // Punctuation of Chinese texts is at U+3000 and is no part of a word.
            if byte == 0xe3 && bytes[at - 2] == 0x80 {
                previous = 0;
                continue;
            }
            if previous != 0 {
                let hash = (previous.rotate_left(11) ^ character).wrapping_mul(0x9e37_79b1);
                sink((hash ^ hash >> 13).wrapping_mul(0x85eb_ca6b) >> (32 - BITS), at);
            }
            previous = character;
        } else {
            // A letter of another script, an invisible character or a sign; its other bytes are below 0xc0.
            if (0xc3..0xe2).contains(&byte)
                || byte == 0xef
                || byte >= 0xf0
                || (0xea..0xee).contains(&byte)
            {
                sink(FOREIGN_WORD, at + 1);
            }
            at += 1;
            previous = 0;
        }
    }
}
