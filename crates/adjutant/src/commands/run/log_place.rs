//! Determines codex's working directory and the location of the run's record.
//!
//! By default, the record is stored outside the repository, so that codex cannot change it.

use std::path::{Path, PathBuf};

use clap::Args;
use codex::{LogPlace, RunHost};
use process::Environment;

use crate::edge;
use crate::failure::Failure;

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Record")]
pub(crate) struct LogPlaceFlags {
    /// Write the log to this file and the other files next to it
    #[arg(short = 'l', long, value_name = "PATH")]
    log_file: Option<PathBuf>,
    /// Store sessions in this folder
    #[arg(long, value_name = "DIR")]
    pub(in crate::commands) log_dir: Option<PathBuf>,
    /// Create a folder for each session (default)
    #[arg(long, conflicts_with = "flat_logs")]
    log_subdirs: bool,
    /// Write all files to --log-dir instead of a folder for each session
    #[arg(long)]
    flat_logs: bool,
}

impl LogPlaceFlags {
    /// Returns the first given flag that changes the location of the record, or `None` if there is none. A model may
    /// not use such a flag.
    pub(super) fn person_only_flag(&self) -> Option<&'static str> {
        let named = [
            ("--log-file", self.log_file.is_some()),
            ("--log-dir", self.log_dir.is_some()),
            ("--flat-logs", self.flat_logs),
        ];
        named.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }
}

/// Returns the directory in which codex runs, with symbolic links resolved: `named`, or this process's working
/// directory if `named` is `None`.
pub(crate) fn directory(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let directory = named.map(Path::to_owned).or_else(edge::working_directory);
    let directory = directory.unwrap_or_else(|| PathBuf::from("."));
    directory.canonicalize().map_err(|error| {
        let message = format!("cannot work in `{}`: {error}", directory.display());
        Failure::new(message, contract::ExitCode::Usage)
    })
}

/// Returns the folder that contains all sessions. This is the first of `CODEX_SESSIONS_ROOT`, `--log-dir` and
/// `CODEX_LOG_DIR` that is set, or a folder in the user's state folder if none is set.
pub(crate) fn sessions_root(
    environment: &Environment,
    named: Option<&Path>,
) -> Result<PathBuf, Failure> {
    let variable = |name: &str| environment.text(name).map(PathBuf::from);
    let root = variable("CODEX_SESSIONS_ROOT")
        .or_else(|| named.map(Path::to_owned))
        .or_else(|| variable("CODEX_LOG_DIR"))
        .or_else(|| edge::named_state(environment).map(|own| own.join("sessions")));
    let root = root.ok_or_else(|| {
        Failure::new("the folder for sessions is not known", contract::ExitCode::Configuration)
            .hint("set HOME or ADJUTANT_STATE_DIR to an absolute path, or select a folder with --log-dir")
    })?;
    Ok(edge::working_directory().map_or_else(|| root.clone(), |here| here.join(&root)))
}

/// Returns what a run needs to know about its environment, and the location of its record.
pub(crate) fn host(
    environment: &Environment,
    flags: &LogPlaceFlags,
    directory: &Path,
) -> Result<(RunHost, LogPlace), Failure> {
    let sessions = sessions_root(environment, flags.log_dir.as_deref())?;
    let absolute = |path: PathBuf| {
        edge::working_directory().map_or_else(|| directory.join(&path), |here| here.join(&path))
    };
    let log_file =
        flags.log_file.clone().or_else(|| environment.text("CODEX_LOG_FILE").map(PathBuf::from));
    let wants_flat = flags.flat_logs
        || (environment.text("CODEX_LOG_SUBDIRS") == Some("0") && !flags.log_subdirs);
    let place = match (log_file, environment.text("CODEX_SESSION_DIR")) {
        (Some(file), _) => LogPlace::File(absolute(file)),
        (None, Some(folder)) => LogPlace::Named(absolute(folder.into())),
        // `CODEX_SESSIONS_ROOT` always contains a folder for each session.
        (None, None) if wants_flat && environment.text("CODEX_SESSIONS_ROOT").is_none() => {
            LogPlace::Flat
        }
        (None, None) => LogPlace::Folder,
    };
    Ok((run_host_at(environment, sessions), place))
}

pub(crate) fn run_host_at(environment: &Environment, sessions: PathBuf) -> RunHost {
    RunHost {
        environment: environment.clone(),
        clock: edge::clock,
        entropy: edge::entropy,
        sessions,
        cache: edge::cache_directory(environment),
        program: edge::program_directory().map(|folder| folder.join("adjutant")),
    }
}
