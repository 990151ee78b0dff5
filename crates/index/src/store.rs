//! Stores the index on disk: one folder per repository in the user's cache, one snapshot file per worktree.
//!
//! A reader keeps its file open and can read it even after it has been replaced. Only one writer at a time can hold
//! the lock; it writes a temporary file and renames it. File names contain the format version, so that programs of
//! different versions do not interfere. All files may be deleted at any time.

mod changes;
mod other_worktree;

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use disk::{Links, Replacement};
use thiserror::Error;

use crate::build::{Attempts, BuildError, BuildOptions, Built, Known, OnProgress, build};
use crate::cache_paths::{open_or_create, repository_dir, tree_key};
use crate::container::{Container, ContainerStream, FORMAT, OpenError, container_of};
use crate::fact_store::{FactKey, FactStore};
use crate::freshness::{LookOptions, current_view};
use crate::history::History;
use crate::patch::{add_facts_of, add_stored};
use crate::snapshot::Snapshot;
use crate::spill::Spill;
use crate::view::{Change, View};

/// The age after which snapshots in other format versions are deleted.
const OTHER_FORMAT_MAX_AGE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The time after which a snapshot is verified again even if its file has not changed.
const MAX_VERIFIED_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// The stored index of one worktree.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    root: PathBuf,
    key: String,
}

/// The reason why the index was not refreshed.
#[derive(Debug, Error)]
pub enum RefreshError {
    #[error("another process is indexing this repository")]
    Busy,
    #[error("cannot write the index to `{}`", folder.display())]
    Unwritable {
        /// The repository's folder in the cache.
        folder: PathBuf,
        /// The underlying I/O error.
        #[source]
        source: io::Error,
    },
    /// The snapshot could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// The result of a refresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refreshed {
    /// The number of files in the index.
    pub files: usize,
    /// The number of distinct file contents that were analysed. The facts of all other files were reused.
    pub analysed: usize,
    /// The size in bytes of the snapshot, patch or delta that was written.
    pub bytes: usize,
}

/// The lock that a writer holds. Dropping it unlocks the file explicitly. Closing the file is not enough if another
/// thread has just forked a child process, because the child has inherited the open file.
struct WriteLock(File);

impl Drop for WriteLock {
    fn drop(&mut self) {
        drop(self.0.unlock());
    }
}

impl Store {
    /// Returns the store for the tree at `root` in the cache folder `cache`. Does no I/O except to resolve paths and to
    /// find the git directory.
    pub fn new(cache: &Path, root: &Path) -> Self {
        Self { folder: repository_dir(cache, root), root: root.to_owned(), key: tree_key(root) }
    }

    /// Returns the folder that contains all index files of this repository.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Adds `records` to the fact store in a new pack.
    pub(crate) fn add_facts(&self, records: &[(FactKey, &[u8])]) -> Result<(), RefreshError> {
        let unwritable = |source| self.unwritable(source);
        disk::create_private_folder(&self.folder).map_err(unwritable)?;
        let _lock = self.lock()?;
        let mut facts = FactStore::open(&self.folder);
        for (key, record) in records {
            facts.add(*key, record).map_err(unwritable)?;
        }
        facts.end_adding().map_err(unwritable)
    }

    /// Returns the path of the snapshot file for this worktree.
    pub fn snapshot_path(&self) -> PathBuf {
        self.tree_file("snap")
    }

    /// Returns the time of the last refresh that compared the whole tree. This is the newest modification time of the
    /// snapshot, the patch and the delta. A refresh of only some paths does not change it.
    pub fn last_refresh(&self) -> Option<SystemTime> {
        let modified = |path: PathBuf| fs::metadata(path).and_then(|it| it.modified()).ok();
        let paths = ["snap", "patch", "delta"].map(|ending| self.tree_file(ending));
        paths.into_iter().filter_map(modified).max()
    }

    /// Opens the snapshot without its patch and delta. Fails if the folder belongs to another user or if another user can
    /// write to it.
    pub fn open(&self) -> Result<Snapshot, OpenError> {
        disk::check_private_folder(&self.folder).map_err(|error| {
            if error.kind() == io::ErrorKind::PermissionDenied {
                OpenError::Refused(error.to_string())
            } else {
                OpenError::Unreadable(error)
            }
        })?;
        Snapshot::open(&self.snapshot_path())
    }

    /// Returns a view that includes the changes found in the tree before the deadline.
    pub fn view(&self, options: &LookOptions) -> Result<View, OpenError> {
        Ok(current_view(self.stored()?, options))
    }

    /// Returns a view of the stored snapshot, patch and delta, without comparing them with the tree.
    pub fn view_as_written(&self) -> Result<View, OpenError> {
        Ok(self.stored()?.into_uncompared())
    }

    /// Opens the snapshot, its patch and its delta.
    fn stored(&self) -> Result<View, OpenError> {
        let base = View::of(self.open()?, &self.root);
        let patched = add_stored(base, &self.change_path(Change::Patch), Change::Patch)?;
        add_stored(patched, &self.change_path(Change::Delta), Change::Delta)
    }

    /// Reads and verifies the snapshot, its patch and its delta.
    pub fn verify(&self) -> Result<(), OpenError> {
        if self.stored()?.verify() {
            Ok(())
        } else {
            Err(OpenError::Damaged { what: "page checksum differs" })
        }
    }

    /// Opens the snapshot, its patch and its delta. Verifies all pages, because normal reads verify only the pages
    /// that they use. If all pages were verified within the last day and the files have not changed since, verifies
    /// only the headers and the delta. Returns `None` if there is no snapshot or a file is damaged.
    fn verified(&self) -> Option<View> {
        let stored = self.stored().ok()?;
        let verified = fs::metadata(self.tree_file("verified")).ok();
        let age = verified.and_then(|it| it.modified().ok()).and_then(|it| it.elapsed().ok());
        let is_recent = age.is_some_and(|age| age < MAX_VERIFIED_AGE);
        let noted = disk::read_text(&self.tree_file("verified"), Links::Refuse, 1024).ok();
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
            let _ignored = disk::replace_file(&self.tree_file("verified"), state.as_bytes(), None);
        }
    }

    /// Makes the next refresh verify the whole snapshot and its patch. A reader that has found damage calls this.
    pub fn distrust(&self) {
        let _ignored = fs::remove_file(self.tree_file("verified"));
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
        Some(format!("{snapshot} {}", state_of(self.tree_file("patch")).unwrap_or_default()))
    }

    /// Updates the index. Analyses only file contents whose facts are not stored yet. Nothing is reused from a damaged
    /// snapshot, patch or delta.
    pub fn refresh(
        &self,
        options: &BuildOptions,
        on_progress: OnProgress<'_>,
    ) -> Result<Refreshed, RefreshError> {
        let unwritable = |source| self.unwritable(source);
        disk::create_private_folder(&self.folder).map_err(unwritable)?;
        let _lock = self.lock()?;
        self.remove_leftovers(options);
        let old = self.verified();
        let refreshed = match &old {
            Some(stored) => self.refresh_partly(options, stored),
            None => self.adopt_other_worktree(options),
        };
        if let Some(refreshed) = refreshed.map_err(unwritable)? {
            return Ok(refreshed);
        }
        let known = self.known(old).map_err(unwritable)?;
        let spill = Spill::to_folder(&self.folder, options.memory);
        let mut file = Replacement::start(&self.snapshot_path(), None).map_err(unwritable)?;
        let target = file.file().try_clone().map_err(unwritable)?;
        let mut stream = ContainerStream::to_file(target);
        let built = build(&self.root, options, known, &spill, &mut stream, on_progress);
        let built = built.map_err(|error| {
            if let BuildError::Unwritable(source) = error {
                unwritable(source)
            } else {
                error.into()
            }
        })?;
        let (bytes, _) = stream.finish().map_err(unwritable)?;
        self.save_history(&built).map_err(unwritable)?;
        file.finish().map_err(unwritable)?;
        self.note_verified();
        self.remove_changes();
        built.facts.merge_packs(&built.live).map_err(unwritable)?;
        Ok(Refreshed { files: built.files, analysed: built.analysed, bytes })
    }

    /// Removes the patch and the delta of the previous snapshot. If they cannot be removed, readers ignore them.
    fn remove_changes(&self) {
        let _ignored = fs::remove_file(self.tree_file("patch"));
        let _ignored = fs::remove_file(self.tree_file("delta"));
    }

    /// Returns whether another process is writing the index.
    pub fn is_being_written(&self) -> bool {
        disk::open_file(&self.folder.join("lock"), Links::Refuse)
            .is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Takes the file lock, or fails with [`RefreshError::Busy`]. The system releases the lock when the process ends.
    fn lock(&self) -> Result<WriteLock, RefreshError> {
        let file = open_or_create(&self.folder.join("lock"));
        let file = file.map_err(|source| self.unwritable(source))?;
        match file.try_lock() {
            Ok(()) => Ok(WriteLock(file)),
            Err(TryLockError::WouldBlock) => Err(RefreshError::Busy),
            Err(TryLockError::Error(source)) => Err(self.unwritable(source)),
        }
    }

    fn unwritable(&self, source: io::Error) -> RefreshError {
        RefreshError::Unwritable { folder: self.folder.clone(), source }
    }

    /// Returns the results of earlier builds that a new build can reuse. `old` is the stored view.
    fn known(&self, old: Option<View>) -> io::Result<Known> {
        let history = Container::open(&self.history_path()).ok().and_then(|container| {
            let history = History::decode(container.whole(0));
            history.filter(|_| !container.damaged())
        });
        let facts = FactStore::open(&self.folder);
        if let Some(delta) = old.as_ref().and_then(View::delta) {
            add_facts_of(delta, &facts)?;
        }
        let snapshot = old.map(View::into_base);
        Ok(Known { facts, snapshot, history, attempts: Attempts::start(&self.folder) })
    }

    fn save_history(&self, built: &Built) -> io::Result<()> {
        if let Some(history) = built.history.as_ref().filter(|_| built.history_is_new) {
            let bytes = container_of([history.encode()])?;
            disk::replace_file(&self.history_path(), &bytes, None)?;
        }
        Ok(())
    }

    fn change_path(&self, change: Change) -> PathBuf {
        self.tree_file(if change == Change::Patch { "patch" } else { "delta" })
    }

    /// Returns the path of a file for this worktree.
    fn tree_file(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("tree-{}-{FORMAT}.{ending}", self.key))
    }

    fn history_path(&self) -> PathBuf {
        self.folder.join(format!("history-{}-{FORMAT}.log", self.key))
    }

    /// Removes temporary files left by killed writers, and old snapshots in other format versions.
    fn remove_leftovers(&self, options: &BuildOptions) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let age = entry
                .metadata()
                .and_then(|it| it.modified())
                .ok()
                .and_then(|at| options.now.duration_since(at).ok());
            let is_other_format =
                name.ends_with(".snap") && !name.ends_with(&format!("-{FORMAT}.snap"));
            let is_stale = is_other_format && age.is_some_and(|age| age > OTHER_FORMAT_MAX_AGE);
            if name.ends_with(".tmp") || is_stale {
                // The next refresh tries again.
                let _ignored = fs::remove_file(entry.path());
            }
        }
    }
}
