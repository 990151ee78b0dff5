//! Remembers across crashes which files were being analysed, so that one that brings the process down is left out next time.
//!
//! A grammar is C: when it crashes, no handler of ours runs. Before a file is analysed its hash is noted in a small file; a
//! build that ends, well or not, removes the file. Hashes found in it at the start have a strike. An innocent file may get one when a
//! writer is killed, so it takes two.

#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use disk::Links;
use rustc_hash::FxHashMap;

use crate::container::{Container, ContainerWriter};
use crate::place::write_atomically;

const STRIKES: u8 = 2;
const HASH: usize = 16;

/// Notes are a few hashes; a larger file is not ours.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

fn read_notes(path: &Path) -> Vec<u8> {
    disk::read(path, Links::Refuse, MAX_BYTES).unwrap_or_default()
}

/// Notes of one build; empty notes when there is nowhere to keep them.
#[derive(Default)]
pub(crate) struct Attempts {
    path: PathBuf,
    file: Option<File>,
    strikes: FxHashMap<[u8; HASH], u8>,
}

impl Attempts {
    /// Reads what earlier builds left in `folder` and starts new notes.
    pub(crate) fn start(folder: &Path) -> Self {
        let path = folder.join("attempts");
        let suspects = folder.join("suspects");
        let mut strikes: FxHashMap<[u8; HASH], u8> = FxHashMap::default();
        // A damaged list is as good as none. Believed, it could leave a file out that never did harm.
        if let Ok(container) = Container::open(&suspects) {
            for row in container.whole(0).chunks_exact(HASH + 1) {
                strikes.insert(hash_of(row), row[HASH]);
            }
        }
        let unfinished = read_notes(&path);
        let noted = unfinished.chunks_exact(HASH).map(hash_of).filter(|hash| *hash != [0; HASH]);
        let mut is_new = false;
        for hash in noted {
            let count = strikes.entry(hash).or_default();
            *count = count.saturating_add(1);
            is_new = true;
        }
        if is_new {
            let rows: Vec<u8> = strikes
                .iter()
                .flat_map(|(hash, count)| hash.iter().copied().chain([*count]))
                .collect();
            let mut writer = ContainerWriter::new();
            writer.section(&rows);
            // Without the note the crash may come once more; the build itself does not need it.
            let _unkept = write_atomically(&suspects, &writer.finish());
        }
        Self { file: File::create(&path).ok(), path, strikes }
    }

    /// True when this content has brought builds down.
    pub(crate) fn is_suspect(&self, hash: [u8; HASH]) -> bool {
        self.strikes.get(&hash).is_some_and(|count| *count >= STRIKES)
    }

    /// Notes that a thread is about to analyse this content.
    pub(crate) fn note(&self, thread: usize, hash: [u8; HASH]) {
        #[cfg(unix)]
        if let Some(file) = &self.file {
            // A note that cannot be written protects nobody and harms nobody.
            let _unkept = std::os::unix::fs::FileExt::write_at(file, &hash, (thread * HASH) as u64);
        }
        #[cfg(not(unix))]
        let _unused = (thread, hash, &self.file);
    }
}

impl Drop for Attempts {
    /// Whoever gets here was not brought down: the build ended, or failed in a way that was handled.
    fn drop(&mut self) {
        if self.file.is_some() {
            let _gone = fs::remove_file(&self.path);
        }
    }
}

fn hash_of(row: &[u8]) -> [u8; HASH] {
    let mut hash = [0; HASH];
    hash.copy_from_slice(&row[..HASH]);
    hash
}
