//! Follows a path step by step, in the way in which the operating system opens it.
//!
//! [`Path::canonicalize`] returns only the end of the path. It does not show that the path passes through the
//! repository, or through a folder in which each process sees different files.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

/// The maximum number of symbolic links in a path, as on Linux.
const MAX_LINKS: usize = 40;

/// The steps of a path that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Route {
    /// The top folder, and each folder, symbolic link and file that is visited afterwards.
    steps: Vec<PathBuf>,
    /// The end of the path, without symbolic links.
    pub(super) end: PathBuf,
}

/// The reason why a path cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoRoute {
    /// A part of the path does not exist or cannot be read.
    Missing,
    /// The path passes through `/proc` or `/dev`, so another process may open a different file.
    DependsOnProcess,
}

impl Route {
    /// Follows an absolute path.
    ///
    /// # Errors
    /// If a part of the path is missing, or if the path passes through `/proc` or `/dev`.
    pub(super) fn follow(path: &Path) -> Result<Self, NoRoute> {
        let top = PathBuf::from("/");
        let (mut steps, mut end) = (vec![top.clone()], top.clone());
        let mut rest = parts(path);
        rest.reverse();
        let mut n_links = 0;
        while let Some(part) = rest.pop() {
            if part == ".." {
                end.pop();
                continue;
            }
            let next = end.join(&part);
            if depends_on_process(&next) {
                return Err(NoRoute::DependsOnProcess);
            }
            let is_link = next.symlink_metadata().map_err(|_| NoRoute::Missing)?.is_symlink();
            steps.push(next.clone());
            if !is_link {
                end = next;
                continue;
            }
            n_links += 1;
            let target = fs::read_link(&next).ok().filter(|_| n_links <= MAX_LINKS);
            let target = target.ok_or(NoRoute::Missing)?;
            if target.is_absolute() {
                end.clone_from(&top);
            }
            rest.extend(parts(&target).into_iter().rev());
        }
        Ok(Self { steps, end })
    }

    /// Returns whether a step of the path is the folder `repository`. The folders are compared by device and inode,
    /// because a folder can have several names.
    pub(super) fn passes(&self, repository: &Path) -> bool {
        let identity = |path: &Path| path.metadata().ok().map(|found| (found.dev(), found.ino()));
        let Some(repository) = identity(repository) else { return true };
        self.steps.iter().any(|step| identity(step) == Some(repository))
    }
}

/// Returns whether each process finds different files at `path`, which must contain no symbolic links. For example,
/// `/proc/self/cwd` is the working directory of the process that opens the path, and `/dev/stdin` is its standard input.
/// The folder `/dev/shm` is the same for all processes.
fn depends_on_process(path: &Path) -> bool {
    let mut parts = parts(path).into_iter();
    let (top, second) = (parts.next().unwrap_or_default(), parts.next());
    // The names are compared without case, because a file system of macOS ignores it.
    top.eq_ignore_ascii_case("proc")
        || top.eq_ignore_ascii_case("dev") && second.is_some_and(|name| name != "shm")
}

/// Returns the names in `path`. The name `..` stands for the parent folder.
fn parts(path: &Path) -> Vec<OsString> {
    let names = path.components().filter_map(|part| match part {
        Component::Normal(_) | Component::ParentDir => Some(part.as_os_str().to_owned()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    });
    names.collect()
}

/// Returns whether `path` exists and never passes through the folder `repository`, so that the repository cannot
/// change what the path leads to. `path` must be absolute.
///
/// Returns false for paths through `/proc` and `/dev`, which may lead into the repository when another process opens
/// them.
#[must_use]
pub fn is_outside(path: &Path, repository: &Path) -> bool {
    Route::follow(path).is_ok_and(|route| !route.passes(repository))
}

#[cfg(test)]
mod tests;
