//! Finds the repository that a command uses, and opens its index. A missing index is built first.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use contract::{ExitCode, RepoRootSource};
use index::{BuildOptions, OpenError, RefreshError, Store, View};
use kernel::IndexLocation;

use super::progress::ProgressOutput;
use crate::failure::Failure;
use crate::{edge, output, style};

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
    /// The root of the repository, if it is already known.
    #[arg(skip)]
    root: Option<PathBuf>,
}

/// Returns the root of the repository that contains `directory` or, if it is `None`, the working directory.
pub(super) fn find_root(directory: Option<&Path>) -> Result<PathBuf, Failure> {
    let environment = edge::environment();
    let directory = directory.map(Path::to_owned).or_else(edge::working_directory);
    let lookup = |name: &str| environment.text(name).map(str::to_owned);
    let root = policy::resolve_root(&lookup, &directory.unwrap_or_else(|| PathBuf::from(".")));
    root.map(|root| root.path).map_err(|error| {
        Failure::new(error.to_string(), ExitCode::Configuration)
            .hint("change to a directory in the repository, or select a repository with `-C DIR`")
    })
}

/// Returns the root of the repository that contains `folder`. Ignores the environment variable that sets the root,
/// because it would select the same root for every folder.
pub(super) fn find_repository(folder: &Path) -> Result<PathBuf, Failure> {
    let folder = edge::working_directory().map_or_else(|| folder.to_owned(), |at| at.join(folder));
    let wrong = |message: String| {
        Failure::new(message, ExitCode::Configuration)
            .hint("each argument must be a readable directory")
    };
    // The error message of `resolve_root` would describe the folder as the working directory.
    folder.read_dir().map_err(|error| wrong(format!("`{}`: {error}", folder.display())))?;
    let root =
        policy::resolve_root(&|_| None, &folder).map_err(|error| wrong(error.to_string()))?;
    if root.source == RepoRootSource::NoGitRoot {
        let message = format!("`{}` is not in a git repository", folder.display());
        return Err(Failure::new(message, ExitCode::Configuration)
            .hint("pass directories in git repositories"));
    }
    Ok(root.path)
}

impl At {
    /// Returns a copy of these arguments for the repository with this root.
    pub(super) fn in_repository(&self, root: &Path) -> Self {
        Self { directory: None, json: self.json, root: Some(root.to_owned()) }
    }

    pub(super) fn directory(&self) -> Option<PathBuf> {
        self.directory.clone()
    }

    /// Returns a copy of these arguments for another directory.
    pub(super) fn elsewhere(&self, directory: &Path) -> Self {
        Self { directory: Some(directory.to_owned()), json: self.json, root: None }
    }

    /// Returns the top folder of the git work tree, which contains the repository's hooks. If a setting narrows the
    /// root, the root is a folder below the top.
    pub(super) fn top(&self) -> Result<PathBuf, Failure> {
        let root = self.place()?.root;
        Ok(policy::find_git_top(&root).unwrap_or(root))
    }

    pub(super) fn place(&self) -> Result<IndexLocation, Failure> {
        let environment = edge::environment();
        let directory = self
            .directory
            .clone()
            .or_else(edge::working_directory)
            .unwrap_or_else(|| PathBuf::from("."));
        let root = match &self.root {
            Some(root) => root.clone(),
            None => find_root(Some(&directory))?,
        };
        let cache = edge::cache_directory(&environment);
        Ok(IndexLocation { root, cache, environment, now: edge::clock(), parser: edge::parser() })
    }

    /// Runs `question` on a current view of the repository.
    ///
    /// Damage to the index is detected only while the index is read. If it is detected, the answer is discarded, the
    /// index is rebuilt, and `question` runs again.
    pub(super) fn ask<T>(
        &self,
        question: impl Fn(&View) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let place = self.place()?;
        let Some(store) = place.store() else { return question(&in_memory(&place)?) };
        match store.view(&place.look(deadline())) {
            Ok(view) => {
                let answer = question(&view);
                if !view.damaged() {
                    return answer;
                }
                warn_of_damage(&store);
            }
            // The index cannot be rebuilt in this folder either.
            Err(error @ OpenError::Refused(_)) => {
                let warning = style::paint(style::WARNING, "warning:");
                output::talk(&format!("{warning} {error}; the files are indexed in memory"));
                return question(&in_memory(&place)?);
            }
            Err(error) if !error.is_absent() => warn_of_damage(&store),
            Err(_) => {}
        }
        let view = rebuilt(&store, &place)?;
        let answer = question(&view);
        // The rebuilt index is damaged too, so the disk is not reliable. Use an index in memory.
        if view.damaged() { question(&in_memory(&place)?) } else { answer }
    }
}

fn warn_of_damage(store: &Store) {
    store.distrust();
    let path = store.snapshot_path();
    let warning = style::paint(style::WARNING, "warning:");
    output::talk(&format!(
        "{warning} the index `{}` is damaged and will be rebuilt",
        path.display()
    ));
}

fn rebuilt(store: &Store, place: &IndexLocation) -> Result<View, Failure> {
    match build(store, &place.build_options(None), true) {
        Ok(_) => store
            .view(&place.look(deadline()))
            .map_err(|error| Failure::new(error.to_string(), ExitCode::ToolFailed)),
        // The cache is read-only, or another process is writing the index.
        Err(_) => in_memory(place),
    }
}

pub(super) fn deadline() -> Instant {
    Instant::now() + QUESTION_TIMEOUT
}

fn in_memory(place: &IndexLocation) -> Result<View, Failure> {
    index::build_in_memory(&place.root, &place.build_options(None))
        .map_err(|error| Failure::new(error.to_string(), ExitCode::ToolFailed))
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
