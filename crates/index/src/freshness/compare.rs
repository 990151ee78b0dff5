//! Compares the stamps of files and directories with those in a snapshot.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Instant;

use rustc_hash::FxHashSet;

use super::{LookOptions, head};
use crate::assemble::FileStamp;
use crate::snapshot::Snapshot;
use crate::threads;
use crate::tree_scan::{ScannedFile, modified_nanos, stamp_of, to_slashes};
use crate::walk::list_files;

/// The number of items that are compared between two checks of the deadline.
const ITEMS_PER_DEADLINE_CHECK: usize = 64;
/// The minimum number of items for which a thread is started.
const MIN_ITEMS_PER_THREAD: usize = 512;
/// The maximum number of new files. The search stops at this number, because a full build is needed anyway.
const MAX_ADDED_FILES: usize = 2_000;

/// The differences between a tree and a snapshot.
pub(crate) struct Changes {
    /// Changed and new files.
    pub(crate) files: Vec<ScannedFile>,
    pub(super) added: FxHashSet<String>,
    pub(crate) deleted: Vec<String>,
    /// Whether the whole tree was compared: neither the limits of the options nor [`MAX_ADDED_FILES`] was reached.
    pub(crate) complete: bool,
}

impl Changes {
    /// Returns the number of new files.
    pub(crate) fn n_added(&self) -> usize {
        self.added.len()
    }
}

/// Compares a tree with a snapshot.
pub(crate) fn changes(snapshot: &Snapshot, root: &Path, options: &LookOptions) -> Changes {
    compare(snapshot, root, options, &[], options.deadline)
}

/// Compares only the paths in `also` of the options, and the directories that contain them.
pub(crate) fn changes_of(snapshot: &Snapshot, root: &Path, options: &LookOptions) -> Changes {
    let also: Vec<&str> = options.also.iter().map(String::as_str).collect();
    let all_directories = false;
    let (max_compared, max_newest, git) = (0, 0, None);
    let named = LookOptions { max_compared, max_newest, all_directories, git, ..options.clone() };
    compare(snapshot, root, &named, &also, options.deadline)
}

/// Compares a tree with a snapshot until `deadline`. If the tree is larger than the options allow, `also` are compared in
/// any case.
pub(super) fn compare(
    snapshot: &Snapshot,
    root: &Path,
    options: &LookOptions,
    also: &[&str],
    deadline: Instant,
) -> Changes {
    let mut comparison = Comparison {
        snapshot,
        root,
        options,
        deadline,
        changed_directories: FxHashSet::default(),
        changes: Changes {
            files: Vec::new(),
            added: FxHashSet::default(),
            deleted: Vec::new(),
            complete: true,
        },
    };
    let n_items = snapshot.meta().files as usize + snapshot.n_directories() as usize;
    if n_items <= options.max_compared {
        comparison.compare_everything();
    } else {
        comparison.changes.complete = false;
        comparison.compare_named(also);
        if options.all_directories {
            comparison.compare_all_directories();
        }
        comparison.compare_newest();
    }
    comparison.list_changed_directories();
    comparison.changes
}

struct Comparison<'a> {
    snapshot: &'a Snapshot,
    root: &'a Path,
    options: &'a LookOptions,
    deadline: Instant,
    changed_directories: FxHashSet<&'a str>,
    changes: Changes,
}

/// The state of a file in the snapshot, compared with the tree.
enum FileState {
    Changed(ScannedFile),
    Deleted(String),
}

impl<'a> Comparison<'a> {
    fn compare_everything(&mut self) {
        let snapshot = self.snapshot;
        let files: Vec<u32> = (0..snapshot.meta().files).collect();
        self.compare_files(&files, |number| {
            let file = snapshot.file(*number);
            (file.path(), file.stamp())
        });
        self.compare_all_directories();
    }

    fn compare_all_directories(&mut self) {
        let snapshot = self.snapshot;
        let directories: Vec<u32> = (0..snapshot.n_directories()).collect();
        self.compare_directories(&directories, |number| snapshot.directory(*number));
    }

    /// Compares the files and directories that were modified most recently before the snapshot was written, because they are
    /// most likely to be modified again.
    fn compare_newest(&mut self) {
        let n_directories = if self.options.all_directories { 0 } else { self.options.max_newest };
        let directories: Vec<(&str, i64)> =
            self.snapshot.newest_directories().take(n_directories).collect();
        let files: Vec<(&str, FileStamp)> =
            self.snapshot.newest_files().take(self.options.max_newest).collect();
        self.compare_directories(&directories, |directory| *directory);
        self.compare_files(&files, |file| *file);
    }

    /// Compares `also` and the files that git names, and the directories that contain them.
    fn compare_named(&mut self, also: &[&str]) {
        let snapshot = self.snapshot;
        let by_git = head::changed_paths(snapshot, self.root, self.options, self.deadline);
        let (mut files, mut directories) = (FxHashSet::default(), FxHashSet::default());
        for path in also.iter().copied().chain(by_git.iter().map(String::as_str)) {
            files.extend(snapshot.file_by_path(path));
            // A new directory changes the nearest directory above it that the snapshot contains.
            let mut folders = std::iter::successors(Some(path), |path| {
                (!path.is_empty()).then(|| path.rsplit_once('/').map_or("", |(folder, _)| folder))
            });
            directories.extend(folders.find_map(|folder| snapshot.directory_by_path(folder)));
        }
        let files: Vec<u32> = files.into_iter().collect();
        self.compare_files(&files, |number| {
            let file = snapshot.file(*number);
            (file.path(), file.stamp())
        });
        let directories: Vec<u32> = directories.into_iter().collect();
        self.compare_directories(&directories, |number| snapshot.directory(*number));
    }

    fn compare_files<T: Sync>(
        &mut self,
        items: &[T],
        recorded: impl Fn(&T) -> (&'a str, FileStamp) + Sync,
    ) {
        let root = self.root;
        let states = self.in_parallel(items, |item| {
            let (path, stamp) = recorded(item);
            file_state(root, path, stamp)
        });
        // A file can be compared twice: because it is new, and because git or the caller names it.
        let changed = self.changes.files.iter().map(|file| &file.path);
        let known: FxHashSet<String> = changed.chain(&self.changes.deleted).cloned().collect();
        for state in states {
            match state {
                FileState::Changed(file) if !known.contains(&file.path) => {
                    self.changes.files.push(file);
                }
                FileState::Deleted(path) if !known.contains(&path) => {
                    self.changes.deleted.push(path);
                }
                FileState::Changed(_) | FileState::Deleted(_) => {}
            }
        }
    }

    fn compare_directories<T: Sync>(
        &mut self,
        items: &[T],
        recorded: impl Fn(&T) -> (&'a str, i64) + Sync,
    ) {
        let root = self.root;
        let changed = self.in_parallel(items, |item| {
            let (path, modified) = recorded(item);
            let metadata = fs::symlink_metadata(root.join(path)).ok()?;
            (modified_nanos(&metadata) != modified && metadata.is_dir()).then_some(path)
        });
        self.changed_directories.extend(changed);
    }

    /// Calls `compare` for all items on several threads and returns the results that are not `None`. At the deadline,
    /// marks the comparison as incomplete.
    fn in_parallel<T: Sync, R: Send>(
        &mut self,
        items: &[T],
        compare: impl Fn(&T) -> Option<R> + Sync,
    ) -> Vec<R> {
        let deadline = self.deadline;
        let compare_some = |some: &[T]| {
            let mut results = Vec::new();
            for chunk in some.chunks(ITEMS_PER_DEADLINE_CHECK) {
                if Instant::now() >= deadline {
                    return (results, false);
                }
                results.extend(chunk.iter().filter_map(&compare));
            }
            (results, true)
        };
        let share = items.len().div_ceil(self.options.threads.max(1)).max(MIN_ITEMS_PER_THREAD);
        let found: Vec<(Vec<R>, bool)> = if items.len() <= share {
            vec![compare_some(items)]
        } else {
            let compare_some = &compare_some;
            std::thread::scope(|scope| {
                let start = |some| threads::start(scope, move || compare_some(some));
                let threads: Vec<_> = items.chunks(share).map(start).collect();
                threads.into_iter().filter_map(|thread| thread.join()).collect()
            })
        };
        self.changes.complete &= found.iter().all(|(_, complete)| *complete);
        found.into_iter().flat_map(|(results, _)| results).collect()
    }

    /// Adds the new files in directories that are new or whose modification time changed.
    fn list_changed_directories(&mut self) {
        let mut directories: Vec<&str> = self.changed_directories.drain().collect();
        directories.sort_unstable();
        for path in directories {
            if Instant::now() >= self.deadline || self.changes.added.len() >= MAX_ADDED_FILES {
                self.changes.complete = false;
                return;
            }
            self.list_directory(path);
        }
        self.changes.complete &= self.changes.added.len() < MAX_ADDED_FILES;
    }

    /// Adds the new files in one directory and in those of its subdirectories that are not in the snapshot. Ignore files
    /// are applied.
    fn list_directory(&mut self, directory: &str) {
        let (snapshot, root, options) = (self.snapshot, self.root, self.options);
        let changes = &mut self.changes;
        let known = known_subdirectories(snapshot, root, directory);
        let descends =
            move |path: &Path| to_slashes(path).is_none_or(|path| !known.contains(&path));
        list_files(root, Path::new(directory), self.deadline, descends, |relative| {
            let Some(path) = to_slashes(relative) else { return true };
            if snapshot.file_by_path(&path).is_some() || !(options.admits)(relative) {
                return true;
            }
            let metadata = fs::symlink_metadata(root.join(relative)).ok();
            if let Some(metadata) = metadata.filter(fs::Metadata::is_file)
                && changes.added.insert(path.clone())
            {
                changes.files.push(ScannedFile { path, stamp: stamp_of(&metadata) });
            }
            changes.added.len() < MAX_ADDED_FILES
        });
    }
}

/// Returns the subdirectories of a directory that are in the snapshot.
fn known_subdirectories(snapshot: &Snapshot, root: &Path, directory: &str) -> FxHashSet<String> {
    let entries = fs::read_dir(root.join(directory)).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some(if directory.is_empty() { name } else { format!("{directory}/{name}") })
        })
        .filter(|path| snapshot.directory_by_path(path).is_some())
        .collect()
}

/// Returns the state of a file, or `None` if it did not change.
fn file_state(root: &Path, path: &str, recorded: FileStamp) -> Option<FileState> {
    match fs::symlink_metadata(root.join(path)) {
        Ok(metadata) if metadata.is_file() => {
            let stamp = stamp_of(&metadata);
            (stamp != recorded)
                .then(|| FileState::Changed(ScannedFile { path: path.to_owned(), stamp }))
        }
        // The path is now a directory or a special file.
        Ok(_) => Some(FileState::Deleted(path.to_owned())),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Some(FileState::Deleted(path.to_owned()))
        }
        Err(_) => None,
    }
}
