//! Finds the repository that a command uses, and opens its index. A missing index is built first.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use clap::Args;
use contract::RepoRootSource;
use index::{BuildOptions, RefreshError, Store, View};
use kernel::{IndexLocation, IndexProblem, Knowledge};

use super::progress::ProgressOutput;
use crate::failure::Failure;
use crate::{edge, output};

/// The timeout for a command. It is longer than the timeout for a prompt.
const QUESTION_TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Args)]
pub(super) struct At {
    /// Use the repository of another directory
    #[arg(short = 'C', long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Returns the root of the repository that contains `directory` or, if it is `None`, the working directory.
pub(super) fn find_root(directory: Option<&Path>) -> Result<PathBuf, Failure> {
    let environment = edge::environment();
    let directory = edge::directory_or_here(directory.map(Path::to_owned));
    let lookup = |name: &str| environment.text(name).map(str::to_owned);
    let root = policy::resolve_root(&lookup, &directory);
    root.map(|root| root.path).map_err(|error| {
        Failure::configuration(error)
            .hint("change to a directory in the repository, or select a repository with `-C DIR`")
    })
}

/// Returns `path` relative to `top`, for display.
pub(super) fn relative(path: &Path, top: &Path) -> String {
    path.strip_prefix(top).unwrap_or(path).display().to_string()
}

/// Returns the root of the repository that contains `folder`. Ignores the environment variable that sets the root,
/// because it would select the same root for every folder.
pub(super) fn find_repository(folder: &Path) -> Result<PathBuf, Failure> {
    let folder = edge::working_directory().map_or_else(|| folder.to_owned(), |at| at.join(folder));
    let wrong = |message: String| {
        Failure::configuration(message).hint("each argument must be a readable directory")
    };
    // The error message of `resolve_root` would describe the folder as the working directory.
    folder.read_dir().map_err(|error| wrong(format!("`{}`: {error}", folder.display())))?;
    let root =
        policy::resolve_root(&|_| None, &folder).map_err(|error| wrong(error.to_string()))?;
    if root.source == RepoRootSource::NoGitRoot {
        let message = format!("`{}` is not in a git repository", folder.display());
        return Err(Failure::configuration(message).hint("pass directories in git repositories"));
    }
    Ok(root.path)
}

impl At {
    pub(super) fn directory(&self) -> Option<PathBuf> {
        self.directory.clone()
    }

    /// Returns a copy of these arguments for another directory.
    pub(super) fn elsewhere(&self, directory: &Path) -> Self {
        Self { directory: Some(directory.to_owned()), json: self.json }
    }

    /// Returns the top folder of the git work tree, which contains the repository's hooks. If a setting narrows the
    /// root, the root is a folder below the top.
    pub(super) fn top(&self) -> Result<PathBuf, Failure> {
        let root = self.place()?.root;
        Ok(policy::find_git_top(&root).unwrap_or(root))
    }

    pub(super) fn place(&self) -> Result<IndexLocation, Failure> {
        Ok(location(find_root(self.directory.as_deref())?))
    }
}

/// Returns the location of the index of the repository with this root.
pub(super) fn location(root: PathBuf) -> IndexLocation {
    let environment = edge::environment();
    let cache = edge::cache_directory(&environment);
    IndexLocation { root, cache, environment, now: edge::clock(), parser: edge::parser() }
}

/// Runs `question` on a current view of the repository. A missing or damaged index is built first.
pub(super) fn ask<T>(
    place: &IndexLocation,
    question: impl Fn(&View) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let stored = place.stored(&place.look(deadline()));
    let build = |problem| built(place, problem);
    let first = stored.unwrap_or_else(build);
    let asked = place.ask_or_repair(&first, &OnceLock::new(), build, &question);
    asked.answer.unwrap_or_else(|| question(&in_memory(place)?))
}

/// Builds the index and opens it. `problem` is the reason why the index on disk is not used. Returns
/// [`Knowledge::Files`] if the index cannot be stored, because the cache is read-only or another process writes to it.
fn built(place: &IndexLocation, problem: Option<IndexProblem>) -> Knowledge {
    let store = match (&problem, place.store()) {
        (Some(IndexProblem::Refused(reason)), _) => {
            let folder = format!("the folder of the index {reason}");
            output::warning(&format!("{folder}; the files are indexed in memory"));
            None
        }
        (Some(IndexProblem::Damaged), Some(store)) => {
            store.distrust();
            let path = store.snapshot_path().display().to_string();
            output::warning(&format!("the index `{path}` is damaged and will be rebuilt"));
            Some(store)
        }
        (_, store) => store,
    };
    let view = store.and_then(|store| {
        build(&store, &place.build_options(None), true).ok()?;
        store.view(&place.look(deadline())).ok()
    });
    match view {
        Some(view) => place.indexed(view, problem),
        None => Knowledge::Files { problem },
    }
}

pub(super) fn deadline() -> Instant {
    Instant::now() + QUESTION_TIMEOUT
}

fn in_memory(place: &IndexLocation) -> Result<View, Failure> {
    index::build_in_memory(&place.root, &place.build_options(None)).map_err(Failure::tool_failed)
}

/// Builds the index. If `shows_progress` is set, shows a progress bar on a terminal, or prints lines if there is no
/// terminal.
pub(super) fn build(
    store: &Store,
    options: &BuildOptions,
    shows_progress: bool,
) -> Result<index::Refreshed, RefreshError> {
    let output = ProgressOutput::new(shows_progress, "indexing", "files");
    let built = store.refresh(options, &|progress| {
        output.update(progress.done_files, progress.files, progress.done_bytes);
    });
    output.end();
    built
}
