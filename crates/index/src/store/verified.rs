//! Verifies the snapshot and its patch before a refresh reuses them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::Duration;

use disk::Links;

use super::Store;
use crate::container::FORMAT;
use crate::view::View;

/// The time after which a snapshot is verified again even if its file has not changed.
const MAX_VERIFIED_AGE: Duration = Duration::from_secs(24 * 60 * 60);

impl Store {
    /// Opens the snapshot, its patch and its delta. Verifies all pages, because normal reads verify only the pages
    /// that they use. If all pages were verified within the last day and the files have not changed since, verifies
    /// only the headers and the delta. Returns `None` if there is no snapshot or a file is damaged.
    pub(super) fn verified(&self) -> Option<View> {
        let stored = self.stored().ok()?;
        let verified = fs::metadata(self.verified_path()).ok();
        let age = verified.and_then(|it| it.modified().ok()).and_then(|it| it.elapsed().ok());
        let is_recent = age.is_some_and(|age| age < MAX_VERIFIED_AGE);
        let noted = disk::read_text(&self.verified_path(), Links::Refuse, 1024).ok();
        if is_recent && noted.is_some() && noted == self.file_state() {
            let is_intact = stored.delta().is_none_or(|delta| delta.snapshot.verify());
            return is_intact.then_some(stored);
        }
        if !stored.verify() {
            return None;
        }
        self.note_verified();
        Some(stored)
    }

    /// Records that the whole snapshot and its patch have been verified or have just been written.
    pub(super) fn note_verified(&self) {
        if let Some(state) = self.file_state() {
            // If the record cannot be written, the next refresh verifies the snapshot again.
            let _ignored = disk::replace_file(&self.verified_path(), state.as_bytes(), None);
        }
    }

    /// Makes the next refresh verify the whole snapshot and its patch. A reader that has found damage calls this.
    pub fn distrust(&self) {
        let _ignored = fs::remove_file(self.verified_path());
    }

    /// Returns the inode numbers, sizes and change times of the snapshot file and the patch file as a string. The
    /// string changes whenever one of the files is written.
    fn file_state(&self) -> Option<String> {
        let state_of = |path: PathBuf| {
            let found = fs::metadata(path).ok()?;
            let changed = (found.ctime(), found.ctime_nsec());
            Some(format!("{} {} {changed:?}", found.ino(), found.len()))
        };
        let snapshot = state_of(self.snapshot_path())?;
        Some(format!("{snapshot} {}", state_of(self.patch_path()).unwrap_or_default()))
    }

    fn verified_path(&self) -> PathBuf {
        self.folder.join(format!("tree-{}-{FORMAT}.verified", self.key))
    }
}
