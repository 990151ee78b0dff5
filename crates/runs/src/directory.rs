//! Keeps the directories of a run open and detects that a path leads to another directory than at the start.
//!
//! Another run can replace a directory with a symbolic link while a run waits for its next iteration. Codex would then
//! work in another place, with the permissions that were checked for the first one.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use crate::spec::Continues;

#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    #[error("cannot work in `{}`: {source}", path.display())]
    Unusable { path: PathBuf, source: io::Error },
    #[error("`{}` is not a directory", .0.display())]
    Missing(PathBuf),
    #[error("cannot open the directory `{}`: {source}", path.display())]
    Open { path: PathBuf, source: io::Error },
    #[error("`{}` is not in `{}`", path.display(), root.display())]
    Outside { path: PathBuf, root: PathBuf },
    #[error("`{}` is no longer the directory in which the run started", .0.display())]
    Replaced(PathBuf),
}

/// Identifies a directory: its canonical path and its number in the file system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DirectoryIdentity {
    path: PathBuf,
    device: u64,
    inode: u64,
}

impl DirectoryIdentity {
    fn new(path: PathBuf, found: &Metadata) -> Self {
        Self { path, device: found.dev(), inode: found.ino() }
    }

    /// Returns the canonical path of the directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn is(&self, found: &Metadata) -> bool {
        (self.device, self.inode) == (found.dev(), found.ino())
    }
}

/// A directory that is kept open.
pub(crate) struct OpenDirectory {
    /// The path that the caller named.
    named: PathBuf,
    identity: DirectoryIdentity,
    handle: File,
}

impl OpenDirectory {
    /// Opens a directory. If `root` is given, the directory must be in it.
    pub(crate) fn open(named: &Path, root: Option<&Path>) -> Result<Self, DirectoryError> {
        let failed = |source| DirectoryError::Open { path: named.to_owned(), source };
        if !named.is_dir() {
            return Err(DirectoryError::Missing(named.to_owned()));
        }
        let path = named.canonicalize().map_err(failed)?;
        if let Some(root) = root {
            let root = root.canonicalize().map_err(failed)?;
            if !path.starts_with(&root) {
                return Err(DirectoryError::Outside { path, root });
            }
        }
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW;
        let handle = OpenOptions::new()
            .read(true)
            .custom_flags(flags.bits().cast_signed())
            .open(&path)
            .map_err(failed)?;
        let identity = DirectoryIdentity::new(path, &handle.metadata().map_err(failed)?);
        let opened = Self { named: named.to_owned(), identity, handle };
        // A parent may have been replaced between the two calls.
        opened.check()?;
        Ok(opened)
    }

    /// Checks that the path still leads to the open directory.
    pub(crate) fn check(&self) -> Result<(), DirectoryError> {
        let path = self.named.canonicalize();
        let found = fs::symlink_metadata(&self.identity.path);
        let is_same = path.is_ok_and(|path| path == self.identity.path)
            && found.is_ok_and(|found| self.identity.is(&found));
        match is_same {
            true => Ok(()),
            false => Err(DirectoryError::Replaced(self.named.clone())),
        }
    }

    /// Checks that the path does not lead to another place than when the earlier session started in it. The directory
    /// itself may have been created again, like the worktree of a task.
    pub(crate) fn check_resumed(&self, earlier: &Continues) -> Result<(), DirectoryError> {
        let resolved = earlier.resolved_directory.as_ref();
        let is_same = resolved.is_none_or(|resolved| *resolved == self.identity.path);
        match is_same || earlier.directory != self.named {
            true => Ok(()),
            false => Err(DirectoryError::Replaced(self.named.clone())),
        }
    }

    pub(crate) fn identity(&self) -> &DirectoryIdentity {
        &self.identity
    }

    /// Returns a path with which a child process enters the open directory, even if its name is replaced in the meantime.
    /// Returns the canonical path on systems where open files have no name.
    pub(crate) fn path_for_child(&self) -> PathBuf {
        let by_handle = PathBuf::from(format!("/proc/self/fd/{}", self.handle.as_raw_fd()));
        let leads_here = fs::metadata(&by_handle).is_ok_and(|found| self.identity.is(&found));
        if leads_here { by_handle } else { self.identity.path.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c5_a_replaced_directory_is_detected_and_a_child_still_enters_the_open_one() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let (root, outside) = (top.join("root"), top.join("outside"));
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::create_dir(&outside).unwrap();
        let sub = OpenDirectory::open(&root.join("sub"), Some(&root)).unwrap();
        sub.check().unwrap();
        fs::rename(root.join("sub"), root.join("old")).unwrap();
        sub.check().unwrap_err();
        fs::create_dir(root.join("sub")).unwrap();
        sub.check().unwrap_err();
        fs::remove_dir(root.join("sub")).unwrap();
        std::os::unix::fs::symlink(&outside, root.join("sub")).unwrap();
        assert!(matches!(sub.check(), Err(DirectoryError::Replaced(_))));
        let refused = OpenDirectory::open(&root.join("sub"), Some(&root));
        assert!(matches!(refused, Err(DirectoryError::Outside { .. })));
        if cfg!(target_os = "linux") {
            assert_eq!(sub.path_for_child().canonicalize().unwrap(), root.join("old"));
        }
    }

    #[test]
    fn c5_a_link_to_the_working_directory_may_be_named() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        OpenDirectory::open(&link, None).unwrap().check().unwrap();
    }
}
