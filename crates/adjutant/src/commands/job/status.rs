//! `job status`, `job list` and `job metrics`: show jobs.

use std::process::ExitCode;

use anstyle::Style;
use clap::Args;
use contract::counted;
use policy::Sandbox;
use runs::{Filter, JobError, SessionState, TotalUse};
use serde_json::json;

use super::{SessionArguments, complete_id, id, state_argument};
use crate::commands::table::{Column, Table};
use crate::failure::Failure;
use crate::{output, style};

#[derive(Args)]
pub(crate) struct Status {
    /// The id of the job, or the start of the id
    id: String,
    #[command(flatten)]
    at: SessionArguments,
}

#[derive(Args)]
pub(crate) struct List {
    /// List only jobs in this state: running, completed, failed, stopped or lost
    #[arg(long, value_name = "STATE", value_parser = state_argument)]
    state: Vec<runs::SessionStatus>,
    /// List only jobs whose tag contains this text
    #[arg(long, value_name = "TEXT")]
    tag_contains: Option<String>,
    /// List at most this many jobs
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Skip this many of the newest jobs
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    #[command(flatten)]
    at: SessionArguments,
}

#[derive(Args)]
pub(crate) struct Metrics {
    /// Count only jobs in this state
    #[arg(long, value_name = "STATE", value_parser = state_argument)]
    state: Vec<runs::SessionStatus>,
    #[command(flatten)]
    at: SessionArguments,
}

pub(super) fn status(arguments: &Status) -> Result<ExitCode, Failure> {
    let sessions = arguments.at.sessions()?;
    let state = match sessions.status(&id(&arguments.id)?) {
        Err(JobError::NotFound { .. }) => {
            let ids = sessions.list(&Filter::default()).into_iter().map(|state| state.id);
            let whole = complete_id(&arguments.id, ids)?;
            sessions.status(&id(whole.as_deref().unwrap_or(&arguments.id))?)
        }
        found => found,
    };
    let state = state?;
    output::data(&if arguments.at.json {
        serde_json::to_string_pretty(&state).unwrap_or_default()
    } else {
        as_text(&state)
    });
    Ok(ExitCode::SUCCESS)
}

fn colour(state: runs::SessionStatus) -> Style {
    match state {
        runs::SessionStatus::Completed => style::GOOD,
        runs::SessionStatus::Running | runs::SessionStatus::Stopped => style::WARNING,
        runs::SessionStatus::Failed | runs::SessionStatus::Lost => style::BAD,
    }
}

fn as_text(state: &SessionState) -> String {
    let or_dash = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".to_owned());
    let exit = state.exit_code.map_or_else(|| "–".to_owned(), |code| code.to_string());
    let tokens = tokens(state);
    let mut lines = vec![
        format!("{}  {}", state.id, style::paint(colour(state.state), state.state.word())),
        format!("  title           {}", state.title),
        format!("  exit code       {exit}"),
        format!("  classification  {}", or_dash(&state.classification)),
        format!("  reason          {}", or_dash(&state.reason)),
        format!("  tokens          {tokens}"),
        format!("  sandbox         {}", state.effective_sandbox.map_or("–", Sandbox::word)),
        format!("  network         {}", state.effective_network_access.unwrap_or("–")),
        format!("  directory       {}", state.cwd.display()),
        format!("  started         {}", state.created_at),
        format!("  last event      {}", state.updated_at),
        format!("  thread          {}", or_dash(&state.thread_id)),
        format!("  log             {}", state.log_file.display()),
    ];
    let roots = state.effective_writable_roots.iter();
    lines.extend(roots.map(|root| format!("  can write to    {}", root.display())));
    let reset = state.limit_resets_at.iter();
    lines.extend(reset.map(|time| format!("  limit resets    {time}")));
    lines.extend(state.note.iter().map(|note| format!("  note            {note}")));
    lines.join("\n")
}

/// Formats the usage of a job, such as `31955 (31941 in, 14 out), 1 turn, cost 0.0401`.
fn tokens(state: &SessionState) -> String {
    let Some(total) = state.tokens_used else { return "–".to_owned() };
    let Some(TotalUse { tokens, turns, cost }) = state.total_use else { return total.to_string() };
    let turns = counted(usize::try_from(turns).unwrap_or(usize::MAX), "turn");
    let cached = match tokens.cached_input {
        0 => String::new(),
        cached => format!(", {cached} of them cached"),
    };
    let cost = cost.map_or_else(String::new, |cost| format!(", cost {cost}"));
    format!("{total} ({} in{cached}, {} out), {turns}{cost}", tokens.input, tokens.output)
}

pub(super) fn list(arguments: &List) -> Result<ExitCode, Failure> {
    let filter = Filter {
        states: arguments.state.clone(),
        tag_contains: arguments.tag_contains.clone(),
        directory: arguments.at.directory(),
        limit: arguments.limit,
        offset: arguments.offset,
        ..Filter::default()
    };
    let found = arguments.at.sessions()?.list(&filter);
    if arguments.at.json {
        output::data(&serde_json::to_string_pretty(&found).unwrap_or_default());
        return Ok(ExitCode::SUCCESS);
    }
    let cost = |state: &SessionState| state.total_use.and_then(|used| used.cost);
    // If there is no price table, no costs are known and the column would be empty.
    let has_costs = found.iter().any(|state| cost(state).is_some());
    let number = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
    let columns: &[Column<'_, SessionState>] = &[
        ("job", true, &|state| state.id.clone()),
        ("state", true, &|state| state.state.word().to_owned()),
        ("exit", true, &|state| state.exit_code.map_or_else(String::new, |code| code.to_string())),
        ("classification", true, &|state| state.classification.clone().unwrap_or_default()),
        ("tokens", true, &|state| number(state.tokens_used)),
        ("cost", has_costs, &|state| cost(state).map_or_else(String::new, |cost| cost.to_string())),
        ("started", true, &|state| state.created_at.clone()),
        ("title", true, &|state| state.title.clone()),
    ];
    let table = Table::of(&found, columns).optional(&[
        "tokens",
        "cost",
        "classification",
        "exit",
        "started",
    ]);
    table.print("there are no jobs");
    Ok(ExitCode::SUCCESS)
}

pub(super) fn metrics(arguments: &Metrics) -> Result<ExitCode, Failure> {
    let metrics = arguments.at.sessions()?.metrics(&Filter {
        states: arguments.state.clone(),
        directory: arguments.at.directory(),
        ..Filter::default()
    });
    if arguments.at.json {
        return output::json(&json!(metrics));
    }
    let n = |count: u64, what: &str| counted(usize::try_from(count).unwrap_or(usize::MAX), what);
    let mut lines = vec![format!(
        "{}, {}, {}",
        counted(metrics.total, "job"),
        n(metrics.turns, "turn"),
        n(metrics.tokens_used, "token")
    )];
    lines.push(format!(
        "  tokens: {} in, {} of them cached, {} out",
        metrics.input_tokens, metrics.cached_input_tokens, metrics.output_tokens
    ));
    lines.extend(metrics.cost.map(|cost| format!("  cost: {cost}")));
    lines.extend(metrics.by_state.iter().map(|(state, count)| format!("  {state}: {count}")));
    lines.extend(
        metrics.by_classification.iter().map(|(word, count)| format!("  ended {word}: {count}")),
    );
    output::data(&lines.join("\n"));
    Ok(ExitCode::SUCCESS)
}
