//! `queue add`: checks a run and adds it to the queue.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use policy::Author;
use process::Environment;
use queue::{NewTask, OnLost, TaskId, TaskRequest, Webhook, WorktreeError};
use runs::{Origin, Piece, RunError, RunHost, RunPlace, RunRequest, RunWish, Spec};
use serde_json::json;

use super::settings::QueuePlaces;
use super::{StoreArguments, task_id};
use crate::commands::run::{
    HelpFlags, RunFlags, directory, preview, run_host_at, sessions_root, short_help,
};
use crate::failure::Failure;
use crate::{edge, output};

#[derive(Args)]
#[command(
    after_help = EXAMPLE,
    disable_help_flag = true,
    mut_args(|argument| short_help(argument, &["priority", "after"]))
)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is a field")]
pub(crate) struct Arguments {
    /// Set the priority; tasks with a higher number are taken first
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true,
        help_heading = "Queue"
    )]
    priority: i64,
    /// Start after this task has finished, from its branch; if it does not finish, this task fails
    #[arg(long, value_name = "ID", help_heading = "Queue")]
    after: Vec<String>,
    /// Start from HEAD, without the changes of the tasks in --after
    #[arg(long, requires = "after", help_heading = "Queue")]
    from_head: bool,
    /// Return the existing task if a task with this key exists
    #[arg(long, value_name = "KEY", help_heading = "Queue")]
    key: Option<String>,
    /// Retry a failed run this many times
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(i64).range(0..=100), help_heading = "Queue")]
    retries: i64,
    /// Wait this many seconds before the first retry; each further retry waits twice as long, at most an hour
    #[arg(long, value_name = "SECONDS", default_value_t = RETRY_DELAY, value_parser = clap::value_parser!(i64).range(0..=3600), help_heading = "Queue")]
    retry_delay: i64,
    /// Start only while fewer than N tasks of the repository are running [default: 1 without a worktree, otherwise no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..), help_heading = "Queue")]
    parallel: Option<i64>,
    /// Choose what happens if the worker dies: run the task again, or fail
    #[arg(long, value_name = "POLICY", default_value = "again", value_parser = on_lost, help_heading = "Queue")]
    on_lost: OnLost,
    /// Run in a git worktree on the branch adjutant/ID (default)
    #[arg(long, conflicts_with = "no_worktree", help_heading = "Queue")]
    worktree: bool,
    /// Run in the directory itself instead of in a worktree
    #[arg(long, help_heading = "Queue")]
    no_worktree: bool,
    /// Send notices about this task to this URL
    #[arg(long, value_name = "URL", help_heading = "Queue")]
    webhook: Option<String>,
    #[command(flatten)]
    store: StoreArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    run: RunFlags,
    #[command(flatten)]
    help: HelpFlags,
}

const RETRY_DELAY: i64 = 30;
const EXAMPLE: &str = "\
Example:
  adjutant queue add \"fix parse_amount and its tests\" --sandbox workspace-write --priority 5";

fn on_lost(word: &str) -> Result<OnLost, String> {
    OnLost::named(word).ok_or_else(|| "expected again or fail".to_owned())
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut new = arguments.task()?;
    if arguments.run.dry_run {
        let (spec, host, _) = checked(&mut new.request, &edge::environment())?;
        return preview(&spec, &host, arguments.json);
    }
    let (id, notes) = add(new, &arguments.store)?;
    for note in &notes {
        output::talk(&format!("note: {note}"));
    }
    output::data(&if arguments.json {
        json!({ "id": id, "notes": notes }).to_string()
    } else {
        id.to_string()
    });
    Ok(ExitCode::SUCCESS)
}

/// Describes a task in a worktree, with the defaults of the command line. [`add`] fills in the title, the repository and
/// the caps.
pub(super) fn new_task(run: RunRequest) -> Result<NewTask, Failure> {
    let directory = directory(run.cwd.as_deref())?;
    let here = edge::working_directory().unwrap_or_else(|| directory.clone());
    let request = TaskRequest { here, ..TaskRequest::in_worktree(run, directory.clone()) };
    let retry_delay_ms = RETRY_DELAY * 1000;
    Ok(NewTask { retry_delay_ms, ..NewTask::new(String::new(), directory, request) })
}

impl Arguments {
    fn task(&self) -> Result<NewTask, Failure> {
        let new = new_task(self.run.request())?;
        let request = TaskRequest {
            has_worktree: !self.no_worktree,
            is_from_head: self.from_head,
            webhook: self.webhook.clone(),
            ..new.request
        };
        Ok(NewTask {
            key: self.key.clone(),
            request,
            priority: self.priority,
            max_parallel: self.parallel.or(self.no_worktree.then_some(1)),
            max_retries: self.retries,
            retry_delay_ms: self.retry_delay * 1000,
            on_lost: self.on_lost,
            after: self.after.iter().map(|id| task_id(id)).collect::<Result<_, Failure>>()?,
            ..new
        })
    }
}

/// Checks a run and adds it to the queue as a task, unless there is a task with the same key. Returns the id of the task,
/// and notes for the caller, for example about uncommitted changes that are not available to the task.
pub(super) fn add(
    mut new: NewTask,
    store: &StoreArguments,
) -> Result<(TaskId, Vec<String>), Failure> {
    let environment = edge::environment();
    let (spec, _, warnings) = checked(&mut new.request, &environment)?;
    let (repository, mut notes) = repository(&new.request, &environment)?;
    notes.extend(warnings);
    // The caps apply to all attempts of the task together.
    let (title, limits) = (spec.instructions.title, spec.budget.caps);
    let new = NewTask { title, repository, limits, ..new };
    let (id, existed) = store.open()?.add(&new, &edge::entropy())?;
    if existed {
        notes = vec!["a task with this key exists, so nothing was added".to_owned()];
    }
    Ok((id, notes))
}

/// Makes the same checks as `adjutant run`, without starting codex, and adds the standard input to a request without a
/// task. Returns the described run and its warnings.
fn checked(
    request: &mut TaskRequest,
    environment: &Environment,
) -> Result<(Spec, RunHost, Vec<String>), Failure> {
    let TaskRequest { run, here, directory, webhook, .. } = request;
    if let Some(flag) = run.log_place_flag() {
        return Err(Failure::usage(format!("`{flag}` cannot be used in the queue"))
            .hint("the sessions of the queue are stored in the state folder; `adjutant job logs` prints them"));
    }
    if run.names_stdin() {
        return Err(Failure::usage("a task cannot read standard input when it starts")
            .hint("pass the text with --task"));
    }
    if let Some(webhook) = webhook {
        Webhook::parse(webhook).map_err(Failure::usage)?;
    }
    let host = run_host_at(environment, sessions_root(environment, None)?);
    if !run.has_task() {
        let text = host.stdin_text()?;
        if text.trim().is_empty() {
            return Err(RunError::NoTask.into());
        }
        run.pieces.push(Piece::Text(text));
    }
    let place = RunPlace { directory, here, confined_to: None };
    let wish = RunWish { origin: Origin::Job, author: Author::Person, continues: None };
    let mut spec = run.without_briefing().describe(place, wish, &host)?;
    spec.is_dry_run = true;
    let warnings = runs::check(&spec, &host)?.warnings;
    Ok((spec, host, warnings))
}

/// Returns the task's repository, and notes about content that is not available to the task.
fn repository(
    request: &TaskRequest,
    environment: &Environment,
) -> Result<(PathBuf, Vec<String>), Failure> {
    let TaskRequest { directory, has_worktree, .. } = request;
    let worktrees = QueuePlaces::find(environment)?.worktrees(environment);
    match worktrees.check(directory) {
        Ok(state) if !*has_worktree => Ok((state.top, Vec::new())),
        Ok(state) => Ok((state.top, state.notes)),
        Err(WorktreeError::NoRepository { .. }) if !*has_worktree => {
            Ok((directory.to_owned(), Vec::new()))
        }
        Err(WorktreeError::NoCommits(top)) if !*has_worktree => Ok((top, Vec::new())),
        Err(error) => {
            Err(Failure::usage(error).hint("`--no-worktree` runs the task in the directory itself"))
        }
    }
}
