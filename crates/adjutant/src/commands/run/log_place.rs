//! Determines codex's working directory, the location of the run's record, and what a run needs from this process.
//!
//! By default, the record is stored outside the repository, so that codex cannot change it.

use std::path::{Path, PathBuf};

use process::Environment;
use runs::RunHost;

use crate::failure::Failure;
use crate::{edge, prompt_briefing};

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

pub(crate) fn run_host_at(environment: &Environment, sessions: PathBuf) -> RunHost {
    RunHost {
        environment: environment.clone(),
        clock: edge::clock,
        entropy: edge::entropy,
        sessions,
        cache: edge::cache_directory(environment),
        program: edge::program_directory().map(|folder| folder.join("adjutant")),
        configuration: edge::hook_folders(environment).configuration,
        stdin: edge::read_stdin,
        brief: prompt_briefing::brief_task,
    }
}
