//! How far a removed segment reaches: the sentence or comment that instructs, and the sentences right behind it.

use std::ops::Range;

use super::words::{Start, Word};

/// An order is followed by what it orders; this much of the same line goes with it.
const TRAIL: usize = 240;
/// How far the start of a line, or the end of a sentence behind the trail, is looked for: a line may have no end.
const FARTHEST: usize = 1024;

/// The span to remove for the signals between words `first` and `last`.
pub(crate) fn removed_span(text: &str, words: &[Word], first: usize, last: usize) -> Range<usize> {
    let begin = (0..=first).rev().find(|&index| words[index].start != Start::Nothing).unwrap_or(0);
    let start = if words[begin].start == Start::Line {
        line_start(text, words[begin].source.start)
    } else {
        words[begin].source.start
    };
    start..segment_end(text, words[last].source.end)
}

/// The start of the line's content: comment marks go with the comment, indentation stays. In the middle of a long line it is
/// where the words start.
fn line_start(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let lowest = at.saturating_sub(FARTHEST);
    let start = match memchr::memrchr(b'\n', &bytes[lowest..at]) {
        Some(newline) => lowest + newline + 1,
        None if lowest == 0 => 0,
        None => return at,
    };
    start + bytes[start..at].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// The end of the comment, the line or, in a long line, of the sentence behind the trail.
fn segment_end(text: &str, from: usize) -> usize {
    let mut highest = text.len().min(from + TRAIL + FARTHEST);
    while !text.is_char_boundary(highest) {
        highest -= 1;
    }
    let rest = &text[from..highest];
    let line = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
    let line = if line > 0 && rest.as_bytes()[line - 1] == b'\r' { line - 1 } else { line };
    let comment =
        ["-->", "*/"].iter().filter_map(|close| rest[..line].find(close)).min().unwrap_or(line);
    if comment <= TRAIL {
        return from + comment;
    }
    let sentence = rest[..comment].char_indices().find(|&(index, character)| {
        index >= TRAIL && matches!(character, '.' | '!' | '?' | '。' | '！' | '？' | ' ')
    });
    from + sentence.map_or(comment, |(index, character)| index + character.len_utf8())
}
