//! `adjutant job`: codex unattended, in the background.

mod end;
mod logs;
mod look;
mod start;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use codex::{JobError, SessionId, Sessions, Status};

use super::run::{run_host_at, sessions_root};
use crate::edge;
use crate::failure::Failure;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Start a job and let it be; prints its id
    Start(start::Start),
    /// What is known of a job; writes nothing
    Status(look::Status),
    /// The log of a job
    Logs(logs::Arguments),
    /// End a job and everything it started
    Stop(end::Stop),
    /// The jobs there are, the newest first
    List(look::List),
    /// Delete what is over
    Clean(end::Clean),
    /// How many jobs ended how, and what they cost
    Metrics(look::Metrics),
    /// Go on with the conversation of a job, in a new one
    Resume(start::Resume),
    /// The process that watches a job
    #[command(hide = true)]
    Supervise,
    /// The process that ends a job when its supervisor is killed
    #[command(hide = true)]
    Watch,
}

pub(crate) fn run(command: &Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Start(arguments) => start::start(arguments),
        Command::Status(arguments) => look::status(arguments),
        Command::Logs(arguments) => logs::run(arguments),
        Command::Stop(arguments) => end::stop(arguments),
        Command::List(arguments) => look::list(arguments),
        Command::Clean(arguments) => end::clean(arguments),
        Command::Metrics(arguments) => look::metrics(arguments),
        Command::Resume(arguments) => start::resume(arguments),
        Command::Supervise => start::supervise(),
        Command::Watch => start::watch(),
    }
}

/// Where jobs are looked for.
#[derive(Args)]
struct At {
    /// The folder of sessions
    #[arg(long, value_name = "DIR")]
    log_dir: Option<PathBuf>,
    /// Only jobs that work in this directory or below
    #[arg(long, short = 'C', value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl At {
    fn sessions(&self) -> Result<Sessions, Failure> {
        Ok(Sessions::at(&sessions_root(&edge::environment(), self.log_dir.as_deref())?))
    }

    fn host(&self) -> Result<codex::RunHost, Failure> {
        let environment = edge::environment();
        let root = sessions_root(&environment, self.log_dir.as_deref())?;
        Ok(run_host_at(&environment, root))
    }

    /// A directory that is gone can still be asked about.
    fn directory(&self) -> Option<PathBuf> {
        self.cwd.as_ref().map(|named| named.canonicalize().unwrap_or_else(|_| named.clone()))
    }
}

fn id(text: &str) -> Result<SessionId, Failure> {
    SessionId::new(text).map_err(|error| Failure::new(error.to_string(), contract::ExitCode::Usage))
}

fn failure(error: &JobError) -> Failure {
    let mut failure = Failure::new(error.to_string(), contract::ExitCode::Usage);
    match error {
        JobError::Id(_) | JobError::Pattern { .. } => {}
        JobError::NotFound { .. } => {
            failure.exit = 1;
            failure.hint = Some("`adjutant job list` shows what there is".to_owned());
        }
        JobError::StillRunning(id) => {
            failure.exit = 1;
            failure.hint = Some(format!("`adjutant job stop {id}` ends it"));
        }
        JobError::NoThread(_) | JobError::NoLog(_) | JobError::Unreadable { .. } => {
            failure.exit = 1;
        }
    }
    failure
}

fn state_argument(word: &str) -> Result<Status, String> {
    let words = Status::ALL.map(Status::word).join(", ");
    Status::named(word).ok_or_else(|| format!("one of {words}"))
}
