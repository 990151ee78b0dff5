//! Finds the repository root: the explicitly set directory, otherwise the top of the git work tree, otherwise the
//! working directory. Finds the directories in it that configure git and the coding agents.
//!
//! Searching the parent directories for `.git` gives the same result as `git rev-parse --show-toplevel` without
//! starting a process for every prompt.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use contract::RepoRootSource;
use disk::Links;

use crate::catalogue;
use crate::file::{CONFIG_PATH, ConfigFile};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryRoot {
    /// A canonical path, without symbolic links or `..`.
    pub path: PathBuf,
    pub source: RepoRootSource,
}

#[derive(Debug, thiserror::Error)]
pub enum RootError {
    #[error("{who}: `{}` is not a readable directory: {source}", path.display())]
    Unusable { who: String, path: PathBuf, source: io::Error },
    #[error("{CONFIG_PATH}: `repo_root: {wanted}` leads out of the repository")]
    Outside { wanted: String },
}

/// Finds the root without reading the configuration file, which cannot be located before the root is known.
pub fn resolve_root(
    lookup: &dyn Fn(&str) -> Option<String>,
    working_directory: &Path,
) -> Result<RepositoryRoot, RootError> {
    if let Some(explicit) = lookup(catalogue::REPO_ROOT) {
        let path = working_directory.join(&explicit);
        let path = real_directory(&path, catalogue::REPO_ROOT)?;
        return Ok(RepositoryRoot { path, source: RepoRootSource::Env });
    }
    let directory = real_directory(working_directory, "working directory")?;
    Ok(match find_git_top(&directory) {
        Some(path) => RepositoryRoot { path, source: RepoRootSource::Git },
        None => RepositoryRoot { path: directory, source: RepoRootSource::NoGitRoot },
    })
}

impl RepositoryRoot {
    /// Narrows the root to the configuration file's `repo_root`, unless the environment set the root.
    ///
    /// # Errors
    /// If `repo_root` is not a readable directory inside the repository.
    pub fn narrowed(self, file: &ConfigFile) -> Result<Self, RootError> {
        let Some(wanted) = &file.repo_root else { return Ok(self) };
        if self.source == RepoRootSource::Env {
            return Ok(self);
        }
        let path = real_directory(&self.path.join(wanted), &format!("{CONFIG_PATH}: repo_root"))?;
        if !path.starts_with(&self.path) {
            return Err(RootError::Outside { wanted: wanted.clone() });
        }
        Ok(Self { path, source: RepoRootSource::Config })
    }
}

fn real_directory(path: &Path, who: &str) -> Result<PathBuf, RootError> {
    let unusable =
        |source| RootError::Unusable { who: who.to_owned(), path: path.to_owned(), source };
    let real = path.canonicalize().map_err(unusable)?;
    fs::read_dir(&real).map_err(unusable)?;
    Ok(real)
}

/// Returns the top of the work tree that contains `directory`, which must be a canonical path. Returns `None` outside a
/// work tree and inside a git directory.
#[must_use]
pub fn find_git_top(directory: &Path) -> Option<PathBuf> {
    for candidate in directory.ancestors() {
        if is_git_directory(candidate) {
            return None;
        }
        if is_work_tree_top(candidate) {
            return Some(candidate.to_owned());
        }
    }
    None
}

/// Returns true if `path` contains `.git`, as a git directory or as a file that refers to one.
fn is_work_tree_top(path: &Path) -> bool {
    let dot_git = path.join(".git");
    is_git_directory(&dot_git) || is_git_link(&dot_git)
}

/// Returns true if git accepts `path` as a git directory. The git directory of a linked worktree has no objects and refs
/// of its own: its file `commondir` names the directory that contains them.
fn is_git_directory(path: &Path) -> bool {
    path.join("HEAD").symlink_metadata().is_ok()
        && (path.join("commondir").is_file()
            || (path.join("objects").is_dir() && path.join("refs").is_dir()))
}

/// Returns true if `path` is a `.git` file that refers to a git directory, as in linked worktrees and submodules.
fn is_git_link(path: &Path) -> bool {
    const START: &[u8] = b"gitdir:";
    disk::read_start(path, Links::Follow, START.len() as u64).is_ok_and(|text| text == START)
}

/// The names of directories that configure git and the coding agents.
///
/// Codex in `workspace-write` does not write to `.git`, `.codex` and `.agents` in its working directory. It does not
/// recognise them if the working directory is one of them or is inside one. A program that is named in such a directory,
/// for example in a git hook, runs outside the sandbox. Therefore a model does not choose such a working directory.
const PROTECTED: [&str; 4] = [".git", ".codex", ".agents", ".claude"];

/// Returns the protected directory that is `directory` or contains it. Both paths must be canonical, and `directory`
/// must be `root` or inside it.
///
/// A git directory is recognised by its content, so bare repositories and git directories with other names are
/// protected too. The names of `root` and of the directories that contain it are not checked, because the user chose
/// `root`. For example, the work trees of Claude Code are in `.claude/worktrees`.
#[must_use]
pub fn protected_around<'a>(directory: &'a Path, root: &Path) -> Option<&'a Path> {
    let mut is_below_root = true;
    for candidate in directory.ancestors() {
        is_below_root &= candidate != root;
        if is_git_directory(candidate) || (is_below_root && has_protected_name(candidate)) {
            return Some(candidate);
        }
        if !is_below_root && is_work_tree_top(candidate) {
            return None;
        }
    }
    None
}

/// Ignores the case, because a file system may ignore it.
fn has_protected_name(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| PROTECTED.iter().any(|known| name.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests;
