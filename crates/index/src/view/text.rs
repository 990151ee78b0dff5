//! Looks up terms in a view.

use std::ops::Range;

use super::layer::Layer;
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
    /// Returns whether the term occurs in `field`, which must be [`Field::Name`] or [`Field::Qualified`].
    pub fn is_in(&self, field: Field) -> bool {
        self.fields >> field.slot() & 1 == 1
    }
}

impl View {
    /// Returns the files that contain a term. Each file occurs once.
    pub fn postings(&self, term: &str) -> impl Iterator<Item = Posting> + '_ {
        let in_layers = self.layers().map(|layer| (layer, layer.snapshot.postings(term)));
        self.posted(in_layers.collect())
    }

    /// Like [`Self::postings`], but if more than [`Self::max_postings`] files of a layer contain the term, returns
    /// only those of the layer's files in which the term is most prominent.
    pub fn best_postings(&self, term: &str) -> impl Iterator<Item = Posting> + '_ {
        let in_layers = self.layers().map(|layer| (layer, layer.snapshot.best_postings(term)));
        self.posted(in_layers.collect())
    }

    fn posted<'v, I: Iterator<Item = (u32, [u32; FIELDS])> + 'v>(
        &'v self,
        layers: Vec<(&'v Layer, I)>,
    ) -> impl Iterator<Item = Posting> + 'v {
        let in_view = |(layer, postings): (&'v Layer, I)| {
            postings.map(move |(file, counts)| (layer.before.files.saturating_add(file), counts))
        };
        let all = layers.into_iter().flat_map(in_view);
        let all = all.filter(|(file, _)| !self.is_hidden(*file));
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

    /// Returns the passages that contain a term. Each passage occurs once.
    pub fn passage_postings(&self, term: &str) -> impl Iterator<Item = PassagePosting> + '_ {
        let in_layers = self.layers().map(|layer| {
            let before = layer.before.passages;
            let postings = layer.snapshot.passage_postings(term);
            postings.map(move |(number, count)| (before.saturating_add(number), count))
        });
        let in_layers: Vec<_> = in_layers.collect();
        let all = in_layers.into_iter().flatten();
        all.filter(|(number, _)| !self.is_hidden_passage(*number))
            .map(|(number, count)| PassagePosting { passage: PassageId(number), count })
    }

    /// Calls `visit` for each passage in the ranges `passages` that contains a term. The ranges must be sorted and
    /// must not overlap. Returns the total number of passages that contain the term, including hidden ones.
    pub fn for_each_passage_posting_in(
        &self,
        term: &str,
        passages: &[Range<u32>],
        mut visit: impl FnMut(PassagePosting),
    ) -> usize {
        let mut n_all = 0;
        for layer in self.layers() {
            let before = layer.before.passages;
            let ranges = ranges_in(passages, before..layer.end().passages);
            n_all += layer.snapshot.for_each_passage_posting_in(term, &ranges, |number, count| {
                let passage = PassageId(before.saturating_add(number));
                visit(PassagePosting { passage, count });
            }) as usize;
        }
        n_all
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
        let mut n_all = 0;
        for layer in self.layers() {
            let before = layer.before.symbols;
            let ranges = ranges_in(symbols, before..layer.end().symbols);
            n_all += layer.snapshot.for_each_symbol_posting_in(term, &ranges, |number, fields| {
                let symbol = SymbolId(before.saturating_add(number));
                visit(SymbolPosting { symbol, fields });
            }) as usize;
        }
        n_all
    }

    /// Returns the symbols whose name, or whose container's name, contains a term.
    pub fn symbol_postings(&self, term: &str) -> impl Iterator<Item = SymbolPosting> + '_ {
        let in_layers = self.layers().map(|layer| {
            let before = layer.before.symbols;
            let postings = layer.snapshot.symbol_postings(term);
            postings.map(move |(number, fields)| (before.saturating_add(number), fields))
        });
        let in_layers: Vec<_> = in_layers.collect();
        let all = in_layers.into_iter().flatten();
        all.filter(|(number, _)| !self.is_hidden_symbol(*number))
            .map(|(number, fields)| SymbolPosting { symbol: SymbolId(number), fields })
    }

    /// Returns up to `max` terms that start with `prefix`, in ascending order.
    pub fn terms_with_prefix(&self, prefix: &str, max: usize) -> Vec<String> {
        let mut terms = self.base.snapshot.terms_with_prefix(prefix, max);
        for layer in &self.upper {
            terms.extend(layer.snapshot.terms_with_prefix(prefix, max));
        }
        if !self.upper.is_empty() {
            terms.sort_unstable();
            terms.dedup();
            terms.truncate(max);
        }
        terms
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
