//! Phrases made ready for matching: their notation is read once, on first use.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::phrases::{PHRASES, Phrase, Role, SETS};
use super::signal::Signal;
use super::words::{Words, is_ideograph};

/// A phrase found in a sequence of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) signal: Signal,
    pub(crate) weight: u32,
    pub(crate) role: Role,
    /// Index of its first word.
    pub(crate) first: usize,
    /// Index of its last word.
    pub(crate) last: usize,
}

pub(crate) struct Patterns {
    patterns: Vec<Pattern>,
    all: FirstWords,
    triggers: FirstWords,
}

/// Patterns by the first word of any alternative of their first element.
struct FirstWords {
    patterns: HashMap<&'static str, Vec<usize>>,
    /// Lengths of first words by their first byte: most words of a text start no phrase, and this says so without hashing.
    lengths: [u64; 256],
}

struct Pattern {
    phrase: &'static Phrase,
    elements: Vec<Element>,
}

struct Element {
    /// Words that may stand between the element before and this one.
    gap: usize,
    alternatives: Vec<Vec<&'static str>>,
}

pub(crate) static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let patterns: Vec<Pattern> = PHRASES.iter().map(Pattern::read).collect();
    let (mut all, mut triggers) = (FirstWords::new(), FirstWords::new());
    for (index, pattern) in patterns.iter().enumerate() {
        all.add(pattern, index);
        if pattern.phrase.role == Role::Trigger {
            triggers.add(pattern, index);
        }
    }
    Patterns { patterns, all, triggers }
});

impl Patterns {
    /// Every phrase in `words`, in order of first words.
    pub(crate) fn find(&self, words: &Words) -> Vec<Found> {
        self.matches(words, &self.all).collect()
    }

    /// Whether a phrase that can start an alarm is among `words`.
    pub(crate) fn has_trigger(&self, words: &Words) -> bool {
        self.matches(words, &self.triggers).next().is_some()
    }

    fn matches<'p>(
        &'p self,
        words: &'p Words,
        first_words: &'p FirstWords,
    ) -> impl Iterator<Item = Found> + 'p {
        (0..words.len()).flat_map(move |first| {
            first_words.starting_with(words.text(first)).iter().filter_map(move |&index| {
                let pattern = &self.patterns[index];
                let last = pattern.matched_end(words, first)? - 1;
                let Phrase { signal, weight, role, .. } = *pattern.phrase;
                Some(Found { signal, weight, role, first, last })
            })
        })
    }
}

impl FirstWords {
    fn new() -> Self {
        Self { patterns: HashMap::new(), lengths: [0; 256] }
    }

    fn add(&mut self, pattern: &Pattern, index: usize) {
        for alternative in pattern.elements.iter().take(1).flat_map(|element| &element.alternatives)
        {
            let word = alternative[0];
            let indices = self.patterns.entry(word).or_default();
            if indices.last() != Some(&index) {
                indices.push(index);
            }
            self.lengths[usize::from(word.as_bytes()[0])] |= length_bit(word);
        }
    }

    fn starting_with(&self, word: &str) -> &[usize] {
        let is_possible = word
            .bytes()
            .next()
            .is_some_and(|first| self.lengths[usize::from(first)] & length_bit(word) != 0);
        if is_possible { self.patterns.get(word).map_or(&[], Vec::as_slice) } else { &[] }
    }
}

fn length_bit(word: &str) -> u64 {
    1 << word.len().min(63)
}

impl Pattern {
    fn read(phrase: &'static Phrase) -> Self {
        let mut elements = Vec::new();
        let mut gap = 0;
        for notation in phrase.words.split(' ') {
            match notation.strip_prefix('~') {
                Some(number) => gap = number.parse().unwrap_or(0),
                None => {
                    let notation = notation.trim_start_matches('!');
                    elements.push(Element {
                        gap: std::mem::take(&mut gap),
                        alternatives: alternatives(notation),
                    });
                }
            }
        }
        Self { phrase, elements }
    }

    /// Where the phrase ends that starts at `first`: each element at the nearest place its gap allows.
    fn matched_end(&self, words: &Words, first: usize) -> Option<usize> {
        let mut at = first;
        for element in &self.elements {
            at = (at..=at + element.gap).find_map(|start| element.matched_end(words, start))?;
        }
        Some(at)
    }
}

impl Element {
    fn matched_end(&self, words: &Words, start: usize) -> Option<usize> {
        self.alternatives.iter().find_map(|alternative| {
            let end = start + alternative.len();
            let mut pairs = alternative.iter().zip(start..);
            let is_match =
                end <= words.len() && pairs.all(|(expected, index)| words.text(index) == *expected);
            is_match.then_some(end)
        })
    }
}

fn alternatives(notation: &'static str) -> Vec<Vec<&'static str>> {
    notation
        .split('|')
        .flat_map(|alternative| match SETS.iter().find(|(name, _)| *name == alternative) {
            Some((_, set)) => set.split('|').map(single_words).collect(),
            None => vec![single_words(alternative)],
        })
        .collect()
}

/// The words of one alternative: split at `_`, and every ideograph by itself.
pub(crate) fn single_words(alternative: &'static str) -> Vec<&'static str> {
    let mut words = Vec::new();
    for part in alternative.split('_') {
        let mut start = 0;
        for (index, character) in part.char_indices() {
            if is_ideograph(character) {
                if start < index {
                    words.push(&part[start..index]);
                }
                start = index + character.len_utf8();
                words.push(&part[index..start]);
            }
        }
        if start < part.len() {
            words.push(&part[start..]);
        }
    }
    words
}

/// The text that announces each phrase that can start an alarm, for the search over raw text.
pub(crate) fn trigger_words() -> Vec<String> {
    let mut triggers: Vec<String> = PHRASES
        .iter()
        .filter(|phrase| phrase.role == Role::Trigger)
        .filter_map(|phrase| {
            let marked = phrase.words.split(' ').find_map(|element| element.strip_prefix('!'));
            marked.or_else(|| phrase.words.split(' ').next())
        })
        .flat_map(alternatives_text)
        .map(raw_form)
        .filter(|text| text.len() >= 3)
        .collect();
    triggers.sort_unstable();
    triggers.dedup();
    triggers
}

fn alternatives_text(notation: &'static str) -> Vec<&'static str> {
    notation
        .split('|')
        .flat_map(|alternative| match SETS.iter().find(|(name, _)| *name == alternative) {
            Some((_, set)) => set.split('|').collect(),
            None => vec![alternative],
        })
        .collect()
}

/// How an alternative stands in raw text: its words with a space between.
fn raw_form(alternative: &'static str) -> String {
    alternative.replace('_', " ")
}
