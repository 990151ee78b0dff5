//! Finds worktrees that are not needed any more.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::{Worktrees, output, status, text};
use crate::task::{State, Task, TaskId};

/// A worktree that can be removed, or the reason why it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    pub id: TaskId,
    pub path: PathBuf,
    /// The repository of the worktree. `None` if the store does not know the task and git does not know the folder.
    pub repository: Option<PathBuf>,
    /// The space that removing the folder frees.
    pub bytes: u64,
    /// Why the folder is removed or kept.
    pub reason: String,
    pub is_removable: bool,
    /// Whether the folder is only kept because its changes are not committed.
    pub is_forcible: bool,
    /// Whether the branch is deleted as well, because it has no commit that another branch lacks.
    pub deletes_branch: bool,
}

impl Worktrees {
    /// Returns all worktrees, each with the decision about it. `find` returns the task of an id, if the store has it.
    pub fn leftovers(&self, mut find: impl FnMut(&TaskId) -> Option<Task>) -> Vec<Leftover> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let names = entries.flatten().map(|entry| entry.file_name());
        let mut ids: Vec<TaskId> =
            names.filter_map(|name| TaskId::new(name.to_str()?).ok()).collect();
        ids.sort();
        ids.into_iter().map(|id| self.judge(find(&id), id)).collect()
    }

    /// Removes a worktree, and its branch if the decision says so.
    pub fn remove_leftover(&self, leftover: &Leftover) -> Result<(), super::WorktreeError> {
        let repository = leftover.repository.clone();
        // Without a repository, only the folder is left.
        let repository = repository.unwrap_or_else(|| self.folder.clone());
        if leftover.deletes_branch {
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
        let mut leftover = Leftover {
            bytes: folder_bytes(&path),
            id,
            path,
            repository,
            reason: String::new(),
            is_removable: false,
            is_forcible: false,
            deletes_branch: false,
        };
        self.decide(task.as_ref(), &mut leftover);
        leftover
    }

    fn decide(&self, task: Option<&Task>, leftover: &mut Leftover) {
        if let Some(task) = task
            && matches!(
                task.state,
                State::Queued | State::Running | State::Waiting | State::NeedsApproval
            )
        {
            leftover.reason = format!("the task is {}", task.state.word());
            return;
        }
        let repository = leftover.repository.clone().filter(|repository| repository.exists());
        let Some(repository) = repository else {
            "abandoned: its repository does not exist".clone_into(&mut leftover.reason);
            leftover.is_removable = true;
            return;
        };
        if !leftover.path.join(".git").exists() {
            "abandoned: it is not a worktree any more".clone_into(&mut leftover.reason);
            leftover.is_removable = true;
            return;
        }
        leftover.is_forcible = true;
        match status(&self.git(&leftover.path)) {
            Ok(changes) if changes.is_empty() => {}
            Ok(_) => {
                "it has changes that are not committed".clone_into(&mut leftover.reason);
                return;
            }
            Err(problem) => {
                leftover.reason = format!("its state is unknown: {problem}");
                return;
            }
        }
        leftover.is_removable = true;
        let branch = leftover.id.branch();
        let git = self.git(&repository);
        leftover.deletes_branch =
            output(&git, &["merge-base", "--is-ancestor", &branch, "HEAD"]).is_ok();
        leftover.reason = match (leftover.deletes_branch, task) {
            (true, _) => format!("merged: `{branch}` is part of HEAD"),
            (false, Some(_)) => format!("its changes are committed on `{branch}`"),
            (false, None) => format!("abandoned: no task in the store; `{branch}` stays"),
        };
    }

    /// Returns the repository that a worktree belongs to, as its `.git` file says.
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

/// Returns the disk space of a folder in bytes. Links are not followed.
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
