//! Writes files beneath a root. The parent directory is opened without following links.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::{Root, beneath};
use crate::Links;

/// The maximum size of an existing file that may be replaced, in bytes. Larger files are not replaced, because `may_replace`
/// could not check their whole content.
const MAX_EXISTING_BYTES: u64 = 16 * 1024 * 1024;

/// The reason why a file was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteRefusal {
    #[error("it leads out of its directory, or through a link")]
    Escapes,
    #[error("it is inside a git directory")]
    GitDirectory,
    #[error("the path exists and is not a regular file")]
    NotAFile,
    #[error("the file exists and must not be replaced")]
    Occupied,
    #[error(transparent)]
    Failed(#[from] io::Error),
}

/// The open parent directory of the file to write.
struct Parent {
    handle: OwnedFd,
}

impl Root {
    /// Checks whether [`Root::write_file`] would accept this path now. Does not write anything.
    ///
    /// # Errors
    /// The errors of [`Root::write_file`].
    pub fn check_target(
        &self,
        relative: &Path,
        may_replace: &dyn Fn(&[u8]) -> bool,
    ) -> Result<(), WriteRefusal> {
        self.target(relative, may_replace).map(|_| ())
    }

    /// Writes a file atomically. The parent directory must exist. An existing file is replaced only if it is a regular file
    /// and `may_replace` returns true for its content.
    ///
    /// # Errors
    /// If the path leads outside the root or through a link, if it is inside a git directory, or if the file exists and
    /// must not be replaced. [`WriteRefusal::Failed`] for all other errors.
    pub fn write_file(
        &self,
        relative: &Path,
        bytes: &[u8],
        may_replace: &dyn Fn(&[u8]) -> bool,
    ) -> Result<(), WriteRefusal> {
        let (parent, name, exists) = self.target(relative, may_replace)?;
        let temporary = PathBuf::from(format!(".writing-{}", std::process::id()));
        let mut file = parent.create(&temporary)?;
        let written = file.write_all(bytes).and_then(|()| file.sync_data());
        let result = written.and_then(|()| parent.rename(&temporary, &name, exists));
        if result.is_err() {
            parent.remove(&temporary);
        }
        result.map_err(|error| {
            let is_taken = error.kind() == io::ErrorKind::AlreadyExists;
            if is_taken { WriteRefusal::Occupied } else { error.into() }
        })
    }

    /// Checks that the file at `relative` may be written. Returns its open parent directory, its name, and whether it
    /// exists.
    fn target(
        &self,
        relative: &Path,
        may_replace: &dyn Fn(&[u8]) -> bool,
    ) -> Result<(Parent, PathBuf, bool), WriteRefusal> {
        if !relative.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(WriteRefusal::Escapes);
        }
        let name = PathBuf::from(relative.file_name().ok_or(WriteRefusal::Escapes)?);
        let folder = relative.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or_else(|| Path::new("."));
        if is_in_git_directory(&self.real.join(relative)) {
            return Err(WriteRefusal::GitDirectory);
        }
        let parent = self.open_parent(folder)?;
        let exists = match parent.open(&name)? {
            None => false,
            Some(file) => {
                let found = file.metadata()?;
                if !found.is_file() {
                    return Err(WriteRefusal::NotAFile);
                }
                let mut bytes = Vec::new();
                file.take(MAX_EXISTING_BYTES).read_to_end(&mut bytes)?;
                if found.len() > MAX_EXISTING_BYTES || !may_replace(&bytes) {
                    return Err(WriteRefusal::Occupied);
                }
                true
            }
        };
        Ok((parent, name, exists))
    }

    /// Opens the parent directory. Returns an error if its path contains a link.
    fn open_parent(&self, folder: &Path) -> Result<Parent, WriteRefusal> {
        match beneath::open(self.handle.as_fd(), folder, Links::Refuse, OFlags::DIRECTORY) {
            Ok(handle) => Ok(Parent { handle: handle.into() }),
            Err(Errno::XDEV | Errno::LOOP) => Err(WriteRefusal::Escapes),
            Err(errno) => Err(io::Error::from(errno).into()),
        }
    }
}

impl Parent {
    /// Opens a file for reading without following links. Returns `None` if the file does not exist.
    fn open(&self, name: &Path) -> Result<Option<File>, WriteRefusal> {
        let flags =
            OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        match rustix::fs::openat(&self.handle, name, flags, Mode::empty()) {
            Ok(file) => Ok(Some(file.into())),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::LOOP) => Err(WriteRefusal::Escapes),
            Err(Errno::NXIO) => Err(WriteRefusal::NotAFile),
            Err(errno) => Err(io::Error::from(errno).into()),
        }
    }

    fn create(&self, name: &Path) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.handle, name, flags, Mode::RUSR | Mode::WUSR)?;
        Ok(file.into())
    }

    fn rename(&self, from: &Path, to: &Path, replaces: bool) -> io::Result<()> {
        let flags = if replaces { RenameFlags::empty() } else { RenameFlags::NOREPLACE };
        Ok(rustix::fs::renameat_with(&self.handle, from, &self.handle, to, flags)?)
    }

    fn remove(&self, name: &Path) {
        // If this fails, the temporary file remains. The caller returns the earlier error.
        let _ignored = rustix::fs::unlinkat(&self.handle, name, AtFlags::empty());
    }
}

/// Returns true if a component of the path is a spelling of `.git`, or if a parent directory contains `HEAD`, `objects` and
/// `refs`, as a git directory does.
fn is_in_git_directory(path: &Path) -> bool {
    let is_git_name = |name: &str| {
        let name = name.trim_end_matches(['.', ' ']);
        name.eq_ignore_ascii_case(".git") || name.eq_ignore_ascii_case("git~1")
    };
    let is_git_directory = |folder: &Path| {
        fs::symlink_metadata(folder.join("HEAD")).is_ok()
            && folder.join("objects").is_dir()
            && folder.join("refs").is_dir()
    };
    path.components().any(|part| is_git_name(&part.as_os_str().to_string_lossy()))
        || path.ancestors().skip(1).any(is_git_directory)
}
