//! Names made of the words of the prompt: `parse_header` for "headers are parsed twice".

use std::ops::Range;

use index::text::{Field, TokenKind, for_each_part};
use index::{FileId, SymbolId, View};

use crate::rank::terms::{Reading, Term};

/// What reading the names may cost; terms come weightiest first.
const MAX_POSTINGS: usize = 20_000;

/// What a name has of the prompt.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Match {
    /// What its words are worth by the title.
    pub(super) title: f32,
    /// What the words are worth that only the names around it have.
    pub(super) owner: f32,
    n_words: u32,
}

impl Match {
    /// How much of `name` the prompt says, from 0 to 1.
    pub(super) fn coverage(&self, name: &str) -> f32 {
        let mut n_parts = 0_u32;
        for_each_part(name, |_| n_parts += 1);
        (self.n_words as f32 / n_parts.max(1) as f32).min(1.0)
    }
}

/// What the names of some files have of the prompt.
pub(super) struct Spoken {
    /// Numbers of symbols, ascending, and where their matches start.
    files: Vec<(Range<u32>, usize)>,
    matches: Vec<Match>,
}

impl Spoken {
    /// Looks at the symbols of `files` only: a common word stands in the names of thousands.
    pub(super) fn find(
        view: &View,
        terms: &[Term<'_>],
        files: impl Iterator<Item = FileId>,
    ) -> Self {
        let mut ranges: Vec<Range<u32>> =
            files.map(|file| view.file(file).symbols).filter(|range| !range.is_empty()).collect();
        ranges.sort_unstable_by_key(|range| range.start);
        let mut n_symbols = 0;
        let mut spoken = Self { files: Vec::new(), matches: Vec::new() };
        for range in ranges {
            let length = range.len();
            spoken.files.push((range, n_symbols));
            n_symbols += length;
        }
        spoken.matches.resize(n_symbols, Match::default());
        let mut n_postings = 0;
        for term in terms {
            if n_postings > MAX_POSTINGS {
                break;
            }
            for posting in view.symbol_postings(term.text) {
                n_postings += 1;
                let Some(slot) = spoken.slot(posting.symbol) else { continue };
                let found = &mut spoken.matches[slot];
                if posting.is_in(Field::Name) {
                    found.title += term.weight(Reading::Title);
                    found.n_words += u32::from(term.kind != TokenKind::Whole);
                } else {
                    found.owner += term.weight(Reading::Whole);
                }
            }
        }
        spoken
    }

    /// The symbols of a file that have words of the prompt in their own names.
    pub(super) fn within(&self, symbols: Range<u32>) -> impl Iterator<Item = SymbolId> {
        symbols.map(SymbolId).filter(|symbol| self.of(*symbol).n_words > 0)
    }

    pub(super) fn of(&self, symbol: SymbolId) -> Match {
        self.slot(symbol).map_or_else(Match::default, |slot| self.matches[slot])
    }

    fn slot(&self, symbol: SymbolId) -> Option<usize> {
        let after = self.files.partition_point(|(range, _)| range.start <= symbol.0);
        let (range, first) = self.files.get(after.checked_sub(1)?)?;
        range.contains(&symbol.0).then(|| first + (symbol.0 - range.start) as usize)
    }
}
