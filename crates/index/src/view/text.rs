//! Looks up terms in a view.

use std::ops::Range;

use rustc_hash::FxHashMap;

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
        let mut postings: Vec<Posting> = Vec::new();
        let mut subjects = CommitSubjects::default();
        for layer in self.layers() {
            for (file, counts) in layer.snapshot.best_postings(term) {
                let number = layer.before.files.saturating_add(file);
                if !self.is_hidden(number) {
                    postings.push(Posting { file: FileId(number), counts });
                } else if number < self.base.end().files {
                    subjects.keep(&counts, || self.newest_version(number));
                }
            }
        }
        subjects.add_to(&mut postings);
        postings.into_iter()
    }

    /// Returns the maximum number of files that [`Self::best_postings`] returns from each layer.
    pub fn max_postings() -> u32 {
        MAX_SHORT as u32
    }

    /// Returns whether [`Self::best_postings`] omits files of the base snapshot that contain a term.
    pub fn is_common(&self, term: &str) -> bool {
        self.base.snapshot.document_frequency(term) > Self::max_postings()
    }

    /// Returns those of `files` that contain a term. `files` must be sorted. Reads only the parts of the posting lists that
    /// may contain these files.
    pub fn postings_in(&self, term: &str, files: &[FileId]) -> Vec<Posting> {
        let ranges: Vec<Range<u32>> = files.iter().map(|file| file.0..file.0 + 1).collect();
        let mut postings: Vec<Posting> = Vec::new();
        for layer in self.layers() {
            let before = layer.before.files;
            let ranges = ranges_in(&ranges, before..layer.end().files);
            if !ranges.is_empty() {
                layer.snapshot.for_each_posting_in(term, &ranges, |file, counts| {
                    postings.push(Posting { file: FileId(before.saturating_add(file)), counts });
                });
            }
        }
        let changed = files.iter().filter(|file| file.0 >= self.base.end().files);
        let mut first_versions: Vec<(u32, FileId)> =
            changed.filter_map(|file| Some((self.base_file(*file)?, *file))).collect();
        if !first_versions.is_empty() {
            first_versions.sort_unstable();
            let ranges: Vec<Range<u32>> =
                first_versions.iter().map(|(number, _)| *number..number + 1).collect();
            let mut subjects = CommitSubjects::default();
            self.base.snapshot.for_each_posting_in(term, &ranges, |number, counts| {
                let at = first_versions.binary_search_by_key(&number, |(first, _)| *first);
                subjects.keep(&counts, || Some(first_versions.get(at.ok()?)?.1));
            });
            subjects.add_to(&mut postings);
        }
        postings
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

/// The number of times that the subjects of commits contain a term, for files that were changed after the base snapshot.
/// Only the base snapshot contains the subjects.
#[derive(Default)]
struct CommitSubjects {
    counts: Vec<(FileId, u32)>,
}

impl CommitSubjects {
    /// Keeps the count in the posting of a hidden file for its newest version, if there is one.
    fn keep(&mut self, hidden: &[u32; FIELDS], newest: impl FnOnce() -> Option<FileId>) {
        let count = hidden[Field::History.slot()];
        if count > 0 {
            self.counts.extend(newest().map(|file| (file, count)));
        }
    }

    fn add_to(self, postings: &mut Vec<Posting>) {
        if self.counts.is_empty() {
            return;
        }
        let positions: FxHashMap<FileId, usize> =
            postings.iter().enumerate().map(|(at, posting)| (posting.file, at)).collect();
        for (file, count) in self.counts {
            let known = positions.get(&file).and_then(|at| postings.get_mut(*at));
            let counts = match known {
                Some(posting) => &mut posting.counts,
                None => {
                    postings.push(Posting { file, counts: [0; FIELDS] });
                    let Some(added) = postings.last_mut() else { continue };
                    &mut added.counts
                }
            };
            counts[Field::History.slot()] = count;
        }
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
