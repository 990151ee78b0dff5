//! When a task that is run again and again is done: its last message says so, and the repository shows it.

use std::path::Path;
use std::time::{Duration, Instant};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use process::{Bounds, End, Environment, Git};
use regex::Regex;

use crate::spec::Gates;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}`: {reason}")]
pub struct BadGate {
    pub pattern: String,
    pub reason: String,
}

/// The conditions of one session, ready to be looked at.
pub(crate) struct Completion {
    until: Option<Regex>,
    change_in: Option<GlobSet>,
    gates: Gates,
    environment: Environment,
}

/// The repository before a run.
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

    /// None: done. Otherwise what is missing, for the log and for the next run.
    pub(crate) fn missing(
        &self,
        directory: &Path,
        before: &Before,
        last_message: &str,
    ) -> Option<String> {
        if self.until.as_ref().is_some_and(|until| !until.is_match(last_message)) {
            return Some("the last message does not say that the task is done".to_owned());
        }
        if let Some(wanted) = &self.change_in
            && !self.changed(directory, before).iter().any(|path| wanted.is_match(path))
        {
            return Some(format!("no file changed in {}", self.gates.change_in.join(", ")));
        }
        if self.gates.commit && self.head(directory) == before.head {
            return Some("there is no new git commit".to_owned());
        }
        None
    }

    /// Commits what is there; what went wrong, if something did. No hook of the repository runs and nothing is signed: the
    /// run may have written the hooks, and this is outside its sandbox.
    pub(crate) fn commit(&self, directory: &Path) -> Option<Result<String, String>> {
        let message = self.gates.auto_commit.as_deref()?;
        let status = self.git(directory, &["status", "--porcelain", "--ignore-submodules=dirty"]);
        if status.is_some_and(|said| said.is_empty()) {
            return Some(Ok("nothing to commit".to_owned()));
        }
        let ended = self
            .change(directory, &["add", "--all"])
            .and_then(|_| self.change(directory, &["commit", "--quiet", "--message", message]));
        Some(match ended {
            Some(_) => Ok(format!("committed: {message}")),
            None => Err("git could not commit".to_owned()),
        })
    }

    fn head(&self, directory: &Path) -> Option<String> {
        self.git(directory, &["rev-parse", "--verify", "HEAD"]).map(|head| head.trim().to_owned())
    }

    /// Committed since, or in the work tree: names as git has them, whatever characters are in them.
    fn changed(&self, directory: &Path, before: &Before) -> Vec<String> {
        let mut names = Vec::new();
        if let Some(head) = &before.head {
            let since = self.git(
                directory,
                &["diff", "--no-ext-diff", "--no-textconv", "--name-only", "-z", head, "HEAD"],
            );
            names.extend(since.unwrap_or_default().split('\0').map(str::to_owned));
        }
        let status = self.git(
            directory,
            &[
                "status",
                "--porcelain=v1",
                "-z",
                "--no-renames",
                "--untracked-files=all",
                "--ignore-submodules=dirty",
            ],
        );
        let status = status.unwrap_or_default();
        names.extend(status.split('\0').filter_map(|entry| entry.get(3..)).map(str::to_owned));
        names.retain(|name| !name.is_empty());
        names
    }

    fn git(&self, directory: &Path, arguments: &[&str]) -> Option<String> {
        ended(&Git::new(&self.environment, directory).without_filters()?, arguments)
    }

    /// With the repository's filters: what is committed is what the user would commit.
    fn change(&self, directory: &Path, arguments: &[&str]) -> Option<String> {
        ended(&Git::new(&self.environment, directory), arguments)
    }
}

fn ended(git: &Git, arguments: &[&str]) -> Option<String> {
    let bounds = Bounds {
        deadline: Instant::now() + Duration::from_secs(60),
        stdout_bytes: 16 * 1024 * 1024,
        stderr_bytes: 16 * 1024,
    };
    let finished = process::run(&git.command(arguments), &bounds).ok()?;
    (finished.end == End::Exited(0)).then(|| finished.stdout.text().into_owned())
}
