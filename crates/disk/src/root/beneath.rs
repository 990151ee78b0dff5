//! Opens a path relative to a directory handle, without leaving the directory.
//!
//! Linux has a system call for this purpose, `openat2`. It is missing on macOS, in Linux kernels before 5.6 and in some
//! sandboxes. There, [`walk`] opens one component at a time.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::Links;

/// The maximum number of links that [`walk`] follows. Linux has the same limit.
const MAX_LINKS: usize = 40;

/// Opens `relative` beneath `directory`. `flags` apply to the last component, together with `O_RDONLY` and `O_CLOEXEC`.
///
/// # Errors
/// `EXDEV` if the path leads out of the directory, or if a link is absolute. `ELOOP` if there are too many links, or if the
/// path contains a link and `links` is [`Links::Refuse`].
pub(super) fn open(
    directory: BorrowedFd<'_>,
    relative: &Path,
    links: Links,
    flags: OFlags,
) -> Result<File, Errno> {
    #[cfg(target_os = "linux")]
    match open_with_openat2(directory, relative, links, flags) {
        // The kernel or a sandbox does not support openat2.
        Err(Errno::NOSYS | Errno::PERM) => {}
        opened => return opened,
    }
    walk(directory, relative, links, flags)
}

#[cfg(target_os = "linux")]
fn open_with_openat2(
    directory: BorrowedFd<'_>,
    relative: &Path,
    links: Links,
    flags: OFlags,
) -> Result<File, Errno> {
    use rustix::fs::ResolveFlags;

    const MAX_ATTEMPTS: usize = 8;
    let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    let resolve = match links {
        Links::Follow => beneath,
        Links::Refuse => beneath | ResolveFlags::NO_SYMLINKS,
    };
    let flags = flags | OFlags::RDONLY | OFlags::CLOEXEC;
    let open = || rustix::fs::openat2(directory, relative, flags, Mode::empty(), resolve);
    // openat2 returns EAGAIN if a rename or a mount happened while the path was resolved.
    (1..MAX_ATTEMPTS)
        .map(|_| open())
        .find(|result| !matches!(result, Err(Errno::AGAIN)))
        .unwrap_or_else(open)
        .map(File::from)
}

/// Opens `relative` one component at a time with `O_NOFOLLOW`, and resolves links itself.
///
/// Each component is opened relative to the handle of the previous one, so a component that is replaced with a link in
/// the meantime is not followed by the system. The handles of the parent directories stay open, so `..` is resolved by
/// going back to the previous handle.
fn walk(
    directory: BorrowedFd<'_>,
    relative: &Path,
    links: Links,
    flags: OFlags,
) -> Result<File, Errno> {
    let mut opened: Vec<OwnedFd> = Vec::new();
    let mut pending = components(relative)?;
    let mut n_links = 0;
    while let Some(name) = pending.pop_front() {
        if name == ".." {
            opened.pop().ok_or(Errno::XDEV)?;
            continue;
        }
        let parent = opened.last().map_or(directory, AsFd::as_fd);
        let is_last = pending.is_empty();
        let kind = if is_last { flags } else { OFlags::DIRECTORY };
        let kind = kind | OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        match rustix::fs::openat(parent, &name, kind, Mode::empty()) {
            Ok(file) if is_last => return Ok(file.into()),
            Ok(folder) => opened.push(folder),
            // With `O_DIRECTORY`, Linux reports a link as ENOTDIR.
            Err(error @ (Errno::LOOP | Errno::NOTDIR)) => {
                let Ok(target) = rustix::fs::readlinkat(parent, &name, Vec::new()) else {
                    return Err(error);
                };
                n_links += 1;
                if links == Links::Refuse || n_links > MAX_LINKS {
                    return Err(Errno::LOOP);
                }
                let mut target = components(Path::new(OsStr::from_bytes(target.as_bytes())))?;
                target.append(&mut pending);
                pending = target;
            }
            Err(error) => return Err(error),
        }
    }
    // The path ends in a directory that is already open: `.`, `..`, or a link to one of them.
    let folder = opened.last().map_or(directory, AsFd::as_fd);
    let flags = flags | OFlags::RDONLY | OFlags::CLOEXEC;
    rustix::fs::openat(folder, ".", flags, Mode::empty()).map(File::from)
}

/// Returns the names in a path, including `..`. Returns `EXDEV` if the path is absolute.
fn components(path: &Path) -> Result<VecDeque<OsString>, Errno> {
    path.components()
        .filter(|part| *part != Component::CurDir)
        .map(|part| match part {
            Component::RootDir | Component::Prefix(_) => Err(Errno::XDEV),
            Component::CurDir | Component::ParentDir | Component::Normal(_) => {
                Ok(part.as_os_str().to_owned())
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;
