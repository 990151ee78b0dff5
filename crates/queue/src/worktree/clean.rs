//! Finds worktrees that are no longer needed.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::{Worktrees, output, status, text};
use crate::task::{State, Task, TaskId};

/// A worktree, with the decision whether it can be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    pub id: TaskId,
    pub path: PathBuf,
    /// The repository of the worktree. `None` if the task is not in the store and git does not know the folder.
    pub repository: Option<PathBuf>,
    /// The disk space that is freed by removing the folder, in bytes.
    pub bytes: u64,
    pub fate: Fate,
    /// Why the folder is removed or kept.
    pub reason: String,
}

/// The decision about a worktree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Keep,
    /// The folder is kept because it has uncommitted changes.
    KeepUncommitted,
    /// The folder is removed, and the branch is kept.
    Remove,
    /// The folder and the branch are removed, because all commits of the branch are in `HEAD`.
    RemoveWithBranch,
}

impl Fate {
    #[must_use]
    pub fn removes(self) -> bool {
        matches!(self, Self::Remove | Self::RemoveWithBranch)
    }
}

impl Worktrees {
    /// Returns all worktrees, each with the decision about it. `find` returns the task with a given id, if it is in the
    /// store.
    pub fn leftovers(&self, mut find: impl FnMut(&TaskId) -> Option<Task>) -> Vec<Leftover> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let names = entries.flatten().map(|entry| entry.file_name());
        let mut ids: Vec<TaskId> =
            names.filter_map(|name| TaskId::new(name.to_str()?).ok()).collect();
        ids.sort();
        ids.into_iter().map(|id| self.judge(find(&id), id)).collect()
    }

    /// Removes a worktree, and its branch if `fate` says so.
    pub fn remove_leftover(&self, leftover: &Leftover) -> Result<(), super::WorktreeError> {
        let repository = leftover.repository.clone();
        // If the repository is unknown, only the folder is removed.
        let repository = repository.unwrap_or_else(|| self.folder.clone());
        if leftover.fate == Fate::RemoveWithBranch {
            return self.remove(&repository, &leftover.id);
        }
        let _lock = self.lock(&repository)?;
        self.remove_folder(&repository, &leftover.id)
    }

    fn judge(&self, task: Option<Task>, id: TaskId) -> Leftover {
        let path = self.path(&id);
        let repository = match &task {
            Some(task) => Some(task.repository.clone()),
            None => self.repository_of(&path),
        };
        let (fate, reason) = self.decide(task.as_ref(), &id, &path, repository.as_deref());
        Leftover { bytes: folder_bytes(&path), id, path, repository, fate, reason }
    }

    fn decide(
        &self,
        task: Option<&Task>,
        id: &TaskId,
        path: &Path,
        repository: Option<&Path>,
    ) -> (Fate, String) {
        if let Some(task) = task.filter(|task| may_continue(task.state)) {
            return (Fate::Keep, format!("the task is {}", task.state.word()));
        }
        let Some(repository) = repository.filter(|repository| repository.exists()) else {
            return (Fate::Remove, "abandoned: its repository does not exist".to_owned());
        };
        if !path.join(".git").exists() {
            return (Fate::Remove, "abandoned: it is no longer a worktree".to_owned());
        }
        match status(&self.git(path)) {
            Ok(changes) if changes.is_empty() => {}
            Ok(_) => {
                let reason = "it has changes that are not committed".to_owned();
                return (Fate::KeepUncommitted, reason);
            }
            Err(problem) => {
                return (Fate::KeepUncommitted, format!("its state is unknown: {problem}"));
            }
        }
        let branch = id.branch();
        let git = self.git(repository);
        if output(&git, &["merge-base", "--is-ancestor", &branch, "HEAD"]).is_ok() {
            return (Fate::RemoveWithBranch, format!("merged: `{branch}` is part of HEAD"));
        }
        let reason = match task {
            Some(_) => format!("its changes are committed on `{branch}`"),
            None => format!("abandoned: no task in the store; `{branch}` stays"),
        };
        (Fate::Remove, reason)
    }

    /// Returns the repository that the `.git` file of a worktree names.
    fn repository_of(&self, worktree: &Path) -> Option<PathBuf> {
        let git = self.git(worktree);
        let common =
            text(&git, &["rev-parse", "--path-format=absolute", "--git-common-dir"]).ok()?;
        let common = PathBuf::from(common);
        match common.file_name().is_some_and(|name| name == ".git") {
            true => common.parent().map(Path::to_owned),
            false => Some(common),
        }
    }
}

/// Returns whether a worker or a person may continue the task in its worktree.
fn may_continue(state: State) -> bool {
    !state.has_ended() || state == State::NeedsApproval
}

/// Returns the disk space used by a folder, in bytes. Does not follow links.
#[must_use]
pub fn folder_bytes(folder: &Path) -> u64 {
    let Ok(found) = fs::symlink_metadata(folder) else { return 0 };
    let own = found.blocks().saturating_mul(512);
    if !found.is_dir() {
        return own;
    }
    let Ok(entries) = fs::read_dir(folder) else { return own };
    entries.flatten().map(|entry| folder_bytes(&entry.path())).fold(own, u64::saturating_add)
}
