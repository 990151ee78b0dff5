//! Opens regular files without blocking and reads them up to a maximum size.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags};

/// How a symbolic link is handled if it is the last component of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// Follows the link. Used for the user's own files, which dotfile managers replace with links.
    Follow,
    /// Returns an error. Used for repository files, so that a committed link cannot cause a file outside the
    /// repository to be read.
    Refuse,
}

/// Opens a regular file for reading.
///
/// # Errors
/// `InvalidInput` for folders, pipes, sockets, devices, and links that are not followed. A pipe or a device never blocks the
/// caller: the file type is checked before opening, and again after opening with `O_NONBLOCK`.
pub fn open_file(path: &Path, links: Links) -> io::Result<File> {
    let (found, no_follow) = match links {
        Links::Follow => (fs::metadata(path)?, OFlags::empty()),
        Links::Refuse => (fs::symlink_metadata(path)?, OFlags::NOFOLLOW),
    };
    if found.is_symlink() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "is a symbolic link"));
    }
    if !found.is_file() {
        return Err(not_regular());
    }
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC | no_follow;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
}

/// Reads a regular file of at most `max_bytes`.
///
/// # Errors
/// The errors of [`open_file`], and `FileTooLarge` if more than `max_bytes` can be read, even if the metadata reports a
/// smaller size.
pub fn read(path: &Path, links: Links, max_bytes: u64) -> io::Result<Vec<u8>> {
    let bytes = read_start(path, links, max_bytes.saturating_add(1))?;
    if bytes.len() as u64 > max_bytes {
        let message = format!("is larger than {max_bytes} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Reads a regular file of at most `max_bytes` as UTF-8.
///
/// # Errors
/// The errors of [`read`], and `InvalidData` if the file is not UTF-8.
pub fn read_text(path: &Path, links: Links, max_bytes: u64) -> io::Result<String> {
    String::from_utf8(read(path, links, max_bytes)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "is not UTF-8"))
}

/// Reads at most the first `max_bytes` of a regular file.
///
/// # Errors
/// The errors of [`open_file`].
pub fn read_start(path: &Path, links: Links, max_bytes: u64) -> io::Result<Vec<u8>> {
    let file = open_file(path, links)?;
    let expected = file.metadata()?.len().min(max_bytes);
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    file.take(max_bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The end of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEnd {
    pub bytes: Vec<u8>,
    /// Whether `bytes` is the whole file.
    pub is_whole: bool,
}

/// Reads at most the last `max_bytes` of a regular file that belongs to the user. Symbolic links are not followed.
///
/// # Errors
/// The errors of [`open_file`], and `PermissionDenied` if the file belongs to another user.
pub fn read_end_of_own_file(path: &Path, max_bytes: u64) -> io::Result<FileEnd> {
    let mut file = open_file(path, Links::Refuse)?;
    let found = file.metadata()?;
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "belongs to another user"));
    }
    let start = found.len().saturating_sub(max_bytes);
    file.seek(SeekFrom::Start(start))?;
    let expected = found.len().min(max_bytes);
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    file.take(max_bytes).read_to_end(&mut bytes)?;
    Ok(FileEnd { bytes, is_whole: start == 0 })
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "is not a regular file")
}

// The tests read `/proc` and create pipes, for which rustix has no function on macOS.
#[cfg(all(test, target_os = "linux"))]
mod tests;
