//! Reads and writes the files of a session. Only the user has access to these files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use disk::Links;
use rustix::fs::OFlags;

/// Replaces a file atomically: writes a temporary file, syncs it and renames it.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    disk::replace_file(path, bytes, Some(0o600))
}

/// Opens or creates a file for appending. Links are refused: codex may be able to write to the folder and could create
/// a link to any file.
pub(crate) fn open_for_appending(path: &Path) -> io::Result<File> {
    let no_links = i32::from_ne_bytes(OFlags::NOFOLLOW.bits().to_ne_bytes());
    let mut options = OpenOptions::new();
    options.create(true).append(true).read(true).mode(0o600).custom_flags(no_links).open(path)
}

/// Opens a regular file for reading. Links are refused, and a FIFO does not block the call.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    disk::open_file(path, Links::Refuse)
}

/// Reads the first `max_bytes` of a regular file.
pub(crate) fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    disk::read_start(path, Links::Refuse, max_bytes)
}

/// Reads at most the last `max_bytes` of an open file.
pub(crate) fn end_of(file: &mut File, max_bytes: u64) -> io::Result<Vec<u8>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(max_bytes)))?;
    let mut end = Vec::new();
    file.take(max_bytes).read_to_end(&mut end)?;
    Ok(end)
}

/// Creates a folder and its parents.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Creates a folder. Fails if the folder exists.
pub(crate) fn create_new_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(path)
}
