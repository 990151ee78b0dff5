//! `job stop` and `job clean`.

use std::process::ExitCode;

use clap::Args;
use codex::{CleanRules, Status};
use serde_json::json;

use super::{At, failure, id, state_argument};
use crate::failure::Failure;
use crate::{edge, output};

#[derive(Args)]
pub(crate) struct Stop {
    /// The job, as `adjutant job list` names it
    id: String,
    /// No grace: kill at once
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    at: At,
}

#[derive(Args)]
pub(crate) struct Clean {
    /// Only jobs in this state; without it completed, failed, stopped and lost
    #[arg(long, value_name = "STATE", value_parser = state_argument)]
    state: Vec<Status>,
    /// Only those whose last event is at least so old
    #[arg(long, value_name = "N")]
    older_than_hours: Option<f64>,
    /// At most so many, the oldest first
    #[arg(long, value_name = "M")]
    limit: Option<usize>,
    /// Say what would be deleted
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    at: At,
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
    let states = if arguments.state.is_empty() {
        vec![Status::Completed, Status::Failed, Status::Stopped, Status::Lost]
    } else {
        arguments.state.clone()
    };
    let rules = CleanRules {
        states,
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
        output::talk(&format!(
            "{} {verb}, {} could not be",
            cleaned.deleted.len(),
            cleaned.failed.len()
        ));
    }
    Ok(if cleaned.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
