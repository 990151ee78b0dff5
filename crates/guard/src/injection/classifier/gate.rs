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
            if is_part_of_code(bytes, start, end) { gain.min(0) } else { gain }
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
/// read as a sentence: a file may have an order as its name. Without branches: they would depend on every word of the text.
#[inline]
fn is_part_of_code(bytes: &[u8], start: usize, end: usize) -> bool {
    let signs = |at: usize| bytes.get(at).map_or(0, |byte| SIGNS[usize::from(*byte)]);
    let (before, next, after) = (signs(start.wrapping_sub(1)), signs(end), signs(end + 1));
    let is_before_code = next & CODE_BEHIND != 0;
    // A full stop or a colon inside a word, and not at the end of a sentence.
    let is_joint = (next & JOINT != 0) & (after & BEHIND_JOINT != 0);
    let is_behind_code = (next & JOINT == 0) & (before & CODE_BEFORE != 0);
    is_before_code | is_joint | is_behind_code
}

/// The word before such a sign is code.
const CODE_BEHIND: u8 = 1;
/// The word behind such a sign is code.
const CODE_BEFORE: u8 = 2;
const JOINT: u8 = 4;
/// What behind a joint shows that a name goes on.
const BEHIND_JOINT: u8 = 8;

static SIGNS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let sign = byte as u8;
        if matches!(sign, b'(' | b'=' | b'[' | b'{' | b'<' | b'/' | b'\\' | b'@' | b'$') {
            table[byte] |= CODE_BEHIND;
        }
        if matches!(sign, b'.' | b'=' | b'$' | b'\\' | b'@' | b'{') {
            table[byte] |= CODE_BEFORE;
        }
        if matches!(sign, b'.' | b':') {
            table[byte] |= JOINT;
        }
        if sign.is_ascii_alphanumeric() || sign == b':' {
            table[byte] |= BEHIND_JOINT;
        }
        byte += 1;
    }
    table
};

fn line_start(bytes: &[u8], at: usize) -> usize {
    let lowest = at.saturating_sub(BEFORE);
    memchr::memrchr(b'\n', &bytes[lowest..at]).map_or(at, |newline| lowest + newline + 1)
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let highest = bytes.len().min(at + AFTER);
    memchr::memchr(b'\n', &bytes[at..highest]).map_or(highest, |newline| at + newline)
}
