//! Finds names of definitions that consist of words from the prompt, such as `parse_header` for "headers are parsed
//! twice".

use std::ops::Range;

use index::text::{Field, TokenKind, for_each_part};
use index::{FileId, SymbolId, View};

use crate::rank::terms::{Scope, Term};

/// The number of postings after which no further terms are read. The terms are sorted by weight, so the remaining
/// terms matter little.
const MAX_POSTINGS: usize = 20_000;
/// If a term has more postings than this, only its postings in the searched files count towards [`MAX_POSTINGS`].
const MAX_COUNTED: usize = 100_000;

/// How well the name of one definition matches the words of the prompt.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NameMatch {
    /// The total weight of the prompt's words that occur in the definition's own name. Each word has its weight in
    /// [`Scope::Title`].
    pub(super) title: f32,
    /// The total weight of the prompt's words that occur only in the names of enclosing definitions.
    pub(super) owner: f32,
    n_words: u32,
}

impl NameMatch {
    /// Returns the share of the parts of `name` that are words of the prompt, from 0 to 1.
    pub(super) fn coverage(&self, name: &str) -> f32 {
        let mut n_parts = 0_u32;
        for_each_part(name, |_| n_parts += 1);
        (self.n_words as f32 / n_parts.max(1) as f32).min(1.0)
    }
}

/// The matches for the names of all definitions in the searched files.
pub(super) struct NameMatches {
    /// For each file, the range of its symbol ids, and the index of its first symbol in `matches`. Sorted by symbol id.
    files: Vec<(Range<u32>, usize)>,
    matches: Vec<NameMatch>,
}

impl NameMatches {
    /// Looks up `terms` in the names of the definitions in `files`.
    pub(super) fn find(
        view: &View,
        terms: &[Term<'_>],
        files: impl Iterator<Item = FileId>,
    ) -> Self {
        let mut ranges: Vec<Range<u32>> =
            files.map(|file| view.file(file).symbols).filter(|range| !range.is_empty()).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        let mut n_symbols = 0;
        let mut names = Self { files: Vec::new(), matches: Vec::new() };
        for range in &ranges {
            names.files.push((range.clone(), n_symbols));
            n_symbols += range.len();
        }
        names.matches.resize(n_symbols, NameMatch::default());
        let mut n_postings = 0;
        for term in terms {
            if n_postings > MAX_POSTINGS {
                break;
            }
            let mut n_visited = 0;
            let n_all = view.for_each_symbol_posting_in(term.text, &ranges, |posting| {
                n_visited += 1;
                let Some(slot) = names.slot(posting.symbol) else { return };
                let found = &mut names.matches[slot];
                if posting.is_in(Field::Name) {
                    found.title += term.weight(Scope::Title);
                    found.n_words += u32::from(term.kind != TokenKind::Whole);
                } else {
                    found.owner += term.weight(Scope::Whole);
                }
            });
            n_postings += if n_all > MAX_COUNTED { n_visited } else { n_all };
        }
        names
    }

    /// Returns those of `symbols` whose own names contain words of the prompt.
    pub(super) fn matching(&self, symbols: Range<u32>) -> impl Iterator<Item = SymbolId> {
        symbols.map(SymbolId).filter(|symbol| self.of(*symbol).n_words > 0)
    }

    pub(super) fn of(&self, symbol: SymbolId) -> NameMatch {
        self.slot(symbol).map_or_else(NameMatch::default, |slot| self.matches[slot])
    }

    fn slot(&self, symbol: SymbolId) -> Option<usize> {
        let after = self.files.partition_point(|(range, _)| range.start <= symbol.0);
        let (range, first) = self.files.get(after.checked_sub(1)?)?;
        range.contains(&symbol.0).then(|| first + (symbol.0 - range.start) as usize)
    }
}
