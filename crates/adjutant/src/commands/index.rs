//! `adjutant index`: builds or refreshes the index in the user's cache folder.

use std::process::ExitCode as Exit;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use contract::{ExitCode, counted};
use index::{BuildError, BuildOptions, RefreshError};
use serde_json::json;

use super::repository::{At, build};
use crate::failure::Failure;
use crate::{edge, output, style};

/// The interval at which `--watch` checks for changes.
const WATCH_INTERVAL: Duration = Duration::from_secs(2);

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags are the vocabulary of a command line")]
pub(crate) struct Arguments {
    #[command(flatten)]
    at: At,
    /// Print nothing, and succeed if another process is indexing the repository
    #[arg(long)]
    quiet: bool,
    /// Write a new index before the git history is read, so that it can be used sooner
    #[arg(long)]
    history_last: bool,
    /// Keep running and refresh the index when files change
    #[arg(long)]
    watch: bool,
    /// Read the whole index and report damage
    #[arg(long, conflicts_with = "watch")]
    check: bool,
    /// Delete the index
    #[arg(long, conflicts_with_all = ["watch", "check"])]
    delete: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let place = arguments.at.place()?;
    let Some(store) = place.store() else {
        if let Some(problem) = edge::refused_folders(&place.environment).into_iter().next() {
            return Err(Failure::new(problem, ExitCode::Configuration)
                .hint("make yourself the only user who can write to the folder, or set ADJUTANT_CACHE_DIR"));
        }
        return Err(Failure::new(
            "there is no cache folder for the index",
            ExitCode::Configuration,
        )
        .hint("set HOME, XDG_CACHE_HOME or ADJUTANT_CACHE_DIR to an absolute path"));
    };
    if arguments.delete {
        return match std::fs::remove_dir_all(store.folder()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Failure::new(
                format!("cannot delete `{}`: {error}", store.folder().display()),
                ExitCode::ToolFailed,
            )),
            _ => {
                if !arguments.quiet {
                    output::talk(&format!("deleted `{}`", store.folder().display()));
                }
                Ok(Exit::SUCCESS)
            }
        };
    }
    if arguments.check {
        return check(&store);
    }
    let started = Instant::now();
    let is_deferred = arguments.history_last && store.open().is_err();
    let options = place.build_options(None);
    let done = match build(&store, &deferred(options, is_deferred), !arguments.quiet) {
        Ok(done) => done,
        Err(RefreshError::Busy) if arguments.quiet => return Ok(Exit::SUCCESS),
        Err(error) => return Err(failure(&error)),
    };
    if arguments.at.json {
        let path = store.snapshot_path();
        output::data(&json!({ "files": done.files, "analysed": done.analysed, "bytes": done.bytes, "path": path }).to_string());
    } else if !arguments.quiet {
        output::data(&format!(
            "{}, {} analysed, {:.1} MB, {:.1} s: {}",
            counted(done.files, "file"),
            done.analysed,
            done.bytes as f64 / 1e6,
            started.elapsed().as_secs_f64(),
            store.snapshot_path().display()
        ));
    }
    if is_deferred {
        // Another process that refreshes the index in the meantime also reads the history.
        match build(&store, &place.build_options(None), false) {
            Ok(_) | Err(RefreshError::Busy) => {}
            Err(error) => return Err(failure(&error)),
        }
    }
    if arguments.watch {
        watch(&store, &place, arguments.quiet);
    }
    Ok(Exit::SUCCESS)
}

fn deferred(mut options: BuildOptions, is_deferred: bool) -> BuildOptions {
    if let Some(history) = &mut options.history {
        history.is_deferred = is_deferred;
    }
    options
}

/// Checks for changes at fixed intervals and refreshes the index, until the process is interrupted.
fn watch(store: &index::Store, place: &kernel::IndexLocation, quiet: bool) -> ! {
    loop {
        thread::sleep(WATCH_INTERVAL);
        let view = store.view(&place.look(Instant::now() + WATCH_INTERVAL));
        if view.is_ok_and(|view| view.freshness().is_current() && !view.damaged()) {
            continue;
        }
        match build(store, &place.build_options(None), false) {
            Ok(done) if !quiet => {
                output::talk(&format!("refreshed: {} analysed", counted(done.analysed, "file")));
            }
            Ok(_) | Err(RefreshError::Busy) => {}
            Err(error) => output::talk(&format!("{} {error}", style::paint(style::BAD, "error:"))),
        }
    }
}

fn check(store: &index::Store) -> Result<Exit, Failure> {
    store.verify().map_err(|error| {
        let text = if error.is_absent() {
            "there is no index".to_owned()
        } else {
            format!("`{}`: {error}", store.snapshot_path().display())
        };
        Failure::new(text, ExitCode::ToolFailed).hint("run `adjutant index`")
    })?;
    output::data("sound");
    Ok(Exit::SUCCESS)
}

fn failure(error: &RefreshError) -> Failure {
    let source =
        std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    let failure = Failure::new(format!("{error}{source}"), ExitCode::ToolFailed);
    match error {
        RefreshError::Busy => {
            failure.hint("wait until the other process ends, or find the running `adjutant index`")
        }
        RefreshError::Unwritable { .. } => {
            failure.hint("free disk space, or set ADJUTANT_CACHE_DIR")
        }
        RefreshError::Build(BuildError::NoParser(_)) => failure.hint(
            "install Adjutant again; `adjutant-parser` belongs in the folder of `adjutant`, with the same version",
        ),
        RefreshError::Build(_) => failure,
    }
}
