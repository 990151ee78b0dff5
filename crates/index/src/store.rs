//! Where snapshots live: one folder per repository in the user's cache, one file per worktree.
//!
//! Readers open a file and keep it, whatever happens to its name. One writer at a time holds the lock, writes beside and
//! renames. The format is part of the name, so builds of different age do not disturb each other. All of it may be deleted at
//! any time.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use disk::Links;
use thiserror::Error;

use crate::build::{Attempts, BuildError, BuildOptions, Built, Known, OnProgress, build, gather};
use crate::container::{Container, ContainerWriter, FORMAT, OpenError};
use crate::delta::Delta;
use crate::fact_store::FactStore;
use crate::freshness::{LookOptions, as_written, changes, look};
use crate::history::{History, current_head};
use crate::place::{repository_dir, tree_key, write_atomically};
use crate::snapshot::Snapshot;
use crate::view::View;

/// Snapshots of other builds are left alone this long.
const KEEP_OTHER_FORMATS: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// As many changes as a view can carry without being felt; with more the snapshot is written anew.
const MAX_SMALL: usize = 32;
/// A tree that cannot be looked over in this time is walked by a full build.
const MAX_LOOK: Duration = Duration::from_secs(60);
/// A change in one of these changes which files belong to the tree.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".rgignore"];

/// The place of one tree's snapshot.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    root: PathBuf,
    key: String,
}

/// Why the index was not refreshed.
#[derive(Debug, Error)]
pub enum RefreshError {
    /// Another process is writing the index of this repository.
    #[error("another process is indexing this repository")]
    Busy,
    /// The cache folder does not take it.
    #[error("cannot write the index to `{}`", folder.display())]
    Unwritable {
        /// The folder of the repository in the cache.
        folder: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// There is nothing to write.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// What a refresh did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refreshed {
    /// Files in the snapshot.
    pub files: usize,
    /// Files that had to be analysed; the others were known.
    pub analysed: usize,
    /// Size of what was written: the snapshot, or the changes beside it.
    pub bytes: usize,
}

/// The lock of the only writer. Dropping it unlocks the file explicitly: closing the file is not enough while a child process
/// that another thread has just forked still has a copy of it.
struct WriteLock(File);

impl Drop for WriteLock {
    fn drop(&mut self) {
        drop(self.0.unlock());
    }
}

impl Store {
    /// The store of the tree at `root` in the cache folder `cache`. Touches nothing.
    pub fn new(cache: &Path, root: &Path) -> Self {
        Self { folder: repository_dir(cache, root), root: root.to_owned(), key: tree_key(root) }
    }

    /// The folder that holds everything about this repository.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of this tree's snapshot.
    pub fn snapshot_path(&self) -> PathBuf {
        self.folder.join(format!("tree-{}-{FORMAT}.snap", self.key))
    }

    /// The snapshot, or why there is none. One in a folder that another user may write to is not read.
    pub fn open(&self) -> Result<Snapshot, OpenError> {
        disk::check_private_folder(&self.folder).map_err(OpenError::Unreadable)?;
        Snapshot::open(&self.snapshot_path())
    }

    /// The snapshot corrected by what changed since, as far as the deadline allows.
    pub fn view(&self, options: LookOptions) -> Result<View, OpenError> {
        let snapshot = self.open()?;
        let delta = self.delta_of(&snapshot)?;
        Ok(look(snapshot, &delta, &self.root, options))
    }

    /// The snapshot as it is, without a look at the tree.
    pub fn view_as_written(&self) -> Result<View, OpenError> {
        let snapshot = self.open()?;
        let delta = self.delta_of(&snapshot)?;
        Ok(as_written(snapshot, &delta, &self.root))
    }

    fn delta_of(&self, snapshot: &Snapshot) -> Result<Delta, OpenError> {
        let delta = Delta::open(&self.delta_path(), snapshot.identity())?;
        Ok(delta.unwrap_or_default())
    }

    /// Reads and verifies everything that answers are made from.
    pub fn verify(&self) -> Result<(), OpenError> {
        let snapshot = self.open()?;
        self.delta_of(&snapshot)?;
        if snapshot.verify() {
            Ok(())
        } else {
            Err(OpenError::Damaged { what: "page checksum differs" })
        }
    }

    /// How much room the repository takes in the cache.
    pub fn disk_bytes(&self) -> u64 {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
    }

    /// Builds the snapshot anew, analysing only content that was never seen. A damaged snapshot is never built upon.
    pub fn refresh(
        &self,
        options: &BuildOptions,
        on_progress: OnProgress<'_>,
    ) -> Result<Refreshed, RefreshError> {
        let unwritable = |source| RefreshError::Unwritable { folder: self.folder.clone(), source };
        disk::create_private_folder(&self.folder).map_err(unwritable)?;
        let _lock = self.lock()?;
        self.sweep(options);
        let known = self.known();
        if let Some(refreshed) = self.refresh_small(options, &known).map_err(unwritable)? {
            return Ok(refreshed);
        }
        let built = build(&self.root, options, &known, on_progress)?;
        self.keep(&known.facts, &built).map_err(unwritable)?;
        write_atomically(&self.snapshot_path(), &built.bytes).map_err(unwritable)?;
        // It belongs to the snapshot that was just replaced; left behind, it would only be passed over.
        let _gone = fs::remove_file(self.delta_path());
        Ok(Refreshed { files: built.files, analysed: built.analysed, bytes: built.bytes.len() })
    }

    /// Writes a few changes beside the snapshot instead of a new one; nothing when they are not few, or not only in files.
    fn refresh_small(
        &self,
        options: &BuildOptions,
        known: &Known,
    ) -> io::Result<Option<Refreshed>> {
        let Some(snapshot) = known.snapshot.as_ref() else { return Ok(None) };
        let head = options.history.as_ref().and_then(|history| current_head(&self.root, history));
        let mut look =
            LookOptions::until(options.deadline.unwrap_or_else(|| Instant::now() + MAX_LOOK));
        look.admits = options.admits;
        look.admits_content = options.admits_content;
        look.threads = options.threads;
        let changes = changes(snapshot, &self.root, look);
        let is_ignore_file =
            |path: &str| path.rsplit('/').next().is_some_and(|name| IGNORE_FILES.contains(&name));
        let rules_changed = changes
            .files
            .iter()
            .map(|file| file.path.as_str())
            .chain(changes.deleted.iter().map(String::as_str))
            .any(is_ignore_file);
        let n_changes = changes.files.len() + changes.deleted.len();
        if head != snapshot.meta().head
            || n_changes > MAX_SMALL
            || rules_changed
            || !changes.complete
        {
            return Ok(None);
        }
        let gathered = gather(&self.root, &changes.files, options, known, &|_| {});
        let files = changes.files.iter().zip(gathered.contents()).filter_map(|(file, content)| {
            let content = content.as_ref()?;
            Some((file.path.as_str(), content.stamp(), content.key(), gathered.record(content)))
        });
        let refused = gathered.refused().iter().map(|at| changes.files[*at].path.clone());
        let deleted: Vec<String> = changes.deleted.iter().cloned().chain(refused).collect();
        let bytes = Delta::encode(snapshot.identity(), &deleted, files);
        write_atomically(&self.delta_path(), &bytes)?;
        let files = snapshot.meta().files as usize + changes.n_added() - deleted.len();
        Ok(Some(Refreshed { files, analysed: gathered.n_analysed(), bytes: bytes.len() }))
    }

    /// Whether another process is writing it right now.
    pub fn is_being_written(&self) -> bool {
        disk::open_file(&self.folder.join("lock"), Links::Refuse)
            .is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// The lock is the system's: it ends with the process that holds it, however that ends.
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

    fn known(&self) -> Known {
        let history = Container::open(&self.history_path()).ok().and_then(|container| {
            let history = History::decode(container.whole(0));
            history.filter(|_| !container.damaged())
        });
        // Verified as a whole: a reader only finds the damage in the pages that its question touches.
        let snapshot = self.open().ok().filter(Snapshot::verify);
        let mut facts = FactStore::open(&self.folder);
        let delta = snapshot.as_ref().and_then(|snapshot| self.delta_of(snapshot).ok());
        let delta = delta.unwrap_or_default();
        for file in delta.files.into_values() {
            facts.adopt(file.key, file.record);
        }
        Known { facts, snapshot, history, attempts: Attempts::start(&self.folder) }
    }

    fn keep(&self, facts: &FactStore, built: &Built) -> io::Result<()> {
        let new: Vec<_> =
            built.new_facts.iter().map(|(key, record)| (*key, record.as_slice())).collect();
        facts.save(&self.folder, &new, &built.live)?;
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

    /// Removes what writers that were killed, and builds long gone, left behind.
    fn sweep(&self, options: &BuildOptions) {
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
            let is_stale = is_other_format && age.is_some_and(|age| age > KEEP_OTHER_FORMATS);
            if name.ends_with(".tmp") || is_stale {
                // What cannot be removed now is removed another time.
                let _left_behind = fs::remove_file(entry.path());
            }
        }
    }
}
