//! What questions read: a snapshot together with the files that changed since.
//!
//! The changed files are a second, small snapshot made in memory. Its numbers follow those of the first one; files of the
//! first that were changed or deleted never come out. A changed file keeps the arrows its symbols had, by their names.

mod graph;
mod items;
mod read;
mod text;

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::snapshot::{Meta, Snapshot, Totals};
pub use graph::{Edge, Node};
pub use items::{File, FileHistory, FileId, Passage, PassageId, Symbol, SymbolId};
pub use text::{PassagePosting, Posting, SymbolPosting};

/// What changed in the tree since the snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Freshness {
    /// Files with other content now.
    pub changed: Vec<String>,
    /// Files that were not there.
    pub added: Vec<String>,
    /// Files that are gone.
    pub deleted: Vec<String>,
    /// Whether all of the tree was looked at before time ran out.
    pub complete: bool,
    /// Changed or new files that are not in the view, because there were too many or time ran out.
    pub left_out: u32,
}

impl Freshness {
    /// True when the snapshot is known to describe the tree as it is.
    pub fn is_current(&self) -> bool {
        self.complete && self.changed.is_empty() && self.added.is_empty() && self.deleted.is_empty()
    }
}

/// A repository as it is now, as far as is known.
pub struct View {
    root: PathBuf,
    base: Snapshot,
    overlay: Option<Overlay>,
    freshness: Freshness,
}

/// Changed files, and what they replace.
struct Overlay {
    snapshot: Snapshot,
    /// Files of the base that must not be seen.
    hidden: FxHashSet<u32>,
    /// Nodes of the base that stand for nodes of the overlay, and back. Nodes are numbered as in their own snapshot.
    twin_of_base: FxHashMap<u32, u32>,
    twin_of_overlay: FxHashMap<u32, u32>,
}

impl View {
    /// A snapshot as it is, without looking at the tree.
    pub fn of(snapshot: Snapshot, root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            base: snapshot,
            overlay: None,
            freshness: Freshness::default(),
        }
    }

    /// A snapshot corrected by a snapshot of the changed files; `hidden` are the paths that are gone or changed.
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
                let twin_of_base = graph::twins(&base, &snapshot, &hidden);
                let twin_of_overlay =
                    twin_of_base.iter().map(|(base, overlay)| (*overlay, *base)).collect();
                Overlay { snapshot, hidden, twin_of_base, twin_of_overlay }
            });
        Self { root: root.to_owned(), base, overlay, freshness }
    }

    /// The folder it describes.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What the snapshot says of itself.
    pub fn meta(&self) -> &Meta {
        self.base.meta()
    }

    /// Its size on disk in bytes.
    pub fn size(&self) -> usize {
        self.base.size()
    }

    /// What changed since the snapshot.
    pub fn freshness(&self) -> &Freshness {
        &self.freshness
    }

    /// True once a part was read that is damaged. It was read as empty, so an answer made from this view may be wrong: ask
    /// after every question, drop the answer if true, and build the index anew.
    pub fn damaged(&self) -> bool {
        self.base.damaged() || self.overlay_snapshot().is_some_and(Snapshot::damaged)
    }

    /// Reads and verifies all of the snapshot; false if any part is damaged.
    pub fn verify(&self) -> bool {
        self.base.verify()
    }

    /// Sums over the snapshot, for averages.
    pub fn totals(&self) -> &Totals {
        self.base.totals()
    }

    fn is_hidden(&self, base_file: u32) -> bool {
        self.overlay.as_ref().is_some_and(|overlay| overlay.hidden.contains(&base_file))
    }

    fn overlay_snapshot(&self) -> Option<&Snapshot> {
        self.overlay.as_ref().map(|overlay| &overlay.snapshot)
    }
}
