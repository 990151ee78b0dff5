//! Creates a git worktree for each task, outside the repository and on its own branch.
//!
//! Git runs without the hooks and filters that the repository configures. The worktree shares the git directory of the
//! repository, and therefore also Adjutant's index.

mod clean;
mod include;
mod stale_locks;
mod start;

use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use policy::ContentHash;
use process::{Bounds, End, Environment, Git};

use crate::task::{ChangeCount, TaskId, WorkProduct};

pub use clean::{Fate, Leftover, folder_bytes};
pub use start::Start;

/// The timeout of a git command. The checkout of a large repository can take minutes.
const GIT_TIMEOUT: Duration = Duration::from_secs(600);
const MAX_PATCH_BYTES: usize = 64 * 1024 * 1024;
/// The minimum free disk space for creating a worktree.
const MIN_FREE_BYTES: u64 = 64 * MEGABYTE;
/// The maximum number of attempts to create a worktree. `git worktree prune`, which `git gc` runs, can delete the record of a
/// worktree that is being created.
const MAX_ADD_ATTEMPTS: u32 = 5;
const MEGABYTE: u64 = 1_000_000;

#[derive(Debug, thiserror::Error)]
pub enum WorktreeError {
    #[error("`{}` is not in a git repository{reason}", path.display())]
    NoRepository {
        path: PathBuf,
        /// Git's error message in parentheses, or an empty string if it only says that there is no repository.
        reason: String,
    },
    #[error("the repository `{}` has no commits, so a task has nothing to start from", .0.display())]
    NoCommits(PathBuf),
    #[error(
        "the disk with `{}` has only {} MB free, but a worktree needs at least {} MB",
        folder.display(), free / MEGABYTE, MIN_FREE_BYTES / MEGABYTE
    )]
    DiskFull { folder: PathBuf, free: u64 },
    #[error("cannot use `{}`: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("the results of the predecessors cannot be merged: {}", .0.join(", "))]
    Conflict(Vec<String>),
    #[error("the result of task `{task}`, commit {commit}, is not in the repository")]
    MissingResult { task: TaskId, commit: String },
    #[error("`.worktreeinclude` selects {files} files with {} MB; at most {} files with {} MB are copied", bytes / MEGABYTE, include::MAX_FILES, include::MAX_BYTES / MEGABYTE)]
    TooMuchIncluded { files: usize, bytes: u64 },
    #[error("{0}")]
    Git(String),
}

/// The state of a repository before a task is added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryState {
    /// The top folder of the work tree, or the git directory of a bare repository.
    pub top: PathBuf,
    /// The commit from which a task would start now.
    pub head: String,
    /// Notes for the user about content that the task does not see, such as uncommitted changes.
    pub notes: Vec<String>,
}

/// Creates and removes the worktrees of tasks, which are all in one folder.
#[derive(Clone, Debug)]
pub struct Worktrees {
    pub environment: Environment,
    pub folder: PathBuf,
    /// The folder for patches.
    pub patches: PathBuf,
}

impl Worktrees {
    /// Checks that tasks can work in the repository that contains `directory`.
    pub fn check(&self, directory: &Path) -> Result<RepositoryState, WorktreeError> {
        let git = self.git(directory);
        let is_bare = text(&git, &["rev-parse", "--is-bare-repository"])
            .map_err(|failure| no_repository(directory, &failure))?;
        let which = if is_bare == "true" { "--absolute-git-dir" } else { "--show-toplevel" };
        let top = text(&git, &["rev-parse", which])
            .map_err(|failure| no_repository(directory, &failure))?;
        let top = PathBuf::from(top);
        let head = text(&git, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
            .map_err(|_| WorktreeError::NoCommits(top.clone()))?;
        let mut notes = Vec::new();
        if is_bare != "true" && has_changes(&for_work_tree(self.git(&top))?, &top)? {
            let head = head.get(..12).unwrap_or(&head);
            notes.push(format!(
                "the work tree has changes that are not committed; the task starts from commit {head} without them"
            ));
        }
        if has_submodules(&git, &head) {
            notes.push("sub-modules are not checked out in the worktree of the task".to_owned());
        }
        Ok(RepositoryState { top, head, notes })
    }

    #[must_use]
    pub fn path(&self, id: &TaskId) -> PathBuf {
        self.folder.join(id.as_str())
    }

    /// Creates the worktree of a task. Removes anything that an earlier attempt left behind.
    pub fn create(
        &self,
        repository: &Path,
        id: &TaskId,
        start: &Start<'_>,
    ) -> Result<WorkProduct, WorktreeError> {
        let commit = self.start_commit(repository, start)?;
        self.check_space()?;
        self.remove_stale_locks(repository, id);
        let _lock = self.lock(repository)?;
        self.remove_folder(repository, id)?;
        self.add(repository, id, &["-B", &id.branch()], &commit)?;
        self.include(repository, id)?;
        Ok(self.product(id, commit))
    }

    /// Returns the worktree in which a task continues. If the folder was deleted, creates it again from the branch.
    pub fn reopen(
        &self,
        repository: &Path,
        id: &TaskId,
        base: Option<&str>,
        start: &Start<'_>,
    ) -> Result<WorkProduct, WorktreeError> {
        let git = self.git(repository);
        let branch = id.branch();
        if text(&git, &["rev-parse", "--verify", "--quiet", &format!("refs/heads/{branch}")])
            .is_err()
        {
            return self.create(repository, id, start);
        }
        let base = match base {
            Some(base) => base.to_owned(),
            None => text(&git, &["merge-base", "HEAD", &branch]).map_err(WorktreeError::from)?,
        };
        self.remove_stale_locks(repository, id);
        if !self.path(id).join(".git").exists() {
            self.check_space()?;
            let _lock = self.lock(repository)?;
            self.remove_folder(repository, id)?;
            self.add(repository, id, &[], &branch)?;
            self.include(repository, id)?;
        }
        Ok(self.product(id, base))
    }

    /// Determines a task's changes and writes them to a patch. If there are no changes, removes the worktree and its
    /// branch.
    pub fn collect(
        &self,
        repository: &Path,
        id: &TaskId,
        mut product: WorkProduct,
    ) -> Result<WorkProduct, WorktreeError> {
        let (Some(worktree), Some(base)) = (product.worktree.clone(), product.base.clone()) else {
            return Ok(product);
        };
        let git = self.git(&worktree);
        let head = text(&git, &["rev-parse", "--verify", "HEAD"]).map_err(WorktreeError::from)?;
        let in_worktree = for_work_tree(git.clone())?;
        let is_committed = !has_changes(&in_worktree, &worktree)?;
        product.head = Some(head.clone());
        if head == base && is_committed && !has_open_submodule(&in_worktree, &worktree) {
            self.remove(repository, id)?;
            (product.worktree, product.branch) = (None, None);
            return Ok(product);
        }
        if head != base {
            // Only commits are compared, so git does not enter submodules. The patch contains their changed commits.
            let options = [
                "--no-color",
                "--no-ext-diff",
                "--no-textconv",
                "--ignore-submodules=dirty",
                // The user can configure other prefixes, which `git apply` does not expect.
                "--src-prefix=a/",
                "--dst-prefix=b/",
            ];
            let diff = |form: &[&str]| {
                output(&git, &[&["diff"], &options[..], form, &[&base, &head]].concat())
            };
            let patch = diff(&["--binary", "--submodule=short"])?;
            let counted = diff(&["--numstat", "--no-renames"])?;
            product.changes = Some(ChangeCount::of_numstat(&String::from_utf8_lossy(&counted)));
            let path = self.patches.join(format!("{id}.patch"));
            let write = || {
                disk::create_private_folder(&self.patches)?;
                disk::replace_file(&path, &patch, None)
            };
            write().map_err(|source| WorktreeError::Io { path: path.clone(), source })?;
            product.patch = Some(path);
        }
        Ok(product)
    }

    /// Removes the worktree of a task and its branch.
    pub fn remove(&self, repository: &Path, id: &TaskId) -> Result<(), WorktreeError> {
        let _lock = self.lock(repository)?;
        self.remove_folder(repository, id)?;
        let git = self.git(repository);
        // The branch may already have been deleted.
        drop(output(&git, &["branch", "--quiet", "-D", &id.branch()]));
        Ok(())
    }

    fn check_head(&self, repository: &Path) -> Result<String, WorktreeError> {
        let git = self.git(repository);
        text(&git, &["rev-parse", "--git-dir"])
            .map_err(|failure| no_repository(repository, &failure))?;
        text(&git, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
            .map_err(|_| WorktreeError::NoCommits(repository.to_owned()))
    }

    fn check_space(&self) -> Result<(), WorktreeError> {
        let io = |source| WorktreeError::Io { path: self.folder.clone(), source };
        disk::create_private_folder(&self.folder).map_err(io)?;
        match disk::free_bytes(&self.folder).map_err(io)? {
            free if free < MIN_FREE_BYTES => {
                Err(WorktreeError::DiskFull { folder: self.folder.clone(), free })
            }
            _ => Ok(()),
        }
    }

    fn add(
        &self,
        repository: &Path,
        id: &TaskId,
        branch: &[&str],
        start: &str,
    ) -> Result<(), WorktreeError> {
        let git = for_work_tree(self.git(repository))?;
        let path = self.path(id).to_string_lossy().into_owned();
        let mut words = vec!["worktree", "add", "--quiet"];
        words.extend(branch);
        words.extend([path.as_str(), start]);
        let mut n_attempts = 0;
        loop {
            let Err(failure) = output(&git, &words) else { return Ok(()) };
            // A checkout that failed, for example on a full disk, leaves files behind.
            drop(self.remove_folder(repository, id));
            n_attempts += 1;
            if n_attempts == MAX_ADD_ATTEMPTS {
                return Err(failure.into());
            }
        }
    }

    /// Removes the folder of a worktree and git's record of it. Keeps the branch.
    fn remove_folder(&self, repository: &Path, id: &TaskId) -> Result<(), WorktreeError> {
        remove_all(&self.path(id))?;
        let path = self.path(id).to_string_lossy().into_owned();
        // Fails if git has no record of the worktree. `git worktree prune` is not used here: if this worker is killed, its git
        // process continues without the lock, and would delete the record of a worktree that another worker is creating.
        drop(output(&self.git(repository), &["worktree", "remove", "--force", "--force", &path]));
        Ok(())
    }

    fn product(&self, id: &TaskId, base: String) -> WorkProduct {
        WorkProduct {
            worktree: Some(self.path(id)),
            branch: Some(id.branch()),
            base: Some(base),
            ..WorkProduct::default()
        }
    }

    fn git(&self, directory: &Path) -> Git {
        Git::new(&self.environment, directory)
    }

    /// Takes a lock, so that no other worker on this machine adds or removes worktrees of the repository at the same time.
    fn lock(&self, repository: &Path) -> Result<File, WorktreeError> {
        let hash = ContentHash::of([repository.as_os_str().as_bytes()]);
        let path = self.folder.join(hash.text().replace("sha256:", ".lock-"));
        let locked = || {
            disk::create_private_folder(&self.folder)?;
            let file = File::create(&path)?;
            file.lock()?;
            Ok(file)
        };
        locked().map_err(|source| WorktreeError::Io { path: path.clone(), source })
    }
}

/// Removes a folder if it exists.
fn remove_all(path: &Path) -> Result<(), WorktreeError> {
    match fs::remove_dir_all(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(WorktreeError::Io { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

fn no_repository(path: &Path, failure: &GitFailure) -> WorktreeError {
    let is_said = failure.message.contains("not a git repository");
    let reason = if is_said { String::new() } else { format!(" ({})", failure.message) };
    WorktreeError::NoRepository { path: path.to_owned(), reason }
}

fn for_work_tree(git: Git) -> Result<Git, WorktreeError> {
    git.for_work_tree().map_err(|problem| WorktreeError::Git(problem.to_string()))
}

/// Returns whether the work tree `top`, in which `git` may read files, has changed or untracked files, other than files that
/// tools generate.
fn has_changes(git: &Git, top: &Path) -> Result<bool, WorktreeError> {
    let words = [
        "status",
        "--porcelain",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--ignore-submodules=all",
    ];
    let listed = output(git, &words)?;
    let generated = runs::GeneratedFiles::of(git, top).map_err(WorktreeError::Git)?;
    let mut entries = listed.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
    Ok(entries.any(|entry| {
        let untracked = entry.strip_prefix(b"?? ");
        untracked.is_none_or(|path| generated.place(path).is_none())
    }))
}

fn has_submodules(git: &Git, head: &str) -> bool {
    output(git, &["cat-file", "-e", &format!("{head}:.gitmodules")]).is_ok()
}

/// Returns whether a submodule is checked out. Also returns true if the submodules cannot be listed.
///
/// A checked-out submodule may have changes that `git status` does not report, because git would have to run programs
/// that the submodule's configuration names. A submodule need not be listed in `.gitmodules`.
fn has_open_submodule(git: &Git, worktree: &Path) -> bool {
    let Ok(listed) = text(git, &["ls-files", "--stage", "-z"]) else { return true };
    let paths = listed.split('\0').filter_map(|entry| entry.strip_prefix("160000 "));
    let mut paths = paths.filter_map(|entry| entry.split_once('\t').map(|(_, path)| path));
    paths.any(|path| worktree.join(path).join(".git").exists())
}

/// A git command that failed.
struct GitFailure {
    code: Option<i32>,
    message: String,
}

impl GitFailure {
    fn new(message: String) -> Self {
        Self { code: None, message }
    }
}

impl From<GitFailure> for WorktreeError {
    fn from(failure: GitFailure) -> Self {
        Self::Git(failure.message)
    }
}

fn text(git: &Git, arguments: &[&str]) -> Result<String, GitFailure> {
    let bytes = output(git, arguments)?;
    String::from_utf8(bytes)
        .map(|text| text.trim_end_matches('\n').to_owned())
        .map_err(|_| GitFailure::new("git printed a path that is not UTF-8".to_owned()))
}

/// Runs git and returns its output, or a description of the failure.
fn output(git: &Git, arguments: &[&str]) -> Result<Vec<u8>, GitFailure> {
    output_of(git, arguments, Vec::new())
}

/// Does the same as [`output`], with this standard input.
fn output_of(git: &Git, arguments: &[&str], input: Vec<u8>) -> Result<Vec<u8>, GitFailure> {
    let bounds = Bounds {
        deadline: Instant::now() + GIT_TIMEOUT,
        stdout_bytes: MAX_PATCH_BYTES,
        stderr_bytes: 16 * 1024,
    };
    let command = arguments.first().copied().unwrap_or_default();
    git.check_git_directory().map_err(|problem| GitFailure::new(problem.to_string()))?;
    let finished = process::run(&git.command(arguments).stdin(input), &bounds)
        .map_err(|error| GitFailure::new(error.to_string()))?;
    let message = match finished.end {
        End::Exited(0) if finished.stdout.cut => {
            format!("`git {command}` printed more than {MAX_PATCH_BYTES} bytes")
        }
        End::Exited(0) => return Ok(finished.stdout.bytes),
        End::Exited(code) => {
            let stderr = finished.stderr.text();
            // Advice may follow the error message, so the line that starts with `fatal:` is preferred.
            let mut lines = stderr.lines().filter(|line| !line.trim().is_empty());
            let fatal = lines.clone().find(|line| line.starts_with("fatal: "));
            let line = fatal.or_else(|| lines.next_back()).unwrap_or_default();
            let message = format!("`git {command}` exited with {code}: {line}");
            return Err(GitFailure { code: Some(code), message });
        }
        End::Signalled(signal) => format!("`git {command}` was killed by signal {signal}"),
        End::TimedOut => {
            format!("`git {command}` did not finish within {} s", GIT_TIMEOUT.as_secs())
        }
    };
    Err(GitFailure::new(message))
}
