//! Parses the phrase notation once, on first use, and matches the phrases against a sequence of word ids.

use super::disguise::{corrected, misspelt_first_words};
use super::hash_table::HashTable;
use super::words::{Words, is_ideograph, traditional, word_hash};
use std::sync::LazyLock;

use super::phrases::{PHRASES, Phrase, Role, Signal, set};
use crate::work;

/// A phrase found in a sequence of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PhraseMatch {
    pub(crate) signal: Signal,
    pub(crate) weight: u32,
    pub(crate) role: Role,
    /// The index of the first word.
    pub(crate) first: usize,
    /// The index of the last word.
    pub(crate) last: usize,
}

impl PhraseMatch {
    /// Returns a match that consists of one word.
    pub(crate) fn of_word(index: usize, signal: Signal, weight: u32, role: Role) -> Self {
        Self { signal, weight, role, first: index, last: index }
    }
}

pub(crate) struct Patterns {
    vocabulary: Vocabulary,
    patterns: Vec<Pattern>,
    /// The patterns that can start with a word, indexed by the word's id.
    by_first_word: Vec<Vec<Candidate>>,
}

/// A pattern that may start with a given word.
#[derive(Clone, Copy)]
struct Candidate {
    pattern: usize,
    /// The maximum distance from the first word to the start of the second element, in words. It is 0 if there is no
    /// second element.
    reach: usize,
    /// The words with which the second element can start.
    second: WordSet,
}

/// A set of word ids. Several ids share one bit, so a lookup can report an id that is not in the set.
type WordSet = u128;

struct Pattern {
    phrase: &'static Phrase,
    elements: Vec<Element>,
}

struct Element {
    /// The maximum number of words between the previous element and this element.
    gap: usize,
    /// The alternatives that consist of a single word, sorted.
    single: Vec<WordId>,
    /// The alternatives that consist of several words.
    several: Vec<Vec<WordId>>,
    /// The first words of all alternatives.
    starts: WordSet,
}

pub(crate) static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let mut vocabulary = Vocabulary::default();
    let patterns: Vec<Pattern> =
        PHRASES.iter().map(|phrase| Pattern::read(phrase, &mut vocabulary)).collect();
    let mut by_first_word = vec![Vec::new(); vocabulary.len() + 1];
    for (index, pattern) in patterns.iter().enumerate() {
        for id in pattern.first_words() {
            let candidates: &mut Vec<Candidate> = &mut by_first_word[usize::from(id)];
            if candidates.last().is_none_or(|last| last.pattern != index) {
                candidates.push(pattern.candidate(index));
            }
        }
    }
    Patterns { vocabulary, patterns, by_first_word }
});

impl Patterns {
    /// Returns all phrase matches in `words`, ordered by their first word.
    pub(crate) fn find(&self, words: &Words) -> Vec<PhraseMatch> {
        self.search(words, |_| true, usize::MAX)
    }

    /// Returns true if `words` contain a trigger phrase.
    pub(crate) fn has_trigger(&self, words: &Words) -> bool {
        !self.search(words, |role| role == Role::Trigger, 1).is_empty()
    }

    /// Returns the first `max` matches of the phrases whose role `accepts`, ordered by their first word.
    fn search(
        &self,
        words: &Words,
        accepts: impl Fn(Role) -> bool,
        max: usize,
    ) -> Vec<PhraseMatch> {
        let ids = self.vocabulary.ids_of(words);
        let mut found = Vec::new();
        for (first, id) in ids.iter().enumerate().filter(|(_, id)| **id != UNKNOWN) {
            let candidates = &self.by_first_word[usize::from(*id)];
            if candidates.is_empty() {
                continue;
            }
            let following_words = FollowingWords::new(&ids[first + 1..]);
            for candidate in candidates.iter().filter(|it| following_words.may_have(it)) {
                let pattern = &self.patterns[candidate.pattern];
                let Phrase { signal, weight, role, .. } = *pattern.phrase;
                if accepts(role)
                    && let Some(end) = pattern.matched_end(&ids, first)
                {
                    found.push(PhraseMatch { signal, weight, role, first, last: end - 1 });
                    if found.len() == max {
                        return found;
                    }
                }
            }
        }
        found
    }
}

/// The words that follow the first word of a candidate.
struct FollowingWords {
    /// `within[n]` is the set of the next `n` words.
    within: [WordSet; Self::MAX_DISTANCE + 1],
}

impl FollowingWords {
    /// The maximum distance that is checked. Candidates with a longer reach are matched without this check.
    const MAX_DISTANCE: usize = 12;

    fn new(following: &[WordId]) -> Self {
        let mut within = [0; Self::MAX_DISTANCE + 1];
        for distance in 1..=Self::MAX_DISTANCE {
            let word = following.get(distance - 1).map_or(0, |id| set_of(*id));
            within[distance] = within[distance - 1] | word;
        }
        Self { within }
    }

    /// Returns false if none of the following words can start the candidate's second element.
    fn may_have(&self, candidate: &Candidate) -> bool {
        candidate.reach == 0
            || self.within.get(candidate.reach).is_none_or(|words| words & candidate.second != 0)
    }
}

impl Pattern {
    fn read(phrase: &'static Phrase, vocabulary: &mut Vocabulary) -> Self {
        let mut elements = Vec::new();
        let mut gap = 0;
        for notation in phrase.words.split(' ') {
            match notation.strip_prefix('~') {
                Some(number) => gap = number.parse().unwrap_or(0),
                None => elements.push(Element::read(
                    notation.trim_start_matches('!'),
                    std::mem::take(&mut gap),
                    vocabulary,
                )),
            }
        }
        Self { phrase, elements }
    }

    fn candidate(&self, pattern: usize) -> Candidate {
        match &self.elements[..] {
            [first, second, ..] => {
                let longest = first.several.iter().map(Vec::len).max().unwrap_or(1);
                Candidate {
                    pattern,
                    reach: first.gap + longest + second.gap,
                    second: second.starts,
                }
            }
            _ => Candidate { pattern, reach: 0, second: 0 },
        }
    }

    fn first_words(&self) -> impl Iterator<Item = WordId> + '_ {
        self.elements.iter().take(1).flat_map(|element| {
            element
                .single
                .iter()
                .copied()
                .chain(element.several.iter().filter_map(|words| words.first().copied()))
        })
    }

    /// Returns the index after the last word of the phrase that starts at `first`, or `None` if the phrase does not
    /// match. Each element matches at the nearest position that its gap allows.
    fn matched_end(&self, ids: &[WordId], first: usize) -> Option<usize> {
        let mut at = first;
        for element in &self.elements {
            work::count(element.gap + 1);
            at = (at..=at + element.gap).find_map(|start| element.matched_end(ids, start))?;
        }
        Some(at)
    }
}

impl Element {
    fn read(notation: &'static str, gap: usize, vocabulary: &mut Vocabulary) -> Self {
        let mut element = Self { gap, single: Vec::new(), several: Vec::new(), starts: 0 };
        for alternative in alternatives(notation) {
            let ids: Vec<WordId> =
                single_words(alternative).into_iter().map(|word| vocabulary.add(word)).collect();
            element.starts |= ids.first().map_or(0, |id| set_of(*id));
            match ids[..] {
                [id] => element.single.push(id),
                _ => element.several.push(ids),
            }
        }
        element.single.sort_unstable();
        element
    }

    fn matched_end(&self, ids: &[WordId], start: usize) -> Option<usize> {
        let id = *ids.get(start)?;
        if self.starts & set_of(id) == 0 {
            return None;
        }
        let several = self
            .several
            .iter()
            .find(|words| words.first() == Some(&id) && ids[start..].starts_with(words));
        match several {
            Some(words) => Some(start + words.len()),
            None => self.single.binary_search(&id).is_ok().then_some(start + 1),
        }
    }
}

/// Returns the set that contains one word. The set for [`UNKNOWN`] is empty.
fn set_of(id: WordId) -> WordSet {
    if id == UNKNOWN { 0 } else { 1 << (id % 128) }
}

/// Returns the alternatives of an element, with references to sets expanded.
fn alternatives(notation: &'static str) -> Vec<&'static str> {
    notation
        .split('|')
        .flat_map(|alternative| {
            let set = if alternative.starts_with('@') { set(alternative) } else { None };
            set.unwrap_or(alternative).split('|')
        })
        .collect()
}

/// Splits an alternative into words, at each `_` and before and after each ideograph.
fn single_words(alternative: &'static str) -> Vec<&'static str> {
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

/// Returns the strings to search for in the raw text. These are the [`search_texts`] of each trigger phrase, also in
/// traditional Chinese characters, and misspellings of some of them.
pub(crate) fn trigger_words() -> Vec<String> {
    let mut triggers: Vec<String> = PHRASES
        .iter()
        .filter(|phrase| phrase.role == Role::Trigger)
        .flat_map(search_texts)
        .flat_map(|text| [traditional(&text), text])
        .chain(misspelt_first_words())
        .collect();
    triggers.sort_unstable();
    triggers.dedup();
    triggers
}

/// Returns the alternatives of the element marked `!`, or of the first element if no element is marked. In a Chinese
/// phrase, only Chinese alternatives are used, because English words such as `key` and `codex` are too common.
fn search_texts(phrase: &'static Phrase) -> impl Iterator<Item = String> {
    let is_chinese = phrase.words.chars().any(is_ideograph);
    let marked = phrase.words.split(' ').find_map(|element| element.strip_prefix('!'));
    let element = marked.or_else(|| phrase.words.split(' ').next()).unwrap_or_default();
    alternatives(element)
        .into_iter()
        // In raw text, the words of one alternative are separated by a space.
        .map(|alternative| alternative.replace('_', " "))
        .filter(move |text| text.len() >= 3 && !(is_chinese && text.is_ascii()))
}

/// The id of a word that occurs in a phrase, or [`UNKNOWN`] for every other word.
type WordId = u16;
const UNKNOWN: WordId = 0;

#[derive(Default)]
struct Vocabulary {
    /// The words. The word with id `n` has the index `n - 1`.
    words: Vec<&'static str>,
    ids: HashTable,
}

impl Vocabulary {
    fn len(&self) -> usize {
        self.words.len()
    }

    fn add(&mut self, word: &'static str) -> WordId {
        let hash = word_hash(word);
        let existing = self.id_of(word, hash);
        if existing != UNKNOWN {
            return existing;
        }
        self.words.push(word);
        let id = WordId::try_from(self.words.len()).unwrap_or(WordId::MAX);
        self.ids.insert(hash, id);
        id
    }

    fn ids_of(&self, words: &Words) -> Vec<WordId> {
        (0..words.len())
            .map(|index| {
                let hash = words.list[index].hash;
                let known = self.ids.may_contain(hash).then(|| self.id_of(words.text(index), hash));
                match known {
                    Some(id) if id != UNKNOWN => id,
                    _ => self.id_of_misspelling(words.text(index)),
                }
            })
            .collect()
    }

    fn id_of_misspelling(&self, word: &str) -> WordId {
        corrected(word).map_or(UNKNOWN, |key| self.id_of(key, word_hash(key)))
    }

    fn id_of(&self, word: &str, hash: u32) -> WordId {
        let is_word = |id: &WordId| self.words[usize::from(*id) - 1] == word;
        self.ids.values(hash).find(is_word).unwrap_or(UNKNOWN)
    }
}

#[cfg(test)]
mod tests;
