//! Compares the stamps of files and directories with those that a view recorded.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Instant;

use disk::{FileMetadata, TreeMetadata};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{LookOptions, head};
use crate::assemble::FileStamp;
use crate::threads;
use crate::tree_scan::{ScannedFile, modified_nanos, stamp_of};
use crate::view::{FileId, View};
use crate::walk::FolderLister;

/// The number of items that are compared between two checks of the deadline.
const ITEMS_PER_DEADLINE_CHECK: usize = 64;
/// The minimum number of items that a thread compares. Only the last thread may compare fewer.
const MIN_ITEMS_PER_THREAD: usize = 512;

/// The differences between a tree and a view.
pub(crate) struct Changes {
    /// Changed and new files.
    pub(crate) files: Vec<ScannedFile>,
    /// The paths of the new files.
    pub(crate) added: FxHashSet<String>,
    pub(crate) deleted: Vec<String>,
    /// Changed and new directories, with their modification times. The time of a changed directory was read before the
    /// directory was listed, so that a later comparison finds files that were added in between.
    pub(crate) directories: FxHashMap<String, i64>,
    /// Whether the whole tree was compared, that is, no limit in the options was reached.
    pub(crate) complete: bool,
}

/// Compares only the paths in [`LookOptions::also`] and the directories that contain them.
pub(crate) fn changes_of(view: &View, options: &LookOptions) -> Changes {
    let also: Vec<&str> = options.also.iter().map(String::as_str).collect();
    let all_directories = false;
    let (max_compared, max_newest, git) = (0, 0, None);
    let named = LookOptions { max_compared, max_newest, all_directories, git, ..options.clone() };
    compare(view, &named, &also, options.deadline)
}

/// Compares the tree at the view's root with the view until `deadline`. In a tree larger than
/// [`LookOptions::max_compared`], the paths in `also` are compared first.
pub(crate) fn compare(
    view: &View,
    options: &LookOptions,
    also: &[&str],
    deadline: Instant,
) -> Changes {
    let changes = Changes {
        files: Vec::new(),
        added: FxHashSet::default(),
        deleted: Vec::new(),
        directories: FxHashMap::default(),
        complete: true,
    };
    let Ok(tree) = TreeMetadata::open(view.root()) else {
        return Changes { complete: false, ..changes };
    };
    let mut comparison =
        Comparison { view, root: view.root(), tree: &tree, options, deadline, changes };
    if view.n_compared() <= options.max_compared {
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
    view: &'a View,
    root: &'a Path,
    tree: &'a TreeMetadata,
    options: &'a LookOptions,
    deadline: Instant,
    changes: Changes,
}

/// How a recorded file has changed in the tree.
enum FileState {
    Changed(ScannedFile),
    Deleted(String),
}

impl<'a> Comparison<'a> {
    fn compare_everything(&mut self) {
        let view = self.view;
        let files: Vec<FileId> = view.files().collect();
        self.compare_files(&files, |id| view.path_and_stamp(*id));
        self.compare_all_directories();
    }

    fn compare_all_directories(&mut self) {
        let view = self.view;
        let directories: Vec<u32> = (0..view.n_directories()).collect();
        self.compare_directories(&directories, |number| view.directory(*number));
    }

    /// Compares the files and directories that were the most recently modified ones when the index was written. These
    /// are the most likely to have been modified again.
    fn compare_newest(&mut self) {
        let n_directories = if self.options.all_directories { 0 } else { self.options.max_newest };
        let directories: Vec<(&str, i64)> =
            self.view.newest_directories().take(n_directories).collect();
        let files: Vec<(&str, FileStamp)> =
            self.view.newest_files().take(self.options.max_newest).collect();
        self.compare_directories(&directories, |directory| *directory);
        self.compare_files(&files, |file| *file);
    }

    /// Compares the paths in `also`, the files that git reports as changed, and the directories that contain them.
    fn compare_named(&mut self, also: &[&str]) {
        let view = self.view;
        let by_git = head::changed_paths(view, self.options, self.deadline);
        let (mut files, mut directories) = (FxHashSet::default(), FxHashSet::default());
        for path in also.iter().copied().chain(by_git.iter().map(String::as_str)) {
            files.extend(view.file_by_path(path));
            // A new directory changes the modification time of the nearest recorded directory above it.
            let mut folders = std::iter::successors(Some(path), |path| {
                (!path.is_empty()).then(|| path.rsplit_once('/').map_or("", |(folder, _)| folder))
            });
            directories.extend(folders.find_map(|folder| view.directory_by_path(folder)));
        }
        let files: Vec<FileId> = files.into_iter().collect();
        self.compare_files(&files, |id| view.path_and_stamp(*id));
        let directories: Vec<(&str, i64)> = directories.into_iter().collect();
        self.compare_directories(&directories, |directory| *directory);
    }

    fn compare_files<T: Sync>(
        &mut self,
        items: &[T],
        recorded: impl Fn(&T) -> (&'a str, FileStamp) + Sync,
    ) {
        let (tree, view) = (self.tree, self.view);
        let states = self.in_parallel(items, |item| {
            let (path, stamp) = recorded(item);
            file_state(tree, path, stamp)
        });
        // A file is compared twice if it is one of the most recently modified files and is also named by git or the
        // caller.
        let changed = self.changes.files.iter().map(|file| &file.path);
        let mut known: FxHashSet<String> = changed.chain(&self.changes.deleted).cloned().collect();
        for state in states {
            match state {
                FileState::Changed(file) if known.insert(file.path.clone()) => {
                    // The recorded stamp can belong to an old version of the file, which a higher layer of the view
                    // hides.
                    let current = view.stamp_by_path(&file.path);
                    if current.is_none() {
                        self.changes.added.insert(file.path.clone());
                    }
                    if current != Some(file.stamp) {
                        self.changes.files.push(file);
                    }
                }
                FileState::Deleted(path)
                    if view.file_by_path(&path).is_some() && known.insert(path.clone()) =>
                {
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
        let (tree, view) = (self.tree, self.view);
        let changed = self.in_parallel(items, |item| {
            let (path, recorded) = recorded(item);
            let FileMetadata { is_directory, modified, .. } = tree.get(path).ok()?;
            let is_changed = modified != recorded && is_directory;
            // A higher layer may have recorded the directory's current modification time.
            let is_known = || view.directory_by_path(path).is_some_and(|it| it.1 == modified);
            (is_changed && !is_known()).then_some((path, modified))
        });
        let owned = changed.into_iter().map(|(path, modified)| (path.to_owned(), modified));
        self.changes.directories.extend(owned);
    }

    /// Calls `compare` for all items on several threads and returns the results that are not `None`. If the deadline
    /// passes, stops and marks the comparison as incomplete.
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
        let share =
            items.len().div_ceil(self.options.access.threads.max(1)).max(MIN_ITEMS_PER_THREAD);
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
        let mut directories: Vec<String> = self.changes.directories.keys().cloned().collect();
        if directories.is_empty() {
            return;
        }
        directories.sort_unstable();
        let (view, options) = (self.view, self.options);
        let lister = FolderLister::new(self.root, self.deadline);
        let listings =
            self.in_parallel(&directories, |path| Some(Listing::of(view, options, &lister, path)));
        for Listing { files, directories } in listings {
            for (path, modified) in directories {
                self.changes.directories.entry(path).or_insert(modified);
            }
            for file in files {
                if self.changes.added.len() < options.max_added
                    && self.changes.added.insert(file.path.clone())
                {
                    self.changes.files.push(file);
                }
            }
        }
        // A listing may have stopped at the deadline.
        let is_over = Instant::now() >= self.deadline;
        self.changes.complete &= self.changes.added.len() < options.max_added && !is_over;
    }
}

/// The new files and directories in one directory and in its new subdirectories.
struct Listing {
    files: Vec<ScannedFile>,
    directories: Vec<(String, i64)>,
}

impl Listing {
    /// Finds the new files and directories in a directory and in those of its subdirectories that are not recorded.
    /// Ignored entries are left out.
    fn of(view: &View, options: &LookOptions, lister: &FolderLister, directory: &str) -> Self {
        let root = view.root();
        let (mut files, mut directories) = (Vec::new(), Vec::new());
        let known = known_subdirectories(view, directory);
        let descends = move |path: &Path| path.to_str().is_none_or(|path| !known.contains(path));
        lister.list(Path::new(directory), descends, |relative| {
            let Some(path) = relative.to_str() else { return true };
            if view.file_by_path(path).is_some() || !(options.access.admits)(relative) {
                return true;
            }
            match fs::symlink_metadata(root.join(relative)) {
                Ok(metadata) if metadata.is_file() => {
                    files.push(ScannedFile { path: path.to_owned(), stamp: stamp_of(&metadata) });
                }
                Ok(metadata) if metadata.is_dir() && path != directory => {
                    directories.push((path.to_owned(), modified_nanos(&metadata)));
                }
                Ok(_) | Err(_) => {}
            }
            files.len() < options.max_added
        });
        Self { files, directories }
    }
}

/// Returns the paths of those subdirectories of `directory` that are recorded in the view.
fn known_subdirectories(view: &View, directory: &str) -> FxHashSet<String> {
    let entries = fs::read_dir(view.root().join(directory)).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some(if directory.is_empty() { name } else { format!("{directory}/{name}") })
        })
        .filter(|path| view.directory_by_path(path).is_some())
        .collect()
}

/// Returns how a file has changed, or `None` if it has not changed or its metadata cannot be read.
fn file_state(tree: &TreeMetadata, path: &str, recorded: FileStamp) -> Option<FileState> {
    match tree.get(path) {
        Ok(FileMetadata { is_file: true, modified, size, .. }) => {
            let stamp = FileStamp { modified, size };
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
