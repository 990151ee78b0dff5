//! One layer of a view: a snapshot, and the files that it hides in the layers below it.

use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::{Change, FileId, View};
use crate::snapshot::Snapshot;

/// How many files, symbols and passages one or more layers contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) files: u32,
    pub(crate) symbols: u32,
    pub(crate) passages: u32,
}

/// A snapshot in a view. The id of a file, symbol or passage in the view is its index in the snapshot plus the
/// corresponding count in `before`.
pub(crate) struct Layer {
    pub(crate) snapshot: Snapshot,
    /// The counts of files, symbols and passages in the layers below this one.
    pub(super) before: Counts,
    pub(crate) hidden: Hidden,
    /// What the layer was read from. `None` for the base and the overlay.
    pub(super) stored: Option<Change>,
    /// The hidden items and their replacements. Those of a stored layer are read when they are first needed.
    replacements: OnceLock<Replacements>,
}

impl Layer {
    /// Creates the layer of a base snapshot or of a stored patch or delta. The replacements of a stored layer are read
    /// when they are first needed.
    pub(crate) fn new(
        snapshot: Snapshot,
        before: Counts,
        hidden: Hidden,
        stored: Option<Change>,
    ) -> Self {
        Self { snapshot, before, hidden, stored, replacements: OnceLock::new() }
    }

    /// Creates a new layer above those layers of `lower` whose counts are `before`. It hides the files in `hidden`, which
    /// must be sorted.
    pub(crate) fn over(
        before: Counts,
        lower: &View,
        snapshot: Snapshot,
        hidden: &[FileId],
    ) -> Self {
        let replacements = Replacements::find(lower, before, &snapshot, hidden);
        let layer = Self::new(snapshot, before, Hidden::of(lower, hidden), None);
        Self { replacements: OnceLock::from(replacements), ..layer }
    }

    pub(crate) fn replacements(&self) -> &Replacements {
        self.replacements.get_or_init(|| crate::patch::replacements(&self.snapshot, self.before))
    }

    /// Returns the counts of files, symbols and passages in this layer and the layers below it together.
    pub(super) fn end(&self) -> Counts {
        let meta = self.snapshot.meta();
        Counts {
            files: self.before.files.saturating_add(meta.files),
            symbols: self.before.symbols.saturating_add(meta.symbols),
            passages: self.before.passages.saturating_add(meta.passages),
        }
    }
}

/// The files that a layer hides in the layers below it, and their symbols and passages, identified by their ids in
/// the view.
#[derive(Default)]
pub(crate) struct Hidden {
    /// One bit for each file. It is set if the file is hidden. A query tests the bit of every posting's file, so the
    /// test must be fast.
    file_bits: Vec<u64>,
    /// The ids of the hidden symbols, as sorted ranges. Adjacent ranges have been joined.
    pub(crate) symbols: Vec<Range<u32>>,
    pub(crate) passages: Vec<Range<u32>>,
}

impl Hidden {
    /// Creates a `Hidden` from the ids of the hidden files and the ranges of their symbols and passages. All three
    /// lists must be sorted.
    pub(crate) fn new(files: &[u32], symbols: Vec<Range<u32>>, passages: Vec<Range<u32>>) -> Self {
        let n_bits = files.last().map_or(0, |last| *last as usize + 1);
        let mut file_bits = vec![0; n_bits.div_ceil(64)];
        for file in files {
            if let Some(bits) = file_bits.get_mut(*file as usize / 64) {
                *bits |= 1 << (file % 64);
            }
        }
        Self { file_bits, symbols, passages }
    }

    fn of(lower: &View, files: &[FileId]) -> Self {
        let numbers: Vec<u32> = files.iter().map(|file| file.0).collect();
        let ranges = |range_of: &dyn Fn(FileId) -> Range<u32>| {
            joined(files.iter().map(|file| range_of(*file)))
        };
        let symbols = ranges(&|file| lower.symbols_of(file));
        Self::new(&numbers, symbols, ranges(&|file| lower.passages_of(file)))
    }

    #[inline]
    pub(super) fn has_file(&self, number: u32) -> bool {
        let bits = self.file_bits.get(number as usize / 64).copied().unwrap_or(0);
        bits >> (number % 64) & 1 == 1
    }

    pub(super) fn has_symbol(&self, number: u32) -> bool {
        is_in(&self.symbols, number)
    }

    pub(super) fn n_files(&self) -> usize {
        self.file_bits.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    /// Returns the ids of the hidden files in ascending order.
    pub(crate) fn files(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.file_bits.len() as u32 * 64).filter(|number| self.has_file(*number))
    }
}

/// Joins adjacent ranges. `ranges` must be in ascending order.
fn joined(ranges: impl Iterator<Item = Range<u32>>) -> Vec<Range<u32>> {
    let mut all: Vec<Range<u32>> = Vec::new();
    for range in ranges.filter(|range| !range.is_empty()) {
        match all.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => all.push(range),
        }
    }
    all
}

/// Returns whether one of the sorted `ranges` contains `number`.
fn is_in(ranges: &[Range<u32>], number: u32) -> bool {
    let after = ranges.partition_point(|range| range.start <= number);
    after.checked_sub(1).is_some_and(|at| ranges[at].contains(&number))
}

/// The hidden files and symbols that a layer replaces, with their replacements.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Replacements {
    pub(crate) files: NumberPairs,
    pub(crate) symbols: NumberPairs,
}

impl Replacements {
    /// Finds the replacements of the hidden files and of their symbols. Matches files by path, and symbols by path
    /// and qualified name.
    fn find(lower: &View, before: Counts, snapshot: &Snapshot, hidden: &[FileId]) -> Self {
        let (mut files, mut symbols) = (Vec::new(), Vec::new());
        for old in hidden {
            let Some(new) = snapshot.file_by_path(lower.path(*old)) else { continue };
            files.push((old.0, before.files + new));
            let mut by_name: FxHashMap<&str, u32> = FxHashMap::default();
            for symbol in snapshot.symbols_of(new) {
                by_name.entry(snapshot.symbol(symbol, before).qualified).or_insert(symbol);
            }
            for symbol in lower.symbols_in(*old) {
                if let Some(replacement) = by_name.remove(symbol.qualified) {
                    symbols.push((symbol.id.0, before.symbols + replacement));
                }
            }
        }
        Self { files: NumberPairs::new(files), symbols: NumberPairs::new(symbols) }
    }
}

/// Pairs of hidden items and their replacements, both identified by their ids in the view.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct NumberPairs {
    /// Pairs of a hidden item and its replacement, sorted by the hidden item.
    by_old: Vec<(u32, u32)>,
    /// The same pairs with the replacement first, sorted by the replacement.
    by_new: Vec<(u32, u32)>,
}

impl NumberPairs {
    pub(crate) fn new(mut by_old: Vec<(u32, u32)>) -> Self {
        by_old.sort_unstable();
        let mut by_new: Vec<(u32, u32)> = by_old.iter().map(|(old, new)| (*new, *old)).collect();
        by_new.sort_unstable();
        Self { by_old, by_new }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.by_old.iter().copied()
    }

    pub(super) fn new_of(&self, old: u32) -> Option<u32> {
        second_of(&self.by_old, old)
    }

    pub(super) fn old_of(&self, new: u32) -> Option<u32> {
        second_of(&self.by_new, new)
    }
}

fn second_of(pairs: &[(u32, u32)], first: u32) -> Option<u32> {
    let at = pairs.partition_point(|pair| pair.0 < first);
    pairs.get(at).filter(|pair| pair.0 == first).map(|pair| pair.1)
}
