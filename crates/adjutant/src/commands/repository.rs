//! Finds the repository of a command and opens its index. A missing index is built first.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;
use contract::ExitCode;
use index::{BuildOptions, Progress, RefreshError, Store, View};
use indicatif::{ProgressBar, ProgressStyle};
use kernel::IndexLocation;

use crate::failure::Failure;
use crate::{edge, output, style};

/// The width of a terminal from which the progress bar shows the speed and the remaining time.
const WIDE_TERMINAL: usize = 80;
/// The timeout of one command. It is longer than the timeout of a prompt.
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

/// Returns the root of the repository of `directory`, or of the working directory.
pub(super) fn find_root(directory: Option<&Path>) -> Result<PathBuf, Failure> {
    let environment = edge::environment();
    let directory = directory.map(Path::to_owned).or_else(edge::working_directory);
    let lookup = |name: &str| environment.text(name).map(str::to_owned);
    let root = policy::resolve_root(&lookup, &directory.unwrap_or_else(|| PathBuf::from(".")));
    root.map(|root| root.path).map_err(|error| {
        Failure::new(error.to_string(), ExitCode::Configuration)
            .hint("change to a directory of the repository, or name one with `-C DIR`")
    })
}

impl At {
    pub(super) fn directory(&self) -> Option<PathBuf> {
        self.directory.clone()
    }

    /// Returns the same arguments with another directory.
    pub(super) fn elsewhere(&self, directory: &Path) -> Self {
        Self { directory: Some(directory.to_owned()), json: self.json }
    }

    /// Returns the top folder of the git work tree, which contains the repository's hooks. If a setting narrows the root,
    /// the root is a folder below the top folder.
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
        let root = find_root(Some(&directory))?;
        let cache = edge::cache_directory(&environment);
        Ok(IndexLocation { root, cache, environment, now: edge::clock(), parser: edge::parser() })
    }

    /// Runs `question` on a current view of the repository.
    ///
    /// A damaged index is detected only while it is read. In that case the answer is discarded, the index is rebuilt, and
    /// `question` runs again.
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
            Err(error) if !error.is_absent() => warn_of_damage(&store),
            Err(_) => {}
        }
        let view = rebuilt(&store, &place)?;
        let answer = question(&view);
        // The rebuilt index is damaged too, so the disk is not reliable: use an index in memory.
        if view.damaged() { question(&in_memory(&place)?) } else { answer }
    }
}

fn warn_of_damage(store: &Store) {
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
    let output = ProgressOutput::new(shows_progress);
    let built = store.refresh(options, &|progress| output.update(progress));
    output.end();
    built
}

enum ProgressOutput {
    Silent,
    Bar(ProgressBar),
    /// Prints one line per tenth of the work. Contains the last tenth that was printed, and the start time.
    Lines(Mutex<u64>, Instant),
}

impl ProgressOutput {
    fn new(shows_progress: bool) -> Self {
        if !shows_progress {
            return Self::Silent;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines(Mutex::new(0), Instant::now());
        }
        // A line that is longer than the terminal would be repeated at every update.
        let columns = output::terminal_width(std::io::stderr());
        let is_wide = columns.is_none_or(|columns| columns >= WIDE_TERMINAL);
        let style = ProgressStyle::with_template(if is_wide {
            "indexing {bar:30} {pos}/{len} files {msg} {eta} left"
        } else {
            "indexing {wide_bar} {pos}/{len}"
        });
        let bar = ProgressBar::new(0);
        Self::Bar(style.map_or_else(|_| bar.clone(), |style| bar.clone().with_style(style)))
    }

    fn update(&self, progress: Progress) {
        match self {
            Self::Silent => {}
            Self::Bar(bar) => {
                bar.set_length(progress.files as u64);
                bar.set_position(progress.done_files as u64);
                let seconds = bar.elapsed().as_secs_f64().max(0.001);
                bar.set_message(format!("{:.1} MB/s", progress.done_bytes as f64 / 1e6 / seconds));
            }
            Self::Lines(last, started) => {
                let tenth = (progress.done_files * 10 / progress.files.max(1)) as u64;
                let Ok(mut last) = last.lock() else { return };
                // Builds that take less than a second print no lines.
                if tenth > *last && started.elapsed() > Duration::from_secs(1) {
                    *last = tenth;
                    output::talk(&format!(
                        "indexing: {} of {} files",
                        progress.done_files, progress.files
                    ));
                }
            }
        }
    }

    fn end(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
