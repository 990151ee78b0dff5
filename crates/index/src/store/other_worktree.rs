//! Creates a worktree's first snapshot from the snapshot of another worktree.

use std::fs;
use std::io;
use std::path::PathBuf;

use disk::Replacement;

use super::changes::{MAX_DELTA_FILES, max_patch_files};
use super::{Refreshed, Store};
use crate::build::{BuildOptions, adopt};
use crate::container::{ContainerStream, FORMAT};
use crate::snapshot::Snapshot;
use crate::view::View;

impl Store {
    /// Creates the first snapshot from the snapshot of another worktree if nearly all files are the same. Returns
    /// `None` if a full build is needed.
    pub(super) fn adopt_other_worktree(
        &self,
        options: &BuildOptions,
    ) -> io::Result<Option<Refreshed>> {
        let Some(other) = self.newest_other_snapshot() else { return Ok(None) };
        let max_changes = if options.complete {
            MAX_DELTA_FILES
        } else {
            max_patch_files(other.meta().files as usize)
        };
        let head = self.head(options);
        let Some(adoption) = adopt::compare(&self.root, options, &other, max_changes) else {
            return Ok(None);
        };
        let mut file = Replacement::start(&self.snapshot_path(), None)?;
        let mut stream = ContainerStream::to_file(file.file().try_clone()?);
        adoption.write(&self.root, options, &other, &mut stream)?;
        let (bytes, _) = stream.finish()?;
        file.finish()?;
        drop(other);
        self.note_verified();
        self.remove_changes();
        let Ok(snapshot) = self.open() else { return Ok(None) };
        let stored = View::of(snapshot, &self.root);
        let written = self.write_changes(options, &stored, &adoption.changes, head.as_deref())?;
        Ok(written.map(|changes| Refreshed { bytes: bytes + changes.bytes, ..changes }))
    }

    /// Opens and verifies the newest snapshot of any other worktree. Returns `None` if there is none or it is damaged.
    fn newest_other_snapshot(&self) -> Option<Snapshot> {
        let own = self.snapshot_path();
        let is_other = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            let ending = format!("-{FORMAT}.snap");
            *path != own
                && name.is_some_and(|name| name.starts_with("tree-") && name.ends_with(&ending))
        };
        let entries = fs::read_dir(&self.folder).ok()?.flatten().map(|entry| entry.path());
        let modified = |path: &PathBuf| fs::metadata(path).and_then(|it| it.modified()).ok();
        let newest = entries.filter(is_other).max_by_key(modified)?;
        Snapshot::open(&newest).ok().filter(Snapshot::verify)
    }
}
