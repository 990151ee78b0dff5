//! Determines the extent of a removed segment: the sentence or comment that contains the instruction, and the sentences
//! directly after it.

use std::ops::Range;

use super::words::{Start, Word};
use crate::work;

/// The number of bytes after an instruction that are also removed, up to the end of its line or comment. They often
/// contain details of the instruction.
const TRAIL_BYTES: usize = 240;
/// The maximum number of bytes that are searched for the start of the line before an instruction, and for the end of a
/// sentence after the trail ([`TRAIL_BYTES`]). This bounds the work in very long lines.
const MAX_SEARCH_BYTES: usize = 1024;
/// The maximum number of words before an instruction that are searched for the start of its sentence. If the sentence
/// starts earlier, only this many of its words before the instruction are removed.
const MAX_SEARCH_WORDS: usize = 256;

/// Returns the span to remove for an instruction whose signals extend from the word `first` to the word `last`.
pub(crate) fn removed_span(text: &str, words: &[Word], first: usize, last: usize) -> Range<usize> {
    let lowest = first.saturating_sub(MAX_SEARCH_WORDS);
    let starts = |&index: &usize| words[index].start != Start::Nothing;
    let begin = (lowest..=first).rev().find(starts).unwrap_or(lowest);
    let start = if words[begin].start == Start::Line {
        line_start(text, words[begin].source.start)
    } else {
        words[begin].source.start
    };
    start..segment_end(text, words[last].source.end)
}

/// Returns the position after the indentation of the line that contains `at`. Comment marks are therefore removed with
/// the comment. In a very long line, returns `at`.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let lowest = at.saturating_sub(MAX_SEARCH_BYTES);
    work::count(at - lowest);
    let start = match memchr::memrchr(b'\n', &bytes[lowest..at]) {
        Some(newline) => lowest + newline + 1,
        None if lowest == 0 => 0,
        None => return at,
    };
    start + bytes[start..at].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Returns the end of the comment or the line that contains `from`. If that end is more than [`TRAIL_BYTES`] away,
/// returns the end of the first sentence or word after this distance.
fn segment_end(text: &str, from: usize) -> usize {
    let rest = &text[from..text.floor_char_boundary(from + TRAIL_BYTES + MAX_SEARCH_BYTES)];
    let line = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
    let line = if line > 0 && rest.as_bytes()[line - 1] == b'\r' { line - 1 } else { line };
    let comment =
        ["-->", "*/"].iter().filter_map(|close| rest[..line].find(close)).min().unwrap_or(line);
    if comment <= TRAIL_BYTES {
        return from + comment;
    }
    let sentence = rest[..comment].char_indices().find(|&(index, character)| {
        index >= TRAIL_BYTES && matches!(character, '.' | '!' | '?' | '。' | '！' | '？' | ' ')
    });
    from + sentence.map_or(comment, |(index, character)| index + character.len_utf8())
}
