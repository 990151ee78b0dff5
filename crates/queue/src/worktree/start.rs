//! Determines the commit from which a task starts: `HEAD`, or the results of its predecessors.

use std::path::Path;

use process::Git;

use super::{WorktreeError, Worktrees, for_work_tree, output, text};
use crate::claim::ClaimedTask;
use crate::task::Task;

/// The exit code of `git merge-tree` if the commits conflict.
const CONFLICT: i32 = 1;

/// What a task starts from.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// The current commit of the repository.
    Head,
    /// The results of these tasks, unless `HEAD` contains them. Tasks of other repositories and tasks without a worktree are
    /// left out.
    After(&'a [Task]),
}

impl ClaimedTask {
    /// Returns what the task starts from.
    #[must_use]
    pub fn start(&self) -> Start<'_> {
        if self.task.request.is_from_head { Start::Head } else { Start::After(&self.predecessors) }
    }
}

impl Worktrees {
    /// Returns the commit at which a task starts. The results of several tasks are merged into a new commit.
    pub(super) fn start_commit(
        &self,
        repository: &Path,
        start: &Start<'_>,
    ) -> Result<String, WorktreeError> {
        let head = self.check_head(repository)?;
        let Start::After(predecessors) = start else { return Ok(head) };
        let git = self.git(repository);
        let mut tips: Vec<Tip> = Vec::new();
        for task in predecessors.iter().filter(|task| task.repository == repository) {
            let Some(tip) = tip(&git, task)? else { continue };
            let is_known = is_ancestor(&git, &tip.commit, &head)
                || tips.iter().any(|other| is_ancestor(&git, &tip.commit, &other.commit));
            if !is_known {
                tips.retain(|other| !is_ancestor(&git, &other.commit, &tip.commit));
                tips.push(tip);
            }
        }
        let names = || tips.iter().map(|tip| tip.name.clone()).collect::<Vec<String>>();
        let mut commits = tips.iter().map(|tip| tip.commit.clone());
        let Some(first) = commits.next() else { return Ok(head) };
        commits.try_fold(first, |merged, next| {
            merge(&git, &merged, &next, &names())?.ok_or_else(|| WorktreeError::Conflict(names()))
        })
    }
}

/// The branch and the commit that contain the changes of a finished task.
struct Tip {
    /// The name of the branch, or the commit's hash if the branch was deleted.
    name: String,
    commit: String,
}

/// Finds the branch of a task, or the recorded commit if there is no branch. Returns `None` if the task had no worktree.
fn tip(git: &Git, task: &Task) -> Result<Option<Tip>, WorktreeError> {
    let find = |name: &str| {
        let commit = format!("{name}^{{commit}}");
        text(git, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]).ok()
    };
    let branch = task.product.branch.as_deref();
    if let Some((branch, commit)) = branch.and_then(|name| {
        let commit = find(&format!("refs/heads/{name}"))?;
        Some((name, commit))
    }) {
        return Ok(Some(Tip { name: branch.to_owned(), commit }));
    }
    let Some(recorded) = &task.product.head else { return Ok(None) };
    match find(recorded) {
        Some(commit) => Ok(Some(Tip { name: recorded.clone(), commit })),
        None => {
            let (task, commit) = (task.id.clone(), recorded.clone());
            Err(WorktreeError::MissingResult { task, commit })
        }
    }
}

fn is_ancestor(git: &Git, older: &str, newer: &str) -> bool {
    output(git, &["merge-base", "--is-ancestor", older, newer]).is_ok()
}

/// Merges two commits into a new commit, without a work tree. Returns `None` if they conflict.
fn merge(
    git: &Git,
    ours: &str,
    theirs: &str,
    names: &[String],
) -> Result<Option<String>, WorktreeError> {
    // The repository's configuration may name programs that merge files, so these programs are disabled.
    let git = for_work_tree(git.clone())?;
    let words = ["merge-tree", "--write-tree", "--no-messages", ours, theirs];
    let tree = match text(&git, &words) {
        Ok(tree) => tree,
        Err(failure) if failure.code == Some(CONFLICT) => return Ok(None),
        Err(failure) => return Err(failure.into()),
    };
    let message = format!("Merge {}", names.join(", "));
    let words = ["commit-tree", "-p", ours, "-p", theirs, "-m", &message, &tree];
    Ok(Some(text(&git, &words)?))
}
