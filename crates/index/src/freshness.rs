//! What changed since a snapshot: stat against recorded stamps, folders against recorded times, within a deadline.
//!
//! A new file changes the time of its folder, so only folders that changed are listed. Changed files are analysed into a
//! small snapshot that covers the old one; those that do not fit the bounds stay as they were and are counted.

use std::fs;
use std::path::Path;
use std::time::{Instant, SystemTime};

use ignore::WalkBuilder;
use rustc_hash::FxHashSet;

use crate::assemble::{Assembly, FileInput, assemble};
use crate::build::{BuildOptions, Known, gather};
use crate::scan::{ScannedFile, modified_nanos, stamp_of, to_slashes};
use crate::snapshot::Snapshot;
use crate::view::{Freshness, View};

/// How far a look at the tree goes.
#[derive(Clone, Copy, Debug)]
pub struct LookOptions {
    /// When it must be over.
    pub deadline: Instant,
    /// More changed files than this are not analysed.
    pub max_files: usize,
    /// How many threads look.
    pub threads: usize,
}

impl LookOptions {
    /// The usual bounds.
    pub fn until(deadline: Instant) -> Self {
        Self { deadline, max_files: 64, threads: 2 }
    }
}

/// Looks every so many files whether there is still time.
const STRIDE: usize = 64;
/// A tree with more new files than this was checked out or unpacked anew; a refresh is due anyway.
const MAX_ADDED: usize = 2_000;

/// The snapshot, corrected.
pub(crate) fn look(snapshot: Snapshot, root: &Path, options: LookOptions) -> View {
    let mut freshness = Freshness { complete: true, ..Freshness::default() };
    let mut to_analyse = Vec::new();
    changed_files(&snapshot, root, options, &mut freshness, &mut to_analyse);
    new_files(&snapshot, root, options, &mut freshness, &mut to_analyse);
    let overlay = analyse(root, options, &mut freshness, to_analyse);
    View::with_overlay(snapshot, root, overlay, freshness)
}

/// What became of a recorded file.
enum Fate {
    Same,
    Changed(ScannedFile),
    Gone(String),
}

fn changed_files(
    snapshot: &Snapshot,
    root: &Path,
    options: LookOptions,
    freshness: &mut Freshness,
    to_analyse: &mut Vec<ScannedFile>,
) {
    let numbers: Vec<u32> = (0..snapshot.meta().files).collect();
    let share = numbers.len().div_ceil(options.threads.max(1)).max(STRIDE);
    let look_at = |some: &[u32]| {
        let mut fates = Vec::new();
        for stride in some.chunks(STRIDE) {
            if Instant::now() >= options.deadline {
                return (fates, false);
            }
            let changed = stride.iter().map(|number| fate(snapshot, root, *number));
            fates.extend(changed.filter(|fate| !matches!(fate, Fate::Same)));
        }
        (fates, true)
    };
    let found: Vec<(Vec<Fate>, bool)> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            numbers.chunks(share).map(|some| scope.spawn(|| look_at(some))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    for (fates, complete) in found {
        freshness.complete &= complete;
        for fate in fates {
            match fate {
                Fate::Same => {}
                Fate::Changed(file) => to_analyse.push(file),
                Fate::Gone(path) => freshness.deleted.push(path),
            }
        }
    }
}

fn fate(snapshot: &Snapshot, root: &Path, number: u32) -> Fate {
    let recorded = snapshot.file(number);
    let path = recorded.path();
    match fs::symlink_metadata(root.join(path)) {
        Ok(metadata) if metadata.is_file() => {
            let stamp = stamp_of(&metadata);
            if stamp == recorded.stamp() {
                Fate::Same
            } else {
                Fate::Changed(ScannedFile { path: path.to_owned(), stamp })
            }
        }
        // Something else has its place now, or it is gone.
        Ok(_) => Fate::Gone(path.to_owned()),
        Err(error)
            if error.kind() == std::io::ErrorKind::NotFound
                || error.kind() == std::io::ErrorKind::NotADirectory =>
        {
            Fate::Gone(path.to_owned())
        }
        Err(_) => Fate::Same,
    }
}

/// Lists folders whose time changed, and folders nobody knew.
fn new_files(
    snapshot: &Snapshot,
    root: &Path,
    options: LookOptions,
    freshness: &mut Freshness,
    to_analyse: &mut Vec<ScannedFile>,
) {
    let directories = snapshot.directories();
    let known: FxHashSet<&str> = directories.iter().map(|(path, _)| *path).collect();
    for (path, recorded) in directories.iter().copied() {
        if Instant::now() >= options.deadline {
            freshness.complete = false;
            return;
        }
        let Ok(metadata) = fs::symlink_metadata(root.join(path)) else { continue };
        if modified_nanos(&metadata) == recorded || !metadata.is_dir() {
            continue;
        }
        list_folder(root, path, &known, options, |file| {
            if snapshot.file_by_path(&file.path).is_none() {
                freshness.added.push(file.path.clone());
                to_analyse.push(file);
            }
            freshness.added.len() < MAX_ADDED
        });
        if freshness.added.len() >= MAX_ADDED {
            freshness.complete = false;
            return;
        }
    }
}

/// The files of one folder and of the folders in it that are not `known`, honouring ignore files.
fn list_folder(
    root: &Path,
    folder: &str,
    known: &FxHashSet<&str>,
    options: LookOptions,
    mut visit: impl FnMut(ScannedFile) -> bool,
) {
    let known: FxHashSet<String> = known.iter().map(|path| (*path).to_owned()).collect();
    let (top, base) = (root.join(folder), root.to_owned());
    let walk = WalkBuilder::new(&top)
        .hidden(false)
        .require_git(false)
        .filter_entry(move |entry| {
            let is_known_folder = entry.depth() > 0
                && entry.file_type().is_some_and(|kind| kind.is_dir())
                && entry
                    .path()
                    .strip_prefix(&base)
                    .ok()
                    .and_then(to_slashes)
                    .is_some_and(|path| known.contains(&path));
            entry.file_name() != ".git" && !is_known_folder
        })
        .build();
    for entry in walk.flatten() {
        let relative = entry.path().strip_prefix(root).ok().and_then(to_slashes);
        let metadata = fs::symlink_metadata(entry.path()).ok().filter(fs::Metadata::is_file);
        if let (Some(path), Some(metadata)) = (relative, metadata)
            && !visit(ScannedFile { path, stamp: stamp_of(&metadata) })
        {
            return;
        }
        if Instant::now() >= options.deadline {
            return;
        }
    }
}

/// A snapshot of the changed files; those that did not fit stay out and are counted.
fn analyse(
    root: &Path,
    options: LookOptions,
    freshness: &mut Freshness,
    mut files: Vec<ScannedFile>,
) -> Option<Snapshot> {
    let added: FxHashSet<String> = freshness.added.iter().cloned().collect();
    if files.is_empty() {
        return None;
    }
    files.sort_unstable_by_key(|file| std::cmp::Reverse(file.stamp.modified));
    let n_changed = files.len();
    files.truncate(options.max_files);
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    let mut build = BuildOptions::new(SystemTime::UNIX_EPOCH);
    build.threads = options.threads.min(files.len().div_ceil(4)).max(1);
    build.deadline = Some(options.deadline);
    let known = Known::default();
    let gathered = gather(root, &files, &build, &known, &|_| {});
    let inputs: Vec<FileInput<'_>> = files
        .iter()
        .zip(gathered.contents())
        .filter_map(|(file, content)| {
            let content = content.as_ref()?;
            Some(FileInput {
                path: &file.path,
                stamp: file.stamp,
                hash: content.hash(),
                record: gathered.record(content),
            })
        })
        .collect();
    freshness.left_out = u32::try_from(n_changed - inputs.len()).unwrap_or(u32::MAX);
    freshness.changed = inputs
        .iter()
        .map(|file| file.path.to_owned())
        .filter(|path| !added.contains(path))
        .collect();
    freshness.added = inputs
        .iter()
        .map(|file| file.path.to_owned())
        .filter(|path| added.contains(path))
        .collect();
    let bytes = assemble(&Assembly {
        root: "",
        built_at: 0,
        files: inputs,
        directories: Vec::new(),
        history: None,
        problems: Vec::new(),
        threads: 1,
    });
    Snapshot::from_bytes(bytes).ok()
}
