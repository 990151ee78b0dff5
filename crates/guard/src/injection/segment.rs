//! How far a removed segment reaches: the sentence or comment that instructs, and the sentences right behind it.

use std::ops::Range;

use super::words::{Start, Word};

/// An order is followed by what it orders; this much of the same line goes with it.
const TRAIL: usize = 240;

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

/// The start of the line's content: comment marks go with the comment, indentation stays.
fn line_start(text: &str, at: usize) -> usize {
    let start = memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |newline| newline + 1);
    start + text[start..at].bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// The end of the comment, the line or, in a long line, of the sentence behind the trail.
fn segment_end(text: &str, from: usize) -> usize {
    let rest = &text[from..];
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
