//! Keeps data that is too large for memory in temporary files: sorted runs, and the sections of a snapshot.
//!
//! The files are created in the repository's cache folder and unlinked immediately, so that no file remains if the
//! process is killed.

mod run_file;
mod section;
mod sort;

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) use run_file::{RunFile, RunReader};
pub(crate) use section::Section;
pub(crate) use sort::{Row, Runs, Sorter};

/// The folder for a build's temporary files, and the maximum amount of memory that the build uses.
#[derive(Debug)]
pub(crate) struct Spill {
    /// The folder of the temporary files. If `None`, all data stays in memory.
    folder: Option<PathBuf>,
    /// The maximum number of bytes of memory that a build uses.
    memory: usize,
    next: AtomicUsize,
}

/// The build's memory limit divided by this number is the maximum size of a section in memory.
const SECTION_SHARE: usize = 128;

impl Spill {
    pub(crate) fn to_folder(folder: &Path, memory: usize) -> Self {
        Self { folder: Some(folder.to_owned()), memory, next: AtomicUsize::new(0) }
    }

    /// Returns a `Spill` without a folder, so that all data stays in memory.
    pub(crate) fn in_memory() -> Self {
        Self { folder: None, memory: usize::MAX, next: AtomicUsize::new(0) }
    }

    pub(crate) fn memory(&self) -> usize {
        self.memory
    }

    /// Returns the size in bytes up to which a section stays in memory.
    fn max_section(&self) -> usize {
        if self.folder.is_some() { self.memory / SECTION_SHARE } else { usize::MAX }
    }

    fn has_files(&self) -> bool {
        self.folder.is_some()
    }

    /// Creates a temporary file and unlinks it immediately, so that it is deleted when it is closed.
    fn create(&self) -> io::Result<File> {
        let folder = self.folder.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".spill.{}-{number}.tmp", std::process::id()));
            let opened =
                OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path);
            match opened {
                Ok(file) => {
                    fs::remove_file(&path)?;
                    return Ok(file);
                }
                // This file was left by a killed process that had the same process id.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}
