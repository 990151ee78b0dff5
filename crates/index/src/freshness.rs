//! What changed since a snapshot: stat against recorded stamps, folders against recorded times, within a deadline.
//!
//! A new file changes the time of its folder, so only folders that changed are listed. Changed files are analysed into a
//! small snapshot that covers the old one; those that do not fit the bounds stay as they were and are counted.

use std::fs;
use std::path::Path;
use std::time::{Instant, SystemTime};

use rustc_hash::FxHashSet;

use crate::assemble::{Assembly, FileInput, assemble};
use crate::build::{BuildOptions, Known, gather};
use crate::delta::{Delta, DeltaFile};
use crate::scan::{ScannedFile, modified_nanos, stamp_of, to_slashes};
use crate::snapshot::Snapshot;
use crate::threads;
use crate::view::{Freshness, View};
use crate::walk::list_files;

/// How far a look at the tree goes.
#[derive(Clone, Copy, Debug)]
pub struct LookOptions {
    /// When it must be over.
    pub deadline: Instant,
    /// More changed files than this are not analysed.
    pub max_files: usize,
    /// How many threads look.
    pub threads: usize,
    /// A file it refuses is treated as if it were not there.
    pub admits: fn(&Path) -> bool,
    /// The same, asked when a file is read: what it refuses is not seen, whatever was known of it before.
    pub admits_content: fn(&Path, &[u8]) -> bool,
}

impl LookOptions {
    /// The usual bounds.
    pub fn until(deadline: Instant) -> Self {
        Self { deadline, max_files: 64, threads: 2, admits: |_| true, admits_content: |_, _| true }
    }
}

/// Looks every so many files whether there is still time.
const STRIDE: usize = 64;
/// A tree with more new files than this was checked out or unpacked anew; a refresh is due anyway.
const MAX_ADDED: usize = 2_000;

/// How the tree differs from a snapshot.
pub(crate) struct Changes {
    /// Changed and new files.
    pub(crate) files: Vec<ScannedFile>,
    added: FxHashSet<String>,
    pub(crate) deleted: Vec<String>,
    /// Whether all of the tree was looked at.
    pub(crate) complete: bool,
}

impl Changes {
    /// How many of the files are new.
    pub(crate) fn n_added(&self) -> usize {
        self.added.len()
    }
}

/// Finds what changed since the snapshot.
pub(crate) fn changes(snapshot: &Snapshot, root: &Path, options: LookOptions) -> Changes {
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

/// The snapshot, corrected by what is known beside it and by what has to be analysed now.
pub(crate) fn look(snapshot: Snapshot, delta: &Delta, root: &Path, options: LookOptions) -> View {
    let Changes { mut files, added, mut deleted, complete } = changes(&snapshot, root, options);
    // Newest first: when not all fit, those just edited are what the question is about.
    files.sort_unstable_by_key(|file| std::cmp::Reverse(file.stamp.modified));
    let (known, mut fresh): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| delta.get(&file.path, file.stamp).is_some());
    let n_fresh = fresh.len();
    fresh.truncate(options.max_files);
    let Covering { snapshot: overlay, analysed, refused } =
        cover(root, options, delta, known.clone(), fresh);
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

/// What became of a recorded file.
enum Fate {
    Same,
    Changed(ScannedFile),
    Gone(String),
}

fn changed_files(snapshot: &Snapshot, root: &Path, options: LookOptions, changes: &mut Changes) {
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
            numbers.chunks(share).map(|some| threads::start(scope, || look_at(some))).collect();
        threads.into_iter().filter_map(|thread| thread.join()).collect()
    });
    for (fates, complete) in found {
        changes.complete &= complete;
        for fate in fates {
            match fate {
                Fate::Same => {}
                Fate::Changed(file) => changes.files.push(file),
                Fate::Gone(path) => changes.deleted.push(path),
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
fn new_files(snapshot: &Snapshot, root: &Path, options: LookOptions, changes: &mut Changes) {
    let directories = snapshot.directories();
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
            changes.added.len() < MAX_ADDED
        });
        if changes.added.len() >= MAX_ADDED {
            changes.complete = false;
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
    let descends = move |path: &Path| to_slashes(path).is_none_or(|path| !known.contains(&path));
    list_files(root, Path::new(folder), options.deadline, descends, |relative| {
        let metadata = fs::symlink_metadata(root.join(relative)).ok().filter(fs::Metadata::is_file);
        match (to_slashes(relative), metadata) {
            (Some(path), Some(metadata)) => visit(ScannedFile { path, stamp: stamp_of(&metadata) }),
            _ => true,
        }
    });
}

/// The snapshot and what is known beside it, without a look at the tree.
pub(crate) fn as_written(snapshot: Snapshot, delta: &Delta, root: &Path) -> View {
    let scanned =
        |(path, file): (&String, &DeltaFile)| ScannedFile { path: path.clone(), stamp: file.stamp };
    let known: Vec<ScannedFile> = delta.files.iter().map(scanned).collect();
    let hidden: Vec<String> = delta.files.keys().chain(&delta.deleted).cloned().collect();
    let options = LookOptions::until(Instant::now());
    let covering = cover(root, options, delta, known, Vec::new());
    View::with_overlay(snapshot, root, covering.snapshot, &hidden, Freshness::default())
}

/// A snapshot of the changed files.
struct Covering {
    snapshot: Option<Snapshot>,
    /// Paths of those that were analysed for it.
    analysed: Vec<String>,
    /// Paths of those that may not be known any more.
    refused: Vec<String>,
}

fn cover(
    root: &Path,
    options: LookOptions,
    delta: &Delta,
    known: Vec<ScannedFile>,
    mut fresh: Vec<ScannedFile>,
) -> Covering {
    fresh.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    let mut build = BuildOptions::new(SystemTime::UNIX_EPOCH);
    build.threads = options.threads.min(fresh.len().div_ceil(4)).max(1);
    build.deadline = Some(options.deadline);
    build.admits_content = options.admits_content;
    let nothing = Known::default();
    let gathered = gather(root, &fresh, &build, &nothing, &|_| {});
    let mut inputs: Vec<FileInput<'_>> = fresh
        .iter()
        .zip(gathered.contents())
        .filter_map(|(file, content)| {
            let content = content.as_ref()?;
            let record = gathered.record(content);
            Some(FileInput { path: &file.path, stamp: file.stamp, hash: content.hash(), record })
        })
        .collect();
    let analysed = inputs.iter().map(|file| file.path.to_owned()).collect();
    let refused = gathered.refused().iter().map(|at| fresh[*at].path.clone()).collect();
    inputs.extend(known.iter().filter_map(|file| {
        let DeltaFile { stamp, key, record } = delta.get(&file.path, file.stamp)?;
        Some(FileInput { path: &file.path, stamp: *stamp, hash: key.hash, record })
    }));
    if inputs.is_empty() {
        return Covering { snapshot: None, analysed, refused };
    }
    inputs.sort_unstable_by_key(|file| file.path);
    let bytes = assemble(&Assembly {
        root: "",
        built_at: 0,
        files: inputs,
        directories: Vec::new(),
        history: None,
        problems: Vec::new(),
        threads: 1,
    });
    Covering { snapshot: Snapshot::from_bytes(bytes).ok(), analysed, refused }
}
