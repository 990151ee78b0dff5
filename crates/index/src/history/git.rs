//! Runs git for a build, within the time that the build has left.
//!
//! git opens the files of the git directory without checking their type. If one of them is a FIFO or a device, git waits
//! until it is killed. Such files are therefore found before git is started. The commands in this module read no file of
//! the work tree, not even an ignore file.

use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

use process::{Bounds, End, Git, WorkTreeProblem, run};

use super::HistoryOptions;

/// The maximum size of git's output. Longer output is cut. For comparison, the log of thirty thousand commits of a large
/// project takes eleven megabytes.
const MAX_OUTPUT_BYTES: usize = 64 * 1024 * 1024;
/// The part, in quarters, of the remaining time in which the files of the git directory are checked.
const CHECK_QUARTERS: u32 = 1;

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
    /// git would wait for a file.
    Blocked(WorkTreeProblem),
    OutOfTime,
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
        let build = Self { root, options, deadline, problem: OnceLock::new() };
        let until = build.until(CHECK_QUARTERS);
        let problem = build.git().until(until).check_git_directory().err().map(|problem| {
            let is_unknown = matches!(problem, WorkTreeProblem::UnknownIncludes(_));
            let is_late = is_unknown && Instant::now() >= until;
            if is_late { GitProblem::OutOfTime } else { GitProblem::Blocked(problem) }
        });
        Self { problem: problem.map_or_else(OnceLock::new, OnceLock::from), ..build }
    }

    fn git(&self) -> Git {
        Git::new(&self.options.environment, self.root).by(&self.options.git)
    }

    /// Returns whether a file of the git directory would block git.
    pub(crate) fn is_blocked(&self) -> bool {
        matches!(self.problem.get(), Some(GitProblem::Blocked(_)))
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
            GitProblem::Blocked(problem) => format!("git was not started: {problem}; {MISSING}"),
            GitProblem::OutOfTime => format!("git did not finish in time; {MISSING}"),
        })
    }

    /// Returns the time until which a command may run: after [`HistoryOptions::time`], but at most this many quarters of
    /// the time that the build has left.
    pub(super) fn until(&self, quarters: u32) -> Instant {
        let now = Instant::now();
        let left =
            self.deadline.map(|deadline| deadline.saturating_duration_since(now) * quarters / 4);
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
        let bounds = Bounds { deadline, stdout_bytes: MAX_OUTPUT_BYTES, stderr_bytes: 4096 };
        let finished = run(&self.git().command(arguments), &bounds).ok()?;
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
