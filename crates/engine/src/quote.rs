//! Chooses the lines of a definition to quote: the whole definition if it is short, otherwise its signature and the
//! lines that match the prompt best.

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use index::text::TokenKind;

use crate::comments::{LineKind, line_kinds};
use crate::query::Query;
use crate::source::{Snippet, Source, read_lines};

/// The maximum number of lines that are read from a definition.
const MAX_READ_LINES: usize = 2_000;
const MAX_SIGNATURE_LINES: usize = 3;
/// The minimum number of lines that must be left for a further region. Fewer lines do not show what the region does.
const MIN_LINES: usize = 5;
/// The weight of an identifier in the prompt. The weight of any other word is 1.
const IDENTIFIER_WEIGHT: f32 = 3.0;
const MIN_WORD_CHARS: usize = 3;

/// Quotes at most `max_lines` lines of `regions`, which must be in descending order of importance. Returns `None` if
/// the file is missing or may not be quoted, or if the regions contain only comments.
#[must_use]
pub fn quote(
    source: &Source<'_>,
    path: &str,
    regions: &[RangeInclusive<u32>],
    query: &Query,
    max_lines: usize,
) -> Option<Snippet> {
    let words = weighted_words(query);
    let mut lines: Vec<(u64, String)> = Vec::new();
    for region in regions {
        let room = max_lines.saturating_sub(lines.len());
        if !lines.is_empty() && room < MIN_LINES {
            break;
        }
        let n_lines = region.clone().count().min(MAX_READ_LINES);
        let Some(read) = read_lines(source, path, u64::from(*region.start()), n_lines) else {
            continue;
        };
        let texts: Vec<&str> = read.lines.iter().map(|(_, text)| text.as_str()).collect();
        let chosen = choose(&texts, &line_kinds(path, &texts), &words, room);
        let is_new = |at: &usize| lines.iter().all(|(number, _)| *number != read.lines[*at].0);
        let new: Vec<usize> = chosen.into_iter().filter(is_new).collect();
        lines.extend(new.into_iter().map(|at| read.lines[at].clone()));
    }
    lines.sort_by_key(|(number, _)| *number);
    (!lines.is_empty()).then_some(Snippet { lines })
}

/// Returns the words of the prompt to look for, in lower case, each with its weight.
fn weighted_words(query: &Query) -> Vec<(String, f32)> {
    let names = query.identifiers.iter();
    let mut words: Vec<(String, f32)> =
        names.map(|identifier| (identifier.name.to_lowercase(), IDENTIFIER_WEIGHT)).collect();
    for term in query.search_terms() {
        let is_long = term.kind == TokenKind::Cjk || term.written.len() >= MIN_WORD_CHARS;
        if is_long && words.iter().all(|(word, _)| *word != term.written) {
            words.push((term.written.clone(), 1.0));
        }
    }
    words
}

/// Returns the indices of the lines to quote, in order. Empty lines are never quoted.
fn choose(
    lines: &[&str],
    kinds: &[LineKind],
    words: &[(String, f32)],
    max_lines: usize,
) -> Vec<usize> {
    let has_code = kinds.contains(&LineKind::Code);
    let mut kept: Vec<usize> =
        (0..lines.len()).filter(|at| kinds[*at] != LineKind::Empty).collect();
    if !has_code {
        return Vec::new();
    }
    if kept.len() > max_lines {
        let first_code = kinds.iter().position(|kind| *kind == LineKind::Code).unwrap_or(0);
        kept.retain(|at| *at >= first_code && kinds[*at] != LineKind::Doc);
    }
    if kept.len() > max_lines {
        let n_signature = signature_length(lines, &kept).min(max_lines);
        let rest = kept.split_off(n_signature);
        let scores = line_scores(lines, &rest, words);
        kept.extend(best_window(&rest, &scores, max_lines - n_signature));
    }
    while kept.last().is_some_and(|at| kinds[*at] != LineKind::Code) {
        kept.pop();
    }
    kept
}

/// Returns how many of the `kept` lines belong to the signature. The signature ends with the line that closes its
/// parentheses.
fn signature_length(lines: &[&str], kept: &[usize]) -> usize {
    let mut open = 0_i32;
    for (n, at) in kept.iter().enumerate().take(MAX_SIGNATURE_LINES) {
        for character in lines[*at].chars() {
            match character {
                '(' => open += 1,
                ')' => open -= 1,
                _ => {}
            }
        }
        if open <= 0 {
            return n + 1;
        }
    }
    MAX_SIGNATURE_LINES.min(kept.len())
}

/// Scores each line by the words that it contains. A word that occurs in many lines counts less.
fn line_scores(lines: &[&str], rest: &[usize], words: &[(String, f32)]) -> Vec<f32> {
    let lower: Vec<String> = rest.iter().map(|at| lines[*at].to_lowercase()).collect();
    let mut scores = vec![0.0; rest.len()];
    for (word, weight) in words {
        let matching: Vec<usize> =
            (0..lower.len()).filter(|at| lower[*at].contains(word.as_str())).collect();
        for at in &matching {
            scores[*at] += weight / matching.len() as f32;
        }
    }
    scores
}

/// Returns the `size` consecutive lines with the highest total score, or the first such lines if several have the same
/// score.
fn best_window<'a>(lines: &'a [usize], scores: &[f32], size: usize) -> &'a [usize] {
    let sum = |window: &[f32]| window.iter().sum::<f32>();
    let mut best = (0, f32::MIN);
    for (start, window) in scores.windows(size.max(1)).enumerate() {
        if sum(window) > best.1 + f32::EPSILON {
            best = (start, sum(window));
        }
    }
    &lines[best.0..(best.0 + size).min(lines.len())]
}
