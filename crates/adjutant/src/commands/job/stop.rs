//! `job stop` and `job clean`: stop jobs and delete their records.

use std::process::ExitCode;

use clap::Args;
use contract::counted;
use runs::{CleanRules, Status};
use serde_json::json;

use super::{SessionArguments, failure, id, state_argument};
use crate::failure::Failure;
use crate::{edge, output};

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
    state: Vec<Status>,
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

fn hours(text: &str) -> Result<f64, String> {
    let hours = text.parse::<f64>().ok().filter(|hours| *hours >= 0.0 && hours.is_finite());
    hours.ok_or_else(|| "expected a number of hours, 0 or more".to_owned())
}

pub(super) fn stop(arguments: &Stop) -> Result<ExitCode, Failure> {
    let host = arguments.at.host()?;
    let stopped = arguments
        .at
        .sessions()?
        .stop(&id(&arguments.id)?, arguments.force, &host)
        .map_err(|error| failure(&error))?;
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

pub(super) fn clean(arguments: &Clean) -> Result<ExitCode, Failure> {
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
