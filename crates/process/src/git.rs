//! git, started so that a repository cannot make it run a program of its choosing or go to the network.
//!
//! The one place that starts git. What a repository's own configuration can name — hooks, fsmonitor, pagers, signing
//! programs, filters, transports — is switched off; the user's and the system's configuration stay in force.

mod rule_files;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::{Bounds, End, Environment, Program, run};

/// Stronger than any configuration file.
const SETTINGS: [&str; 9] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotepath=off",
    "core.pager=cat",
    "diff.external=",
    "log.showSignature=false",
    "commit.gpgSign=false",
    "gc.auto=0",
    "maintenance.auto=false",
];

/// What a filter may be told to run, and that git must not do without it.
const FILTER_KEYS: [&[u8]; 4] = [b".clean", b".smudge", b".process", b".required"];
/// A filter of the user's can be told by the repository's configuration to start programs: git-lfs has extensions.
const EXTENSIONS: &[u8] = b"lfs.extension.";
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// Why git is not asked about a work tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkTreeProblem {
    #[error(
        "the filters that this repository configures are not known: `git config --list` failed"
    )]
    UnknownFilters,
    #[error("`{}` is not a regular file: git would wait for it", .0.display())]
    BlockingFile(PathBuf),
}

/// git in one directory.
#[derive(Clone, Debug)]
pub struct Git {
    program: PathBuf,
    environment: Environment,
    directory: PathBuf,
    /// Names of the filters that [`Git::for_work_tree`] switched off.
    switched_off: BTreeSet<Vec<u8>>,
}

impl Git {
    /// For questions about commits and names. A work tree is not looked at.
    #[must_use]
    pub fn new(environment: &Environment, directory: &Path) -> Self {
        let environment = environment
            .without_secrets()
            .with_absolute_path()
            // A partial clone fetches what it lacks by a program its configuration names.
            .with("GIT_NO_LAZY_FETCH", "1")
            .with("GIT_ALLOW_PROTOCOL", "")
            .with("GIT_OPTIONAL_LOCKS", "0")
            .with("GIT_TERMINAL_PROMPT", "0");
        Self {
            program: "git".into(),
            environment,
            directory: directory.to_owned(),
            switched_off: BTreeSet::new(),
        }
    }

    /// Another program than the first `git` on `PATH`.
    #[must_use]
    pub fn by(mut self, program: impl Into<PathBuf>) -> Self {
        self.program = program.into();
        self
    }

    /// For everything that looks at the work tree. The filters that the repository's own configuration defines are
    /// switched off; the user's own filters stay.
    ///
    /// # Errors
    /// When the filters are not known, or when git would wait for a FIFO or a device that is named like a file with rules.
    pub fn for_work_tree(self) -> Result<Self, WorkTreeProblem> {
        let git = self.without_filters().ok_or(WorkTreeProblem::UnknownFilters)?;
        match git.blocking_rule_file() {
            Some(path) => Err(WorkTreeProblem::BlockingFile(path)),
            None => Ok(git),
        }
    }

    /// Whether a filter of this name was switched off: what git then stores or reads is not what the filter would say.
    #[must_use]
    pub fn is_switched_off(&self, filter: &[u8]) -> bool {
        self.switched_off.contains(filter)
    }

    /// None if the filters of the repository's configuration are not known.
    fn without_filters(mut self) -> Option<Self> {
        let names = self.own_filters()?;
        let known = self.environment.text("GIT_CONFIG_COUNT").and_then(|count| count.parse().ok());
        let first: usize = known.unwrap_or_default();
        let count = (first + names.len()).to_string();
        self.environment = self.environment.with("GIT_CONFIG_COUNT", count);
        for (n, name) in (first..).zip(&names) {
            let value = if name.ends_with(b".required") { "false" } else { "" };
            self.environment = self
                .environment
                .with(&format!("GIT_CONFIG_KEY_{n}"), OsString::from_vec(name.clone()))
                .with(&format!("GIT_CONFIG_VALUE_{n}"), value);
        }
        self.switched_off = names.iter().filter_map(|name| filter_of(name)).collect();
        Some(self)
    }

    #[must_use]
    pub fn command<A: AsRef<str>>(&self, arguments: impl IntoIterator<Item = A>) -> Program {
        let settings = SETTINGS.iter().flat_map(|setting| ["-c", setting]);
        Program::new(&self.program, self.environment.clone())
            .directory(&self.directory)
            .argument("--no-pager")
            .arguments(settings)
            .arguments(arguments.into_iter().map(|argument| argument.as_ref().to_owned()))
    }

    /// The settings of filters that the repository itself brings; the user's own filters stay. All are listed and chosen
    /// here: a pattern of git's own passes over names that are not UTF-8.
    fn own_filters(&self) -> Option<Vec<Vec<u8>>> {
        let bounds = Bounds {
            deadline: Instant::now() + ANSWER_TIME,
            stdout_bytes: 4 * 1024 * 1024,
            stderr_bytes: 4096,
        };
        let list = ["config", "--list", "--show-scope", "--null", "--name-only"];
        let finished = run(&self.command(list), &bounds).ok()?;
        if finished.end != End::Exited(0) || finished.stdout.cut {
            return None;
        }
        let mut words = finished.stdout.bytes.split(|byte| *byte == 0);
        let mut names = BTreeSet::new();
        while let (Some(scope), Some(name)) = (words.next(), words.next()) {
            let is_own = matches!(scope, b"local" | b"worktree");
            let is_filter = name.starts_with(EXTENSIONS) || filter_of(name).is_some();
            if is_own && is_filter {
                names.insert(name.to_vec());
            }
        }
        Some(names.into_iter().collect())
    }
}

/// `name` of a setting `filter.name.clean` and the like.
fn filter_of(setting: &[u8]) -> Option<Vec<u8>> {
    let rest = setting.strip_prefix(b"filter.")?;
    FILTER_KEYS.iter().find_map(|key| rest.strip_suffix(*key)).map(<[u8]>::to_vec)
}

#[cfg(test)]
mod tests;
