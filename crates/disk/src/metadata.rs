//! Reads the metadata of many files in a directory tree, relative to an open handle to its top directory.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, statat};

/// An open handle to the top directory of a tree. The system resolves a path relative to it faster than an absolute
/// path.
#[derive(Debug)]
pub struct TreeMetadata(OwnedFd);

/// The type, size and modification time of a file. Links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileMetadata {
    pub is_file: bool,
    pub is_directory: bool,
    pub size: u64,
    /// The modification time, in nanoseconds since the Unix epoch.
    pub modified: i64,
}

impl TreeMetadata {
    /// Opens the directory at `path`.
    ///
    /// # Errors
    /// If the path is not a directory that can be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(File::open(path)?.into()))
    }

    /// Returns the metadata of the file or directory at `relative`. The empty path is the top directory.
    ///
    /// # Errors
    /// The error that the system reports, for example if the file does not exist.
    pub fn get(&self, relative: &str) -> io::Result<FileMetadata> {
        let path = if relative.is_empty() { "." } else { relative };
        let found = statat(&self.0, path, AtFlags::SYMLINK_NOFOLLOW)?;
        let kind = FileType::from_raw_mode(found.st_mode);
        let seconds = (found.st_mtime as i64).saturating_mul(1_000_000_000);
        Ok(FileMetadata {
            is_file: kind == FileType::RegularFile,
            is_directory: kind == FileType::Directory,
            size: u64::try_from(found.st_size).unwrap_or_default(),
            modified: seconds.saturating_add(found.st_mtime_nsec as i64),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, UNIX_EPOCH};

    use super::{FileMetadata, TreeMetadata};

    #[test]
    fn the_metadata_is_that_of_the_file_itself() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        let path = folder.path().join("sub/a");
        fs::write(&path, "text").unwrap();
        let time = UNIX_EPOCH - Duration::from_millis(1_500);
        fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        std::os::unix::fs::symlink("a", folder.path().join("sub/link")).unwrap();
        let tree = TreeMetadata::open(folder.path()).unwrap();
        let file =
            FileMetadata { is_file: true, is_directory: false, size: 4, modified: -1_500_000_000 };
        assert_eq!(tree.get("sub/a").unwrap(), file);
        assert!(tree.get("").unwrap().is_directory && tree.get("sub").unwrap().is_directory);
        let link = tree.get("sub/link").unwrap();
        assert!(!link.is_file && !link.is_directory);
        assert_eq!(tree.get("none").unwrap_err().kind(), std::io::ErrorKind::NotFound);
        assert_eq!(tree.get("sub/a/b").unwrap_err().kind(), std::io::ErrorKind::NotADirectory);
    }
}
