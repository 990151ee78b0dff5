//! Opens files beneath a directory, relative to an open handle to the directory. A path component that is replaced with
//! a link cannot lead outside the directory (requirement A50).

mod beneath;
mod write;

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::Links;
pub use write::WriteRefusal;

/// The reason why a path was not opened.
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
    handle: OwnedFd,
}

impl Root {
    /// Opens `path` as a root directory. `path` may contain links.
    ///
    /// # Errors
    /// If the path cannot be resolved or is not a directory.
    pub fn open(path: &Path) -> Result<Self, PathRefusal> {
        let unreadable = |source| PathRefusal::Unreadable { path: path.to_owned(), source };
        let real = path.canonicalize().map_err(unreadable)?;
        if !real.is_dir() {
            return Err(unreadable(io::ErrorKind::NotADirectory.into()));
        }
        let handle = File::open(&real).map_err(unreadable)?.into();
        Ok(Self { real, handle })
    }

    /// Returns the canonical path of the root.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.real
    }

    /// Opens the regular file at `relative` for reading if its canonical path is beneath the root.
    ///
    /// # Errors
    /// [`PathRefusal::Escapes`] for an empty path, an absolute path, `..`, and links that lead outside;
    /// [`PathRefusal::Unreadable`] for all other errors.
    pub fn open_file(&self, relative: &Path) -> Result<File, PathRefusal> {
        let is_plain = relative
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !is_plain || relative.as_os_str().is_empty() {
            return Err(PathRefusal::Escapes { path: relative.to_owned() });
        }
        let file = self.open_beneath(relative)?;
        // Reading from a FIFO or a device could block or never end.
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

    /// Returns the canonical path of an open file relative to the root, or `None` if the path is unknown or not beneath
    /// the root. `relative` must be the path with which the file was opened.
    #[must_use]
    pub fn real_path(&self, file: &File, relative: &Path) -> Option<PathBuf> {
        // If the system does not report the path, `relative` is resolved again. If a link was replaced in the meantime, this
        // returns the path of the link's new target.
        let real = path_of(file).or_else(|_| self.real.join(relative).canonicalize()).ok()?;
        real.strip_prefix(&self.real).ok().map(Path::to_owned)
    }

    fn open_beneath(&self, relative: &Path) -> Result<File, PathRefusal> {
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        let open = |path: &Path, links| beneath::open(self.handle.as_fd(), path, links, flags);
        let escapes = || PathRefusal::Escapes { path: relative.to_owned() };
        match open(relative, Links::Follow) {
            Ok(file) => Ok(file),
            Err(Errno::XDEV) => {
                // The system also refuses absolute links that point beneath the root. The target of such a link is
                // opened here without following further links.
                let real = self.real.join(relative).canonicalize().map_err(|_| escapes())?;
                let inside = real.strip_prefix(&self.real).map_err(|_| escapes())?;
                open(inside, Links::Refuse).map_err(|_| escapes())
            }
            Err(Errno::LOOP) => Err(escapes()),
            Err(errno) => {
                Err(PathRefusal::Unreadable { path: relative.to_owned(), source: errno.into() })
            }
        }
    }
}

/// Returns the path of an open file as the system reports it.
#[cfg(target_os = "linux")]
fn path_of(file: &File) -> io::Result<PathBuf> {
    use std::os::fd::AsRawFd;

    std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// Returns the path of an open file as the system reports it.
#[cfg(target_os = "macos")]
fn path_of(file: &File) -> io::Result<PathBuf> {
    use std::os::unix::ffi::OsStringExt;

    let path = rustix::fs::getpath(file)?.into_bytes();
    Ok(std::ffi::OsString::from_vec(path).into())
}
