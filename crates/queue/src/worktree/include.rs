//! Copies the user's untracked set-up into a new worktree, as `.worktreeinclude` selects it.
//!
//! The file has the syntax of `.gitignore`, as in Claude Code: a file is copied if a pattern selects it and git ignores it,
//! both in the repository and in the new worktree. The two can differ, because the worktree has only the committed ignore
//! rules. So a copied file is not committed, unless the task itself changes the ignore rules or adds the file.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use process::Git;

use super::{GitFailure, WorktreeError, Worktrees, for_work_tree, output, output_of};
use crate::task::TaskId;

/// The name of the file at the top of the repository.
const FILE: &str = ".worktreeinclude";
pub(super) const MAX_FILES: usize = 20_000;
pub(super) const MAX_BYTES: u64 = 1_000_000_000;
/// The exit code of `git check-ignore` if it ignores none of the files.
const NOTHING: i32 = 1;

impl Worktrees {
    /// Copies the selected files of the repository into the worktree of a task. Links and special files are not copied.
    pub(super) fn include(&self, repository: &Path, id: &TaskId) -> Result<(), WorktreeError> {
        let list = repository.join(FILE);
        if !list.symlink_metadata().is_ok_and(|found| found.is_file()) {
            return Ok(());
        }
        let git = for_work_tree(self.git(repository))?;
        let worktree = self.path(id);
        let in_worktree = for_work_tree(self.git(&worktree))?;
        let mut selected = selected(&git, &list)?;
        // Git fails on a path that leads through a link.
        let free = paths(&selected).filter(|path| !is_blocked(&worktree, path));
        selected = free.flat_map(|path| [path.as_os_str().as_bytes(), b"\0"].concat()).collect();
        selected = ignored(&in_worktree, selected)?;
        let paths: Vec<&Path> = paths(&selected).collect();
        let is_file = |path: &&Path| {
            repository.join(path).symlink_metadata().ok().filter(fs::Metadata::is_file)
        };
        let bytes = paths.iter().filter_map(is_file).map(|found| found.len()).sum();
        if paths.len() > MAX_FILES || bytes > MAX_BYTES {
            return Err(WorktreeError::TooMuchIncluded { files: paths.len(), bytes });
        }
        for path in paths.iter().filter(|path| is_file(path).is_some()) {
            copy(repository, &worktree, path)
                .map_err(|source| WorktreeError::Io { path: worktree.join(path), source })?;
        }
        Ok(())
    }
}

/// Returns the untracked files that the list selects and git ignores, each followed by a zero byte.
fn selected(git: &Git, list: &Path) -> Result<Vec<u8>, GitFailure> {
    let patterns = format!("--exclude-from={}", list.display());
    ignored(git, output(git, &["ls-files", "--others", "--ignored", "-z", &patterns])?)
}

/// Returns those of the paths that the ignore rules of git's work tree ignore. Each path is followed by a zero byte.
fn ignored(git: &Git, paths: Vec<u8>) -> Result<Vec<u8>, GitFailure> {
    if paths.is_empty() {
        return Ok(paths);
    }
    match output_of(git, &["check-ignore", "-z", "--stdin"], paths) {
        Err(failure) if failure.code == Some(NOTHING) => Ok(Vec::new()),
        result => result,
    }
}

fn paths(list: &[u8]) -> impl Iterator<Item = &Path> {
    let paths = list.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    paths.map(|path| Path::new(OsStr::from_bytes(path)))
}

/// Returns whether the worktree contains a file or a link in place of a folder of the path.
fn is_blocked(worktree: &Path, path: &Path) -> bool {
    let is_other =
        |folder: &Path| worktree.join(folder).symlink_metadata().is_ok_and(|found| !found.is_dir());
    path.ancestors().skip(1).any(|folder| folder != Path::new("") && is_other(folder))
}

/// Copies a file, unless the commit contains a file or a link in its place.
fn copy(from: &Path, to: &Path, path: &Path) -> io::Result<()> {
    let target = to.join(path);
    if is_blocked(to, path) || target.symlink_metadata().is_ok() {
        return Ok(());
    }
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::copy(from.join(path), target).map(drop)
}
