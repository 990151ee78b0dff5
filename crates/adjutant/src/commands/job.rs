//! `adjutant job`: runs codex unattended in the background.

mod logs;
mod start;
mod status;
mod stop;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use runs::{JobError, SessionId, Sessions, Status};

use super::run::{run_host_at, sessions_root};
use crate::edge;
use crate::failure::Failure;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Start a job in the background and print its id
    Start(start::Start),
    /// Show the state of a job
    Status(status::Status),
    /// Print the log of a job
    Logs(logs::Arguments),
    /// Stop a job and all processes that it started
    Stop(stop::Stop),
    /// List jobs, newest first
    List(status::List),
    /// Delete the records of ended jobs
    Clean(stop::Clean),
    /// Count jobs and tokens by state and classification
    Metrics(status::Metrics),
    /// Continue the conversation of an ended job in a new job
    Resume(start::Resume),
    /// Run the supervisor of a job
    #[command(hide = true)]
    Supervise,
    /// Run the watchdog of a job
    #[command(hide = true)]
    Watch,
}

pub(crate) fn run(command: &Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Start(arguments) => start::start(arguments),
        Command::Status(arguments) => status::status(arguments),
        Command::Logs(arguments) => logs::run(arguments),
        Command::Stop(arguments) => stop::stop(arguments),
        Command::List(arguments) => status::list(arguments),
        Command::Clean(arguments) => stop::clean(arguments),
        Command::Metrics(arguments) => status::metrics(arguments),
        Command::Resume(arguments) => start::resume(arguments),
        Command::Supervise => start::supervise(),
        Command::Watch => start::watch(),
    }
}

/// Selects the sessions that a command reads.
#[derive(Args)]
struct SessionArguments {
    /// Read sessions from this folder
    #[arg(long, value_name = "DIR")]
    log_dir: Option<PathBuf>,
    /// Select only jobs that run in this directory or below it
    #[arg(long, short = 'C', value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl SessionArguments {
    fn sessions(&self) -> Result<Sessions, Failure> {
        let sessions = Sessions::at(&sessions_root(&edge::environment(), self.log_dir.as_deref())?);
        sessions.check_folder().map_err(|error| failure(&error))?;
        Ok(sessions)
    }

    fn host(&self) -> Result<runs::RunHost, Failure> {
        let environment = edge::environment();
        let root = sessions_root(&environment, self.log_dir.as_deref())?;
        Ok(run_host_at(&environment, root))
    }

    /// Returns the directory given with `--cwd`, or `None` if none was given. Symbolic links are resolved, unless the
    /// directory no longer exists.
    fn directory(&self) -> Option<PathBuf> {
        self.cwd.as_ref().map(|named| named.canonicalize().unwrap_or_else(|_| named.clone()))
    }
}

fn id(text: &str) -> Result<SessionId, Failure> {
    SessionId::new(text).map_err(|error| {
        let failure = Failure::new(error.to_string(), contract::ExitCode::Usage);
        failure.hint("`adjutant job list` lists all jobs")
    })
}

fn failure(error: &JobError) -> Failure {
    let mut failure = Failure::new(error.to_string(), contract::ExitCode::Usage);
    match error {
        JobError::Id(_) | JobError::Pattern { .. } => {}
        JobError::NotFound { .. } => {
            failure.exit = 1;
            failure.hint = Some("`adjutant job list` lists all jobs".to_owned());
        }
        JobError::StillRunning(id) => {
            failure.exit = 1;
            failure.hint = Some(format!("`adjutant job stop {id}` stops it"));
        }
        JobError::Folder(_) => failure.exit = contract::ExitCode::Configuration.number(),
        JobError::NoThread(_) | JobError::NoLog(_) | JobError::Unreadable { .. } => {
            failure.exit = 1;
        }
    }
    failure
}

fn state_argument(word: &str) -> Result<Status, String> {
    let words = Status::ALL.map(Status::word).join(", ");
    Status::named(word).ok_or_else(|| format!("expected one of {words}"))
}
