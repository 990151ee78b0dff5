//! Where terms stand in a view.

use super::{FileId, PassageId, SymbolId, View};
use crate::codec::u32_at;
use crate::layout::passage;
use crate::text::{FIELDS, Field};

/// A file that has a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// Which file.
    pub file: FileId,
    /// How often the term stands in each of its fields.
    pub counts: [u32; FIELDS],
}

/// A passage that has a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassagePosting {
    /// Which passage.
    pub passage: PassageId,
    /// How often the term stands in it.
    pub count: u32,
}

/// A symbol that has a term in its name, or in the name of what encloses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolPosting {
    /// Which symbol.
    pub symbol: SymbolId,
    fields: u32,
}

impl SymbolPosting {
    /// Whether the term stands in [`Field::Name`] or [`Field::Qualified`].
    pub fn is_in(&self, field: Field) -> bool {
        self.fields >> field.slot() & 1 == 1
    }
}

impl View {
    /// Files that have a term, each once.
    pub fn postings(&self, term: &str) -> impl Iterator<Item = Posting> + '_ {
        let n_files = self.base.meta().files;
        let base = self.base.postings(term).filter(|(file, _)| !self.is_hidden(*file));
        let overlay =
            self.overlay_snapshot().map(|overlay| overlay.postings(term)).into_iter().flatten();
        base.chain(overlay.map(move |(file, counts)| (n_files + file, counts)))
            .map(|(file, counts)| Posting { file: FileId(file), counts })
    }

    /// In how many files a term stands; files that changed since count as they were.
    pub fn document_frequency(&self, term: &str) -> u32 {
        let overlay = self.overlay_snapshot().map_or(0, |overlay| overlay.document_frequency(term));
        self.base.document_frequency(term).saturating_add(overlay)
    }

    /// Passages that have a term, each once.
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

    /// Symbols that have a term in their name or in the names of what encloses them.
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

    /// Terms that start with `prefix`, ascending.
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
