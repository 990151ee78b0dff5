//! Looks up the recorded stamps of files and the recorded modification times of directories. They are compared with the
//! current tree to find changes.

use super::layer::Layer;
use super::{FileId, View};
use crate::assemble::FileStamp;

impl View {
    /// Returns the number of recorded files and directories in all layers, including hidden files. A comparison of the
    /// whole tree checks at most this many.
    pub(crate) fn n_compared(&self) -> usize {
        self.file_slots() + self.n_directories() as usize
    }

    /// Returns the number of files that are not hidden.
    pub(crate) fn n_files(&self) -> usize {
        let n_hidden = |layer: &Layer| layer.hidden.n_files();
        self.file_slots().saturating_sub(self.upper.iter().map(n_hidden).sum())
    }

    /// Returns the path and the recorded stamp of a file.
    pub(crate) fn path_and_stamp(&self, id: FileId) -> (&str, FileStamp) {
        let (raw, _) = self.raw_file(id);
        (raw.path(), raw.stamp())
    }

    /// Returns the recorded stamp of the file with this path.
    pub(crate) fn stamp_by_path(&self, path: &str) -> Option<FileStamp> {
        self.file_by_path(path).map(|id| self.raw_file(id).0.stamp())
    }

    /// Returns the number of recorded directories in all layers. A directory in several layers is counted once for
    /// each layer.
    pub(crate) fn n_directories(&self) -> u32 {
        self.layers().map(|layer| layer.snapshot.n_directories()).sum()
    }

    /// Returns the path of a recorded directory and its modification time, in nanoseconds since the Unix epoch. The
    /// indices of a layer's directories follow those of the layers below it.
    pub(crate) fn directory(&self, number: u32) -> (&str, i64) {
        let mut number = number;
        for layer in self.layers() {
            match number.checked_sub(layer.snapshot.n_directories()) {
                Some(in_upper) => number = in_upper,
                None => return layer.snapshot.directory(number),
            }
        }
        ("", 0)
    }

    /// Finds a recorded directory by its path. Returns the path and the modification time, in nanoseconds since the
    /// Unix epoch.
    pub(crate) fn directory_by_path(&self, path: &str) -> Option<(&str, i64)> {
        self.layers().rev().find_map(|layer| {
            let number = layer.snapshot.directory_by_path(path)?;
            Some(layer.snapshot.directory(number))
        })
    }

    /// Returns the most recently modified directories of each layer with their modification times, starting with the
    /// highest layer.
    pub(crate) fn newest_directories(&self) -> impl Iterator<Item = (&str, i64)> {
        self.layers().rev().flat_map(|layer| layer.snapshot.newest_directories())
    }

    /// Returns the most recently modified files of each layer, starting with the highest layer. Hidden files are
    /// included.
    pub(crate) fn newest_files(&self) -> impl Iterator<Item = (&str, FileStamp)> {
        self.layers().rev().flat_map(|layer| layer.snapshot.newest_files())
    }

    /// Returns the stored patch, if there is one. The view must not have an overlay.
    pub(crate) fn patch(&self) -> Option<&Layer> {
        self.upper.first()
    }

    pub(crate) fn base_snapshot(&self) -> &crate::snapshot::Snapshot {
        &self.base.snapshot
    }

    /// Returns the identity of the highest layer. A delta stores the identity of the layer that it belongs to.
    pub(crate) fn identity(&self) -> [u8; 32] {
        self.upper.last().unwrap_or(&self.base).snapshot.identity()
    }
}
