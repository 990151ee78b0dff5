//! Looks up terms in a view.

use std::ops::Range;

use super::layer::Counts;
use super::{FileId, PassageId, SymbolId, View};
use crate::posting_list::MAX_SHORT;
use crate::snapshot::NumberList;
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
    /// Returns whether the term occurs in `field`, which must be [`Field::Name`] or [`Field::Qualified`].
    pub fn is_in(&self, field: Field) -> bool {
        self.fields >> field.slot() & 1 == 1
    }
}

impl View {
    /// Returns the files that contain a term. Each file occurs once. If more than [`Self::max_postings`] files of a layer
    /// contain the term, returns only those of the layer's files in which the term is most prominent.
    pub fn best_postings(&self, term: &str) -> impl Iterator<Item = Posting> + '_ {
        let in_layers = self.layers().map(|layer| {
            let before = layer.before.files;
            let postings = layer.snapshot.best_postings(term);
            postings.map(move |(file, counts)| (before.saturating_add(file), counts))
        });
        let in_layers: Vec<_> = in_layers.collect();
        let all = in_layers.into_iter().flatten().filter(|(file, _)| !self.is_hidden(*file));
        all.map(|(file, counts)| Posting { file: FileId(file), counts })
    }

    /// Returns the maximum number of files that [`Self::best_postings`] returns from each layer.
    pub fn max_postings() -> u32 {
        MAX_SHORT as u32
    }

    /// Returns whether [`Self::best_postings`] omits files of the base snapshot that contain a term.
    pub fn is_common(&self, term: &str) -> bool {
        self.base.snapshot.document_frequency(term) > Self::max_postings()
    }

    /// Calls `visit` for each of `files` that contains a term. `files` must be sorted. Reads only the parts of the
    /// posting lists that may contain these files.
    pub fn for_each_posting_in(
        &self,
        term: &str,
        files: &[FileId],
        mut visit: impl FnMut(Posting),
    ) {
        let ranges: Vec<Range<u32>> = files.iter().map(|file| file.0..file.0 + 1).collect();
        for layer in self.layers() {
            let before = layer.before.files;
            let ranges = ranges_in(&ranges, before..layer.end().files);
            if !ranges.is_empty() {
                layer.snapshot.for_each_posting_in(term, &ranges, |file, counts| {
                    visit(Posting { file: FileId(before.saturating_add(file)), counts });
                });
            }
        }
    }

    /// Returns the number of files that contain a term. Hidden files are included, so a changed file can count twice.
    pub fn document_frequency(&self, term: &str) -> u32 {
        let in_layers = self.layers().map(|layer| layer.snapshot.document_frequency(term));
        in_layers.fold(0, u32::saturating_add)
    }

    /// Calls `visit` for each passage in the ranges `passages` that contains a term. The ranges must be sorted and
    /// must not overlap. Returns the total number of passages that contain the term, including hidden ones.
    pub fn for_each_passage_posting_in(
        &self,
        term: &str,
        passages: &[Range<u32>],
        mut visit: impl FnMut(PassagePosting),
    ) -> usize {
        self.for_each_number_in(term, NumberList::Passages, passages, |number, count| {
            visit(PassagePosting { passage: PassageId(number), count });
        })
    }

    /// Calls `visit` for each symbol in the ranges `symbols` whose name, or whose container's name, contains a term.
    /// The ranges must be sorted and must not overlap. Returns the total number of such symbols in the view,
    /// including hidden ones.
    pub fn for_each_symbol_posting_in(
        &self,
        term: &str,
        symbols: &[Range<u32>],
        mut visit: impl FnMut(SymbolPosting),
    ) -> usize {
        self.for_each_number_in(term, NumberList::Symbols, symbols, |number, fields| {
            visit(SymbolPosting { symbol: SymbolId(number), fields });
        })
    }

    fn for_each_number_in(
        &self,
        term: &str,
        list: NumberList,
        ranges: &[Range<u32>],
        mut visit: impl FnMut(u32, u32),
    ) -> usize {
        let count = |counts: Counts| match list {
            NumberList::Passages => counts.passages,
            NumberList::Symbols => counts.symbols,
        };
        let mut n_all = 0;
        for layer in self.layers() {
            let before = count(layer.before);
            let ranges = ranges_in(ranges, before..count(layer.end()));
            n_all += layer.snapshot.for_each_number_in(term, list, &ranges, |number, payload| {
                visit(before.saturating_add(number), payload);
            }) as usize;
        }
        n_all
    }
}

/// Selects those of the sorted `ranges` that start within `layer`, and makes them relative to the start of `layer`.
fn ranges_in(ranges: &[Range<u32>], layer: Range<u32>) -> Vec<Range<u32>> {
    let from = ranges.partition_point(|range| range.start < layer.start);
    let to = ranges.partition_point(|range| range.start < layer.end);
    let relative = |at: u32| at.saturating_sub(layer.start);
    let some = ranges.get(from..to).unwrap_or_default();
    some.iter().map(|range| relative(range.start)..relative(range.end)).collect()
}
