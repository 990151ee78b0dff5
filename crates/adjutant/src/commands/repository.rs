//! The repository a command is about, and its index: opened if it is there, built if it is not.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;
use contract::ExitCode;
use index::{Progress, RefreshError, Store, View};
use indicatif::{ProgressBar, ProgressStyle};
use kernel::IndexLocation;

use crate::failure::Failure;
use crate::{edge, output};

/// A question by hand may take longer than a prompt; it still ends.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Args)]
pub(super) struct At {
    /// Look at another directory
    #[arg(short = 'C', long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl At {
    pub(super) fn directory(&self) -> Option<PathBuf> {
        self.directory.clone()
    }

    /// The same about another directory.
    pub(super) fn elsewhere(&self, directory: &Path) -> Self {
        Self { directory: Some(directory.to_owned()), json: self.json }
    }

    /// Where the hooks of the repository are: at its top, also for a part of it.
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
        let lookup = |name: &str| environment.text(name).map(str::to_owned);
        let root = policy::resolve_root(&lookup, &directory)
            .map_err(|error| Failure::new(error.to_string(), ExitCode::Configuration))?;
        let cache = edge::cache_directory(&environment);
        Ok(IndexLocation { root: root.path, cache, environment, now: edge::clock() })
    }

    /// Asks `question` of the repository as it is now. Damage shows while an index is read: an answer from a damaged one is
    /// dropped, the index is rebuilt, and the question is asked again.
    pub(super) fn ask<T>(
        &self,
        question: impl Fn(&View) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let place = self.place()?;
        let Some(store) = place.store() else { return question(&in_memory(&place)?) };
        match store.view(place.look(deadline())) {
            Ok(view) => {
                let answer = question(&view);
                if !view.damaged() {
                    return answer;
                }
                talk_of_damage(&store);
            }
            Err(error) if !error.is_absent() => talk_of_damage(&store),
            Err(_) => {}
        }
        let view = rebuilt(&store, &place)?;
        let answer = question(&view);
        // Damaged again within a moment: no index on this disk can be relied on.
        if view.damaged() { question(&in_memory(&place)?) } else { answer }
    }
}

fn talk_of_damage(store: &Store) {
    let path = store.snapshot_path();
    output::talk(&format!("warning: the index `{}` is damaged; it is rebuilt", path.display()));
}

fn rebuilt(store: &Store, place: &IndexLocation) -> Result<View, Failure> {
    match build(store, place, true) {
        Ok(_) => store
            .view(place.look(deadline()))
            .map_err(|error| Failure::new(error.to_string(), ExitCode::ToolFailed)),
        // A cache that cannot be written to, or another writer at work: answer all the same.
        Err(_) => in_memory(place),
    }
}

pub(super) fn deadline() -> Instant {
    Instant::now() + PATIENCE
}

fn in_memory(place: &IndexLocation) -> Result<View, Failure> {
    index::build_in_memory(&place.root, &place.build_options(None))
        .map_err(|error| Failure::new(error.to_string(), ExitCode::ToolFailed))
}

/// Builds with a progress bar on a terminal, plain lines elsewhere.
pub(super) fn build(
    store: &Store,
    place: &IndexLocation,
    talks: bool,
) -> Result<index::Refreshed, RefreshError> {
    let shown = Shown::new(talks);
    let built = store.refresh(&place.build_options(None), &|progress| shown.update(progress));
    shown.end();
    built
}

enum Shown {
    Silent,
    Bar(ProgressBar),
    /// When the last line was printed, and of how many tenths.
    Lines(Mutex<u64>, Instant),
}

impl Shown {
    fn new(talks: bool) -> Self {
        if !talks {
            return Self::Silent;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines(Mutex::new(0), Instant::now());
        }
        let style =
            ProgressStyle::with_template("indexing {bar:30} {pos}/{len} files {msg} {eta} left");
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
                // A small repository is done before anybody reads a line about it.
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
