//! Looks up terms in a view.

use super::{FileId, PassageId, SymbolId, View};
use crate::codec::u32_at;
use crate::layout::passage;
use crate::text::{FIELDS, Field};

/// A file that contains a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    pub file: FileId,
    /// The number of occurrences in each field of the file.
    pub counts: [u32; FIELDS],
}

/// A passage that contains a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassagePosting {
    pub passage: PassageId,
    /// The number of occurrences in the passage.
    pub count: u32,
}

/// A symbol whose name, or whose container's name, contains a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolPosting {
    pub symbol: SymbolId,
    fields: u32,
}

impl SymbolPosting {
    /// Returns whether the term occurs in `field`, which is [`Field::Name`] or [`Field::Qualified`].
    pub fn is_in(&self, field: Field) -> bool {
        self.fields >> field.slot() & 1 == 1
    }
}

impl View {
    /// Returns the files that contain a term. Each file occurs once.
    pub fn postings(&self, term: &str) -> impl Iterator<Item = Posting> + '_ {
        let n_files = self.base.meta().files;
        let base = self.base.postings(term).filter(|(file, _)| !self.is_hidden(*file));
        let overlay =
            self.overlay_snapshot().map(|overlay| overlay.postings(term)).into_iter().flatten();
        base.chain(overlay.map(move |(file, counts)| (n_files + file, counts)))
            .map(|(file, counts)| Posting { file: FileId(file), counts })
    }

    /// Returns the number of files that contain a term. Hidden files are included, so a changed file can count twice.
    pub fn document_frequency(&self, term: &str) -> u32 {
        let overlay = self.overlay_snapshot().map_or(0, |overlay| overlay.document_frequency(term));
        self.base.document_frequency(term).saturating_add(overlay)
    }

    /// Returns the passages that contain a term. Each passage occurs once.
    pub fn passage_postings(&self, term: &str) -> impl Iterator<Item = PassagePosting> + '_ {
        let n_passages = self.base.meta().passages;
        let base =
            self.base.passage_postings(term).filter(|(number, _)| !self.is_hidden_passage(*number));
        let overlay = self
            .overlay_snapshot()
            .map(|overlay| overlay.passage_postings(term))
            .into_iter()
            .flatten();
        base.chain(overlay.map(move |(number, count)| (n_passages + number, count)))
            .map(|(number, count)| PassagePosting { passage: PassageId(number), count })
    }

    fn is_hidden_passage(&self, base_passage: u32) -> bool {
        self.overlay.is_some()
            && self.is_hidden(u32_at(self.base.passage_row(base_passage), passage::FILE))
    }

    /// Returns the symbols whose name, or whose container's name, contains a term.
    pub fn symbol_postings(&self, term: &str) -> impl Iterator<Item = SymbolPosting> + '_ {
        let n_symbols = self.base.meta().symbols;
        let base =
            self.base.symbol_postings(term).filter(|(number, _)| !self.is_hidden_symbol(*number));
        let overlay = self
            .overlay_snapshot()
            .map(|overlay| overlay.symbol_postings(term))
            .into_iter()
            .flatten();
        base.chain(overlay.map(move |(number, fields)| (n_symbols + number, fields)))
            .map(|(number, fields)| SymbolPosting { symbol: SymbolId(number), fields })
    }

    /// Returns up to `max` terms that start with `prefix`, in ascending order.
    pub fn terms_with_prefix(&self, prefix: &str, max: usize) -> Vec<String> {
        let mut terms = self.base.terms_with_prefix(prefix, max);
        if let Some(overlay) = self.overlay_snapshot() {
            terms.extend(overlay.terms_with_prefix(prefix, max));
            terms.sort_unstable();
            terms.dedup();
            terms.truncate(max);
        }
        terms
    }
}
