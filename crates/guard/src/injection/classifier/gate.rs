//! Selects the parts of a text that may contain an instruction. One pass over the text computes a decaying sum of learned
//! word weights: before the weight of a word is added, the sum is reduced by a fixed fraction.

mod words;

use memchr::memmem;
use std::ops::Range;

use super::weight;
use crate::bytes::{DIGITS, LETTERS, byte_classes, line_after, starts_with_any};
use words::{FOREIGN_WORD, GateWord};

pub(super) use words::{GateWords, SIZE};

/// The text around a word is selected for the classifier if the decaying sum of word weights is at least this value at
/// the word.
const OPEN_SUM: i32 = 56;
/// The decay of the sum, as a binary shift: before each word's weight is added, the sum is reduced by one sixteenth.
const DECAY_SHIFT: u32 = 4;
/// How many bytes a selected part extends before the end of the word at which the sum reaches [`OPEN_SUM`].
const BYTES_BEFORE: usize = 160;
const BYTES_AFTER: usize = 240;
/// The weight of each letter of a script without learned weights.
const FOREIGN_WEIGHT: i32 = 12;

/// Returns the parts of `text` that the classifier reads, in order and without overlap. A part consists of whole lines
/// unless the lines are long.
pub(crate) fn candidates(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut sum = 0_i32;
    for GateWord { index, start, end } in GateWords::new(bytes) {
        let gain = if index == FOREIGN_WORD {
            FOREIGN_WEIGHT
        } else {
            let gain = i32::from(weight(index as usize));
            if is_part_of_code(bytes, start, end) { gain.min(0) } else { gain }
        };
        sum = (sum - (sum >> DECAY_SHIFT) + gain).max(0);
        if sum >= OPEN_SUM {
            let start = end.saturating_sub(BYTES_BEFORE);
            match found.last_mut() {
                Some(last) if last.end >= start => last.end = end + BYTES_AFTER,
                _ => found.push(start..end + BYTES_AFTER),
            }
        }
    }
    found.extend(calls_in(bytes).map(|at| at.saturating_sub(BYTES_BEFORE)..at + BYTES_AFTER));
    found.sort_unstable_by_key(|part| part.start);
    let mut covered = 0;
    found.retain_mut(|part| {
        let start = line_start(bytes, part.start).max(covered);
        let end = part.end.min(bytes.len());
        let end = (end + line_after(bytes, end, BYTES_AFTER).len()).max(start);
        *part = text.ceil_char_boundary(start)..text.ceil_char_boundary(end);
        covered = part.end;
        part.start < part.end
    });
    found
}

/// Returns whether a word is part of a path, a call or a dotted name, such as `scan` in `scan.pop()` or `keys` in
/// `keys:read`. Words joined by underscores are not treated as code, because a file name may contain an instruction.
/// The function avoids branches, because they would often be mispredicted.
#[inline]
fn is_part_of_code(bytes: &[u8], start: usize, end: usize) -> bool {
    let signs = |at: usize| bytes.get(at).map_or(0, |byte| SIGN_CLASSES[usize::from(*byte)]);
    let (before, next, after) = (signs(start.wrapping_sub(1)), signs(end), signs(end + 1));
    let is_before_code = next & FOLLOWS_CODE != 0;
    // A full stop or a colon inside a name, not at the end of a sentence.
    let is_joint = (next & JOINT != 0) & (after & CONTINUES_NAME != 0);
    let is_after_code = (next & JOINT == 0) & (before & PRECEDES_CODE != 0);
    is_before_code | is_joint | is_after_code
}

/// Character class: a word directly before such a character is treated as code.
const FOLLOWS_CODE: u8 = 1;
/// Character class: a word directly after such a character is treated as code.
const PRECEDES_CODE: u8 = 2;
const JOINT: u8 = 4;
/// Character class: if such a character follows a `.` or `:` ([`JOINT`]), the dotted name continues.
const CONTINUES_NAME: u8 = 8;

static SIGN_CLASSES: [u8; 256] = byte_classes(&[
    (FOLLOWS_CODE, b"(=[{</\\@$"),
    (PRECEDES_CODE, b".=$\\@{"),
    (JOINT, b".:"),
    (CONTINUES_NAME, LETTERS),
    (CONTINUES_NAME, DIGITS),
    (CONTINUES_NAME, b":"),
]);

fn line_start(bytes: &[u8], at: usize) -> usize {
    let lowest = at.saturating_sub(BYTES_BEFORE);
    memchr::memrchr(b'\n', &bytes[lowest..at]).map_or(at, |newline| lowest + newline + 1)
}

/// The Chinese names for a model or an agent.
const READER_NAMES: &[&str] = &["助手", "模型", "智能体", "机器人"];
/// The strings that follow the name in a call: a colon, `请` (please), or a word such as `必须` (must).
const FOLLOWING: &[&str] = &["：", "请", "必须", "须", "务必", "不得", "一律", "应"];

/// Returns the position after the name in each call, in no particular order.
fn calls_in(text: &[u8]) -> impl Iterator<Item = usize> {
    READER_NAMES.iter().flat_map(move |name| {
        memmem::find_iter(text, *name)
            .map(|at| at + name.len())
            .filter(|end| starts_with_any(&text[*end..], FOLLOWING))
    })
}
