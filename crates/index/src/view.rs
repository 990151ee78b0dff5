//! Combines a snapshot with the files that changed since it was written. Queries read the index through a view.
//!
//! Changed files are in a second, small snapshot in memory, the overlay. Its numbers follow those of the base snapshot.
//! Files of the base that were changed or deleted are hidden. The edges of a changed file's symbols are kept; symbols
//! are matched by qualified name.

mod graph;
mod items;
mod text;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use disk::Links;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::assemble::FileStamp;
use crate::snapshot::{Meta, Snapshot, Totals};
pub use graph::{Edge, Node};
pub use items::{File, FileHistory, FileId, Passage, PassageId, Symbol, SymbolId};
pub use text::{PassagePosting, Posting, SymbolPosting};

const MAX_READ_BYTES: u64 = 16 * 1024 * 1024;

/// The differences between the current tree and the stored index (the snapshot and its delta).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Freshness {
    /// Paths of changed files that are in the view with their new content.
    pub changed: Vec<String>,
    /// Paths of new files that are in the view.
    pub added: Vec<String>,
    /// Paths of files that were deleted or whose content is refused.
    pub deleted: Vec<String>,
    /// Whether the whole tree was compared. False if the options limit the comparison to a part of the tree, or if the
    /// deadline or the maximum number of new files was reached first.
    pub complete: bool,
    /// The number of changed or new files that are not in the view with their new content, because of the limits or
    /// because they cannot be read.
    pub left_out: u32,
}

impl Freshness {
    /// Returns whether the whole tree was compared and no differences were found.
    pub fn is_current(&self) -> bool {
        self.complete && !self.found_changes()
    }

    /// Returns whether a part of the tree differs from the stored index.
    pub fn found_changes(&self) -> bool {
        let is_empty = self.changed.is_empty() && self.added.is_empty() && self.deleted.is_empty();
        !is_empty || self.left_out > 0
    }
}

/// The index of a repository, updated with the files that are known to have changed.
pub struct View {
    root: PathBuf,
    base: Snapshot,
    overlay: Option<Overlay>,
    freshness: Freshness,
}

/// The changed files, and the files of the base that they replace.
struct Overlay {
    snapshot: Snapshot,
    /// Files of the base that were changed, deleted or refused.
    hidden: FxHashSet<u32>,
    /// The symbols and passages of the hidden files, sorted.
    hidden_symbols: Vec<Range<u32>>,
    hidden_passages: Vec<Range<u32>>,
    /// Maps hidden nodes of the base to nodes of the overlay. Node numbers are relative to their own snapshot.
    overlay_of_base: FxHashMap<u32, u32>,
    /// The inverse of `overlay_of_base`.
    base_of_overlay: FxHashMap<u32, u32>,
}

impl View {
    /// Returns a view of a snapshot that was just built and need not be compared with the tree.
    pub fn of(snapshot: Snapshot, root: &Path) -> Self {
        let freshness = Freshness { complete: true, ..Freshness::default() };
        Self { root: root.to_owned(), base: snapshot, overlay: None, freshness }
    }

    /// Returns a view of `base`, updated with a snapshot of the changed files. `hidden` contains the paths that were
    /// changed or deleted.
    pub(crate) fn with_overlay(
        base: Snapshot,
        root: &Path,
        overlay: Option<Snapshot>,
        hidden: &[String],
        freshness: Freshness,
    ) -> Self {
        let hidden: FxHashSet<u32> =
            hidden.iter().filter_map(|path| base.file_by_path(path)).collect();
        let snapshot = overlay.or_else(|| crate::build::empty_snapshot().ok());
        let overlay = snapshot
            .filter(|overlay| overlay.meta().files > 0 || !hidden.is_empty())
            .map(|snapshot| {
                let overlay_of_base = graph::replacements(&base, &snapshot, &hidden);
                let base_of_overlay =
                    overlay_of_base.iter().map(|(base, overlay)| (*overlay, *base)).collect();
                Overlay {
                    snapshot,
                    hidden_symbols: sorted_ranges(&hidden, |file| base.symbols_of(file)),
                    hidden_passages: sorted_ranges(&hidden, |file| base.passages_of(file)),
                    hidden,
                    overlay_of_base,
                    base_of_overlay,
                }
            });
        Self { root: root.to_owned(), base, overlay, freshness }
    }

    pub(crate) fn base(&self) -> &Snapshot {
        &self.base
    }

    /// Returns the stamp of a changed or new file.
    pub(crate) fn overlay_stamp(&self, path: &str) -> Option<FileStamp> {
        let overlay = self.overlay_snapshot()?;
        Some(overlay.file(overlay.file_by_path(path)?).stamp())
    }

    /// Returns the root folder of the tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the metadata of the snapshot.
    pub fn meta(&self) -> &Meta {
        self.base.meta()
    }

    /// Returns the size of the snapshot in bytes.
    pub fn size(&self) -> usize {
        self.base.size()
    }

    /// Returns the differences between the current tree and the stored index.
    pub fn freshness(&self) -> &Freshness {
        &self.freshness
    }

    /// Returns whether any read found damage. Damaged parts are read as empty, so a result from this view may be wrong.
    /// Callers must check this after each query. If it is true, they must discard the result and rebuild the index.
    pub fn damaged(&self) -> bool {
        self.base.damaged() || self.overlay_snapshot().is_some_and(Snapshot::damaged)
    }

    /// Reads and verifies the whole snapshot. Returns false if a part is damaged.
    pub fn verify(&self) -> bool {
        self.base.verify()
    }

    /// Returns sums over all files of the snapshot, used to compute averages. The overlay is not included.
    pub fn totals(&self) -> &Totals {
        self.base.totals()
    }

    /// Reads a file of the working tree, up to 16 MiB. Fails if the path leads outside the root.
    pub fn read(&self, id: FileId) -> io::Result<Vec<u8>> {
        let path = self.root.join(self.path(id));
        let real = path.canonicalize()?;
        if !real.starts_with(self.root.canonicalize()?) {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "path leads out of the repository",
            ));
        }
        disk::read_start(&real, Links::Refuse, MAX_READ_BYTES)
    }

    fn is_hidden(&self, base_file: u32) -> bool {
        self.overlay.as_ref().is_some_and(|overlay| overlay.hidden.contains(&base_file))
    }

    fn is_hidden_symbol(&self, base_symbol: u32) -> bool {
        let overlay = self.overlay.as_ref();
        overlay.is_some_and(|overlay| is_in(&overlay.hidden_symbols, base_symbol))
    }

    fn is_hidden_passage(&self, base_passage: u32) -> bool {
        let overlay = self.overlay.as_ref();
        overlay.is_some_and(|overlay| is_in(&overlay.hidden_passages, base_passage))
    }

    fn overlay_snapshot(&self) -> Option<&Snapshot> {
        self.overlay.as_ref().map(|overlay| &overlay.snapshot)
    }
}

/// Returns the ranges that belong to `files`, sorted, without empty ranges.
fn sorted_ranges(files: &FxHashSet<u32>, range_of: impl Fn(u32) -> Range<u32>) -> Vec<Range<u32>> {
    let mut ranges: Vec<Range<u32>> =
        files.iter().map(|file| range_of(*file)).filter(|range| !range.is_empty()).collect();
    ranges.sort_unstable_by_key(|range| range.start);
    ranges
}

/// Returns whether one of the sorted `ranges` contains `number`.
fn is_in(ranges: &[Range<u32>], number: u32) -> bool {
    let after = ranges.partition_point(|range| range.start <= number);
    after.checked_sub(1).is_some_and(|at| ranges[at].contains(&number))
}
