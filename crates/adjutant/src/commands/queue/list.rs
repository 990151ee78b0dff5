//! Implements `queue list` and `queue show`.

use std::path::PathBuf;
use std::process::ExitCode;

use anstyle::Style;
use clap::Args;
use queue::{Attempt, Notice, StoreError, Task, TaskFilter, TaskState, Webhook};
use runs::Caps;
use serde_json::json;

use super::change::amount;
use super::{StoreArguments, task_id};
use crate::commands::job::complete_id;
use crate::commands::run::directory;
use crate::commands::table::{Column, Table};
use crate::failure::Failure;
use crate::{output, style};

#[derive(Args)]
pub(crate) struct List {
    /// List only tasks in this state: queued, running, waiting, needs-approval, finished, failed, budget or cancelled
    #[arg(long, value_name = "STATE", value_parser = state)]
    state: Vec<TaskState>,
    /// List only tasks of this repository
    #[arg(long, value_name = "DIR")]
    repository: Option<PathBuf>,
    /// List at most this many tasks
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    store: StoreArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct Show {
    /// The id of the task, or the start of the id
    id: String,
    #[command(flatten)]
    store: StoreArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn state(word: &str) -> Result<TaskState, String> {
    let words = TaskState::ALL.map(TaskState::word).join(", ");
    TaskState::named(word).ok_or_else(|| format!("expected one of {words}"))
}

pub(super) fn colour(state: TaskState) -> Style {
    match state {
        TaskState::Finished => style::GOOD,
        TaskState::Queued | TaskState::Running | TaskState::Waiting | TaskState::Cancelled => {
            style::WARNING
        }
        TaskState::Failed | TaskState::Budget | TaskState::NeedsApproval => style::BAD,
    }
}

pub(super) fn list(arguments: &List) -> Result<ExitCode, Failure> {
    let repository = arguments.repository.as_deref().map(|named| directory(Some(named)));
    let filter = TaskFilter {
        states: arguments.state.clone(),
        repository: repository.transpose()?,
        limit: arguments.limit,
        ..TaskFilter::default()
    };
    let tasks = arguments.store.open()?.tasks(&filter)?;
    if arguments.json {
        return output::pretty_json(&tasks);
    }
    table(&tasks).print("there are no tasks");
    Ok(ExitCode::SUCCESS)
}

/// Returns a table without the columns that would be empty in every row.
fn table(tasks: &[Task]) -> Table {
    let has_costs = tasks.iter().any(|task| task.usage.cost.is_some());
    let has_branches = tasks.iter().any(|task| task.product.branch.is_some());
    let columns: &[Column<'_, Task>] = &[
        ("task", true, &|task| task.id.to_string()),
        ("state", true, &state_words),
        ("tries", true, &|task| task.generation.to_string()),
        ("tokens", true, &|task| task.usage.tokens.total().to_string()),
        ("cost", has_costs, &|task| amount(task.usage.cost.unwrap_or_default())),
        ("branch", has_branches, &|task| task.product.branch.clone().unwrap_or_default()),
        ("title", true, &|task| task.title.clone()),
    ];
    Table::of(tasks, columns).optional(&["branch", "cost", "tries", "tokens"])
}

/// Returns a task's caps in words, such as `5000 tokens, 3 turns`, or `None` if the task has no caps.
fn caps(limits: &Caps) -> Option<String> {
    let caps = [
        limits.max_tokens.map(|max| format!("{max} tokens")),
        limits.max_turns.map(|max| contract::counted(usize::try_from(max).unwrap_or(0), "turn")),
        limits.max_cost.map(|max| format!("a cost of {}", amount(max))),
    ];
    let caps: Vec<String> = caps.into_iter().flatten().collect();
    (!caps.is_empty()).then(|| caps.join(", "))
}

/// Returns the state and, for a waiting task, the time until which it waits.
fn state_words(task: &Task) -> String {
    match task.waiting_until {
        Some(until) => format!("{} until {}", task.state.word(), time(until)),
        None => task.state.word().to_owned(),
    }
}

pub(super) fn time(milliseconds: i64) -> String {
    jiff::Timestamp::from_millisecond(milliseconds)
        .map(|time| time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
        .unwrap_or_default()
}

pub(super) fn show(arguments: &Show) -> Result<ExitCode, Failure> {
    let mut id = task_id(&arguments.id)?;
    let mut store = arguments.store.open()?;
    let task = match store.task(&id) {
        Err(StoreError::UnknownTask(_)) => {
            let tasks = store.tasks(&TaskFilter::default())?;
            let whole = complete_id(&arguments.id, tasks.iter().map(|task| task.id.to_string()))?;
            id = task_id(whole.as_deref().unwrap_or(&arguments.id))?;
            store.task(&id)
        }
        found => found,
    };
    let task = task?;
    let attempts = store.attempts(&id)?;
    let notices = store.notices(&id)?;
    if arguments.json {
        return output::pretty_json(
            &json!({ "task": task, "attempts": attempts, "notices": notices }),
        );
    }
    output::data(&as_text(&task, &attempts, &notices));
    Ok(ExitCode::SUCCESS)
}

fn as_text(task: &Task, attempts: &[Attempt], notices: &[Notice]) -> String {
    let mut lines =
        vec![format!("{}  {}", task.id, style::paint(colour(task.state), state_words(task)))];
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    let webhook = task.request.webhook.as_deref().and_then(|url| Webhook::parse(url).ok());
    let after: Vec<&str> = task.after.iter().map(queue::TaskId::as_str).collect();
    let fields = [
        ("title", Some(task.title.clone())),
        ("reason", task.reason.clone()),
        ("class", task.class.clone()),
        ("repository", Some(task.repository.display().to_string())),
        ("flags", Some(task.request.run.words().join(" "))),
        ("after", Some(after.join(", ")).filter(|after| !after.is_empty())),
        ("priority", Some(task.priority.to_string()).filter(|_| task.priority != 0)),
        (
            "next try",
            (task.state == TaskState::Queued && task.not_before > 0).then(|| time(task.not_before)),
        ),
        ("webhook", webhook.map(|webhook| webhook.to_string())),
        ("session", task.session.clone()),
        ("thread", task.thread.clone()),
        ("worktree", path(&task.product.worktree)),
        ("branch", task.product.branch.clone()),
        ("base", task.product.base.clone()),
        ("patch", path(&task.product.patch)),
        ("changes", task.product.changes.map(|changes| changes.to_string())),
        (
            "tokens",
            Some(format!("{} in, {} out", task.usage.tokens.input, task.usage.tokens.output)),
        ),
        ("turns", Some(task.usage.turns.to_string()).filter(|_| task.usage.turns > 0)),
        ("cost", task.usage.cost.map(amount)),
        ("caps", caps(&task.limits)),
        ("added", Some(time(task.created_at))),
        ("started", task.started_at.map(time)),
        ("ended", task.ended_at.map(time)),
    ];
    for (name, value) in fields {
        lines.extend(value.map(|value| format!("  {name:<11} {value}")));
    }
    for attempt in attempts {
        let result = attempt.result.as_deref().unwrap_or("running");
        let reason = attempt.reason.as_deref().unwrap_or_default();
        let started = time(attempt.started_at);
        lines.push(format!("  attempt {:<3} {result} · {started} · {reason}", attempt.generation));
    }
    for notice in notices {
        let state = match (&notice.error, notice.done_at) {
            (Some(error), Some(_)) => format!("not delivered: {error}"),
            (Some(error), None) => format!("tried {} times: {error}", notice.tries),
            (None, Some(_)) if notice.delivered_to.is_empty() => "no receiver".to_owned(),
            (None, Some(_)) => format!("delivered to {}", notice.delivered_to.join(", ")),
            (None, None) => "not delivered yet".to_owned(),
        };
        lines.push(format!("  notice      {} · {state}", notice.kind));
    }
    if let Some(summary) = &task.product.summary {
        lines.push(String::new());
        lines.push(summary.trim_end().to_owned());
    }
    lines.join("\n")
}
