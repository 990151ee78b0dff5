//! Finds the files that changed since a snapshot was written by comparing the stamps of files and directories. The
//! search ends at a deadline.
//!
//! A new file changes the modification time of its directory, so only changed directories are listed. Changed files are
//! analysed into a small snapshot in memory, the overlay. If more files changed than the limits allow, the remaining
//! files are counted but are not in the view.

use std::fs;
use std::path::Path;
use std::time::{Instant, SystemTime};

use rustc_hash::FxHashSet;

use crate::assemble::{FileInput, assemble_in_memory};
use crate::build::{BuildOptions, Content, Known, Pauses, gather};
use crate::delta::{Delta, DeltaFile};
use crate::parser::Parser;
use crate::snapshot::Snapshot;
use crate::threads;
use crate::tree_scan::{ScannedFile, modified_nanos, stamp_of, to_slashes};
use crate::view::{Freshness, View};
use crate::walk::list_files;

/// Limits for finding the changes since a snapshot.
#[derive(Clone, Debug)]
pub struct LookOptions {
    pub deadline: Instant,
    /// The maximum number of changed files to analyse.
    pub max_files: usize,
    /// The number of threads that compare and analyse files.
    pub threads: usize,
    pub parser: Parser,
    /// Returns whether a path may be indexed. A refused file is treated as missing.
    pub admits: fn(&Path) -> bool,
    /// Returns whether a file with this content may be indexed. A refused file is hidden, even if the snapshot contains
    /// it.
    pub admits_content: fn(&Path, &[u8]) -> bool,
}

impl LookOptions {
    /// Returns options with this deadline and default limits.
    pub fn until(deadline: Instant, parser: Parser) -> Self {
        Self {
            deadline,
            max_files: 64,
            threads: 2,
            parser,
            admits: |_| true,
            admits_content: |_, _| true,
        }
    }
}

/// The number of files that are compared between two checks of the deadline.
const FILES_PER_DEADLINE_CHECK: usize = 64;
/// The maximum number of new files. The search stops at this number, because a full build is needed anyway.
const MAX_ADDED_FILES: usize = 2_000;

/// The differences between a tree and a snapshot.
pub(crate) struct Changes {
    /// Changed and new files.
    pub(crate) files: Vec<ScannedFile>,
    added: FxHashSet<String>,
    pub(crate) deleted: Vec<String>,
    /// Whether the whole tree was compared: neither the deadline nor [`MAX_ADDED_FILES`] was reached.
    pub(crate) complete: bool,
}

impl Changes {
    /// Returns the number of new files.
    pub(crate) fn n_added(&self) -> usize {
        self.added.len()
    }
}

pub(crate) fn changes(snapshot: &Snapshot, root: &Path, options: &LookOptions) -> Changes {
    let mut changes = Changes {
        files: Vec::new(),
        added: FxHashSet::default(),
        deleted: Vec::new(),
        complete: true,
    };
    changed_files(snapshot, root, options, &mut changes);
    new_files(snapshot, root, options, &mut changes);
    changes
}

/// Returns a view of the current tree: the snapshot, the delta, and an overlay of the files that changed since then.
pub(crate) fn current_view(
    snapshot: Snapshot,
    delta: &Delta,
    root: &Path,
    options: &LookOptions,
) -> View {
    let Changes { mut files, added, mut deleted, complete } = changes(&snapshot, root, options);
    // Sorted by modification time, newest first. If not all files can be analysed, the most recently edited files are
    // the most relevant.
    files.sort_unstable_by_key(|file| std::cmp::Reverse(file.stamp.modified));
    let (known, mut fresh): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| delta.get(&file.path, file.stamp).is_some());
    let n_fresh = fresh.len();
    fresh.truncate(options.max_files);
    let OverlayBuild { snapshot: overlay, analysed, refused } =
        build_overlay(root, options, delta, known.clone(), fresh);
    let left_out = u32::try_from(n_fresh - analysed.len() - refused.len()).unwrap_or(u32::MAX);
    deleted.extend(refused.into_iter().filter(|path| !added.contains(path)));
    let (added, changed): (Vec<String>, Vec<String>) =
        analysed.iter().cloned().partition(|path| added.contains(path));
    let hidden: Vec<String> =
        known.into_iter().map(|file| file.path).chain(analysed).chain(deleted.clone()).collect();
    deleted.retain(|path| !delta.deleted.contains(path));
    let freshness = Freshness { changed, added, deleted, complete, left_out };
    View::with_overlay(snapshot, root, overlay, &hidden, freshness)
}

/// The state of a file in the snapshot, compared with the tree.
enum FileState {
    Same,
    Changed(ScannedFile),
    Deleted(String),
}

fn changed_files(snapshot: &Snapshot, root: &Path, options: &LookOptions, changes: &mut Changes) {
    let numbers: Vec<u32> = (0..snapshot.meta().files).collect();
    let share = numbers.len().div_ceil(options.threads.max(1)).max(FILES_PER_DEADLINE_CHECK);
    let compare = |some: &[u32]| {
        let mut states = Vec::new();
        for chunk in some.chunks(FILES_PER_DEADLINE_CHECK) {
            if Instant::now() >= options.deadline {
                return (states, false);
            }
            let changed = chunk.iter().map(|number| file_state(snapshot, root, *number));
            states.extend(changed.filter(|file_state| !matches!(file_state, FileState::Same)));
        }
        (states, true)
    };
    let found: Vec<(Vec<FileState>, bool)> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            numbers.chunks(share).map(|some| threads::start(scope, || compare(some))).collect();
        threads.into_iter().filter_map(|thread| thread.join()).collect()
    });
    for (states, complete) in found {
        changes.complete &= complete;
        for file_state in states {
            match file_state {
                FileState::Same => {}
                FileState::Changed(file) => changes.files.push(file),
                FileState::Deleted(path) => changes.deleted.push(path),
            }
        }
    }
}

fn file_state(snapshot: &Snapshot, root: &Path, number: u32) -> FileState {
    let recorded = snapshot.file(number);
    let path = recorded.path();
    match fs::symlink_metadata(root.join(path)) {
        Ok(metadata) if metadata.is_file() => {
            let stamp = stamp_of(&metadata);
            if stamp == recorded.stamp() {
                FileState::Same
            } else {
                FileState::Changed(ScannedFile { path: path.to_owned(), stamp })
            }
        }
        // The path is now a directory or a special file.
        Ok(_) => FileState::Deleted(path.to_owned()),
        Err(error)
            if error.kind() == std::io::ErrorKind::NotFound
                || error.kind() == std::io::ErrorKind::NotADirectory =>
        {
            FileState::Deleted(path.to_owned())
        }
        Err(_) => FileState::Same,
    }
}

/// Adds the new files in directories that are new or whose modification time changed.
fn new_files(snapshot: &Snapshot, root: &Path, options: &LookOptions, changes: &mut Changes) {
    let directories: Vec<(&str, i64)> =
        (0..snapshot.n_directories()).map(|number| snapshot.directory(number)).collect();
    let known: FxHashSet<&str> = directories.iter().map(|(path, _)| *path).collect();
    for (path, recorded) in directories.iter().copied() {
        if Instant::now() >= options.deadline {
            changes.complete = false;
            return;
        }
        let Ok(metadata) = fs::symlink_metadata(root.join(path)) else { continue };
        if modified_nanos(&metadata) == recorded || !metadata.is_dir() {
            continue;
        }
        list_folder(root, path, &known, options, |file| {
            let is_new = snapshot.file_by_path(&file.path).is_none();
            if is_new && (options.admits)(Path::new(&file.path)) {
                changes.added.insert(file.path.clone());
                changes.files.push(file);
            }
            changes.added.len() < MAX_ADDED_FILES
        });
        if changes.added.len() >= MAX_ADDED_FILES {
            changes.complete = false;
            return;
        }
    }
}

/// Calls `visit` with each file in one directory and in those of its subdirectories that are not in `known`. Ignore
/// files are applied. Stops when `visit` returns false.
fn list_folder(
    root: &Path,
    folder: &str,
    known: &FxHashSet<&str>,
    options: &LookOptions,
    mut visit: impl FnMut(ScannedFile) -> bool,
) {
    let known: FxHashSet<String> = known.iter().map(|path| (*path).to_owned()).collect();
    let descends = move |path: &Path| to_slashes(path).is_none_or(|path| !known.contains(&path));
    list_files(root, Path::new(folder), options.deadline, descends, |relative| {
        let metadata = fs::symlink_metadata(root.join(relative)).ok().filter(fs::Metadata::is_file);
        match (to_slashes(relative), metadata) {
            (Some(path), Some(metadata)) => visit(ScannedFile { path, stamp: stamp_of(&metadata) }),
            _ => true,
        }
    });
}

/// Returns a view of the snapshot and its delta, without comparing them with the tree.
pub(crate) fn as_written(snapshot: Snapshot, delta: &Delta, root: &Path) -> View {
    let inputs = delta.files.iter().map(|(path, file)| delta_input(path, file));
    let overlay = assemble_overlay(inputs.collect());
    let hidden: Vec<String> = delta.files.keys().chain(&delta.deleted).cloned().collect();
    View::with_overlay(snapshot, root, overlay, &hidden, Freshness::default())
}

/// The result of [`build_overlay`].
struct OverlayBuild {
    /// The overlay, or `None` if no files changed.
    snapshot: Option<Snapshot>,
    /// Paths of the files that were analysed for the overlay.
    analysed: Vec<String>,
    /// Paths of the files whose content was refused.
    refused: Vec<String>,
}

fn build_overlay(
    root: &Path,
    options: &LookOptions,
    delta: &Delta,
    known: Vec<ScannedFile>,
    mut fresh: Vec<ScannedFile>,
) -> OverlayBuild {
    fresh.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    let mut build = BuildOptions::new(SystemTime::UNIX_EPOCH, options.parser.clone());
    build.threads = options.threads.min(fresh.len().div_ceil(4)).max(1);
    build.deadline = Some(options.deadline);
    build.admits_content = options.admits_content;
    let mut found = Known::default();
    let gathered = gather(root, &fresh, &build, &found, &Pauses::default(), &|_| {});
    let locations = gathered.contents().iter().map(|it| it.as_ref().map(Content::location));
    let records = found.facts.records(locations).unwrap_or_default();
    let mut inputs: Vec<FileInput<'_>> = fresh
        .iter()
        .zip(gathered.contents())
        .zip(&records)
        .filter_map(|((file, content), record)| {
            let content = content.as_ref()?;
            Some(FileInput { path: &file.path, stamp: file.stamp, hash: content.hash(), record })
        })
        .collect();
    let analysed = inputs.iter().map(|file| file.path.to_owned()).collect();
    let refused = gathered.refused().iter().map(|at| fresh[*at].path.clone()).collect();
    inputs.extend(
        known
            .iter()
            .filter_map(|file| Some(delta_input(&file.path, delta.get(&file.path, file.stamp)?))),
    );
    OverlayBuild { snapshot: assemble_overlay(inputs), analysed, refused }
}

fn delta_input<'a>(path: &'a str, file: &'a DeltaFile) -> FileInput<'a> {
    FileInput { path, stamp: file.stamp, hash: file.key.hash, record: &file.record }
}

/// Returns a snapshot of a few files, or `None` if there are none.
fn assemble_overlay(mut inputs: Vec<FileInput<'_>>) -> Option<Snapshot> {
    if inputs.is_empty() {
        return None;
    }
    inputs.sort_unstable_by_key(|file| file.path);
    let bytes = assemble_in_memory(&inputs).ok()?;
    Snapshot::from_bytes(bytes).ok()
}
