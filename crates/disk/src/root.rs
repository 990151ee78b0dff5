//! Opens files beneath a directory, relative to an open handle of the directory. A path component that is replaced with a
//! link cannot lead outside the directory (A50).

mod write;

use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};

pub use write::WriteRefusal;

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
        #[cfg(target_os = "linux")]
        let handle = File::open(&real).map_err(unreadable)?.into();
        Ok(Self {
            real,
            #[cfg(target_os = "linux")]
            handle,
        })
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

    /// Returns the canonical path of an open file relative to the root, or `None` if the path is not beneath the root.
    #[cfg(target_os = "linux")]
    #[must_use]
    pub fn real_path(&self, file: &File, relative: &Path) -> Option<PathBuf> {
        use std::os::fd::AsRawFd;

        let real = std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()));
        // Without /proc, `relative` is resolved again. If a link was replaced in the meantime, this returns the path of the
        // link's new target.
        let real = real.or_else(|_| self.real.join(relative).canonicalize()).ok()?;
        real.strip_prefix(&self.real).ok().map(Path::to_owned)
    }

    /// Returns the canonical path of an open file relative to the root, or `None` if the path is not beneath the root.
    #[cfg(not(target_os = "linux"))]
    #[must_use]
    pub fn real_path(&self, _file: &File, relative: &Path) -> Option<PathBuf> {
        let real = self.real.join(relative).canonicalize().ok()?;
        real.strip_prefix(&self.real).ok().map(Path::to_owned)
    }

    #[cfg(target_os = "linux")]
    fn open_beneath(&self, relative: &Path) -> Result<File, PathRefusal> {
        use rustix::fs::ResolveFlags;
        use rustix::io::Errno;

        let escapes = || PathRefusal::Escapes { path: relative.to_owned() };
        let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        match self.open_resolved(relative, beneath) {
            Ok(file) => Ok(file),
            Err(Errno::XDEV) => {
                // BENEATH also refuses absolute links that point beneath the root. In this case, the link's target is
                // opened without following links.
                let real = self.real.join(relative).canonicalize().map_err(|_| escapes())?;
                let inside = real.strip_prefix(&self.real).map_err(|_| escapes())?;
                self.open_resolved(inside, beneath | ResolveFlags::NO_SYMLINKS)
                    .map_err(|_| escapes())
            }
            Err(Errno::LOOP) => Err(escapes()),
            Err(Errno::NOSYS | Errno::PERM) => self.open_canonical(relative),
            Err(errno) => {
                Err(PathRefusal::Unreadable { path: relative.to_owned(), source: errno.into() })
            }
        }
    }

    #[cfg(target_os = "linux")]
    fn open_resolved(
        &self,
        relative: &Path,
        resolve: rustix::fs::ResolveFlags,
    ) -> Result<File, rustix::io::Errno> {
        use rustix::fs::{Mode, OFlags};
        use rustix::io::Errno;

        const MAX_ATTEMPTS: usize = 8;
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let open = || rustix::fs::openat2(&self.handle, relative, flags, Mode::empty(), resolve);
        // openat2 returns EAGAIN if a rename or a mount happened while the path was resolved.
        (1..MAX_ATTEMPTS)
            .map(|_| open())
            .find(|result| !matches!(result, Err(Errno::AGAIN)))
            .unwrap_or_else(open)
            .map(File::from)
    }

    #[cfg(not(target_os = "linux"))]
    fn open_beneath(&self, relative: &Path) -> Result<File, PathRefusal> {
        self.open_canonical(relative)
    }

    /// Opens a file without openat2. Resolves the path before and after opening, to detect that a component was replaced
    /// with a link in between.
    fn open_canonical(&self, relative: &Path) -> Result<File, PathRefusal> {
        let unreadable = |source| PathRefusal::Unreadable { path: relative.to_owned(), source };
        let escapes = || PathRefusal::Escapes { path: relative.to_owned() };
        let real = self.real.join(relative).canonicalize().map_err(unreadable)?;
        if !real.starts_with(&self.real) {
            return Err(escapes());
        }
        let file = crate::open_file(&real, crate::Links::Refuse).map_err(unreadable)?;
        let is_unchanged = real.canonicalize().map_err(unreadable)? == real;
        if is_unchanged { Ok(file) } else { Err(escapes()) }
    }
}
