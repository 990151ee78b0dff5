//! Scores windows of a text with a learned linear classifier. The score states how similar a window is to an
//! instruction to an agent.
//!
//! [`gate`] selects the parts of a text to read. Each word in these parts contributes the weights of its features
//! ([`features`]). A window is a sequence of words and has one of three sizes. The score of a window is the sum of its
//! feature weights divided by the square root of the number of features. All arithmetic uses integers.
//! `docs/decisions/0007-injection-classifier.md` describes how the weights were learned.

mod features;
mod gate;
mod support;

use std::cell::LazyCell;
use std::num::NonZeroU128;
use std::ops::Range;

use super::pattern::PATTERNS;
use super::phrases::{Role, Signal};
use super::score::{Removal, starting_within};
use super::segment::removed_span;
use super::words::{Start, Words};
use features::FeatureContext;
use support::PhraseSupport;

pub(crate) use gate::candidates;

/// The gate's weights, followed by the feature weights. Each weight is one signed byte.
static WEIGHTS: &[u8] = include_bytes!("classifier/weights.bin");

/// The minimum score of a window that is removed from the text.
pub(crate) const REMOVAL_SCORE: i64 = 950;
/// The minimum score of a window that is not quoted.
pub(crate) const SUSPICION_SCORE: i64 = 800;

/// The window sizes in units. A word counts as two units, an ideograph as one.
const WINDOWS: [usize; 3] = [24, 48, 96];
/// The maximum distance between the starts of two windows, in units. After this distance, a window starts even if no
/// sentence or line starts there.
const MAX_STEP: usize = 24;
const MIN_WINDOW: usize = 6;
const SCALE: i64 = 320;
/// The number of bits of a hash that select a slot of [`WordCache`].
const CACHE_BITS: u32 = 9;
/// The minimum length of a cached word. Shorter words are not cached, because they have few features.
const MIN_CACHED_BYTES: usize = 4;

/// Scores the windows in `parts` of `text` and returns the spans to remove. `threshold` is the score that a window
/// needs if it contains no phrase that raises or lowers this score (see `support`). Also removes from `parts` each part
/// that contains no trigger phrase.
pub(crate) fn removals(text: &str, parts: &mut Vec<Range<usize>>, threshold: i64) -> Vec<Removal> {
    let mut found = Vec::new();
    if parts.is_empty() {
        return found;
    }
    let mut cache = WordCache::default();
    parts.retain(|part| score_part(text, part.clone(), threshold, &mut cache, &mut found));
    found
}

/// Scores one part of `text` and appends the spans to remove to `found`. Returns true if the part contains a trigger
/// phrase.
fn score_part(
    text: &str,
    region: Range<usize>,
    threshold: i64,
    cache: &mut WordCache,
    found: &mut Vec<Removal>,
) -> bool {
    let words = Words::read(&text[region.clone()], region.start);
    let phrases = PATTERNS.find(&words);
    let context = FeatureContext::new(text, &words, &phrases);
    let sums = running_sums(&words, &context, cache);
    let mut flagged: Vec<(i64, Range<usize>)> = Vec::new();
    let support = LazyCell::new(|| PhraseSupport::new(text, &words, &phrases));
    let lowest = threshold.min(support::LOWEST_SCORE);
    windows(text, &words, |window| {
        if reaches(sums[window.start], sums[window.end], lowest) {
            let score = score(sums[window.start], sums[window.end]);
            if score >= support.required_score(&window, threshold) {
                flagged.push((score, window));
            }
        }
    });
    // The windows are processed by descending score. A window that overlaps an accepted window is skipped.
    flagged.sort_by_key(|(score, window)| (std::cmp::Reverse(*score), window.start));
    let mut is_taken = vec![false; if flagged.is_empty() { 0 } else { words.len() }];
    for (_, window) in flagged {
        if is_taken[window.clone()].contains(&true) {
            continue;
        }
        let window = trimmed(&words, window, |part| score(sums[part.start], sums[part.end]));
        let signal = starting_within(&phrases, window.start, window.end - 1)
            .iter()
            .filter(|hit| hit.weight > 0)
            .max_by_key(|hit| hit.weight)
            .map_or(Signal::Request, |hit| hit.signal);
        let span = removed_span(text, &words.list, window.start, window.end - 1);
        found.push(Removal { span, signal });
        is_taken[window].fill(true);
    }
    phrases.iter().any(|hit| hit.role == Role::Trigger)
}

/// Returns running totals of the feature weights and of the number of features. The element at index `n` contains the
/// totals of the first `n` words.
fn running_sums(
    words: &Words,
    context: &FeatureContext<'_>,
    cache: &mut WordCache,
) -> Vec<(i64, u64)> {
    let mut sums: Vec<(i64, u64)> = Vec::with_capacity(words.len() + 1);
    let mut running = Sum::default();
    sums.push((0, 0));
    for index in 0..words.len() {
        if !context.is_in_address(index) {
            running.add(cache.sum_of(words, index, || {
                let mut sum = Sum::default();
                context.text_features(index, |feature| sum.add_feature(feature));
                sum
            }));
        }
        context.position_features(index, |feature| running.add_feature(feature));
        sums.push((running.weights, running.count));
    }
    sums
}

/// Returns the highest score of the windows of `words`, which are part of `text`. Returns `i64::MIN` if there is no window.
pub(crate) fn best_score(text: &str, words: &Words) -> i64 {
    let phrases = PATTERNS.find(words);
    let context = FeatureContext::new(text, words, &phrases);
    let sums = running_sums(words, &context, &mut WordCache::default());
    let mut best = i64::MIN;
    windows(text, words, |window| {
        best = best.max(score(sums[window.start], sums[window.end]));
    });
    best
}

/// Removes lines from both ends of the window, as long as its score remains at least seven eighths of the original
/// score.
fn trimmed(
    words: &Words,
    mut window: Range<usize>,
    score: impl Fn(&Range<usize>) -> i64,
) -> Range<usize> {
    let whole = score(&window);
    let keeps_most = |part: i64| part * 8 >= whole * 7;
    let starts_line = |index: &usize| words.list[*index].start == Start::Line;
    while let Some(last) = (window.start + 1..window.end).rev().find(starts_line)
        && keeps_most(score(&(window.start..last)))
    {
        window.end = last;
    }
    while let Some(next) = (window.start + 1..window.end).find(starts_line)
        && keeps_most(score(&(next..window.end)))
    {
        window.start = next;
    }
    window
}

fn weight(index: usize) -> i8 {
    WEIGHTS.get(index).map_or(0, |byte| byte.cast_signed())
}

/// Returns the score of the words between two elements of [`running_sums`].
fn score(before: (i64, u64), after: (i64, u64)) -> i64 {
    let count = after.1 - before.1;
    if count == 0 {
        return i64::MIN;
    }
    (after.0 - before.0) * SCALE / root(count)
}

/// Returns whether [`score`] is at least `threshold`, which must be positive.
fn reaches(before: (i64, u64), after: (i64, u64), threshold: i64) -> bool {
    let (sum, count) = ((after.0 - before.0) * SCALE, after.1 - before.1);
    // Comparing the squares rules out nearly every window without computing a root. `threshold` is added to the sum
    // because the integer root is rounded down.
    let highest = i128::from(sum + threshold).pow(2);
    sum > 0
        && highest >= i128::from(threshold).pow(2) * i128::from(count << 10)
        && sum >= threshold * root(count)
}

/// Returns the square root of `count` as a fixed-point number with five fractional bits.
fn root(count: u64) -> i64 {
    i64::try_from((count << 10).isqrt()).unwrap_or(i64::MAX)
}

/// Calls `sink` with all windows, as ranges of word indices. A window starts at a sentence, at a line, or [`MAX_STEP`]
/// units after the previous window's start. It does not cross an empty line.
fn windows(text: &str, words: &Words, mut sink: impl FnMut(Range<usize>)) {
    let mut units = Vec::with_capacity(words.len() + 1);
    let mut breaks = Vec::new();
    let mut total = 0;
    for index in 0..words.len() {
        units.push(total);
        total += if words.starts_with_ideograph(index) { 1 } else { 2 };
        if index > 0 && is_paragraph_break(text, words, index) {
            breaks.push(index);
        }
    }
    units.push(total);
    breaks.push(words.len());
    let mut next_break = 0;
    let mut last_start = None;
    // The end of the current window of each size. The ends never decrease.
    let mut ends = [0; WINDOWS.len()];
    for first in 0..words.len() {
        let is_far = last_start.is_none_or(|start| units[first] - units[start] >= MAX_STEP);
        if words.list[first].start == Start::Nothing && !is_far {
            continue;
        }
        last_start = Some(first);
        while breaks[next_break] <= first {
            next_break += 1;
        }
        let mut last_end = first;
        for (end, limit) in ends.iter_mut().zip(WINDOWS) {
            *end = (*end).max(first);
            while *end < words.len() && units[*end] - units[first] < limit {
                *end += 1;
            }
            let end = (*end).min(breaks[next_break]);
            if end > last_end && units[end] - units[first] >= MIN_WINDOW {
                sink(first..end);
            }
            last_end = end;
        }
    }
}

/// Returns whether the word is the first in its line, and the line before contains no word.
fn is_paragraph_break(text: &str, words: &Words, index: usize) -> bool {
    let (before, after) = (words.list[index - 1].source.end, words.list[index].source.start);
    words.list[index].start == Start::Line
        && text
            .as_bytes()
            .get(before..after)
            .is_some_and(|gap| memchr::memchr_iter(b'\n', gap).take(2).count() == 2)
}

/// The sum of feature weights, and the number of features.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    weights: i64,
    count: u64,
}

impl Sum {
    fn add_feature(&mut self, feature: u32) {
        self.weights += i64::from(weight(gate::SIZE + feature as usize));
        self.count += 1;
    }

    fn add(&mut self, other: Self) {
        self.weights += other.weights;
        self.count += other.count;
    }
}

/// The feature sums of recent words of one text, because most words occur repeatedly. Each slot contains the last word
/// whose hash selected this slot.
struct WordCache {
    slots: Vec<(Option<NonZeroU128>, Sum)>,
}

impl Default for WordCache {
    fn default() -> Self {
        Self { slots: vec![(None, Sum::default()); 1 << CACHE_BITS] }
    }
}

impl WordCache {
    /// Returns the sum of a word's text features. Calls `compute` if the word is not cached.
    fn sum_of(&mut self, words: &Words, index: usize, compute: impl Fn() -> Sum) -> Sum {
        let word =
            words.packed(index).filter(|word| word.get() >> (8 * (MIN_CACHED_BYTES - 1)) != 0);
        let Some(word) = word else { return compute() };
        let hash = words.list[index].hash.wrapping_mul(0x9e37_79b1);
        let slot = &mut self.slots[(hash >> (32 - CACHE_BITS)) as usize];
        if slot.0 != Some(word) {
            *slot = (Some(word), compute());
        }
        slot.1
    }
}

/// Functions for the program that learns the weights.
#[cfg(feature = "training")]
pub mod training {
    use super::*;

    #[must_use]
    pub fn windows(text: &str) -> Vec<Vec<u32>> {
        judged_in(text, 0..text.len()).into_iter().map(|(features, _)| features).collect()
    }

    /// Returns the features of each window in the parts that the gate selects, and the score that the window must reach.
    #[must_use]
    pub fn judged_windows(text: &str) -> Vec<(Vec<u32>, i64)> {
        candidates(text).into_iter().flat_map(|region| judged_in(text, region)).collect()
    }

    fn judged_in(text: &str, region: Range<usize>) -> Vec<(Vec<u32>, i64)> {
        let words = Words::read(&text[region.clone()], region.start);
        let phrases = PATTERNS.find(&words);
        let context = FeatureContext::new(text, &words, &phrases);
        let support = PhraseSupport::new(text, &words, &phrases);
        let mut judged = Vec::new();
        super::windows(text, &words, |window| {
            let required = support.required_score(&window, REMOVAL_SCORE);
            let mut list = Vec::new();
            window.for_each(|index| context.word_features(index, |feature| list.push(feature)));
            judged.push((list, required));
        });
        judged
    }

    #[must_use]
    pub fn scores(text: &str) -> i64 {
        let score_of = |features: Vec<u32>| {
            let mut sum = Sum::default();
            features.into_iter().for_each(|feature| sum.add_feature(feature));
            score((0, 0), (sum.weights, sum.count))
        };
        windows(text).into_iter().map(score_of).max().unwrap_or(i64::MIN)
    }

    #[must_use]
    pub fn is_candidate(text: &str) -> bool {
        !candidates(text).is_empty()
    }

    /// Returns the lines that the classifier scores high enough, and the lines that contain enough phrases. `threshold`
    /// is the score that a window needs if it contains no phrase that raises or lowers this score.
    #[must_use]
    pub fn lines_at(text: &str, threshold: i64) -> Vec<std::ops::RangeInclusive<usize>> {
        super::super::lines_at(text, threshold)
    }

    pub const BITS: u32 = super::features::FEATURE_BITS;
}
