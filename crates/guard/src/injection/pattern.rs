//! Phrases made ready for matching: their notation is read once, on first use.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::phrases::{PHRASES, Phrase, Role, SETS};
use super::signal::Signal;
use super::words::Word;

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
    /// Patterns by the first word of any alternative of their first element.
    by_first_word: HashMap<&'static str, Vec<usize>>,
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
    let mut by_first_word: HashMap<&'static str, Vec<usize>> = HashMap::new();
    for (index, pattern) in patterns.iter().enumerate() {
        for alternative in pattern.elements.iter().take(1).flat_map(|element| &element.alternatives)
        {
            let indices = by_first_word.entry(alternative[0]).or_default();
            if indices.last() != Some(&index) {
                indices.push(index);
            }
        }
    }
    Patterns { patterns, by_first_word }
});

impl Patterns {
    /// Every phrase in `words`, in order of first words.
    pub(crate) fn find(&self, words: &[Word]) -> Vec<Found> {
        let mut found = Vec::new();
        for (first, word) in words.iter().enumerate() {
            for &index in self.by_first_word.get(word.text.as_str()).into_iter().flatten() {
                let pattern = &self.patterns[index];
                if let Some(end) = pattern.matched_end(words, first) {
                    let Phrase { signal, weight, role, .. } = *pattern.phrase;
                    found.push(Found { signal, weight, role, first, last: end - 1 });
                }
            }
        }
        found
    }
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
    fn matched_end(&self, words: &[Word], first: usize) -> Option<usize> {
        let mut at = first;
        for element in &self.elements {
            at = (at..=at + element.gap).find_map(|start| element.matched_end(words, start))?;
        }
        Some(at)
    }
}

impl Element {
    fn matched_end(&self, words: &[Word], start: usize) -> Option<usize> {
        self.alternatives.iter().find_map(|alternative| {
            let found = words.get(start..start + alternative.len())?;
            let is_match =
                found.iter().zip(alternative).all(|(word, expected)| word.text == *expected);
            is_match.then_some(start + alternative.len())
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
            if matches!(character, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}') {
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
pub(crate) fn trigger_words() -> Vec<&'static str> {
    let mut triggers: Vec<&'static str> = PHRASES
        .iter()
        .filter(|phrase| phrase.role == Role::Trigger)
        .filter_map(|phrase| {
            let marked = phrase.words.split(' ').find_map(|element| element.strip_prefix('!'));
            marked.or_else(|| phrase.words.split(' ').next())
        })
        .flat_map(alternatives_text)
        .map(longest_part)
        .filter(|part| part.len() >= 3)
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

/// The longest word of an alternative: words may be any distance apart in the raw text.
fn longest_part(alternative: &'static str) -> &'static str {
    alternative.split('_').max_by_key(|part| part.len()).unwrap_or(alternative)
}
