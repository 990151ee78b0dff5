//! The parts of a text that may contain an order: one pass over the bytes adds up learned weights of words, fading.

mod words;

use std::ops::Range;

use super::weight;
use words::{FOREIGN_WORD, GateWord};

pub(super) use words::{GateWords, SIZE};

/// A part is read when the fading sum reaches this.
const OPEN: i32 = 56;
/// One sixteenth of the sum fades with every word.
const FADE: u32 = 4;
/// How much is read before and after the words that opened the gate.
const BEFORE: usize = 160;
const AFTER: usize = 240;
/// The weight of a letter of a script for which nothing was learned.
const FOREIGN: i32 = 12;

/// The parts of `text` to read, in order and without overlap, from line to line where lines are not long.
pub(crate) fn candidates(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut sum = 0_i32;
    for GateWord { index, start, end } in GateWords::new(bytes) {
        let gain = if index == FOREIGN_WORD {
            FOREIGN
        } else {
            let gain = i32::from(weight(index as usize));
            if gain > 0 && is_part_of_code(bytes, start, end) { 0 } else { gain }
        };
        sum = (sum - (sum >> FADE) + gain).max(0);
        if sum >= OPEN {
            let start = end.saturating_sub(BEFORE);
            match found.last_mut() {
                Some(last) if last.end >= start => last.end = end + AFTER,
                _ => found.push(start..end + AFTER),
            }
        }
    }
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

/// Whether a word is part of a path, a call or a name with dots: `scan.pop()`, `keys:read`. Words that underscores join are
/// read as a sentence: a file may have an order as its name.
fn is_part_of_code(bytes: &[u8], start: usize, end: usize) -> bool {
    match bytes.get(end) {
        Some(b'(' | b'=' | b'[' | b'{' | b'<' | b'/' | b'\\' | b'@' | b'$') => true,
        // A full stop or a colon inside a word, and not at the end of a sentence.
        Some(b'.' | b':') => {
            bytes.get(end + 1).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b':')
        }
        _ => {
            let before = start.checked_sub(1).map(|before| bytes[before]);
            matches!(before, Some(b'.' | b'=' | b'$' | b'\\' | b'@' | b'{'))
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
