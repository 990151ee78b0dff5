//! Stores the index on disk: one folder per repository in the user's cache, one snapshot file per worktree.
//!
//! A reader keeps its file open, even if the file is replaced. Only one writer at a time holds the lock; it writes a
//! temporary file and renames it. File names contain the format version, so that programs of different versions do not
//! interfere. All files may be deleted at any time.

mod other_worktree;
mod verified;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use disk::{Links, Replacement};
use thiserror::Error;

use crate::build::{
    Attempts, BuildError, BuildOptions, Built, Content, Known, OnProgress, Pauses, build, gather,
};
use crate::cache_paths::{repository_dir, tree_key, write_atomically};
use crate::container::{Container, ContainerStream, ContainerWriter, FORMAT, OpenError};
use crate::delta::Delta;
use crate::fact_store::{FactKey, FactStore};
use crate::freshness::{
    Changes, LookOptions, as_written, changes, changes_of, current_commit, current_view,
};
use crate::history::{History, current_head};
use crate::snapshot::Snapshot;
use crate::spill::Spill;
use crate::tree_scan::ScannedFile;
use crate::view::View;

/// The age after which snapshots of other format versions are deleted.
const OTHER_FORMAT_MAX_AGE: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The maximum number of changed files in a delta. After more changes a new snapshot is written, because a view with a
/// larger delta is noticeably slower.
const MAX_DELTA_FILES: usize = 32;
/// The maximum time for comparing the tree with the snapshot if the build has no deadline. After this time a full build
/// starts.
const COMPARE_TIMEOUT: Duration = Duration::from_secs(60);
/// Names of ignore files. A change to one of them changes which files belong to the tree, so it requires a full build.
const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];

/// The index of one worktree on disk.
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
        /// The folder of the repository in the cache.
        folder: PathBuf,
        /// The error from the system.
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
    /// The size in bytes of the snapshot or delta that was written.
    pub bytes: usize,
}

/// The lock of the writer. When it is dropped, the file is unlocked explicitly. Closing the file is not enough if
/// another thread has just forked a child process, because the child has a copy of the open file.
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

    /// Adds facts in a new pack.
    pub(crate) fn add_facts(&self, records: &[(FactKey, &[u8])]) -> Result<(), RefreshError> {
        let unwritable = |source| RefreshError::Unwritable { folder: self.folder.clone(), source };
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
        self.folder.join(format!("tree-{}-{FORMAT}.snap", self.key))
    }

    /// Returns the time of the last comparison of the whole tree. Each refresh writes a snapshot or a delta; a refresh that
    /// compares only some paths keeps the time of the files.
    pub fn last_refresh(&self) -> Option<SystemTime> {
        let modified = |path: PathBuf| fs::metadata(path).and_then(|it| it.modified()).ok();
        modified(self.snapshot_path()).max(modified(self.delta_path()))
    }

    /// Opens the snapshot without its delta. Fails if another user can write to the folder.
    pub fn open(&self) -> Result<Snapshot, OpenError> {
        disk::check_private_folder(&self.folder).map_err(OpenError::Unreadable)?;
        Snapshot::open(&self.snapshot_path())
    }

    /// Returns a view that includes the changes found in the tree before the deadline.
    pub fn view(&self, options: &LookOptions) -> Result<View, OpenError> {
        let snapshot = self.open()?;
        let delta = self.delta_of(&snapshot)?;
        Ok(current_view(snapshot, &delta, &self.root, options))
    }

    /// Returns a view of the stored snapshot and delta, without comparing them with the tree.
    pub fn view_as_written(&self) -> Result<View, OpenError> {
        let snapshot = self.open()?;
        let delta = self.delta_of(&snapshot)?;
        Ok(as_written(snapshot, &delta, &self.root))
    }

    fn delta_of(&self, snapshot: &Snapshot) -> Result<Delta, OpenError> {
        let delta = Delta::open(&self.delta_path(), snapshot.identity())?;
        Ok(delta.unwrap_or_default())
    }

    /// Reads and verifies the snapshot and its delta.
    pub fn verify(&self) -> Result<(), OpenError> {
        let snapshot = self.open()?;
        self.delta_of(&snapshot)?;
        if snapshot.verify() {
            Ok(())
        } else {
            Err(OpenError::Damaged { what: "page checksum differs" })
        }
    }

    /// Returns the total size in bytes of the repository's index files.
    pub fn disk_bytes(&self) -> u64 {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
    }

    /// Updates the index. Only content whose facts are not stored is analysed. A damaged snapshot is not reused.
    pub fn refresh(
        &self,
        options: &BuildOptions,
        on_progress: OnProgress<'_>,
    ) -> Result<Refreshed, RefreshError> {
        let unwritable = |source| RefreshError::Unwritable { folder: self.folder.clone(), source };
        disk::create_private_folder(&self.folder).map_err(unwritable)?;
        let _lock = self.lock()?;
        self.remove_leftovers(options);
        // A damaged snapshot or delta is not reused.
        let snapshot = self.verified_snapshot();
        let old = snapshot.and_then(|it| self.delta_of(&it).ok().map(|delta| (it, delta)));
        let refreshed = match &old {
            Some((snapshot, delta)) => self.refresh_with_delta(options, snapshot, delta),
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
        // The delta belongs to the previous snapshot, so readers ignore it even if it cannot be removed.
        let _ignored = fs::remove_file(self.delta_path());
        built.facts.merge_packs(&built.live).map_err(unwritable)?;
        Ok(Refreshed { files: built.files, analysed: built.analysed, bytes })
    }

    /// Writes a delta instead of a new snapshot. Returns `None` if a full build is needed: too many files changed, HEAD or an
    /// ignore file changed, the comparison did not finish, or the parser cannot be run.
    fn refresh_with_delta(
        &self,
        options: &BuildOptions,
        snapshot: &Snapshot,
        delta: &Delta,
    ) -> io::Result<Option<Refreshed>> {
        let head = options.history.as_ref().and_then(|history| {
            current_commit(&self.root).or_else(|| current_head(&self.root, history))
        });
        if head != snapshot.meta().head {
            return Ok(None);
        }
        let Some(changes) = self.few_changes(options, snapshot, delta) else { return Ok(None) };
        let n_added = changes.n_added();
        let compared_at = self.last_refresh().filter(|_| options.changed.is_some());
        let files = (&changes.files[..], n_added);
        let written = self.write_delta(options, snapshot, delta, files, changes.deleted)?;
        if let Some(compared_at) = compared_at {
            let file = File::options().write(true).open(self.delta_path());
            // If the time cannot be set, the next comparison of the whole tree is started later.
            let _ignored = file.and_then(|file| file.set_modified(compared_at));
        }
        Ok(written)
    }

    /// Writes a delta with the changed and new files, of which `n_added` are new, and the deleted files. Returns `None` if the
    /// parser cannot be run.
    fn write_delta(
        &self,
        options: &BuildOptions,
        snapshot: &Snapshot,
        delta: &Delta,
        (files, n_added): (&[ScannedFile], usize),
        mut deleted: Vec<String>,
    ) -> io::Result<Option<Refreshed>> {
        let (same, new): (Vec<ScannedFile>, Vec<ScannedFile>) =
            files.iter().cloned().partition(|file| delta.get(&file.path, file.stamp).is_some());
        let facts = FactStore::open_for_few(&self.folder);
        let attempts = Attempts::start(&self.folder);
        let mut known = Known { facts, attempts, ..Known::default() };
        let gathered = gather(&self.root, &new, options, &known, &Pauses::default(), &|_| {});
        if gathered.parser_failure().is_some() || gathered.is_out_of_time() {
            return Ok(None);
        }
        let analysed = known.facts.n_added();
        let locations = gathered.contents().iter().map(|it| it.as_ref().map(Content::location));
        let records = known.facts.records(locations)?;
        let contents = new.iter().zip(gathered.contents()).zip(&records);
        let gathered_files = contents.filter_map(|((file, content), record)| {
            let content = content.as_ref()?;
            Some((file.path.as_str(), content.stamp(), content.key(), record.as_slice()))
        });
        let same_files = same.iter().filter_map(|file| {
            let known = delta.get(&file.path, file.stamp)?;
            Some((file.path.as_str(), known.stamp, known.key, known.record.as_slice()))
        });
        deleted.extend(gathered.refused().iter().map(|at| new[*at].path.clone()));
        let files = gathered_files.chain(same_files);
        let bytes = Delta::encode(snapshot.identity(), &deleted, files);
        write_atomically(&self.delta_path(), &bytes)?;
        let files = snapshot.meta().files as usize + n_added - deleted.len();
        Ok(Some(Refreshed { files, analysed, bytes: bytes.len() }))
    }

    /// Returns the changes since the snapshot if they fit in a delta.
    fn few_changes(
        &self,
        options: &BuildOptions,
        snapshot: &Snapshot,
        delta: &Delta,
    ) -> Option<Changes> {
        let mut look = LookOptions::until(
            options.deadline.unwrap_or_else(|| Instant::now() + COMPARE_TIMEOUT),
            options.parser.clone(),
        );
        look.admits = options.admits;
        look.admits_content = options.admits_content;
        look.threads = options.threads;
        let changes = match &options.changed {
            Some(paths) => {
                let known = delta.files.keys().chain(&delta.deleted);
                look.also = paths.iter().chain(known).cloned().collect();
                changes_of(snapshot, &self.root, &look)
            }
            None => changes(snapshot, &self.root, &look),
        };
        let is_ignore_file =
            |path: &str| path.rsplit('/').next().is_some_and(|name| IGNORE_FILES.contains(&name));
        let changed = changes.files.iter().map(|file| file.path.as_str());
        let rules_changed =
            changed.chain(changes.deleted.iter().map(String::as_str)).any(is_ignore_file);
        let n_changes = changes.files.len() + changes.deleted.len();
        let is_compared = changes.complete || options.changed.is_some();
        let is_delta = n_changes <= MAX_DELTA_FILES && !rules_changed && is_compared;
        is_delta.then_some(changes)
    }

    /// Returns whether another process is writing the index.
    pub fn is_being_written(&self) -> bool {
        disk::open_file(&self.folder.join("lock"), Links::Refuse)
            .is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// Takes the file lock, or fails with [`RefreshError::Busy`]. The system releases the lock when the process ends.
    fn lock(&self) -> Result<WriteLock, RefreshError> {
        let unwritable = |source| RefreshError::Unwritable { folder: self.folder.clone(), source };
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.folder.join("lock"))
            .map_err(unwritable)?;
        match file.try_lock() {
            Ok(()) => Ok(WriteLock(file)),
            Err(TryLockError::WouldBlock) => Err(RefreshError::Busy),
            Err(TryLockError::Error(source)) => Err(unwritable(source)),
        }
    }

    /// Returns the results of earlier builds. `old` is the snapshot with its delta.
    fn known(&self, old: Option<(Snapshot, Delta)>) -> io::Result<Known> {
        let history = Container::open(&self.history_path()).ok().and_then(|container| {
            let history = History::decode(container.whole(0));
            history.filter(|_| !container.damaged())
        });
        let facts = FactStore::open(&self.folder);
        let (snapshot, delta) = old.unzip();
        for file in delta.unwrap_or_default().files.into_values() {
            if facts.find(file.key).is_none() {
                facts.add(file.key, &file.record)?;
            }
        }
        Ok(Known { facts, snapshot, history, attempts: Attempts::start(&self.folder) })
    }

    fn save_history(&self, built: &Built) -> io::Result<()> {
        if let Some(history) = built.history.as_ref().filter(|_| built.history_is_new) {
            let mut writer = ContainerWriter::new();
            writer.section(&history.encode());
            write_atomically(&self.history_path(), &writer.finish())?;
        }
        Ok(())
    }

    fn delta_path(&self) -> PathBuf {
        self.folder.join(format!("tree-{}-{FORMAT}.delta", self.key))
    }

    fn history_path(&self) -> PathBuf {
        self.folder.join(format!("history-{}-{FORMAT}.log", self.key))
    }

    /// Removes temporary files of killed writers, and old snapshots of other format versions.
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
