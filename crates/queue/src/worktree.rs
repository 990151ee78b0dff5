//! Creates a git worktree for each task, outside the repository and on its own branch.
//!
//! Git runs without the hooks and filters that the repository configures. The worktree shares the git directory of the
//! repository, and therefore also Adjutant's index.

mod clean;

use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use process::{Bounds, End, Environment, Git};

use crate::task::{TaskId, WorkProduct};

pub use clean::{Fate, Leftover, folder_bytes};

/// The checkout of a large repository can take minutes.
const GIT_TIMEOUT: Duration = Duration::from_secs(600);
const MAX_PATCH_BYTES: usize = 64 * 1024 * 1024;
/// A worktree is not created if the disk has less free space than this.
const MIN_FREE_BYTES: u64 = 64 * 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum WorktreeError {
    #[error("`{}` is not in a git repository", .0.display())]
    NoRepository(PathBuf),
    #[error("the repository `{}` has no commits, so a task has nothing to start from", .0.display())]
    NoCommits(PathBuf),
    #[error("the disk of `{}` has {free} bytes left, and a worktree needs at least {MIN_FREE_BYTES}", folder.display())]
    DiskFull { folder: PathBuf, free: u64 },
    #[error("cannot use `{}`: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
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
    /// Sentences about content that is not available to a task, such as uncommitted changes.
    pub notes: Vec<String>,
}

/// The folder that contains the worktrees of all tasks.
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
            .map_err(|_| WorktreeError::NoRepository(directory.to_owned()))?;
        let which = if is_bare == "true" { "--absolute-git-dir" } else { "--show-toplevel" };
        let top = text(&git, &["rev-parse", which])
            .map_err(|_| WorktreeError::NoRepository(directory.to_owned()))?;
        let top = PathBuf::from(top);
        let head = text(&git, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
            .map_err(|_| WorktreeError::NoCommits(top.clone()))?;
        let mut notes = Vec::new();
        if is_bare != "true" && !status(&self.git(&top))?.is_empty() {
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

    /// Creates the worktree of a task at the current commit of the repository. Removes the files of an earlier attempt.
    pub fn create(&self, repository: &Path, id: &TaskId) -> Result<WorkProduct, WorktreeError> {
        let head = self.check_head(repository)?;
        self.check_space()?;
        let _lock = self.lock(repository)?;
        self.remove_folder(repository, id)?;
        self.add(repository, id, &["-B", &id.branch()], &head)?;
        Ok(self.product(id, head))
    }

    /// Returns the worktree in which a task continues. If the folder was deleted, creates it again from the branch.
    pub fn reopen(
        &self,
        repository: &Path,
        id: &TaskId,
        base: Option<&str>,
    ) -> Result<WorkProduct, WorktreeError> {
        let git = self.git(repository);
        let branch = id.branch();
        if text(&git, &["rev-parse", "--verify", "--quiet", &format!("refs/heads/{branch}")])
            .is_err()
        {
            return self.create(repository, id);
        }
        let base = match base {
            Some(base) => base.to_owned(),
            None => text(&git, &["merge-base", "HEAD", &branch]).map_err(WorktreeError::Git)?,
        };
        if !self.path(id).join(".git").exists() {
            self.check_space()?;
            let _lock = self.lock(repository)?;
            self.remove_folder(repository, id)?;
            self.add(repository, id, &[], &branch)?;
        }
        Ok(self.product(id, base))
    }

    /// Determines the changes of a task and writes them to a patch. Removes a worktree without changes, and its branch.
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
        let head = text(&git, &["rev-parse", "--verify", "HEAD"]).map_err(WorktreeError::Git)?;
        let is_committed = status(&git)?.is_empty();
        if head == base && is_committed {
            self.remove(repository, id)?;
            (product.worktree, product.branch) = (None, None);
            return Ok(product);
        }
        if head != base {
            let range = ["diff", "--no-ext-diff", "--no-textconv", "--binary", &base, &head];
            let patch = output(&git, &range).map_err(WorktreeError::Git)?;
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
            .map_err(|_| WorktreeError::NoRepository(repository.to_owned()))?;
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
        let git = self.git(repository);
        let git = git.for_work_tree().map_err(|problem| WorktreeError::Git(problem.to_string()))?;
        let path = self.path(id).to_string_lossy().into_owned();
        let mut words = vec!["worktree", "add", "--quiet"];
        words.extend(branch);
        words.extend([path.as_str(), start]);
        output(&git, &words).map(drop).map_err(|message| {
            // A failed checkout, for example on a full disk, leaves files.
            drop(self.remove_folder(repository, id));
            WorktreeError::Git(message)
        })
    }

    /// Removes the folder of a worktree and git's record of it. Keeps the branch.
    fn remove_folder(&self, repository: &Path, id: &TaskId) -> Result<(), WorktreeError> {
        let path = self.path(id);
        match fs::remove_dir_all(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(WorktreeError::Io { path, source });
            }
            _ => {}
        }
        // The repository may have been deleted.
        drop(output(&self.git(repository), &["worktree", "prune"]));
        Ok(())
    }

    fn product(&self, id: &TaskId, base: String) -> WorkProduct {
        WorkProduct {
            worktree: Some(self.path(id)),
            branch: Some(id.branch()),
            base: Some(base),
            patch: None,
            summary: None,
        }
    }

    fn git(&self, directory: &Path) -> Git {
        Git::new(&self.environment, directory)
    }

    /// Takes a lock, so that no other worker on this machine adds or removes worktrees of the repository at the same time.
    fn lock(&self, repository: &Path) -> Result<File, WorktreeError> {
        let mut hasher = DefaultHasher::new();
        repository.hash(&mut hasher);
        let path = self.folder.join(format!(".lock-{:016x}", hasher.finish()));
        let locked = || {
            disk::create_private_folder(&self.folder)?;
            let file = File::create(&path)?;
            file.lock()?;
            Ok(file)
        };
        locked().map_err(|source| WorktreeError::Io { path: path.clone(), source })
    }
}

/// Returns git's list of changed and untracked files.
fn status(git: &Git) -> Result<Vec<u8>, WorktreeError> {
    let problem = |problem: process::WorkTreeProblem| WorktreeError::Git(problem.to_string());
    let git = git.clone().for_work_tree().map_err(problem)?;
    output(&git, &["status", "--porcelain", "--ignore-submodules=dirty"])
        .map_err(WorktreeError::Git)
}

fn has_submodules(git: &Git, head: &str) -> bool {
    output(git, &["cat-file", "-e", &format!("{head}:.gitmodules")]).is_ok()
}

fn text(git: &Git, arguments: &[&str]) -> Result<String, String> {
    let bytes = output(git, arguments)?;
    String::from_utf8(bytes)
        .map(|text| text.trim_end_matches('\n').to_owned())
        .map_err(|_| "git printed a path that is not UTF-8".to_owned())
}

/// Runs git and returns its output, or a description of the failure.
fn output(git: &Git, arguments: &[&str]) -> Result<Vec<u8>, String> {
    let bounds = Bounds {
        deadline: Instant::now() + GIT_TIMEOUT,
        stdout_bytes: MAX_PATCH_BYTES,
        stderr_bytes: 16 * 1024,
    };
    let command = arguments.first().copied().unwrap_or_default();
    let finished = process::run(&git.command(arguments), &bounds)
        .map_err(|error| format!("{error}: {}", error.source))?;
    match finished.end {
        End::Exited(0) if finished.stdout.cut => {
            Err(format!("`git {command}` printed more than {MAX_PATCH_BYTES} bytes"))
        }
        End::Exited(0) => Ok(finished.stdout.bytes),
        End::Exited(code) => {
            let stderr = finished.stderr.text();
            let line = stderr.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
            Err(format!("`git {command}` ended with {code}: {line}"))
        }
        End::Signalled(signal) => Err(format!("`git {command}` was ended by signal {signal}")),
        End::TimedOut => {
            Err(format!("`git {command}` did not end within {} s", GIT_TIMEOUT.as_secs()))
        }
    }
}
