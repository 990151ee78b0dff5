//! `adjutant index`: builds or refreshes the index in the user's cache folder.

mod exchange;

use std::io;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode as Exit;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use contract::counted;
use index::{BuildError, BuildOptions, RefreshError};
use process::Program;
use serde_json::json;

use super::repository::{At, build};
use crate::failure::Failure;
use crate::{edge, output};
use exchange::{ExchangeArguments, PullReport, PushReport};

/// A refresh is always complete if the index has at most this many files, because it then takes less than a second.
const MAX_COMPLETE_FILES: u32 = 2_000;
/// The interval at which `--watch` checks for changes.
const WATCH_INTERVAL: Duration = Duration::from_secs(2);

const AFTER_HELP: &str = concat!(
    "\
Examples:
  adjutant index
  adjutant index --push s3://bucket/facts                  in a CI job, after `adjutant team-key create`
  adjutant index --pull https://example.org/facts          after `adjutant team-key trust KEY`
  adjutant index --gc-store s3://bucket/facts --older-than 30d

ADJUTANT_INDEX_STORE=URL pulls whenever many contents are unknown. More: ",
    page!("guide/team-index.md")
);

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "flags are the vocabulary of a command line")]
pub(crate) struct Arguments {
    #[command(flatten)]
    at: At,
    /// Print nothing, and succeed if another process is indexing the repository
    #[arg(long)]
    quiet: bool,
    /// Use at most about this much memory, such as 256M or 1G
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = read_size)]
    memory: usize,
    /// Run with low priority, and pause while other programs need the processors
    #[arg(long)]
    background: bool,
    /// Write a new index before the git history is read, so that the index can be used sooner
    #[arg(long)]
    history_last: bool,
    /// Resolve all references and read the git history now, even if this could be done in the background
    #[arg(long)]
    complete: bool,
    /// Compare only this file or folder with the index; may be repeated
    #[arg(long, value_name = "PATH", conflicts_with_all = ["watch", "check", "delete"])]
    changed: Vec<PathBuf>,
    /// Keep running and refresh the index when files change
    #[arg(long)]
    watch: bool,
    /// Read the whole index and report damage
    #[arg(long, conflicts_with = "watch")]
    check: bool,
    /// Delete the index
    #[arg(long, conflicts_with_all = ["watch", "check"])]
    delete: bool,
    #[command(flatten)]
    exchange: ExchangeArguments,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let stores = arguments.exchange.stores()?;
    if let Some(url) = &stores.gc_store {
        return exchange::collect(&arguments.exchange, url);
    }
    let place = arguments.at.place()?;
    let Some(store) = place.store() else {
        if let Some(problem) = edge::refused_folders(&place.environment).into_iter().next() {
            return Err(Failure::configuration(problem)
                .hint("make yourself the only user who can write to the folder, or set ADJUTANT_CACHE_DIR"));
        }
        return Err(Failure::configuration("there is no cache folder for the index")
            .hint("set HOME, XDG_CACHE_HOME or ADJUTANT_CACHE_DIR to an absolute path"));
    };
    if arguments.delete {
        return delete(&store, arguments.quiet);
    }
    if arguments.check {
        return check(&store);
    }
    if arguments.changed.is_empty() {
        restart_with_malloc_settings();
    }
    if arguments.background {
        process::lower_priority();
    }
    let mut options = place.build_options(None);
    (options.memory, options.pauses) = (arguments.memory, arguments.background);
    options.changed = changed_paths(&place.root, &arguments.changed)?;
    let started = Instant::now();
    let stored = store.open().ok();
    let is_deferred = arguments.history_last && stored.is_none();
    options.complete = is_complete(arguments, stored.as_ref());
    drop(stored);
    if stores.pull.is_none() && options.changed.is_none() {
        exchange::pull_by_setting(&store, &place, arguments.quiet);
    }
    let pull = |url| exchange::pull(url, &store, &place, !arguments.quiet);
    let pulled = stores.pull.as_ref().map(pull).transpose()?;
    let mut first_options = options.clone();
    if let Some(history) = &mut first_options.history {
        history.is_deferred = is_deferred;
    }
    let done = match build(&store, &first_options, !arguments.quiet) {
        Ok(done) => done,
        Err(RefreshError::Busy) if arguments.quiet => return Ok(Exit::SUCCESS),
        Err(error) => return Err(error.into()),
    };
    let push = |url| exchange::push(url, &store, &place, &arguments.exchange, !arguments.quiet);
    let pushed = stores.push.as_ref().map(push).transpose()?;
    report(arguments, &store, done, started, (pulled.as_ref(), pushed.as_ref()));
    if is_deferred || arguments.background && store.is_partial(&options) {
        complete(&store, options)?;
    }
    if arguments.watch {
        watch(&store, &place, arguments);
    }
    Ok(Exit::SUCCESS)
}

/// Environment variables with settings for malloc in glibc, which reads them when a program starts. By default, each
/// thread keeps large blocks that it has freed, which raises the peak memory of a build by half.
const MALLOC_SETTINGS: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "262144"),
    ("MALLOC_TRIM_THRESHOLD_", "1048576"),
];

/// Starts this program again, in the same process, with the settings of malloc. Does nothing if the environment already
/// contains one of them, or if the C library is not glibc. If the program cannot be started again, it continues with
/// the default settings.
fn restart_with_malloc_settings() {
    let environment = edge::environment();
    let is_set = MALLOC_SETTINGS.iter().any(|(name, _)| environment.text(name).is_some());
    if is_set || !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return;
    }
    let (Ok(path), mut arguments) = (std::env::current_exe(), std::env::args_os()) else { return };
    let name = arguments.next().unwrap_or_default();
    let environment = MALLOC_SETTINGS
        .iter()
        .fold(environment, |environment, (name, value)| environment.with(name, *value));
    let program = Program::new(path, environment).arguments(arguments);
    let _error = process::replace_process(&program, &name.to_string_lossy());
}

/// Returns whether the refresh must resolve all references and read the git history. Otherwise it may store only the
/// changed files, and a later refresh in the background completes the index.
fn is_complete(arguments: &Arguments, stored: Option<&index::Snapshot>) -> bool {
    let is_small = |snapshot: &index::Snapshot| snapshot.meta().files <= MAX_COMPLETE_FILES;
    arguments.complete || stored.is_some_and(is_small)
}

/// Completes an index: adds the git history, and the edges of references that an earlier refresh has not resolved.
fn complete(store: &index::Store, mut options: BuildOptions) -> Result<(), Failure> {
    options.complete = true;
    match build(store, &options, false) {
        // If another process is refreshing the index, that process also completes it.
        Ok(_) | Err(RefreshError::Busy) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn delete(store: &index::Store, is_quiet: bool) -> Result<Exit, Failure> {
    let folder = store.folder();
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            let message = format!("cannot delete `{}`: {error}", folder.display());
            Err(Failure::tool_failed(message))
        }
        _ => {
            if !is_quiet {
                output::talk(&format!("deleted `{}`", folder.display()));
            }
            Ok(Exit::SUCCESS)
        }
    }
}

fn report(
    arguments: &Arguments,
    store: &index::Store,
    done: index::Refreshed,
    started: Instant,
    (pulled, pushed): (Option<&PullReport<'_>>, Option<&PushReport<'_>>),
) {
    let path = store.snapshot_path();
    if arguments.at.json {
        let mut result = json!({ "files": done.files, "analysed": done.analysed, "bytes": done.bytes, "path": path });
        if let Some(PullReport { pulled, wanted, .. }) = pulled {
            result["pulled"] = json!({
                "unknown": wanted, "contents": pulled.records, "packs": pulled.packs,
                "bytes": pulled.bytes,
            });
        }
        if let Some(PushReport { pushed, redacted, left_out, .. }) = pushed {
            result["pushed"] = json!({
                "contents": pushed.records, "packs": pushed.packs, "bytes": pushed.bytes,
                "redacted": redacted, "left_out": left_out, "dry_run": arguments.exchange.dry_run,
            });
        }
        return output::data(&result.to_string());
    }
    if arguments.quiet {
        return;
    }
    if let Some(report) = pulled {
        output::data(&exchange::pull_text(report));
        output::data(&format!(
            "parsed {}, reused {}",
            done.analysed,
            done.files - done.analysed.min(done.files)
        ));
    }
    output::data(&format!(
        "{}, {} analysed, {:.1} MB, {:.1} s: {}",
        counted(done.files, "file"),
        done.analysed,
        done.bytes as f64 / 1e6,
        started.elapsed().as_secs_f64(),
        path.display()
    ));
    if let Some(report) = pushed {
        output::data(&exchange::push_text(report, arguments.exchange.dry_run));
    }
}

/// Returns the changed paths relative to the root, or `None` if none were given.
fn changed_paths(root: &Path, paths: &[PathBuf]) -> Result<Option<Vec<String>>, Failure> {
    // The working directory is a path without symbolic links, but the path of the root may contain some.
    let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let relative = |path: &PathBuf| {
        let absolute = edge::working_directory().unwrap_or_default().join(path);
        let inside = absolute.strip_prefix(root).or_else(|_| absolute.strip_prefix(&real_root));
        // A path with `..` may lead out of the repository.
        let is_below = |path: &&Path| path.components().all(|part| part != Component::ParentDir);
        inside.ok().filter(is_below).and_then(Path::to_str).map(str::to_owned).ok_or_else(|| {
            let what =
                format!("`{}` is not in the repository `{}`", path.display(), root.display());
            Failure::configuration(what)
                .hint("pass a file or folder in the repository, or omit `--changed`")
        })
    };
    let paths: Vec<String> = paths.iter().map(relative).collect::<Result<_, _>>()?;
    Ok((!paths.is_empty()).then_some(paths))
}

/// Checks for changes at fixed intervals and refreshes the index, until the process is interrupted.
fn watch(store: &index::Store, place: &kernel::IndexLocation, arguments: &Arguments) -> ! {
    let quiet = arguments.quiet;
    loop {
        thread::sleep(WATCH_INTERVAL);
        let view = store.view(&place.look(Instant::now() + WATCH_INTERVAL));
        let is_current = view.is_ok_and(|view| view.freshness().is_current() && !view.damaged());
        let mut options = place.build_options(None);
        options.now = edge::clock();
        (options.memory, options.pauses) = (arguments.memory, arguments.background);
        if is_current && !store.is_partial(&options) {
            continue;
        }
        // Changes are stored first. The index is completed when no more files change.
        options.complete = is_current || is_complete(arguments, store.open().ok().as_ref());
        match build(store, &options, false) {
            Ok(done) if !quiet => {
                output::talk(&format!("refreshed: {} analysed", counted(done.analysed, "file")));
            }
            Ok(_) | Err(RefreshError::Busy) => {}
            Err(error) => output::error(&error.to_string()),
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
        Failure::tool_failed(text).hint("run `adjutant index`")
    })?;
    output::data("sound");
    Ok(Exit::SUCCESS)
}

impl From<RefreshError> for Failure {
    fn from(error: RefreshError) -> Self {
        let failure = Self::tool_failed(Self::message_of(&error));
        match error {
            RefreshError::Busy => failure.hint(
                "wait until the other process has finished, or stop the running `adjutant index`",
            ),
            RefreshError::Unwritable { source, .. } => {
                let kind = source.kind();
                failure.hint(if kind == io::ErrorKind::PermissionDenied {
                    "make yourself the only user who can write to the folder, or set ADJUTANT_CACHE_DIR"
                } else if kind == io::ErrorKind::InvalidInput {
                    "delete the file, or set ADJUTANT_CACHE_DIR"
                } else {
                    "free disk space, or set ADJUTANT_CACHE_DIR"
                })
            }
            RefreshError::Build(BuildError::NoParser(_)) => failure.hint(
                "install Adjutant again; `adjutant-parser` belongs in the folder of `adjutant`, with the same version",
            ),
            RefreshError::Build(_) => failure,
        }
    }
}

/// The minimum value of `--memory`.
const MIN_MEMORY: usize = 16 << 20;

/// Parses a size such as `512M`. The units are powers of 1024.
fn read_size(text: &str) -> Result<usize, String> {
    let (number, unit) = match text.char_indices().next_back() {
        Some((at, 'K' | 'k')) => (&text[..at], 1 << 10),
        Some((at, 'M' | 'm')) => (&text[..at], 1 << 20),
        Some((at, 'G' | 'g')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let size = number.parse::<usize>().ok().and_then(|number| number.checked_mul(unit));
    let size =
        size.ok_or_else(|| "write a number with the unit K, M or G, such as 512M".to_owned())?;
    if size < MIN_MEMORY {
        return Err(format!("the minimum is {}M", MIN_MEMORY >> 20));
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    use super::read_size;

    #[test]
    fn a_size_is_read_with_its_unit() {
        assert_eq!(read_size("512M"), Ok(512 << 20));
        assert_eq!(read_size("1g"), Ok(1 << 30));
        assert_eq!(read_size("65536K"), Ok(64 << 20));
        assert_eq!(read_size("33554432"), Ok(32 << 20));
        for refused in ["", "M", "-1M", "1.5G", "12 M", "99999999999G", "1M", "0"] {
            assert!(read_size(refused).is_err(), "{refused}");
        }
    }
}
