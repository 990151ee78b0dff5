//! `adjutant job`: runs codex unattended in the background.

mod logs;
mod start;
mod status;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use contract::counted;
use runs::{CleanRules, JobError, SessionId, SessionStatus, Sessions};
use serde_json::json;

use super::run::{run_host_at, sessions_root};
use crate::failure::Failure;
use crate::{edge, output};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Start a job in the background and print its id
    #[command(after_help = start::START_EXAMPLE)]
    Start(start::Start),
    /// Show the state of a job
    Status(status::Status),
    /// Print the log of a job
    Logs(logs::Arguments),
    /// Stop a job and all processes that it started
    Stop(Stop),
    /// List jobs, newest first
    List(status::List),
    /// Delete the records of ended jobs
    Clean(Clean),
    /// Count jobs and tokens by state and classification
    Metrics(status::Metrics),
    /// Continue the conversation of an ended job in a new job
    #[command(after_help = start::RESUME_EXAMPLE)]
    Resume(start::Resume),
    /// Run the supervisor of a job
    #[command(hide = true)]
    Supervise,
    /// Run the watchdog of a job
    #[command(hide = true)]
    Watch,
}

#[derive(Args)]
pub(crate) struct Stop {
    /// The id of the job
    id: String,
    /// Kill the job without a grace period
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    at: SessionArguments,
}

#[derive(Args)]
pub(crate) struct Clean {
    /// Delete only jobs in this state [default: completed, failed, stopped, lost]
    #[arg(long, value_name = "STATE", value_parser = state_argument)]
    state: Vec<SessionStatus>,
    /// Delete only jobs whose last event is at least this many hours old
    #[arg(long, value_name = "N", value_parser = hours)]
    older_than_hours: Option<f64>,
    /// Delete at most this many jobs, oldest first
    #[arg(long, value_name = "M")]
    limit: Option<usize>,
    /// List the jobs without deleting them
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    at: SessionArguments,
}

pub(crate) fn run(command: &Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Start(arguments) => start::start(arguments),
        Command::Status(arguments) => status::status(arguments),
        Command::Logs(arguments) => logs::run(arguments),
        Command::Stop(arguments) => stop(arguments),
        Command::List(arguments) => status::list(arguments),
        Command::Clean(arguments) => clean(arguments),
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
        sessions.check_folder()?;
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
        let failure = Failure::usage(error);
        failure.hint("`adjutant job list` lists all jobs")
    })
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Self {
        let failure = Self::usage(&error);
        match error {
            JobError::Id(_) | JobError::Pattern { .. } => failure,
            JobError::NotFound { .. } => {
                Self { exit: 1, ..failure }.hint("`adjutant job list` lists all jobs")
            }
            JobError::StillRunning(id) => {
                Self { exit: 1, ..failure }.hint(format!("`adjutant job stop {id}` stops it"))
            }
            JobError::Folder(_) => Self::configuration(failure.message),
            JobError::NoThread(_) | JobError::NoLog(_) | JobError::Unreadable { .. } => {
                Self { exit: 1, ..failure }
            }
        }
    }
}

/// Returns the only one of `ids` that starts with `start`. Returns `None` if there is none, and an error if there are
/// several.
pub(super) fn complete_id(
    start: &str,
    ids: impl IntoIterator<Item = String>,
) -> Result<Option<String>, Failure> {
    const MAX_SHOWN: usize = 3;
    let mut found: Vec<String> = ids.into_iter().filter(|id| id.starts_with(start)).collect();
    if found.len() > 1 {
        let shown: Vec<String> = found.iter().take(MAX_SHOWN).map(|id| format!("`{id}`")).collect();
        let more = if found.len() > MAX_SHOWN { ", …" } else { "" };
        return Err(Failure::not_found(format!("{} ids start with `{start}`", found.len()))
            .hint(format!("write more of the id: {}{more}", shown.join(", "))));
    }
    Ok(found.pop())
}

fn state_argument(word: &str) -> Result<SessionStatus, String> {
    let words = SessionStatus::ALL.map(SessionStatus::word).join(", ");
    SessionStatus::named(word).ok_or_else(|| format!("expected one of {words}"))
}

fn hours(text: &str) -> Result<f64, String> {
    let hours = text.parse::<f64>().ok().filter(|hours| *hours >= 0.0 && hours.is_finite());
    hours.ok_or_else(|| "expected a number of hours, 0 or more".to_owned())
}

fn stop(arguments: &Stop) -> Result<ExitCode, Failure> {
    let host = arguments.at.host()?;
    let stopped = arguments.at.sessions()?.stop(&id(&arguments.id)?, arguments.force, &host)?;
    output::data(&if arguments.at.json {
        json!(stopped).to_string()
    } else {
        format!(
            "{}  {} -> {}",
            stopped.job_id,
            stopped.previous_state.word(),
            stopped.new_state.word()
        )
    });
    Ok(ExitCode::SUCCESS)
}

fn clean(arguments: &Clean) -> Result<ExitCode, Failure> {
    let rules = CleanRules {
        states: arguments.state.clone(),
        older_than_hours: arguments.older_than_hours,
        limit: arguments.limit,
        is_dry_run: arguments.dry_run,
        directory: arguments.at.directory(),
    };
    let cleaned = arguments.at.sessions()?.clean(&rules, edge::clock());
    if arguments.at.json {
        output::data(&json!(cleaned).to_string());
    } else {
        let verb = if cleaned.is_dry_run { "would be deleted" } else { "deleted" };
        output::data(&cleaned.deleted.join("\n"));
        let n_failed = cleaned.failed.len();
        output::talk(&format!(
            "{} {verb}, {n_failed} failed",
            counted(cleaned.deleted.len(), "job")
        ));
    }
    Ok(if cleaned.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[cfg(test)]
mod tests {
    use super::complete_id;

    #[test]
    fn only_a_unique_start_is_completed() {
        let ids = || ["t-ab1", "t-ab2", "t-c"].map(str::to_owned);
        assert_eq!(complete_id("t-c", ids()).ok(), Some(Some("t-c".to_owned())));
        assert_eq!(complete_id("t-ab2", ids()).ok(), Some(Some("t-ab2".to_owned())));
        assert_eq!(complete_id("x", ids()).ok(), Some(None));
        let failure =
            complete_id("t-a", ids()).err().map(|failure| (failure.exit, failure.message));
        assert_eq!(failure, Some((1, "2 ids start with `t-a`".to_owned())));
    }
}
