//! Creates a worktree's first snapshot from the snapshot of another worktree of the same repository.
//!
//! A second worktree usually has the same files with different modification times. Its files are read, and their hashes
//! are compared with those in the other snapshot. If nearly all of them are equal, the postings and the graph are
//! copied, and only the tables that contain times are written anew. Files that differ go into a delta or a patch.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::UNIX_EPOCH;

use disk::Replacement;
use rustc_hash::{FxHashMap, FxHashSet};

use super::changes::{MAX_DELTA_FILES, max_patch_files};
use super::{Refreshed, Store};
use crate::assemble::{FileStamp, Paths, directories, folder_of, newest_files};
use crate::build::{BuildOptions, content_hash, read_bounded, scanned};
use crate::codec::{Cursor, put_text, put_varint, zigzag};
use crate::container::{ContainerStream, FORMAT};
use crate::facts::MAX_FILE_BYTES;
use crate::freshness::Changes;
use crate::layout::{N_SECTIONS, Section, file};
use crate::snapshot::Snapshot;
use crate::threads;
use crate::tree_scan::{Scan, ScannedFile};
use crate::view::View;

/// The number of bytes that are copied at a time: a whole number of file records.
const PIECE: usize = (1 << 20) / file::SIZE * file::SIZE;

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
        let Some(adoption) = compare(&self.root, options, &other, max_changes) else {
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

/// How the files of a worktree differ from the snapshot of another worktree.
struct Adoption {
    /// For each file in the other snapshot, its stamp in this worktree, or `None` if the file is missing here or has
    /// different content.
    stamps: Vec<Option<FileStamp>>,
    directories: Vec<(String, i64)>,
    /// The files that are new, changed or deleted in this worktree.
    changes: Changes,
}

/// Compares the files below `root` with `other`, the snapshot of another worktree. Returns `None` if more than
/// `max_changes` files differ, or if the tree cannot be scanned completely.
fn compare(
    root: &Path,
    options: &BuildOptions,
    other: &Snapshot,
    max_changes: usize,
) -> Option<Adoption> {
    let Scan { files, mut directories, end, .. } =
        scanned(root, options, options.git(root).as_ref()).ok()?;
    let n_other = other.meta().files as usize;
    if end != crate::walk::WalkEnd::Complete || files.len().abs_diff(n_other) > max_changes {
        return None;
    }
    let (next, n_changed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut same: Vec<(u32, FileStamp)> = Vec::new();
        let mut changed: Vec<usize> = Vec::new();
        while n_changed.load(Ordering::Relaxed) <= max_changes {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(at) else { break };
            if let Some(found) = same_content(root, file, other) {
                same.push(found);
            } else {
                changed.push(at);
                n_changed.fetch_add(1, Ordering::Relaxed);
            }
        }
        (same, changed)
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..options.access.threads.max(1)).map(|_| threads::start(scope, work)).collect();
        threads.into_iter().filter_map(|thread| thread.join()).collect()
    });
    let mut stamps = vec![None; n_other];
    let mut changed: Vec<usize> = Vec::new();
    for (some_same, some_changed) in results {
        some_same.into_iter().for_each(|(number, stamp)| stamps[number as usize] = Some(stamp));
        changed.extend(some_changed);
    }
    let is_in_tree = |path: &str| files.binary_search_by(|it| it.path.as_str().cmp(path)).is_ok();
    let missing = (0..n_other as u32).filter(|number| stamps[*number as usize].is_none());
    let deleted: Vec<String> = missing
        .map(|number| other.file(number).path().to_owned())
        .filter(|path| !is_in_tree(path))
        .collect();
    if changed.len() + deleted.len() > max_changes {
        return None;
    }
    changed.sort_unstable();
    let files: Vec<ScannedFile> = changed.into_iter().map(|at| files[at].clone()).collect();
    let is_added = |file: &&ScannedFile| other.file_by_path(&file.path).is_none();
    let added: FxHashSet<String> =
        files.iter().filter(is_added).map(|file| file.path.clone()).collect();
    let folders: FxHashSet<&str> = added.iter().map(|path| folder_of(path)).collect();
    // The snapshot does not contain the new files, so their folders count as changed.
    let mut changed_directories = FxHashMap::default();
    for (path, modified) in &mut directories {
        if folders.contains(path.as_str()) {
            changed_directories.insert(path.clone(), *modified);
            *modified = 0;
        }
    }
    let changes =
        Changes { files, added, deleted, directories: changed_directories, complete: true };
    Some(Adoption { stamps, directories, changes })
}

/// If `other` contains the file with the same content, returns its index in `other` and its current stamp.
fn same_content(root: &Path, file: &ScannedFile, other: &Snapshot) -> Option<(u32, FileStamp)> {
    let number = other.file_by_path(&file.path)?;
    let old = other.file(number);
    if old.stamp().size != file.stamp.size {
        return None;
    }
    if file.stamp.size > MAX_FILE_BYTES {
        // Only the path of this file is indexed.
        return Some((number, file.stamp));
    }
    let (stamp, bytes) = read_bounded(&root.join(&file.path))?;
    // The other build has already decided that the file may be indexed. The decision depends only on the path and the
    // content.
    (content_hash(&bytes) == old.hash()).then_some((number, stamp))
}

impl Adoption {
    /// Writes the sections of this worktree's snapshot. `other` is the snapshot of the other worktree.
    fn write(
        &self,
        root: &Path,
        options: &BuildOptions,
        other: &Snapshot,
        snapshot: &mut ContainerStream,
    ) -> io::Result<()> {
        let damaged = || io::Error::other("the snapshot of another worktree is damaged");
        // A file whose content differs gets a stamp that no real file has, so that a later comparison reports the file
        // as changed.
        let stamps: Vec<FileStamp> =
            self.stamps.iter().map(|stamp| stamp.unwrap_or_default()).collect();
        let mut paths = Paths::default();
        (0..stamps.len() as u32).for_each(|number| paths.push(other.file(number).path()));
        let [records, texts, newest_directories] = directories(&self.directories);
        let replaced = [
            (Section::Meta, meta(root, options, other)),
            (Section::Directories, records),
            (Section::DirectoryTexts, texts),
            (Section::NewestDirectories, newest_directories),
            (Section::NewestFiles, newest_files(&paths, &stamps)),
        ];
        for section in 0..N_SECTIONS {
            snapshot.start_section(section)?;
            if let Some((_, bytes)) = replaced.iter().find(|(it, _)| *it as usize == section) {
                snapshot.put(bytes)?;
                continue;
            }
            let mut stamps = stamps.iter();
            for piece in other.container().pieces(section, PIECE) {
                let mut bytes = piece.ok_or_else(damaged)?;
                if section == Section::Files as usize {
                    for (row, stamp) in bytes.chunks_exact_mut(file::SIZE).zip(&mut stamps) {
                        row[file::MODIFIED..file::MODIFIED + 8]
                            .copy_from_slice(&stamp.modified.to_le_bytes());
                    }
                }
                snapshot.put(&bytes)?;
            }
        }
        Ok(())
    }
}

/// Returns the metadata of the other snapshot with the root of this worktree and the current time. The other snapshot's
/// commit is kept. If this worktree has another HEAD, a later refresh reads the history again.
fn meta(root: &Path, options: &BuildOptions, other: &Snapshot) -> Vec<u8> {
    let old = other.container().whole(Section::Meta as usize);
    let mut cursor = Cursor::new(old);
    cursor.text();
    let after_root = old.len() - cursor.remaining();
    cursor.text();
    cursor.byte();
    cursor.varint();
    let before_time = old.len() - cursor.remaining();
    cursor.varint();
    let after_time = old.len() - cursor.remaining();
    let mut out = Vec::new();
    put_text(&mut out, root.to_str().unwrap_or_default().as_bytes());
    out.extend_from_slice(&old[after_root..before_time]);
    let since_epoch = options.now.duration_since(UNIX_EPOCH);
    put_varint(&mut out, zigzag(since_epoch.map_or(0, |it| it.as_secs().cast_signed())));
    out.extend_from_slice(&old[after_time..]);
    out
}
