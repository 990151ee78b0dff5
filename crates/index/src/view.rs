//! Combines a snapshot with the files that changed since it was written. Queries read the index through a view.
//!
//! A view has up to four layers: the base snapshot, the stored patch, the stored delta, and the overlay, which is
//! assembled in memory.
//! Each layer is a separate snapshot. The ids of its files, symbols and passages follow those of the layers below it,
//! and it hides the files in these layers that were changed or deleted. The symbols of a changed file keep their
//! edges: old and new symbols are matched by qualified name.

mod graph;
mod items;
mod layer;
mod stored;
mod text;

use std::io;
use std::path::{Path, PathBuf};

use disk::Links;

use crate::freshness::{LookOptions, current_view};
use crate::snapshot::{Snapshot, SnapshotMeta, Totals};
pub use graph::{Edge, Node};
pub use items::{File, FileHistory, FileId, Passage, PassageId, Symbol, SymbolId};
pub(crate) use layer::{Counts, Hidden, Layer, NumberPairs, Replacements};
pub use text::{PassagePosting, Posting, SymbolPosting};

const MAX_READ_BYTES: u64 = 16 * 1024 * 1024;

/// The differences between the current tree and the stored index (the snapshot, its patch and its delta).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Freshness {
    /// Paths of changed files that are in the view with their new content.
    pub changed: Vec<String>,
    /// Paths of new files that are in the view.
    pub added: Vec<String>,
    /// Paths of files that were deleted or whose content may not be indexed.
    pub deleted: Vec<String>,
    /// Whether the whole tree was compared. False if the options limit the comparison to a part of the tree, or if the
    /// deadline or the maximum number of new files was reached first.
    pub complete: bool,
    /// The number of changed or new files that are not in the view with their new content, because a limit was
    /// reached or because they cannot be read.
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
    base: Layer,
    /// The layers above the base, the lowest first.
    upper: Vec<Layer>,
    /// The commit that was checked out when the whole tree was last compared with the index, if it is known.
    head: Option<String>,
    freshness: Freshness,
    /// Whether [`Self::compared`] compares the view with the tree.
    is_as_written: bool,
}

/// A file with changes next to a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Patch,
    Delta,
}

impl View {
    /// Returns a view that contains only `snapshot`. It is not compared with the tree, and its freshness reports no
    /// differences.
    pub fn of(snapshot: Snapshot, root: &Path) -> Self {
        let freshness = Freshness { complete: true, ..Freshness::default() };
        let head = snapshot.meta().head.clone();
        let base = Layer::new(snapshot, Counts::default(), Hidden::default(), None);
        let (root, upper) = (root.to_owned(), Vec::new());
        Self { root, base, upper, head, freshness, is_as_written: false }
    }

    /// Adds the stored patch or delta, which was written when `head` was the current commit.
    pub(crate) fn with_stored(mut self, layer: Layer, head: Option<String>) -> Self {
        self.head = head.or(self.head);
        self.upper.push(layer);
        self
    }

    /// Adds a layer with the changed files in `overlay`. `hidden` contains the paths of the changed and deleted
    /// files.
    pub(crate) fn with_overlay(
        mut self,
        overlay: Option<Snapshot>,
        hidden: &[String],
        freshness: Freshness,
    ) -> Self {
        self.freshness = freshness;
        let mut hidden: Vec<FileId> =
            hidden.iter().filter_map(|path| self.file_by_path(path)).collect();
        hidden.sort_unstable();
        hidden.dedup();
        let snapshot = overlay.or_else(|| crate::build::empty_snapshot().ok());
        let is_needed = |overlay: &Snapshot| overlay.meta().files > 0 || !hidden.is_empty();
        if let Some(snapshot) = snapshot.filter(is_needed) {
            let layer = Layer::over(self.counts(), &self, snapshot, &hidden);
            self.upper.push(layer);
        }
        self
    }

    /// Returns the view as one that has not been compared with the tree yet.
    pub(crate) fn into_uncompared(self) -> Self {
        Self { freshness: Freshness::default(), is_as_written: true, ..self }
    }

    /// Compares a view of the stored index with the tree, without opening the index again. A view that has already been
    /// compared is returned unchanged.
    #[must_use]
    pub fn compared(mut self, options: &LookOptions) -> Self {
        if std::mem::take(&mut self.is_as_written) { current_view(self, options) } else { self }
    }

    /// Returns all layers, the lowest first.
    fn layers(&self) -> impl DoubleEndedIterator<Item = &Layer> {
        std::iter::once(&self.base).chain(&self.upper)
    }

    /// Returns the commit that was checked out when the whole tree was last compared with the index, if it is known.
    pub(crate) fn head(&self) -> Option<&str> {
        self.head.as_deref()
    }

    /// Returns the base snapshot.
    pub(crate) fn into_base(self) -> Snapshot {
        self.base.snapshot
    }

    /// Returns whether the view contains a patch. For files in a patch, edges of new references may be missing.
    pub fn has_patch(&self) -> bool {
        self.patch().is_some()
    }

    /// Returns the root folder of the tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the metadata of the base snapshot.
    pub fn meta(&self) -> &SnapshotMeta {
        self.base.snapshot.meta()
    }

    /// Returns the size of the base snapshot in bytes.
    pub fn size(&self) -> usize {
        self.base.snapshot.size()
    }

    /// Returns the differences between the current tree and the stored index.
    pub fn freshness(&self) -> &Freshness {
        &self.freshness
    }

    /// Returns whether any read found damage. Damaged parts are read as empty, so a result from this view may be wrong.
    /// Callers must check this after each query. If it is true, they must discard the result and rebuild the index.
    pub fn damaged(&self) -> bool {
        self.layers().any(|layer| layer.snapshot.damaged())
    }

    /// Reads and verifies all stored parts. Returns false if a part is damaged.
    pub fn verify(&self) -> bool {
        self.layers().all(|layer| layer.snapshot.verify())
    }

    /// Returns sums over all files in the base snapshot, used to compute averages. Later changes are not included.
    pub fn totals(&self) -> &Totals {
        self.base.snapshot.totals()
    }

    /// Reads a file in the working tree, but at most its first 16 MiB. Fails if the path leads outside the root.
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

    fn is_hidden(&self, file: u32) -> bool {
        self.upper.iter().any(|layer| layer.hidden.has_file(file))
    }

    fn is_hidden_symbol(&self, symbol: u32) -> bool {
        self.upper.iter().any(|layer| layer.hidden.has_symbol(symbol))
    }
}
