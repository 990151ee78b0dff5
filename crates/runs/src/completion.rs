//! Decides whether a repeated task is done, based on the last message and on changes in the repository.

mod commit;
mod left_out;

use std::path::Path;
use std::time::{Duration, Instant};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use process::{Bounds, End, Environment, Git};
use regex::Regex;

use crate::directory::OpenDirectory;
use crate::spec::{Conditions, Spec};

use commit::Commit;
pub use commit::{Committed, commit_all};
pub use left_out::GeneratedFiles;

/// The maximum duration of all git commands that decide whether a run is done and commit its changes.
const GIT_TIMEOUT: Duration = Duration::from_secs(30);
/// The maximum duration of all git commands of a commit outside a run.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(120);
const MAX_GIT_OUTPUT: usize = 16 * 1024 * 1024;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}`: {reason}")]
pub struct BadCondition {
    pub pattern: String,
    pub reason: String,
}

/// The compiled completion conditions of one session.
pub(crate) struct Completion {
    until: Option<Regex>,
    change_in: Option<GlobSet>,
    conditions: Conditions,
    environment: Environment,
}

impl Completion {
    pub(crate) fn new(
        until: Option<&str>,
        conditions: &Conditions,
        environment: &Environment,
    ) -> Result<Self, BadCondition> {
        let bad =
            |pattern: &str, reason: String| BadCondition { pattern: pattern.to_owned(), reason };
        let until = until
            .map(|pattern| Regex::new(pattern).map_err(|error| bad(pattern, error.to_string())))
            .transpose()?;
        let mut globs = GlobSetBuilder::new();
        for pattern in &conditions.change_in {
            let glob = GlobBuilder::new(pattern).build();
            globs.add(glob.map_err(|error| bad(pattern, error.kind().to_string()))?);
        }
        let set = globs.build().map_err(|error| bad("", error.to_string()))?;
        Ok(Self {
            until,
            change_in: (!conditions.change_in.is_empty()).then_some(set),
            conditions: conditions.clone(),
            environment: environment.clone(),
        })
    }

    /// Returns the time at which [`Completion::missing`] and [`Completion::commit`] end their git commands, if they are
    /// called now.
    pub(crate) fn deadline(&self) -> Instant {
        Instant::now() + GIT_TIMEOUT * self.environment.slowness()
    }

    /// Returns a description of the condition that is not met, for the log and for the next run. Returns `None` if the
    /// task is done.
    pub(crate) fn missing(
        &self,
        directory: &Path,
        head_before: Option<&str>,
        last_message: &str,
        deadline: Instant,
    ) -> Option<String> {
        if self.until.as_ref().is_some_and(|until| !until.is_match(last_message)) {
            return Some("the last message does not say that the task is done".to_owned());
        }
        if let Some(wanted) = &self.change_in {
            match self.changed(directory, head_before, deadline) {
                Ok(names) if names.iter().any(|path| wanted.is_match(path)) => {}
                Ok(_) => {
                    return Some(format!(
                        "no file changed in {}",
                        self.conditions.change_in.join(", ")
                    ));
                }
                Err(problem) => return Some(format!("cannot determine what changed: {problem}")),
            }
        }
        if self.conditions.commit && self.head(directory, deadline).as_deref() == head_before {
            return Some("there is no new git commit".to_owned());
        }
        None
    }

    /// Commits all changes if the caller requested a commit, and otherwise returns `None`. The result is a message for
    /// the log, or the reason why nothing was committed.
    pub(crate) fn commit(
        &self,
        directory: &OpenDirectory,
        spec: &Spec,
        deadline: Instant,
    ) -> Option<Result<String, String>> {
        let message = self.conditions.auto_commit.as_deref()?;
        let confined_to = spec.confined_to.as_deref();
        let commit = Commit { directory: &spec.directory, confined_to, message, deadline };
        let is_same = directory.check().map_err(|error| error.to_string());
        let committed = is_same.and_then(|()| commit.create(&self.environment));
        let committed = committed.map(|committed| committed.message);
        Some(committed.map_err(|problem| format!("nothing was committed: {problem}")))
    }

    /// Returns the last commit, or `None` if there is none.
    pub(crate) fn head(&self, directory: &Path, deadline: Instant) -> Option<String> {
        let git = Git::new(&self.environment, directory).until(deadline);
        git.check_git_directory().ok()?;
        let head = run_git(&git, &["rev-parse", "--verify", "HEAD"], b"").ok()?;
        Some(String::from_utf8_lossy(&head).trim().to_owned())
    }

    /// Returns the files that changed since the commit `head_before`, in commits or in the work tree.
    fn changed(
        &self,
        directory: &Path,
        head_before: Option<&str>,
        deadline: Instant,
    ) -> Result<Vec<String>, String> {
        let git = Git::new(&self.environment, directory).until(deadline);
        let git = git.for_work_tree().map_err(|problem| problem.to_string())?;
        let mut names = Vec::new();
        if let Some(head) = head_before {
            let since = run_git(
                &git,
                &["diff", "--no-ext-diff", "--no-textconv", "--name-only", "-z", head, "HEAD"],
                b"",
            )?;
            names.extend(since.split(|byte| *byte == 0).map(<[u8]>::to_vec));
        }
        names.extend(changed_in_work_tree(&git)?.into_iter().map(|change| change.path));
        names.retain(|name| !name.is_empty());
        Ok(names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }
}

/// A path that `git status` lists.
struct Change {
    /// The state of the path in the index and in the work tree, as in `git status --short`.
    state: [u8; 2],
    /// The path relative to the top of the work tree. A nested repository has a trailing slash.
    path: Vec<u8>,
}

/// Returns the changed paths. Submodules are left out, so that git does not enter them.
fn changed_in_work_tree(git: &Git) -> Result<Vec<Change>, String> {
    let arguments = [
        "status",
        "--porcelain=v1",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--ignore-submodules=all",
    ];
    let status = run_git(git, &arguments, b"")?;
    let entries = status.split(|byte| *byte == 0).filter_map(|entry| {
        let (state, path) = (entry.first_chunk()?, entry.get(3..)?);
        Some(Change { state: *state, path: path.to_vec() })
    });
    Ok(entries.collect())
}

/// Runs git and returns its output, or a description of the failure.
fn run_git(git: &Git, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
    let deadline = git.deadline(COMMIT_TIMEOUT);
    let bounds = Bounds { deadline, stdout_bytes: MAX_GIT_OUTPUT, stderr_bytes: 16 * 1024 };
    let command = arguments.first().copied().unwrap_or_default();
    let program = git.command(arguments).stdin(input);
    let finished = process::run(&program, &bounds).map_err(|error| error.to_string())?;
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
        End::TimedOut => Err(format!("`git {command}` did not finish in time")),
    }
}
