//! Runs git for a build, within the time that the build has left.
//!
//! git opens the files of the git directory without checking their type. If one of them is a FIFO or a device, git waits
//! until it is killed. Such files are therefore found before git is started. The commands in this module read no file of
//! the work tree, not even an ignore file.

use std::fs::{self, DirEntry};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

use process::{Bounds, End, Git, run};

use super::HistoryOptions;
use crate::cache_paths::{common_dir_of, git_dir_of, top_of_work_tree};

/// The maximum size of git's output. Longer output is cut. For comparison, the log of thirty thousand commits of a large
/// project takes eleven megabytes.
const MAX_OUTPUT_BYTES: usize = 64 * 1024 * 1024;
/// The folders of a git directory that contain the files which every git command may open.
const FOLDERS: [&str; 4] = ["", "info", "objects/info", "objects/pack"];
/// Files in these folders that only commands which read the work tree open.
const FOR_WORK_TREE: [&str; 2] = ["exclude", "attributes"];

/// The git commands of one build. After git could not be used once, it is not started again.
pub(crate) struct BuildGit<'a> {
    pub(super) root: &'a Path,
    pub(super) options: &'a HistoryOptions,
    /// The deadline of the build.
    deadline: Option<Instant>,
    problem: OnceLock<GitProblem>,
}

/// The reason why git is not used.
enum GitProblem {
    /// git would wait for this file.
    BlockingFile(PathBuf),
    OutOfTime,
}

/// A part of the time that a build has left.
#[derive(Clone, Copy)]
pub(super) struct Share {
    pub(super) numerator: u32,
    pub(super) denominator: u32,
}

/// The output of a git command.
pub(super) struct GitOutput {
    pub(super) bytes: Vec<u8>,
    /// Whether git printed more than the maximum, so that the rest is missing.
    pub(super) is_cut: bool,
    /// Whether git was killed at the deadline, so that the rest is missing.
    pub(super) is_out_of_time: bool,
}

impl<'a> BuildGit<'a> {
    /// Checks the files of the git directory. `deadline` is the deadline of the build.
    pub(crate) fn new(
        root: &'a Path,
        options: &'a HistoryOptions,
        deadline: Option<Instant>,
    ) -> Self {
        let blocking = blocking_git_file(root).map(GitProblem::BlockingFile);
        let problem = blocking.map_or_else(OnceLock::new, OnceLock::from);
        Self { root, options, deadline, problem }
    }

    /// Returns whether a file of the git directory would block git.
    pub(crate) fn is_blocked(&self) -> bool {
        matches!(self.problem.get(), Some(GitProblem::BlockingFile(_)))
    }

    /// Returns whether git did not finish within the time that the build has left. A build without a deadline may
    /// succeed.
    pub(super) fn is_late_for_build(&self) -> bool {
        self.deadline.is_some() && matches!(self.problem.get(), Some(GitProblem::OutOfTime))
    }

    /// Returns a sentence for the list of the index's problems, or `None` if git could be used.
    pub(crate) fn problem(&self) -> Option<String> {
        const MISSING: &str =
            "the git history and the tracked files that ignore files match may be missing";
        Some(match self.problem.get()? {
            GitProblem::BlockingFile(path) => {
                format!(
                    "git was not started, because `{}` is not a regular file; {MISSING}",
                    path.display()
                )
            }
            GitProblem::OutOfTime => format!("git did not finish in time; {MISSING}"),
        })
    }

    /// Returns the time until which a command may run: after [`HistoryOptions::time`], but at most this share of the
    /// time that the build has left.
    pub(super) fn until(&self, share: Share) -> Instant {
        let now = Instant::now();
        let left = self.deadline.map(|deadline| {
            deadline.saturating_duration_since(now) * share.numerator / share.denominator
        });
        now + left.map_or(self.options.time, |left| left.min(self.options.time))
    }

    /// Runs git. Returns `None` if git fails, if it reaches the deadline without printing anything, or if it could not
    /// be used before.
    pub(super) fn run(
        &self,
        deadline: Instant,
        arguments: &[impl AsRef<str>],
    ) -> Option<GitOutput> {
        if self.problem.get().is_some() {
            return None;
        }
        let git = Git::new(&self.options.environment, self.root).by(&self.options.git);
        let bounds = Bounds { deadline, stdout_bytes: MAX_OUTPUT_BYTES, stderr_bytes: 4096 };
        let finished = run(&git.command(arguments), &bounds).ok()?;
        let is_out_of_time = finished.end == End::TimedOut;
        let is_useless = finished.stdout.bytes.is_empty() || self.deadline.is_some();
        if is_out_of_time && is_useless {
            let _known = self.problem.set(GitProblem::OutOfTime);
        }
        let output =
            GitOutput { is_cut: finished.stdout.cut, bytes: finished.stdout.bytes, is_out_of_time };
        match finished.end {
            End::Exited(0) => Some(output),
            End::TimedOut if !output.bytes.is_empty() => Some(output),
            End::Exited(_) | End::Signalled(_) | End::TimedOut => None,
        }
    }
}

/// Returns a file of the git directory that would block a git command which reads commits: a FIFO or a device. Opening a
/// socket fails at once, so sockets are harmless, and git itself creates some. Returns `None` outside a work tree.
#[must_use]
pub fn blocking_git_file(root: &Path) -> Option<PathBuf> {
    let dot_git = top_of_work_tree(root)?.join(".git");
    let own = git_dir_of(&dot_git)?;
    let common = common_dir_of(&dot_git).filter(|common| *common != own);
    let folders = [Some(own), common].into_iter().flatten();
    folders.flat_map(|folder| FOLDERS.map(|name| folder.join(name))).find_map(|folder| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let is_opened =
            |entry: &DirEntry| !FOR_WORK_TREE.iter().any(|name| entry.file_name() == *name);
        entries.filter(is_opened).find(is_blocking).map(|entry| entry.path())
    })
}

fn is_blocking(entry: &DirEntry) -> bool {
    let kind = entry.file_type().and_then(|kind| match kind.is_symlink() {
        // git follows links.
        true => fs::metadata(entry.path()).map(|found| found.file_type()),
        false => Ok(kind),
    });
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_char_device() || kind.is_block_device())
}
