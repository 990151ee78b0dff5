//! Starts git so that a repository's configuration cannot make git run a program or use the network.
//!
//! All git processes are started here. Git does not enter submodules and nested repositories. Hooks, fsmonitor, pagers, external diff programs, commit signing, signature checks
//! and transports are disabled, and so are the filters and merge drivers that the repository's own configuration defines.
//! The address space of git is limited, and so are its output and its time ([`Bounds`]).
//! Settings that name further files, such as `mailmap.file`, are overridden. Other settings of the user and of the system
//! still apply; the user's filters inherit the limit of the address space.

mod opened_files;
mod repository;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::{Bounds, End, Environment, Finished, Program, run};

pub use repository::{Repository, RepositoryProblem};

/// Settings that are passed to git with `-c`. They override every configuration file.
const SETTINGS: [&str; 19] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotepath=off",
    "core.pager=cat",
    "diff.external=",
    "log.showSignature=false",
    // Otherwise `git log` opens `.mailmap`, which may be a FIFO.
    "log.mailmap=false",
    "commit.gpgSign=false",
    "gc.auto=0",
    "maintenance.auto=false",
    // Git would start itself in submodules, with the configuration of the submodule.
    "diff.submodule=short",
    "status.submoduleSummary=false",
    "submodule.recurse=false",
    // Files that the repository's configuration could name. Git would read them whole, and a device has no end.
    "diff.orderFile=/dev/null",
    "mailmap.file=/dev/null",
    "commit.template=/dev/null",
    "blame.ignoreRevsFile=",
    // Git maps at most this much of the packs at the same time, so that the packs of a large repository fit into
    // [`ADDRESS_SPACE`].
    "core.packedGitWindowSize=64m",
    "core.packedGitLimit=1g",
];
/// Settings for commands that do not read the work tree. [`Git::for_work_tree`] checks the files that the user and the
/// repository configure instead.
const WITHOUT_WORK_TREE: [&str; 2] =
    ["core.attributesFile=/dev/null", "core.excludesFile=/dev/null"];
/// The maximum size of git's address space in bytes. Without it, git reads a reference or another file that is a device
/// until the machine has no memory left. Packs take 1 GiB of it, and their indexes about 1 GiB in a repository with 30
/// million objects. The rest is for the heap, for the file `index`, and for 20 threads with a stack and a heap of 72 MiB
/// each.
const ADDRESS_SPACE: u64 = 4 << 30;

/// Commands that look into submodules and nested repositories, where git would start itself with their configuration. The
/// setting `diff.ignoreSubmodules` is not sufficient, because a repository can override it for each submodule.
const COMMANDS_WITH_SUBMODULES: [&str; 2] = ["status", "diff"];
const IGNORE_SUBMODULES: &str = "--ignore-submodules";

/// Suffixes of the filter settings that name a program or make the filter mandatory.
const FILTER_KEYS: [&[u8]; 4] = [b".clean", b".smudge", b".process", b".required"];
/// Prefix of the git-lfs extension settings. With them, a repository can name programs that git-lfs runs, even if
/// git-lfs itself comes from the user's configuration.
const EXTENSIONS: &[u8] = b"lfs.extension.";
/// The variables of git that are kept, and the reason for each. All others are removed, because they redirect the
/// repository, the work tree, the index, the objects, the configuration or the programs of git. With `GIT_CONFIG`, for
/// example, `git config` lists another file than the one that `git add` reads.
const KEPT_VARIABLES: [&str; 7] = [
    // The user's configuration. Git reports these files as the user's, so filters in them can be told from a repository's.
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    // Settings of the user for every git command, such as `safe.directory` in a container.
    "GIT_CONFIG_COUNT",
    // Limits on the search for a repository, and a stricter check of its owner.
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_TEST_ASSUME_DIFFERENT_OWNER",
];
/// Prefixes of further variables that are kept: the settings that `GIT_CONFIG_COUNT` counts, and the name, address and
/// date of a commit.
const KEPT_PREFIXES: [&str; 4] =
    ["GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_", "GIT_AUTHOR_", "GIT_COMMITTER_"];

const GIT_TIMEOUT: Duration = Duration::from_secs(10);

/// Why git cannot be run safely in a work tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkTreeProblem {
    #[error(
        "the filters that this repository configures are not known: `git config --list` failed"
    )]
    UnknownFilters,
    #[error("`{}` is not a regular file: git would wait for it", .0.display())]
    BlockingFile(PathBuf),
    #[error("the files that `{}` includes are not known: `git config` failed", .0.display())]
    UnknownIncludes(PathBuf),
    #[error("git would use another work tree than `{}`: `{}` (see core.worktree)", top.display(), named.display())]
    OtherWorkTree { top: PathBuf, named: PathBuf },
}

/// Builds git commands that run in one directory.
#[derive(Clone, Debug)]
pub struct Git {
    program: PathBuf,
    environment: Environment,
    directory: PathBuf,
    deadline: Option<Instant>,
    /// A common git directory whose files need not be checked again.
    checked_common_dir: Option<PathBuf>,
    reads_work_tree: bool,
    /// The names of the filters that [`Git::for_work_tree`] disabled.
    switched_off: BTreeSet<Vec<u8>>,
}

impl Git {
    /// Creates a [`Git`] for commands that read commits and references but not the work tree. Does not disable filters.
    #[must_use]
    pub fn new(environment: &Environment, directory: &Path) -> Self {
        let environment = kept_variables(environment)
            .with_absolute_path()
            // In a partial clone, git fetches missing objects with a program that the repository's configuration can name.
            .with("GIT_NO_LAZY_FETCH", "1")
            .with("GIT_ALLOW_PROTOCOL", "")
            .with("GIT_OPTIONAL_LOCKS", "0")
            .with("GIT_TERMINAL_PROMPT", "0");
        Self {
            program: "git".into(),
            environment,
            directory: directory.to_owned(),
            deadline: None,
            checked_common_dir: None,
            reads_work_tree: false,
            switched_off: BTreeSet::new(),
        }
    }

    /// Sets the git program to run, instead of the first `git` on `PATH`.
    #[must_use]
    pub fn by(mut self, program: impl Into<PathBuf>) -> Self {
        self.program = program.into();
        self
    }

    /// Sets the time at which git commands are ended.
    #[must_use]
    pub fn until(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Names a common git directory whose files another [`Git`] has checked, see [`Git::checked_common_dir`]. They include
    /// the git directories of all linked worktrees, so that checking them for each of 1,000 worktrees takes minutes. A FIFO
    /// that is created later is not found, and git blocks on it until its deadline.
    #[must_use]
    pub fn with_checked_common_dir(mut self, common_dir: PathBuf) -> Self {
        self.checked_common_dir = Some(common_dir);
        self
    }

    /// Returns the common git directory if [`Git::for_work_tree`] checked all its files.
    #[must_use]
    pub fn checked_common_dir(&self) -> Option<&Path> {
        self.checked_common_dir.as_deref()
    }

    /// Returns the time at which a command that starts now is ended: after `timeout`, or at the deadline set with
    /// [`Git::until`] if that is earlier.
    #[must_use]
    pub fn deadline(&self, timeout: Duration) -> Instant {
        let end = Instant::now() + timeout;
        self.deadline.map_or(end, |deadline| deadline.min(end))
    }

    /// Returns a [`Git`] that uses only this repository, whatever its configuration says. Must be called before
    /// [`Git::for_work_tree`], which checks the files of the directory.
    ///
    /// # Errors
    /// Fails if git itself would use another work tree or git directory, for example because of `core.worktree`, or if
    /// it refuses to open the repository.
    pub fn in_repository(mut self, repository: &Repository) -> Result<Self, RepositoryProblem> {
        self.directory.clone_from(&repository.top);
        for (question, own) in [
            ("--show-toplevel", &repository.top),
            ("--absolute-git-dir", &repository.git_dir),
            ("--git-common-dir", &repository.common_dir),
        ] {
            let answer = self.line(&["rev-parse", question]);
            let answer = answer.ok_or_else(|| RepositoryProblem::NotOpened(self.directory.clone()));
            let named = self.directory.join(answer?);
            if named.canonicalize().ok().as_ref() != Some(own) {
                let top = repository.top.clone();
                return Err(RepositoryProblem::OtherWorkTree { top, named });
            }
        }
        self.environment = self
            .environment
            .with("GIT_DIR", &repository.git_dir)
            .with("GIT_WORK_TREE", &repository.top);
        Ok(self)
    }

    /// Returns a [`Git`] for commands that read the work tree or that merge. Disables the filters that the repository's
    /// own configuration defines, and makes its merge drivers report a conflict. Filters and drivers from the user's
    /// configuration remain enabled.
    ///
    /// # Errors
    /// Fails if the filters cannot be listed, if a file that git opens is a FIFO or a device, on which git would block, or
    /// if `core.worktree` names another work tree than the one that contains the directory.
    pub fn for_work_tree(mut self) -> Result<Self, WorkTreeProblem> {
        self.checked_common_dir = self.search_git_directory()?;
        self.check_top()?;
        self.reads_work_tree = true;
        let git = self.without_filters().ok_or(WorkTreeProblem::UnknownFilters)?;
        git.check_work_tree_files()?;
        Ok(git)
    }

    fn check_top(&self) -> Result<(), WorkTreeProblem> {
        let Some(Repository { top, .. }) = Repository::around(&self.directory) else {
            return Ok(());
        };
        // Git has no answer in a bare repository, and in a repository that it refuses to open.
        match self.line(&["rev-parse", "--show-toplevel"]).map(PathBuf::from) {
            Some(named) if named.canonicalize().ok().as_ref() != Some(&top) => {
                Err(WorkTreeProblem::OtherWorkTree { top, named })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Returns whether this filter was disabled. If so, git reads and stores content without applying the filter.
    #[must_use]
    pub fn is_switched_off(&self, filter: &[u8]) -> bool {
        self.switched_off.contains(filter)
    }

    /// Disables the filters and merge drivers that the repository's own configuration defines. Returns `None` if they
    /// cannot be listed.
    fn without_filters(mut self) -> Option<Self> {
        let names = self.own_filters()?;
        let known = self.environment.text("GIT_CONFIG_COUNT").and_then(|count| count.parse().ok());
        let first: usize = known.unwrap_or_default();
        let count = (first + names.len()).to_string();
        self.environment = self.environment.with("GIT_CONFIG_COUNT", count);
        for (n, name) in (first..).zip(&names) {
            // If a merge driver were set to an empty command, a merge would drop one side.
            let is_false = name.ends_with(b".required") || is_merge_driver(name);
            let value = if is_false { "false" } else { "" };
            self.environment = self
                .environment
                .with(&format!("GIT_CONFIG_KEY_{n}"), OsString::from_vec(name.clone()))
                .with(&format!("GIT_CONFIG_VALUE_{n}"), value);
        }
        self.switched_off = names.iter().filter_map(|name| filter_name(name)).collect();
        Some(self)
    }

    /// Returns a git command. Commands that would enter submodules and nested repositories ignore them, unless
    /// `arguments` contain `--ignore-submodules`.
    #[must_use]
    pub fn command<A: AsRef<str>>(&self, arguments: impl IntoIterator<Item = A>) -> Program {
        let without = WITHOUT_WORK_TREE.iter().filter(|_| !self.reads_work_tree);
        let settings = SETTINGS.iter().chain(without).flat_map(|setting| ["-c", setting]);
        let mut arguments: Vec<String> =
            arguments.into_iter().map(|argument| argument.as_ref().to_owned()).collect();
        let enters = arguments.first().is_some_and(|command| {
            COMMANDS_WITH_SUBMODULES.contains(&command.as_str())
                && !arguments.iter().any(|argument| argument.starts_with(IGNORE_SUBMODULES))
        });
        if enters {
            arguments.insert(1, format!("{IGNORE_SUBMODULES}=all"));
        }
        Program::new(&self.program, self.environment.clone())
            .directory(&self.directory)
            .address_space(ADDRESS_SPACE)
            .argument("--no-pager")
            .arguments(settings)
            .arguments(arguments)
    }

    /// Runs a git command that prints at most `max_bytes`.
    fn run(&self, command: &Program, max_bytes: usize) -> Option<Finished> {
        let deadline = self.deadline(GIT_TIMEOUT * self.environment.slowness());
        let bounds = Bounds { deadline, stdout_bytes: max_bytes, stderr_bytes: 4096 };
        run(command, &bounds).ok()
    }

    /// Runs git and returns its output without the final line break. Returns `None` if git fails or prints nothing.
    fn line(&self, arguments: &[&str]) -> Option<OsString> {
        let finished = self.run(&self.command(arguments), 64 * 1024)?;
        let mut line = finished.stdout.bytes;
        line.pop_if(|byte| *byte == b'\n');
        (finished.end == End::Exited(0) && !line.is_empty()).then(|| OsString::from_vec(line))
    }

    /// Returns the names of the filter, merge driver and git-lfs extension settings in the repository's own
    /// configuration, or `None` if git fails. The function lists all settings and selects these itself, because git's
    /// own patterns skip names that are not UTF-8.
    fn own_filters(&self) -> Option<Vec<Vec<u8>>> {
        let list = ["config", "--list", "--show-scope", "--null", "--name-only"];
        let finished = self.run(&self.command(list), 4 * 1024 * 1024)?;
        if finished.end != End::Exited(0) || finished.stdout.cut {
            return None;
        }
        let mut words = finished.stdout.bytes.split(|byte| *byte == 0);
        let mut names = BTreeSet::new();
        while let (Some(scope), Some(name)) = (words.next(), words.next()) {
            let is_own = matches!(scope, b"local" | b"worktree");
            let is_program = name.starts_with(EXTENSIONS)
                || filter_name(name).is_some()
                || is_merge_driver(name);
            if is_own && is_program {
                names.insert(name.to_vec());
            }
        }
        Some(names.into_iter().collect())
    }
}

/// Returns a copy of the environment without secrets and without the variables that redirect git.
fn kept_variables(environment: &Environment) -> Environment {
    let environment = environment.without_secrets();
    let removed = environment.names().filter(|name| {
        name.starts_with("GIT_")
            && !KEPT_VARIABLES.contains(name)
            && !KEPT_PREFIXES.iter().any(|start| name.starts_with(start))
    });
    let removed: Vec<String> = removed.map(str::to_owned).collect();
    removed.iter().fold(environment, |environment, name| environment.without(name))
}

/// Returns the name of the filter that a setting belongs to, for example `name` for `filter.name.clean`. Returns `None`
/// for other settings.
fn filter_name(setting: &[u8]) -> Option<Vec<u8>> {
    let rest = setting.strip_prefix(b"filter.")?;
    FILTER_KEYS.iter().find_map(|key| rest.strip_suffix(*key)).map(<[u8]>::to_vec)
}

/// Returns whether a setting, such as `merge.name.driver`, names a program that merges files.
fn is_merge_driver(setting: &[u8]) -> bool {
    setting.starts_with(b"merge.") && setting.ends_with(b".driver")
}

#[cfg(test)]
mod tests;
