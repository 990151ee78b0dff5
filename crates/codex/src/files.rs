//! Files of a session: private to the user, and never half written where a reader could see it.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use disk::Links;
use rustix::fs::OFlags;

/// Puts a whole file in the place of an older one: written beside it, synced, renamed.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    disk::replace_file(path, bytes, Some(0o600))
}

/// For appending; made if it is not there. A link is refused: a session may be kept where codex can write, and a link
/// put there would have us write anywhere.
pub(crate) fn appended(path: &Path) -> io::Result<File> {
    let no_links = i32::from_ne_bytes(OFlags::NOFOLLOW.bits().to_ne_bytes());
    let mut options = OpenOptions::new();
    options.create(true).append(true).read(true).mode(0o600).custom_flags(no_links).open(path)
}

/// Opens a regular file for reading, and refuses a link to one. A FIFO in its place does not make the reader wait.
pub(crate) fn opened(path: &Path) -> io::Result<File> {
    disk::open_file(path, Links::Refuse)
}

/// Reads the first `max_bytes` of a regular file.
pub(crate) fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    disk::read_start(path, Links::Refuse, max_bytes)
}

/// A folder and those above it. Only the user may look into it.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// A folder that was not there before.
pub(crate) fn make_new_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(path)
}
