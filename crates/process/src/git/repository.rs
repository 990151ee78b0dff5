//! Finds the repository of a directory without starting git, and checks that its files belong to it.
//!
//! The configuration and the `.git` entry of a repository can name another work tree, another git directory or, through
//! symbolic links, another repository's references. A process in a sandbox can create such a repository below its
//! working directory. A commit that is made outside the sandbox must not follow it.

use std::fs;
use std::path::{Path, PathBuf};

use super::opened_files::{read_config, read_line, values_of};

/// Entries of a git directory that git writes to when it creates a commit. The boolean says whether their content is
/// checked too.
const WRITTEN: [(&str, bool); 8] = [
    ("HEAD", false),
    ("index", false),
    ("config", false),
    ("packed-refs", false),
    ("objects", true),
    ("refs", true),
    ("reftable", true),
    ("logs", true),
];

/// A work tree and its git directory. All paths are canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// The folder that contains `.git`.
    pub top: PathBuf,
    pub git_dir: PathBuf,
    /// The git directory that contains the references and objects. It differs from `git_dir` in a linked worktree.
    pub common_dir: PathBuf,
}

/// Why a directory's repository is not used for a commit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RepositoryProblem {
    #[error("`{}` is not in the work tree of a git repository", .0.display())]
    NoRepository(PathBuf),
    #[error("`{}` names the git directory `{}`, which belongs to another work tree", dot_git.display(), git_dir.display())]
    OtherGitDirectory { dot_git: PathBuf, git_dir: PathBuf },
    #[error("the configuration of the repository in `{}` names another work tree or git directory: `{}`", top.display(), named.display())]
    OtherWorkTree { top: PathBuf, named: PathBuf },
    #[error("git does not open the repository in `{}`", .0.display())]
    NotOpened(PathBuf),
    #[error("`{}` is a symbolic link, so git would write to another place", .0.display())]
    Link(PathBuf),
}

impl Repository {
    /// Finds the repository that contains `directory`. Returns `None` if neither the directory nor one of its parents has
    /// a `.git` entry that is a folder or names one.
    #[must_use]
    pub fn around(directory: &Path) -> Option<Self> {
        let directory = directory.canonicalize().ok()?;
        let top = directory.ancestors().find(|folder| {
            // Like git, skips an empty folder.
            let dot_git = folder.join(".git");
            is_present(&dot_git) && (!dot_git.is_dir() || is_present(&dot_git.join("HEAD")))
        })?;
        let git_dir = git_dir_of(&top.join(".git"))?;
        let common_dir = match read_line(&git_dir.join("commondir")) {
            Some(common) => git_dir.join(common).canonicalize().ok()?,
            None => git_dir.clone(),
        };
        Some(Self { top: top.to_owned(), git_dir, common_dir })
    }

    /// Finds the repository that contains `directory`, and checks that a commit in it changes no other repository.
    ///
    /// # Errors
    /// Fails if the git directory is neither a folder in the work tree nor the registered git directory of this linked
    /// worktree or submodule, or if a file or folder that git writes to is a symbolic link.
    pub fn for_commit(directory: &Path) -> Result<Self, RepositoryProblem> {
        let found = Self::around(directory);
        let found = found.ok_or_else(|| RepositoryProblem::NoRepository(directory.to_owned()))?;
        found.check_git_directory()?;
        match found.written_link() {
            Some(link) => Err(RepositoryProblem::Link(link)),
            None => Ok(found),
        }
    }

    fn check_git_directory(&self) -> Result<(), RepositoryProblem> {
        let dot_git = self.top.join(".git");
        let is_own = if self.git_dir == dot_git {
            self.common_dir == self.git_dir
        } else if self.common_dir == self.git_dir {
            self.names_work_tree()
        } else {
            let registered = read_line(&self.git_dir.join("gitdir"));
            let registered = registered.map(|path| self.git_dir.join(path).canonicalize());
            self.git_dir.parent() == Some(&self.common_dir.join("worktrees"))
                && matches!(registered, Some(Ok(path)) if path == dot_git)
        };
        if is_own {
            return Ok(());
        }
        let git_dir = match self.git_dir == dot_git {
            true => self.common_dir.clone(),
            false => self.git_dir.clone(),
        };
        Err(RepositoryProblem::OtherGitDirectory { dot_git, git_dir })
    }

    /// Returns whether the git directory's own configuration names this work tree, as in a submodule.
    fn names_work_tree(&self) -> bool {
        let files = ["config", "config.worktree"].map(|name| self.git_dir.join(name));
        let texts = files.iter().filter_map(|file| read_config(file)).collect::<Vec<_>>();
        let mut values = texts.iter().flat_map(|text| values_of(text, "worktree"));
        values.any(|value| {
            self.git_dir.join(value).canonicalize().is_ok_and(|named| named == self.top)
        })
    }

    /// Returns the first file or folder of the git directory that git writes to and that is a symbolic link.
    fn written_link(&self) -> Option<PathBuf> {
        let mut folders = vec![&self.git_dir];
        if self.common_dir != self.git_dir {
            folders.push(&self.common_dir);
        }
        let written = folders
            .into_iter()
            .flat_map(|folder| WRITTEN.map(|(name, is_deep)| (folder.join(name), is_deep)));
        written.into_iter().find_map(|(path, is_deep)| link_at(&path, is_deep))
    }
}

/// Returns the path of a symbolic link: `path` itself or, if `is_deep`, an entry below it. Does not search below the
/// folders of single objects, which contain only files.
fn link_at(path: &Path, is_deep: bool) -> Option<PathBuf> {
    let kind = fs::symlink_metadata(path).ok()?.file_type();
    if kind.is_symlink() {
        return Some(path.to_owned());
    }
    let mut pending = Vec::from_iter((is_deep && kind.is_dir()).then(|| path.to_owned()));
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_symlink() {
                return Some(entry.path());
            }
            if kind.is_dir() && !folder.ends_with("objects") {
                pending.push(entry.path());
            }
        }
    }
    None
}

/// Returns the git directory that a `.git` entry is or names.
pub(super) fn git_dir_of(dot_git: &Path) -> Option<PathBuf> {
    if dot_git.is_dir() {
        return dot_git.canonicalize().ok();
    }
    let line = read_line(dot_git)?;
    let named = line.strip_prefix("gitdir:")?.trim();
    dot_git.parent()?.join(named).canonicalize().ok().filter(|path| path.is_dir())
}

fn is_present(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}
