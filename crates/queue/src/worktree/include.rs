//! Copies the user's untracked set-up into a new worktree, as `.worktreeinclude` selects it.
//!
//! The file has the syntax of `.gitignore`, as in Claude Code: a file is copied if a pattern selects it and git ignores it.
//! So a copied file is never committed.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use process::Git;

use super::{GitFailure, WorktreeError, Worktrees, output, output_of};
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
        let git = self.git(repository).for_work_tree();
        let git = git.map_err(|problem| WorktreeError::Git(problem.to_string()))?;
        let selected = selected(&git, &list)?;
        let paths = selected.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        let paths: Vec<&Path> = paths.map(|path| Path::new(OsStr::from_bytes(path))).collect();
        let is_file = |path: &&Path| {
            repository.join(path).symlink_metadata().ok().filter(fs::Metadata::is_file)
        };
        let bytes = paths.iter().filter_map(is_file).map(|found| found.len()).sum();
        if paths.len() > MAX_FILES || bytes > MAX_BYTES {
            return Err(WorktreeError::TooMuchIncluded { files: paths.len(), bytes });
        }
        let worktree = self.path(id);
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
    let found = output(git, &["ls-files", "--others", "--ignored", "-z", &patterns])?;
    if found.is_empty() {
        return Ok(found);
    }
    match output_of(git, &["check-ignore", "-z", "--stdin"], found) {
        Err(failure) if failure.code == Some(NOTHING) => Ok(Vec::new()),
        result => result,
    }
}

/// Copies a file, unless the commit contains a file or a link in its place.
fn copy(from: &Path, to: &Path, path: &Path) -> io::Result<()> {
    let is_link = |folder: &Path| to.join(folder).symlink_metadata().is_ok_and(|it| !it.is_dir());
    let is_blocked =
        path.ancestors().skip(1).any(|folder| folder != Path::new("") && is_link(folder));
    let target = to.join(path);
    if is_blocked || target.symlink_metadata().is_ok() {
        return Ok(());
    }
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::copy(from.join(path), target).map(drop)
}
