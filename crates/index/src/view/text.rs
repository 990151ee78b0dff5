//! Looks up terms in a view.

use std::ops::Range;

use super::{FileId, PassageId, SymbolId, View};
use crate::posting_list::MAX_SHORT;
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

    /// Like [`Self::postings`], but if more files contain the term than [`Self::max_postings`], returns only those in which
    /// the term is most prominent.
    pub fn best_postings(&self, term: &str) -> impl Iterator<Item = Posting> + '_ {
        let n_files = self.base.meta().files;
        let base = self.base.best_postings(term).filter(|(file, _)| !self.is_hidden(*file));
        let overlay =
            self.overlay_snapshot().map(|overlay| overlay.postings(term)).into_iter().flatten();
        base.chain(overlay.map(move |(file, counts)| (n_files + file, counts)))
            .map(|(file, counts)| Posting { file: FileId(file), counts })
    }

    /// Returns the maximum number of files of the snapshot that [`Self::best_postings`] returns.
    pub fn max_postings() -> u32 {
        MAX_SHORT as u32
    }

    /// Returns whether [`Self::best_postings`] leaves out files that contain a term.
    pub fn is_common(&self, term: &str) -> bool {
        self.base.document_frequency(term) > Self::max_postings()
    }

    /// Calls `visit` with each of `files` that contains a term. `files` are sorted. Reads only the parts of the
    /// postings that may contain these files.
    pub fn for_each_posting_in(
        &self,
        term: &str,
        files: &[FileId],
        mut visit: impl FnMut(Posting),
    ) {
        let n_files = self.base.meta().files;
        let (in_base, in_overlay) = files.split_at(files.partition_point(|file| file.0 < n_files));
        let ranges = |files: &[FileId], offset: u32| -> Vec<Range<u32>> {
            files.iter().map(|file| file.0 - offset..file.0 - offset + 1).collect()
        };
        self.base.for_each_posting_in(term, &ranges(in_base, 0), |file, counts| {
            visit(Posting { file: FileId(file), counts });
        });
        if let Some(overlay) = self.overlay_snapshot() {
            overlay.for_each_posting_in(term, &ranges(in_overlay, n_files), |file, counts| {
                visit(Posting { file: FileId(n_files + file), counts });
            });
        }
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

    /// Calls `visit` with each of `passages` that contains a term. `passages` are sorted and do not overlap. Returns
    /// the number of all passages that contain the term, including hidden ones.
    pub fn for_each_passage_posting_in(
        &self,
        term: &str,
        passages: &[Range<u32>],
        mut visit: impl FnMut(PassagePosting),
    ) -> usize {
        let offset = self.base.meta().passages;
        let (in_base, in_overlay) = split_ranges(passages, offset);
        let mut visit = |number, count| {
            visit(PassagePosting { passage: PassageId(number), count });
        };
        let n_base = self.base.for_each_passage_posting_in(term, in_base, &mut visit);
        let n_overlay = self.overlay_snapshot().map_or(0, |overlay| {
            overlay.for_each_passage_posting_in(term, &in_overlay, |number, count| {
                visit(offset + number, count);
            })
        });
        n_base as usize + n_overlay as usize
    }

    /// Calls `visit` with each of `symbols` whose name, or whose container's name, contains a term. `symbols` are
    /// sorted and do not overlap. Returns the number of all symbols that contain the term, including hidden ones.
    pub fn for_each_symbol_posting_in(
        &self,
        term: &str,
        symbols: &[Range<u32>],
        mut visit: impl FnMut(SymbolPosting),
    ) -> usize {
        let offset = self.base.meta().symbols;
        let (in_base, in_overlay) = split_ranges(symbols, offset);
        let mut visit = |number, fields| {
            visit(SymbolPosting { symbol: SymbolId(number), fields });
        };
        let n_base = self.base.for_each_symbol_posting_in(term, in_base, &mut visit);
        let n_overlay = self.overlay_snapshot().map_or(0, |overlay| {
            overlay.for_each_symbol_posting_in(term, &in_overlay, |number, fields| {
                visit(offset + number, fields);
            })
        });
        n_base as usize + n_overlay as usize
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

/// Splits sorted ranges into those below `offset` and the others, relative to `offset`.
fn split_ranges(ranges: &[Range<u32>], offset: u32) -> (&[Range<u32>], Vec<Range<u32>>) {
    let (below, others) = ranges.split_at(ranges.partition_point(|range| range.start < offset));
    let relative = |at: u32| at.saturating_sub(offset);
    (below, others.iter().map(|range| relative(range.start)..relative(range.end)).collect())
}
