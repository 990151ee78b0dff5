//! A directory beneath which files are opened by handle, so that a link swapped in between cannot lead out (A50).

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Why a path was not opened.
#[derive(Debug, thiserror::Error)]
pub enum PathRefusal {
    #[error("path `{}` leads out of the root", path.display())]
    Escapes { path: PathBuf },
    #[error("cannot open `{}`", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
}

/// An open root directory.
#[derive(Debug)]
pub struct Root {
    real: PathBuf,
    #[cfg(target_os = "linux")]
    handle: std::os::fd::OwnedFd,
}

impl Root {
    /// Opens `path` as a root; its own real path may go through links.
    ///
    /// # Errors
    /// When the path cannot be resolved or is not a directory.
    pub fn open(path: &Path) -> Result<Self, PathRefusal> {
        let unreadable = |source| PathRefusal::Unreadable { path: path.to_owned(), source };
        let real = path.canonicalize().map_err(unreadable)?;
        if !real.is_dir() {
            return Err(unreadable(io::ErrorKind::NotADirectory.into()));
        }
        #[cfg(target_os = "linux")]
        let handle = File::open(&real).map_err(unreadable)?.into();
        Ok(Self {
            real,
            #[cfg(target_os = "linux")]
            handle,
        })
    }

    /// The root's real path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.real
    }

    /// Opens the file at `relative` for reading if its real path is beneath the root.
    ///
    /// # Errors
    /// [`PathRefusal::Escapes`] for `..`, absolute paths and links that lead out; [`PathRefusal::Unreadable`] otherwise.
    pub fn open_file(&self, relative: &Path) -> Result<File, PathRefusal> {
        let is_plain = relative
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !is_plain || relative.as_os_str().is_empty() {
            return Err(PathRefusal::Escapes { path: relative.to_owned() });
        }
        let file = self.open_beneath(relative)?;
        // A FIFO or a device beneath the root would block or flood the reader.
        let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
        if is_file {
            Ok(file)
        } else {
            Err(PathRefusal::Unreadable {
                path: relative.to_owned(),
                source: io::ErrorKind::InvalidInput.into(),
            })
        }
    }

    #[cfg(target_os = "linux")]
    fn open_beneath(&self, relative: &Path) -> Result<File, PathRefusal> {
        use rustix::fs::{Mode, OFlags, ResolveFlags};
        use rustix::io::Errno;

        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        match rustix::fs::openat2(&self.handle, relative, flags, Mode::empty(), resolve) {
            Ok(file) => Ok(file.into()),
            Err(Errno::XDEV | Errno::LOOP) => {
                Err(PathRefusal::Escapes { path: relative.to_owned() })
            }
            Err(Errno::NOSYS | Errno::PERM) => self.open_canonical(relative),
            Err(errno) => {
                Err(PathRefusal::Unreadable { path: relative.to_owned(), source: errno.into() })
            }
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn open_beneath(&self, relative: &Path) -> Result<File, PathRefusal> {
        self.open_canonical(relative)
    }

    /// Without openat2: resolve, compare, open, and resolve again, so that a link swapped in is noticed.
    fn open_canonical(&self, relative: &Path) -> Result<File, PathRefusal> {
        let unreadable = |source| PathRefusal::Unreadable { path: relative.to_owned(), source };
        let real = self.real.join(relative).canonicalize().map_err(unreadable)?;
        if !real.starts_with(&self.real) {
            return Err(PathRefusal::Escapes { path: relative.to_owned() });
        }
        let file = File::open(&real).map_err(unreadable)?;
        if real.canonicalize().map_err(unreadable)? == real {
            Ok(file)
        } else {
            Err(PathRefusal::Escapes { path: relative.to_owned() })
        }
    }
}
