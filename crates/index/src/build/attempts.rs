//! Records which file contents were being analysed when a build crashed, so that later builds can skip them.
//!
//! Grammars are C code, and a crash in a grammar terminates the process. Before a file is analysed, its hash is written
//! to the file `attempts`. A build that returns, with or without an error, removes `attempts`. When a build starts,
//! each hash that it finds in `attempts` counts as one crash. Killing the process has the same effect as a crash, so
//! content is skipped only after two crashes.

#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use disk::Links;
use rustc_hash::FxHashMap;

use crate::cache_paths::open_or_create;
use crate::container::{Container, container_of};

const MAX_CRASHES: u8 = 2;
const HASH: usize = 16;

/// The maximum size of the file `attempts`. It contains one hash per thread, so a larger file was not written by this
/// module and is ignored.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Records the files that a build is analysing, and counts the crashes for each content hash. If the folder is not
/// writable, nothing is recorded.
#[derive(Default)]
pub(crate) struct Attempts {
    path: PathBuf,
    file: Option<File>,
    crashes: FxHashMap<[u8; HASH], u8>,
}

impl Attempts {
    /// Reads what earlier builds recorded in `folder`, and starts the record of a new build.
    pub(crate) fn start(folder: &Path) -> Self {
        let path = folder.join("attempts");
        let suspects = folder.join("suspects");
        let mut crashes: FxHashMap<[u8; HASH], u8> = FxHashMap::default();
        // A damaged list is ignored, because it could cause harmless files to be skipped.
        if let Ok(container) = Container::open(&suspects) {
            for row in container.whole(0).chunks_exact(HASH + 1) {
                crashes.insert(hash_of(row), row[HASH]);
            }
        }
        let unfinished = disk::read(&path, Links::Refuse, MAX_BYTES).unwrap_or_default();
        let noted = unfinished.chunks_exact(HASH).map(hash_of).filter(|hash| *hash != [0; HASH]);
        let mut is_new = false;
        for hash in noted {
            let count = crashes.entry(hash).or_default();
            *count = count.saturating_add(1);
            is_new = true;
        }
        if is_new {
            let rows: Vec<u8> = crashes
                .iter()
                .flat_map(|(hash, count)| hash.iter().copied().chain([*count]))
                .collect();
            // If this write fails, the crash is not counted, and the build may crash once more. The build continues.
            let _ignored =
                container_of([rows]).and_then(|bytes| disk::replace_file(&suspects, &bytes, None));
        }
        let file = open_or_create(&path).and_then(|file| file.set_len(0).map(|()| file));
        Self { file: file.ok(), path, crashes }
    }

    /// Returns whether this content has crashed at least two builds.
    pub(crate) fn is_suspect(&self, hash: [u8; HASH]) -> bool {
        self.crashes.get(&hash).is_some_and(|count| *count >= MAX_CRASHES)
    }

    /// Records that `thread` is about to analyse the content with this hash.
    pub(crate) fn note(&self, thread: usize, hash: [u8; HASH]) {
        if let Some(file) = &self.file {
            // Best effort: without the record, a crash is not attributed to this content.
            let _ignored = file.write_at(&hash, (thread * HASH) as u64);
        }
    }
}

impl Drop for Attempts {
    /// Removes the file `attempts`. After a crash `drop` does not run, so the file remains.
    fn drop(&mut self) {
        if self.file.is_some() {
            let _ignored = fs::remove_file(&self.path);
        }
    }
}

fn hash_of(row: &[u8]) -> [u8; HASH] {
    let mut hash = [0; HASH];
    hash.copy_from_slice(&row[..HASH]);
    hash
}
