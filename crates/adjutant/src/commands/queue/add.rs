//! `queue add`: checks a run and adds it to the queue.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use codex::{Cost, Origin, RunHost, Spec};
use process::Environment;
use queue::{NewTask, OnLost, Request, TaskId, TaskLimits, Webhook, WorktreeError};
use serde_json::json;

use super::places::QueuePlaces;
use super::run_words::RunWords;
use super::{StoreArguments, failure, task_id};
use crate::commands::run::{self, Files, HelpFlags, directory, host, preview, short_help};
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
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(i64).range(0..=3600), help_heading = "Queue")]
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
    run: RunWords,
    #[command(flatten)]
    help: HelpFlags,
}

const EXAMPLE: &str = "\
Example:
  adjutant queue add \"fix parse_amount and its tests\" --sandbox workspace-write --priority 5";

fn on_lost(word: &str) -> Result<OnLost, String> {
    OnLost::named(word).ok_or_else(|| "expected again or fail".to_owned())
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if arguments.run.flags.dry_run {
        let environment = edge::environment();
        let directory = directory(arguments.run.flags.cwd.as_deref())?;
        let Checked { spec, host, .. } = checked(arguments, &directory, &environment)?;
        return preview(&spec, &host, arguments.json);
    }
    let Added { id, notes } = add(arguments, None)?;
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

/// A task that was added, or the existing task with the same key.
pub(super) struct Added {
    pub(super) id: TaskId,
    /// Notes for the caller, for example about uncommitted changes that are not available to the task.
    pub(super) notes: Vec<String>,
}

/// Checks a run and adds it to the queue as a task. `max_recent` is [`NewTask::max_recent`].
pub(super) fn add(arguments: &Arguments, max_recent: Option<i64>) -> Result<Added, Failure> {
    let environment = edge::environment();
    let directory = directory(arguments.run.flags.cwd.as_deref())?;
    let Checked { request, title, limits, warnings, .. } =
        checked(arguments, &directory, &environment)?;
    let (repository, mut notes) = repository(arguments, &directory, &environment)?;
    notes.extend(warnings);
    let after = arguments.after.iter().map(|id| task_id(id)).collect::<Result<_, Failure>>()?;
    let new = NewTask {
        key: arguments.key.clone(),
        title,
        repository,
        request,
        priority: arguments.priority,
        max_parallel: arguments.parallel.or(arguments.no_worktree.then_some(1)),
        max_retries: arguments.retries,
        retry_delay_ms: arguments.retry_delay * 1000,
        on_lost: arguments.on_lost,
        limits,
        after,
        max_recent,
    };
    let mut store = arguments.store.open()?;
    let added = store.add_or_find(&new, &edge::entropy());
    let (id, existed) = added.map_err(|error| failure(&error))?;
    let notes = match existed {
        true => vec!["a task with this key exists, so nothing was added".to_owned()],
        false => notes,
    };
    Ok(Added { id, notes })
}

/// A run that passed the checks of `adjutant run`.
struct Checked {
    request: Request,
    title: String,
    /// The caps that apply to all attempts of the task together.
    limits: TaskLimits,
    warnings: Vec<String>,
    spec: Spec,
    host: RunHost,
}

/// Makes the same checks as `adjutant run`, without starting codex.
fn checked(
    arguments: &Arguments,
    directory: &Path,
    environment: &Environment,
) -> Result<Checked, Failure> {
    let usage = |message: String| Failure::new(message, contract::ExitCode::Usage);
    let RunWords { flags, words } = &arguments.run;
    if let Some(flag) = flags.log_place_flag() {
        return Err(usage(format!("`{flag}` cannot be used in the queue"))
            .hint("the sessions of the queue are stored in the state folder; `adjutant job logs` prints them"));
    }
    if flags.read_stdin() {
        return Err(usage("a task cannot read standard input when it starts".to_owned())
            .hint("pass the text with --task"));
    }
    if let Some(webhook) = &arguments.webhook {
        Webhook::parse(webhook).map_err(|error| usage(error.to_string()))?;
    }
    let here = edge::working_directory().unwrap_or_else(|| directory.to_owned());
    let mut words = words.clone();
    let mut flags = flags.without_briefing();
    if !flags.have_a_task() {
        words.push(format!("--task={}", task_in_stdin()?));
        flags = RunWords::parse(&words)?.without_briefing();
    }
    let files = Files { here: &here, confined_to: None };
    let mut spec = flags.spec_at(files, Origin::Job, directory, environment, None)?;
    let title = spec.instructions.title.clone();
    let number = |cap: Option<u64>| cap.map(|cap| i64::try_from(cap).unwrap_or(i64::MAX));
    let limits = TaskLimits {
        max_tokens: number(spec.budget.max_tokens),
        max_turns: number(spec.budget.max_turns),
        max_cost_micros: number(spec.budget.max_cost.map(Cost::millionths)),
    };
    spec.is_dry_run = true;
    let (host, _) = host(environment, &flags.log, directory)?;
    let warnings = codex::check(&spec, &host).map_err(|error| run::failure(&error))?.warnings;
    let request = Request {
        words,
        here,
        directory: directory.to_owned(),
        has_worktree: !arguments.no_worktree,
        is_from_head: arguments.from_head,
        webhook: arguments.webhook.clone(),
    };
    Ok(Checked { request, title, limits, warnings, spec, host })
}

fn task_in_stdin() -> Result<String, Failure> {
    let usage = |message: String| Failure::new(message, contract::ExitCode::Usage);
    let bytes = edge::read_stdin().map_err(|error| usage(format!("stdin: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| usage("stdin is not UTF-8".to_owned()))?;
    if text.trim().is_empty() {
        return Err(usage("the task is missing".to_owned()).hint(
            "describe the task with --task, pass a file with --file, or write the task to stdin",
        ));
    }
    Ok(text)
}

/// Returns the task's repository, and notes about content that is not available to the task.
fn repository(
    arguments: &Arguments,
    directory: &Path,
    environment: &Environment,
) -> Result<(PathBuf, Vec<String>), Failure> {
    let worktrees = QueuePlaces::find(environment)?.worktrees(environment);
    match worktrees.check(directory) {
        Ok(state) if arguments.no_worktree => Ok((state.top, Vec::new())),
        Ok(state) => Ok((state.top, state.notes)),
        Err(WorktreeError::NoRepository { .. }) if arguments.no_worktree => {
            Ok((directory.to_owned(), Vec::new()))
        }
        Err(WorktreeError::NoCommits(top)) if arguments.no_worktree => Ok((top, Vec::new())),
        Err(error) => Err(Failure::new(error.to_string(), contract::ExitCode::Usage)
            .hint("`--no-worktree` runs the task in the directory itself")),
    }
}
