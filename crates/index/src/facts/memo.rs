//! Counts terms. Each distinct identifier is split into terms once per thread instead of once per occurrence.

use crate::interner::{Interner, prefix};
use crate::text::{FIELDS, Field, Scratch, Word, bigrams, for_each_word, tokens_of_identifier};

/// The maximum number of identifiers in the cache. If it contains more, it is cleared before the next file.
const MAX_IDENTIFIERS: usize = 400_000;

/// Assigns indices to terms, counts the terms of each file, and caches the terms of each identifier.
#[derive(Default)]
pub(super) struct TermMemo {
    terms: Interner,
    /// For each term index, the result of [`prefix`]: the term's first bytes as an integer that sorts in the same
    /// order.
    prefixes: Vec<u64>,
    identifiers: Interner,
    /// For each identifier, the end of its terms in `flat`. Its terms start where those of the previous identifier
    /// end.
    ends: Vec<u32>,
    flat: Vec<u32>,
    scratch: Scratch,
    /// For each term index, the term's position in `counted` plus one, or zero if the term has not occurred in this
    /// file.
    place: Vec<u32>,
    counted: Vec<(u32, [u32; FIELDS])>,
    /// For each term index, the position of the term's last entry in `in_passages`. The position may originate from
    /// an earlier file, so the term and the passage of the entry must be checked.
    last_in_passage: Vec<u32>,
    /// The terms of each passage, in the order of the passages.
    in_passages: Vec<PassageTerm>,
}

/// How often a term occurs in a passage.
#[derive(Clone, Copy)]
pub(super) struct PassageTerm {
    pub(super) passage: u32,
    /// The term's index. [`TermMemo::passage_terms`] replaces it with the term's position among the file's sorted
    /// terms.
    pub(super) term: u32,
    pub(super) count: u32,
}

impl TermMemo {
    /// Resets the counts for a new file.
    pub(super) fn start_file(&mut self) {
        for (term, _) in self.counted.drain(..) {
            self.place[term as usize] = 0;
        }
        self.in_passages.clear();
        if self.identifiers.len() > MAX_IDENTIFIERS {
            *self = Self::default();
        }
    }

    /// Counts the terms of `text` as occurrences in `field` and, if one is given, in a passage. Returns the number of
    /// tokens. Passages must be counted in ascending order.
    pub(super) fn count(&mut self, text: &str, field: Field, passage: Option<u32>) -> u32 {
        let mut total = 0;
        self.visit(text, |memo, term| {
            memo.add(term, field);
            if let Some(passage) = passage {
                memo.add_to_passage(term, passage);
            }
            total += 1;
        });
        total
    }

    fn add_to_passage(&mut self, term: u32, passage: u32) {
        let last = &mut self.last_in_passage[term as usize];
        match self.in_passages.get_mut(*last as usize) {
            Some(entry) if entry.term == term && entry.passage == passage => entry.count += 1,
            _ => {
                *last = self.in_passages.len() as u32;
                self.in_passages.push(PassageTerm { passage, term, count: 1 });
            }
        }
    }

    /// Returns the terms of the passages, sorted by passage and by the position of the term. Must be called after
    /// [`Self::sort`], and only once per file.
    pub(super) fn passage_terms(&mut self) -> &[PassageTerm] {
        for entry in &mut self.in_passages {
            entry.term = self.place[entry.term as usize] - 1;
        }
        for passage in self.in_passages.chunk_by_mut(|a, b| a.passage == b.passage) {
            passage.sort_unstable_by_key(|entry| entry.term);
        }
        &self.in_passages
    }

    /// Calls `visit` with the index of each term in `text`.
    pub(super) fn visit(&mut self, text: &str, mut visit: impl FnMut(&mut Self, u32)) {
        for_each_word(text, |word| match word {
            Word::Identifier(identifier) => {
                let (start, end) = self.terms_of(identifier);
                for at in start..end {
                    let term = self.flat[at as usize];
                    visit(self, term);
                }
            }
            Word::Cjk(run) => {
                let mut found = Vec::new();
                bigrams(run, &mut |token| found.push(self.number(token.term)));
                for term in found {
                    visit(self, term);
                }
            }
        });
    }

    /// Adds one occurrence of a term to the counts of the current file.
    fn add(&mut self, term: u32, field: Field) {
        let place = &mut self.place[term as usize];
        if *place == 0 {
            self.counted.push((term, [0; FIELDS]));
            *place = self.counted.len() as u32;
        }
        self.counted[*place as usize - 1].1[field.slot()] += 1;
    }

    /// Sorts the terms of the current file, and records the position of each term for [`Self::position_of`].
    pub(super) fn sort(&mut self) {
        let (terms, prefixes) = (&self.terms, &self.prefixes);
        self.counted.sort_unstable_by(|(a, _), (b, _)| {
            let by_prefix = prefixes[*a as usize].cmp(&prefixes[*b as usize]);
            by_prefix.then_with(|| terms.get(*a).cmp(terms.get(*b)))
        });
        for (at, (term, _)) in self.counted.iter().enumerate() {
            self.place[*term as usize] = at as u32 + 1;
        }
    }

    /// Returns the terms of the current file and their counts. After [`Self::sort`], they are in byte order.
    pub(super) fn counts(&self) -> impl Iterator<Item = (&[u8], &[u32; FIELDS])> {
        self.counted.iter().map(|(term, counts)| (self.terms.get(*term), counts))
    }

    /// Returns the position of a term among the terms of the current file, or `None` if the term is not in the current
    /// file.
    pub(super) fn position_of(&self, term: u32) -> Option<u32> {
        self.place.get(term as usize).and_then(|place| place.checked_sub(1))
    }

    /// Returns the start and end of the identifier's terms in `flat`.
    fn terms_of(&mut self, identifier: &str) -> (u32, u32) {
        let number = self.identifiers.number(identifier.as_bytes()) as usize;
        if number == self.ends.len() {
            let mut scratch = std::mem::take(&mut self.scratch);
            tokens_of_identifier(identifier, &mut scratch, &mut |token| {
                let number = self.number(token.term);
                self.flat.push(number);
            });
            self.scratch = scratch;
            self.ends.push(self.flat.len() as u32);
        }
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        (start, self.ends[number])
    }

    fn number(&mut self, term: &str) -> u32 {
        let number = self.terms.number(term.as_bytes());
        if number as usize == self.prefixes.len() {
            self.prefixes.push(prefix(term.as_bytes()));
            self.place.push(0);
            self.last_in_passage.push(0);
        }
        number
    }
}
