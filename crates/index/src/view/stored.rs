//! Looks up the recorded stamps of files and the recorded modification times of directories. They are compared with the
//! current tree to find changes.

use super::layer::{Counts, Layer};
use super::{Change, FileId, View};
use crate::assemble::FileStamp;

impl View {
    /// Returns the number of recorded files and directories in all layers, including hidden files. A comparison of the
    /// whole tree checks at most this many.
    pub(crate) fn n_compared(&self) -> usize {
        self.file_slots() + self.n_directories() as usize
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

    /// Returns the stored patch, if there is one.
    pub(crate) fn patch(&self) -> Option<&Layer> {
        self.upper.iter().find(|layer| layer.stored == Some(Change::Patch))
    }

    /// Returns the stored delta, if there is one.
    pub(crate) fn delta(&self) -> Option<&Layer> {
        self.upper.iter().find(|layer| layer.stored == Some(Change::Delta))
    }

    /// Returns the layers above the base that a patch or delta belongs to: none, or the patch.
    fn below(&self, change: Change) -> &[Layer] {
        let has_patch = change == Change::Delta && self.patch().is_some();
        &self.upper[..usize::from(has_patch)]
    }

    /// Returns the layers that a new patch or delta replaces, the highest first.
    pub(crate) fn replaced_by(&self, change: Change) -> impl Iterator<Item = &Layer> {
        self.upper.iter().skip(self.below(change).len()).rev()
    }

    /// Returns the highest layer below a patch or delta.
    fn top_below(&self, change: Change) -> &Layer {
        self.below(change).last().unwrap_or(&self.base)
    }

    /// Returns the identity of the layer that a patch or delta belongs to.
    pub(crate) fn identity_below(&self, change: Change) -> [u8; 32] {
        self.top_below(change).snapshot.identity()
    }

    /// Returns how many files, symbols and passages the layers below a patch or delta contain, including hidden ones.
    pub(crate) fn counts_below(&self, change: Change) -> Counts {
        self.top_below(change).end()
    }

    /// Returns the number of files in the layers below a patch or delta that these layers do not hide.
    pub(crate) fn n_files_below(&self, change: Change) -> usize {
        let n_hidden: usize = self.below(change).iter().map(|layer| layer.hidden.n_files()).sum();
        (self.counts_below(change).files as usize).saturating_sub(n_hidden)
    }

    /// Finds a file by its path in the layers below a patch or delta.
    pub(crate) fn file_below(&self, path: &str, change: Change) -> Option<FileId> {
        let below = self.below(change);
        let layers = std::iter::once(&self.base).chain(below).rev();
        let mut numbers = layers.filter_map(|layer| {
            Some(layer.snapshot.file_by_path(path)?.saturating_add(layer.before.files))
        });
        let is_hidden = |number: u32| below.iter().any(|layer| layer.hidden.has_file(number));
        numbers.find(|number| !is_hidden(*number)).map(FileId)
    }

    /// Returns the paths of the files that the delta contains or hides.
    pub(crate) fn delta_paths(&self) -> Vec<&str> {
        let Some(Layer { snapshot, hidden, .. }) = self.delta() else { return Vec::new() };
        let files = (0..snapshot.meta().files).map(|number| snapshot.file(number).path());
        files.chain(hidden.files().map(|old| self.path(FileId(old)))).collect()
    }

    /// Returns the identity of the highest layer. A stored layer contains the identity of the layer below it.
    pub(crate) fn identity(&self) -> [u8; 32] {
        self.upper.last().unwrap_or(&self.base).snapshot.identity()
    }
}
