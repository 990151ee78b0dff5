//! Where codex works and where its sessions are written down.
//!
//! Outside the repository by default: what watches an agent should not lie where the agent can write.

use std::path::{Path, PathBuf};

use clap::Args;
use codex::{LogPlace, RunHost};
use process::Environment;

use crate::edge;
use crate::failure::Failure;

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Record")]
pub(crate) struct LogPlaceFlags {
    /// The log file itself; the other files stand beside it
    #[arg(short = 'l', long, value_name = "PATH")]
    log_file: Option<PathBuf>,
    /// The folder of sessions
    #[arg(long, value_name = "DIR")]
    log_dir: Option<PathBuf>,
    /// A folder for each session, which is the default
    #[arg(long, conflicts_with = "flat_logs")]
    log_subdirs: bool,
    /// Files beside each other in --log-dir instead of a folder for each session
    #[arg(long)]
    flat_logs: bool,
}

impl LogPlaceFlags {
    /// A flag that puts the record elsewhere.
    pub(super) fn not_for_a_model(&self) -> Option<&'static str> {
        let named = [
            ("--log-file", self.log_file.is_some()),
            ("--log-dir", self.log_dir.is_some()),
            ("--flat-logs", self.flat_logs),
        ];
        named.into_iter().find(|(_, is_there)| *is_there).map(|(flag, _)| flag)
    }
}

/// The directory codex works in, with links resolved.
pub(crate) fn directory(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let directory = named.map(Path::to_owned).or_else(edge::working_directory);
    let directory = directory.unwrap_or_else(|| PathBuf::from("."));
    directory.canonicalize().map_err(|error| {
        let message = format!("cannot work in `{}`: {error}", directory.display());
        Failure::new(message, contract::ExitCode::Usage)
    })
}

/// `CODEX_SESSIONS_ROOT`, `--log-dir`, `CODEX_LOG_DIR`, else the user's state folder.
pub(crate) fn sessions_root(
    environment: &Environment,
    named: Option<&Path>,
) -> Result<PathBuf, Failure> {
    let variable = |name: &str| environment.text(name).map(PathBuf::from);
    let own = variable("ADJUTANT_STATE_DIR").or_else(|| {
        let users = variable("XDG_STATE_HOME").map(|state| state.join("adjutant"));
        users.or_else(|| variable("HOME").map(|home| home.join(".local/state/adjutant")))
    });
    let root = variable("CODEX_SESSIONS_ROOT")
        .or_else(|| named.map(Path::to_owned))
        .or_else(|| variable("CODEX_LOG_DIR"))
        .or_else(|| own.map(|own| own.join("sessions")));
    let root = root.ok_or_else(|| {
        Failure::new("there is no place for sessions", contract::ExitCode::Configuration)
            .hint("set HOME, or name a folder with --log-dir")
    })?;
    Ok(edge::working_directory().map_or_else(|| root.clone(), |here| here.join(&root)))
}

/// The host of one run, and where in it the record goes.
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
        // A root of sessions holds one folder each; only a folder of logs can be flat.
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
        chance: edge::entropy,
        sessions,
        cache: edge::cache_directory(environment),
        program: edge::program_directory().map(|folder| folder.join("adjutant")),
    }
}
