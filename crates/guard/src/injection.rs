//! Finds injected instructions in quoted text, removes them, and reports the line of each removed segment and the
//! reason for its removal.
//!
//! The raw text is searched for words that are typical of injected instructions (trigger words). Only the text around
//! these words is split into words and scored. Disguised text (look-alike letters, separated letters, encoded text,
//! escapes) is decoded first and scored the same way. A learned classifier scores the text too. Harmful commands with a pretext are
//! found separately.

mod classifier;
mod disguise;
mod hash_table;
mod hidden;
mod markup;
mod mention;
mod pattern;
mod phrases;
mod pretext;
mod region;
mod score;
mod segment;
mod words;

use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

use score::Removal;

pub(crate) use disguise::{is_invisible, plain};

#[cfg(feature = "training")]
pub use classifier::training;
pub use phrases::Signal as Reason;

/// Lists of words that the modules use.
const WORDS: &str = include_str!("injection/tables/words.txt");
const MAX_ROUNDS: usize = 16;

/// The minimum score that the classifier must give to a segment that is removed because of several weak phrases.
const MIN_PHRASE_SCORE: i64 = 600;

/// A text without its injected instructions, and a list of the removed segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filtered<'t> {
    pub text: Cow<'t, str>,
    pub removed: Vec<RemovedSegment>,
}

/// The line of a removed segment and the reason for the removal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedSegment {
    /// The line at which the segment starts in the original text, counted from 1.
    pub line: usize,
    pub reason: Reason,
}

/// Removes injected instructions from `text`. All other text is kept, and so are the line breaks in the removed
/// segments.
#[must_use]
pub fn filter_injection(text: &str) -> Filtered<'_> {
    let mut removed = Vec::new();
    let Some(mut clean) = without_segments(text, &mut removed) else {
        return Filtered { text: Cow::Borrowed(text), removed };
    };
    // Removing a segment from the middle of another instruction joins the two halves of that instruction, so the result is
    // searched again.
    for round in 0..=MAX_ROUNDS {
        match without_segments(&clean, &mut removed) {
            None => break,
            Some(cleaner) if round < MAX_ROUNDS => clean = cleaner,
            Some(_) => clean = without_lines(&clean),
        }
    }
    removed.sort_by_key(|segment| segment.line);
    Filtered { text: Cow::Owned(clean), removed }
}

/// Returns `text` without the segments that must be removed, and appends the line and the reason of each removed
/// segment to `removed`. Returns `None` if there is nothing to remove.
fn without_segments(text: &str, removed: &mut Vec<RemovedSegment>) -> Option<String> {
    let segments = segments(text);
    if segments.is_empty() {
        return None;
    }
    let mut clean = String::with_capacity(text.len());
    let (mut written, mut line) = (0, 1);
    for (span, reason) in segments {
        line += newlines(text, written..span.start);
        removed.push(RemovedSegment { line, reason });
        clean.push_str(&text[written..span.start]);
        // The line breaks of a removed segment are kept, so that the numbers of later lines do not change.
        let lines = newlines(text, span.clone());
        clean.extend(std::iter::repeat_n('\n', lines));
        line += lines;
        written = span.end;
    }
    clean.push_str(&text[written..]);
    Some(clean)
}

/// Returns `text` without the content of the lines from which a segment must be removed. If the rest still contains such a
/// segment, nothing but the line breaks is left.
fn without_lines(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut spans = segments(text).into_iter().map(|(span, _)| span).peekable();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        while spans.next_if(|span| span.end <= start).is_some() {}
        let is_kept = spans.peek().is_none_or(|span| end <= span.start);
        clean.push_str(if is_kept { line } else { &line[line.trim_end_matches('\n').len()..] });
        start = end;
    }
    if !segments(&clean).is_empty() {
        clean.retain(|character| character == '\n');
    }
    clean
}

/// Returns the lines of `text` that must not be quoted, counted from 1. These are the lines that [`filter_injection`]
/// removes, and suspicious lines that it keeps.
#[must_use]
pub fn unquotable_lines(text: &str) -> Vec<RangeInclusive<usize>> {
    lines_at(text, classifier::SUSPICION_SCORE)
}

fn lines_at(text: &str, threshold: i64) -> Vec<RangeInclusive<usize>> {
    let (mut line, mut counted) = (1, 0);
    merged(removals(text, threshold))
        .into_iter()
        .map(|(span, _)| {
            line += newlines(text, counted..span.start);
            counted = span.start;
            line..=line + newlines(text, span)
        })
        .collect()
}

/// Returns the segments to remove, in text order and without overlap.
pub(crate) fn segments(text: &str) -> Vec<(Range<usize>, Reason)> {
    let found = removals(text, classifier::REMOVAL_SCORE);
    if found.is_empty() {
        return Vec::new();
    }
    match mention::masked(text, &found) {
        Some(masked) => {
            let mut found = removals(&masked, classifier::REMOVAL_SCORE);
            // In the masked text, a position within a multi-byte character of `text` can be a boundary.
            for Removal { span, .. } in &mut found {
                *span = text.floor_char_boundary(span.start)..text.ceil_char_boundary(span.end);
            }
            merged(found)
        }
        None => merged(found),
    }
}

/// Returns all segments that contain enough phrases or that the classifier scores high enough. `threshold` is the score
/// that a segment needs if it contains no phrase that raises or lowers this score. The segments may overlap.
fn removals(text: &str, threshold: i64) -> Vec<Removal> {
    let mut parts = classifier::candidates(text);
    let mut removals = pretext::removals(text, &parts);
    removals.extend(classifier::removals(text, &mut parts, threshold));
    let min_score = if threshold < classifier::REMOVAL_SCORE { i64::MIN } else { MIN_PHRASE_SCORE };
    removals.extend(region::removals(text, &parts, min_score));
    removals.retain(|removal| !pretext::is_documented_command(text, &removal.span));
    removals
}

/// Sorts removals by position. If a removal overlaps the previous one, the part that overlaps is cut off.
fn merged(mut removals: Vec<Removal>) -> Vec<(Range<usize>, Reason)> {
    removals.sort_by_key(|removal| removal.span.start);
    let mut covered = 0;
    let mut segments = Vec::new();
    for Removal { span, signal } in removals {
        if span.end > covered {
            segments.push((span.start.max(covered)..span.end, signal));
            covered = span.end;
        }
    }
    segments
}

fn newlines(text: &str, range: Range<usize>) -> usize {
    memchr::memchr_iter(b'\n', &text.as_bytes()[range]).count()
}

#[cfg(test)]
mod tests;
