//! Removes lock files that a killed git process left behind.
//!
//! Git refuses to change a reference or an index while its lock file exists. Git removes its lock files on SIGTERM, but not
//! on SIGKILL, and not if the signal arrives while it creates the file.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use process::Repository;

use super::{Worktrees, text};
use crate::task::TaskId;

/// The age at which a lock file counts as left behind. Git holds the lock of a branch or of the index of a worktree for
/// milliseconds.
const STALE_AGE: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

impl Worktrees {
    /// Removes the stale lock files of a task's branch and worktree. Waits if a lock file is not old enough, because a
    /// git command of the user may hold it.
    pub(super) fn remove_stale_locks(&self, repository: &Path, id: &TaskId) {
        let words = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
        let Ok(common) = text(&self.git(repository), &words) else { return };
        let common = PathBuf::from(common);
        remove_if_stale(&common.join(format!("refs/heads/{}.lock", id.branch())));
        // A run can write a `.git` file that names the git directory of another repository.
        let worktree = Repository::for_commit(&self.path(id)).ok();
        let is_own =
            |found: &Repository| common.canonicalize().is_ok_and(|it| it == found.common_dir);
        if let Some(worktree) = worktree.filter(is_own) {
            for name in ["index.lock", "HEAD.lock"] {
                remove_if_stale(&worktree.git_dir.join(name));
            }
        }
    }
}

/// Removes a lock file once it is [`STALE_AGE`] old. Returns earlier if the file is deleted or replaced.
fn remove_if_stale(lock: &Path) {
    let Some(first) = modified(lock) else { return };
    let seen = Instant::now();
    while modified(lock) == Some(first) {
        // The clock of the file system may be ahead.
        let age = first.elapsed().unwrap_or_default().max(seen.elapsed());
        if age >= STALE_AGE {
            // If the file cannot be removed, git names it in its error message.
            drop(fs::remove_file(lock));
            return;
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::symlink_metadata(path).and_then(|found| found.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_file_that_git_still_holds_is_not_removed() {
        let folder = tempfile::tempdir().unwrap();
        let lock = folder.path().join("index.lock");
        fs::write(&lock, "").unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| remove_if_stale(&lock));
            std::thread::sleep(POLL_INTERVAL * 4);
            assert!(lock.exists() && !waiting.is_finished());
            fs::remove_file(&lock).unwrap();
            waiting.join().unwrap();
        });
    }
}
