//! Finds worktrees that are no longer needed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use process::{Git, Repository};

use super::{
    WorktreeError, Worktrees, for_work_tree, has_changes, has_open_submodule, output, remove_all,
    text,
};
use crate::task::{Task, TaskId, TaskState};

/// The maximum number of branches that one git command deletes.
const MAX_BRANCHES: usize = 500;

/// A worktree, with the decision to remove or keep it.
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
    /// The folder is kept because it has, or may have, uncommitted changes.
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
    /// Returns all worktrees, each with the decision to remove or keep it. `find` returns the task with a given id, or `None`
    /// if it is not in the store.
    pub fn leftovers(&self, mut find: impl FnMut(&TaskId) -> Option<Task>) -> Vec<Leftover> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let names = entries.flatten().map(|entry| entry.file_name());
        let mut ids: Vec<TaskId> =
            names.filter_map(|name| TaskId::new(name.to_str()?).ok()).collect();
        ids.sort();
        let mut known = Known::default();
        ids.into_iter().map(|id| self.judge(find(&id), id, &mut known)).collect()
    }

    /// Removes the worktrees with [`Fate::Remove`], and those with [`Fate::RemoveWithBranch`] together with their
    /// branches. Calls `ended` with the result for each of them. Git runs once per repository, not once per worktree,
    /// because there may be thousands of worktrees.
    pub fn remove_leftovers(
        &self,
        leftovers: &mut [Leftover],
        mut ended: impl FnMut(&mut Leftover, Result<(), WorktreeError>),
    ) -> Result<(), WorktreeError> {
        let mut by_repository: BTreeMap<PathBuf, Vec<&mut Leftover>> = BTreeMap::new();
        for leftover in leftovers.iter_mut().filter(|leftover| leftover.fate.removes()) {
            // If there is no repository, only the worktree's folder has to be removed.
            let repository = leftover.repository.clone().unwrap_or_else(|| self.folder.clone());
            by_repository.entry(repository).or_default().push(leftover);
        }
        for (repository, group) in by_repository {
            let _lock = self.lock(&repository)?;
            let mut branches = Vec::new();
            for leftover in group {
                let removed = remove_all(&leftover.path);
                if removed.is_ok() && leftover.fate == Fate::RemoveWithBranch {
                    branches.push(leftover.id.branch());
                }
                ended(leftover, removed);
            }
            let git = self.git(&repository);
            // This fails if the repository has been deleted.
            drop(output(&git, &["worktree", "prune"]));
            for names in branches.chunks(MAX_BRANCHES) {
                let names = names.iter().map(String::as_str);
                let words: Vec<&str> =
                    ["branch", "--quiet", "-D"].into_iter().chain(names).collect();
                // This fails for a branch that has already been deleted.
                drop(output(&git, &words));
            }
        }
        Ok(())
    }

    fn judge(&self, task: Option<Task>, id: TaskId, known: &mut Known) -> Leftover {
        let path = self.path(&id);
        let repository = match &task {
            Some(task) => Some(task.repository.clone()),
            None => self.repository_of(&path, known),
        };
        let (fate, reason) = self.decide(task.as_ref(), &id, &path, repository.as_deref(), known);
        Leftover { bytes: folder_bytes(&path), id, path, repository, fate, reason }
    }

    fn decide(
        &self,
        task: Option<&Task>,
        id: &TaskId,
        path: &Path,
        repository: Option<&Path>,
        known: &mut Known,
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
        if let Some(reason) = self.reason_to_keep(path, known) {
            return (Fate::KeepUncommitted, reason);
        }
        let branch = id.branch();
        let merged = known.merged.entry(repository.to_owned());
        if merged.or_insert_with(|| merged_branches(&self.git(repository))).contains(&branch) {
            return (Fate::RemoveWithBranch, format!("merged: `{branch}` is part of HEAD"));
        }
        let reason = match task {
            Some(_) => format!("its changes are committed on `{branch}`"),
            None => format!("abandoned: its task is not in the store; `{branch}` is kept"),
        };
        (Fate::Remove, reason)
    }

    /// Returns why a worktree has, or may have, changes that are not committed.
    fn reason_to_keep(&self, path: &Path, known: &mut Known) -> Option<String> {
        let git = for_work_tree(self.git_in(path, known));
        let checked = git.as_ref().ok().and_then(Git::checked_common_dir);
        known.checked.extend(checked.map(Path::to_owned));
        match git.and_then(|git| Ok((has_changes(&git, path)?, git))) {
            Ok((true, _)) => Some("it has changes that are not committed".to_owned()),
            Ok((false, git)) => has_open_submodule(&git, path)
                .then(|| "it has a sub-module, which may have changes".to_owned()),
            Err(problem) => Some(format!("its state is unknown: {problem}")),
        }
    }

    /// Returns a [`Git`] in a worktree that does not check a common git directory again.
    fn git_in(&self, worktree: &Path, known: &Known) -> Git {
        let git = self.git(worktree);
        let common_dir = Repository::around(worktree).map(|repository| repository.common_dir);
        match common_dir.filter(|folder| known.checked.contains(folder)) {
            Some(checked) => git.with_checked_common_dir(checked),
            None => git,
        }
    }

    /// Returns the repository to which a worktree belongs according to git, or `None` if git fails.
    fn repository_of(&self, worktree: &Path, known: &Known) -> Option<PathBuf> {
        let git = self.git_in(worktree, known);
        let common =
            text(&git, &["rev-parse", "--path-format=absolute", "--git-common-dir"]).ok()?;
        let common = PathBuf::from(common);
        match common.file_name().is_some_and(|name| name == ".git") {
            true => common.parent().map(Path::to_owned),
            false => Some(common),
        }
    }
}

/// What several worktrees have in common.
#[derive(Default)]
struct Known {
    /// For each repository, the task branches that are part of `HEAD`.
    merged: HashMap<PathBuf, HashSet<String>>,
    /// The common git directories that contain no file on which git would block.
    checked: HashSet<PathBuf>,
}

fn merged_branches(git: &Git) -> HashSet<String> {
    let words =
        ["for-each-ref", "--merged=HEAD", "--format=%(refname:lstrip=2)", "refs/heads/adjutant/"];
    // If the list cannot be read, no branch is deleted.
    text(git, &words).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Returns whether a worker or the user may continue in the worktree.
fn may_continue(state: TaskState) -> bool {
    !state.has_ended() || state == TaskState::NeedsApproval
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
