//! Counts terms. Each distinct identifier is split into terms once per thread instead of once per occurrence.

use rustc_hash::FxHashMap;

use crate::assemble::prefix;
use crate::text::{FIELDS, Field, Scratch, Word, bigrams, for_each_word, tokens_of_identifier};

/// The maximum number of identifiers in the cache. If there are more, the cache is cleared before the next file.
const MAX_IDENTIFIERS: usize = 400_000;

/// Numbers the terms, counts them per file, and caches the terms of each identifier.
#[derive(Default)]
pub(super) struct TermMemo {
    numbers: FxHashMap<Box<str>, u32>,
    terms: Vec<Box<str>>,
    /// The first bytes of each term as a number that sorts like the bytes.
    prefixes: Vec<u64>,
    /// For each cached identifier, the range of its terms in `flat`.
    of_identifier: FxHashMap<Box<str>, (u32, u32)>,
    flat: Vec<u32>,
    scratch: Scratch,
    /// For each term number, the position in `counted` plus one, or zero if the term has not occurred in this file.
    place: Vec<u32>,
    counted: Vec<(u32, [u32; FIELDS])>,
    /// One entry per token, with the passage in the high 32 bits and the term in the low 32 bits.
    in_passages: Vec<u64>,
}

impl TermMemo {
    /// Resets the counts for a new file.
    pub(super) fn start_file(&mut self) {
        for (term, _) in self.counted.drain(..) {
            self.place[term as usize] = 0;
        }
        self.in_passages.clear();
        if self.of_identifier.len() > MAX_IDENTIFIERS {
            *self = Self::default();
        }
    }

    /// Counts the terms of `text` for `field`. Returns the number of tokens.
    pub(super) fn count(&mut self, text: &str, field: Field) -> u32 {
        let mut total = 0;
        self.visit(text, |memo, term| {
            memo.add(term, field);
            total += 1;
        });
        total
    }

    /// Counts the terms of `text` for `field` and for a passage. Returns the number of tokens.
    pub(super) fn count_in_passage(&mut self, text: &str, field: Field, passage: u32) -> u32 {
        let before = self.in_passages.len();
        self.visit(text, |memo, term| {
            memo.add(term, field);
            memo.in_passages.push(u64::from(passage) << 32 | u64::from(term));
        });
        (self.in_passages.len() - before) as u32
    }

    /// Returns each passage that contains tokens, with the positions and counts of its terms. Must be called after
    /// [`Self::sorted`].
    pub(super) fn passage_terms(&mut self) -> Vec<(u32, Vec<(u32, u32)>)> {
        for entry in &mut self.in_passages {
            let place = self.place[(*entry & 0xffff_ffff) as usize] - 1;
            *entry = *entry >> 32 << 32 | u64::from(place);
        }
        self.in_passages.sort_unstable();
        let mut passages: Vec<(u32, Vec<(u32, u32)>)> = Vec::new();
        for entry in &self.in_passages {
            let (passage, place) = ((entry >> 32) as u32, *entry as u32);
            if passages.last().is_none_or(|(last, _)| *last != passage) {
                passages.push((passage, Vec::new()));
            }
            let Some((_, terms)) = passages.last_mut() else { continue };
            match terms.last_mut() {
                Some((last, count)) if *last == place => *count += 1,
                _ => terms.push((place, 1)),
            }
        }
        passages
    }

    /// Calls `visit` with the number of each term in `text`.
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
    pub(super) fn add(&mut self, term: u32, field: Field) {
        let place = &mut self.place[term as usize];
        if *place == 0 {
            self.counted.push((term, [0; FIELDS]));
            *place = self.counted.len() as u32;
        }
        self.counted[*place as usize - 1].1[field.slot()] += 1;
    }

    /// Returns the terms of the current file in alphabetical order, with their numbers and counts. Records the position
    /// of each term for [`Self::position_of`].
    pub(super) fn sorted(&mut self) -> Vec<(&str, u32, [u32; FIELDS])> {
        let (terms, prefixes) = (&self.terms, &self.prefixes);
        self.counted.sort_unstable_by(|(a, _), (b, _)| {
            let (a, b) = (*a as usize, *b as usize);
            prefixes[a].cmp(&prefixes[b]).then_with(|| terms[a].cmp(&terms[b]))
        });
        for (at, (term, _)) in self.counted.iter().enumerate() {
            self.place[*term as usize] = at as u32 + 1;
        }
        self.counted
            .iter()
            .map(|(term, counts)| (&*terms[*term as usize], *term, *counts))
            .collect()
    }

    /// Returns the position of a term in the result of [`Self::sorted`], or `None` if the term is not in the current
    /// file.
    pub(super) fn position_of(&self, term: u32) -> Option<u32> {
        self.place.get(term as usize).and_then(|place| place.checked_sub(1))
    }

    fn terms_of(&mut self, identifier: &str) -> (u32, u32) {
        if let Some(range) = self.of_identifier.get(identifier) {
            return *range;
        }
        let start = self.flat.len() as u32;
        let mut scratch = std::mem::take(&mut self.scratch);
        tokens_of_identifier(identifier, &mut scratch, &mut |token| {
            let number = self.number(token.term);
            self.flat.push(number);
        });
        self.scratch = scratch;
        let range = (start, self.flat.len() as u32);
        self.of_identifier.insert(identifier.into(), range);
        range
    }

    fn number(&mut self, term: &str) -> u32 {
        if let Some(number) = self.numbers.get(term) {
            return *number;
        }
        let number = self.terms.len() as u32;
        self.terms.push(term.into());
        self.prefixes.push(prefix(term.as_bytes()));
        self.place.push(0);
        self.numbers.insert(term.into(), number);
        number
    }
}
