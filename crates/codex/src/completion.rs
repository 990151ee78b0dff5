//! Decides whether a repeated task is done, based on the last message and on changes in the repository.

mod commit;

use std::path::Path;
use std::time::{Duration, Instant};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use process::{Bounds, End, Environment, Git};
use regex::Regex;

use crate::spec::Gates;

pub use commit::commit_all;

const GIT_TIMEOUT: Duration = Duration::from_secs(60);
const MAX_GIT_OUTPUT: usize = 16 * 1024 * 1024;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}`: {reason}")]
pub struct BadGate {
    pub pattern: String,
    pub reason: String,
}

/// The compiled completion conditions of one session.
pub(crate) struct Completion {
    until: Option<Regex>,
    change_in: Option<GlobSet>,
    gates: Gates,
    environment: Environment,
}

/// The state of the repository before a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Before {
    head: Option<String>,
}

impl Completion {
    pub(crate) fn new(
        until: Option<&str>,
        gates: &Gates,
        environment: &Environment,
    ) -> Result<Self, BadGate> {
        let bad = |pattern: &str, reason: String| BadGate { pattern: pattern.to_owned(), reason };
        let until = until
            .map(|pattern| Regex::new(pattern).map_err(|error| bad(pattern, error.to_string())))
            .transpose()?;
        let mut globs = GlobSetBuilder::new();
        for pattern in &gates.change_in {
            let glob = GlobBuilder::new(pattern).build();
            globs.add(glob.map_err(|error| bad(pattern, error.kind().to_string()))?);
        }
        let set = globs.build().map_err(|error| bad("", error.to_string()))?;
        Ok(Self {
            until,
            change_in: (!gates.change_in.is_empty()).then_some(set),
            gates: gates.clone(),
            environment: environment.clone(),
        })
    }

    pub(crate) fn before(&self, directory: &Path) -> Before {
        Before { head: self.head(directory) }
    }

    /// Returns a description of the condition that is not met, for the log and for the next run. Returns `None` if the
    /// task is done.
    pub(crate) fn missing(
        &self,
        directory: &Path,
        before: &Before,
        last_message: &str,
    ) -> Option<String> {
        if self.until.as_ref().is_some_and(|until| !until.is_match(last_message)) {
            return Some("the last message does not say that the task is done".to_owned());
        }
        if let Some(wanted) = &self.change_in {
            match self.changed(directory, before) {
                Ok(names) if names.iter().any(|path| wanted.is_match(path)) => {}
                Ok(_) => {
                    return Some(format!("no file changed in {}", self.gates.change_in.join(", ")));
                }
                Err(problem) => return Some(format!("cannot determine what changed: {problem}")),
            }
        }
        if self.gates.commit && self.head(directory) == before.head {
            return Some("there is no new git commit".to_owned());
        }
        None
    }

    /// Commits all changes if the caller requested a commit, and otherwise returns `None`. The result is a message for
    /// the log, or the reason why nothing was committed.
    pub(crate) fn commit(&self, directory: &Path) -> Option<Result<String, String>> {
        let message = self.gates.auto_commit.as_deref()?;
        let committed = commit::commit_all(&self.environment, directory, message);
        Some(committed.map_err(|problem| format!("nothing was committed: {problem}")))
    }

    fn head(&self, directory: &Path) -> Option<String> {
        let git = Git::new(&self.environment, directory);
        let head = run_git(&git, &["rev-parse", "--verify", "HEAD"], b"").ok()?;
        Some(String::from_utf8_lossy(&head).trim().to_owned())
    }

    /// Returns the files that changed since `before`, in commits or in the work tree.
    fn changed(&self, directory: &Path, before: &Before) -> Result<Vec<String>, String> {
        let git = Git::new(&self.environment, directory);
        let git = git.for_work_tree().map_err(|problem| problem.to_string())?;
        let mut names = Vec::new();
        if let Some(head) = &before.head {
            let since = run_git(
                &git,
                &["diff", "--no-ext-diff", "--no-textconv", "--name-only", "-z", head, "HEAD"],
                b"",
            )?;
            names.extend(since.split(|byte| *byte == 0).map(<[u8]>::to_vec));
        }
        names.extend(changed_in_work_tree(&git)?);
        names.retain(|name| !name.is_empty());
        Ok(names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }
}

/// Returns the changed paths relative to the top of the work tree. Only the commit of a submodule is compared, so that
/// git does not run inside the submodule.
fn changed_in_work_tree(git: &Git) -> Result<Vec<Vec<u8>>, String> {
    let status = run_git(
        git,
        &[
            "status",
            "--porcelain=v1",
            "-z",
            "--no-renames",
            "--untracked-files=all",
            "--ignore-submodules=dirty",
        ],
        b"",
    )?;
    let entries = status.split(|byte| *byte == 0);
    Ok(entries.filter_map(|entry| entry.get(3..)).map(<[u8]>::to_vec).collect())
}

/// Runs git and returns its output, or a description of the failure.
fn run_git(git: &Git, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
    let bounds = Bounds {
        deadline: Instant::now() + GIT_TIMEOUT,
        stdout_bytes: MAX_GIT_OUTPUT,
        stderr_bytes: 16 * 1024,
    };
    let command = arguments.first().copied().unwrap_or_default();
    let program = git.command(arguments).stdin(input);
    let finished =
        process::run(&program, &bounds).map_err(|error| format!("{error}: {}", error.source))?;
    match finished.end {
        End::Exited(0) if finished.stdout.cut => {
            Err(format!("`git {command}` printed more than {MAX_GIT_OUTPUT} bytes"))
        }
        End::Exited(0) => Ok(finished.stdout.bytes),
        End::Exited(code) => {
            let stderr = finished.stderr.text();
            let line = stderr.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            Err(format!("`git {command}` exited with {code}: {line}"))
        }
        End::Signalled(signal) => Err(format!("`git {command}` was killed by signal {signal}")),
        End::TimedOut => {
            Err(format!("`git {command}` did not finish within {} s", GIT_TIMEOUT.as_secs()))
        }
    }
}
