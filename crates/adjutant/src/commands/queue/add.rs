//! `queue add`: checks a run and adds it to the queue.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use policy::Author;
use process::Environment;
use queue::{NewTask, OnLost, Request, TaskId, Webhook, WorktreeError};
use runs::{Caps, Origin, Piece, RunError, RunHost, RunPlace, RunRequest, RunWish, Spec};
use serde_json::json;

use super::places::QueuePlaces;
use super::{StoreArguments, failure, task_id};
use crate::commands::run::{
    self, HelpFlags, RunFlags, directory, preview, run_host_at, sessions_root, short_help,
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
    let asked = arguments.asked();
    if arguments.run.dry_run {
        let environment = edge::environment();
        let directory = directory(asked.run.cwd.as_deref())?;
        let Checked { spec, host, .. } = checked(&asked, &directory, &environment)?;
        return preview(&spec, &host, arguments.json);
    }
    let Added { id, notes } = add(asked, &arguments.store)?;
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

/// A task that a user or a model wants to add.
pub(super) struct Asked {
    pub(super) run: RunRequest,
    pub(super) priority: i64,
    pub(super) after: Vec<String>,
    pub(super) is_from_head: bool,
    pub(super) key: Option<String>,
    pub(super) retries: i64,
    /// In seconds.
    pub(super) retry_delay: i64,
    pub(super) parallel: Option<i64>,
    pub(super) on_lost: OnLost,
    pub(super) has_worktree: bool,
    pub(super) webhook: Option<String>,
    /// See [`NewTask::max_recent`].
    pub(super) max_recent: Option<i64>,
}

impl Asked {
    /// Asks for a task in a worktree, with the defaults of the command line.
    pub(super) fn new(run: RunRequest) -> Self {
        Self {
            run,
            priority: 0,
            after: Vec::new(),
            is_from_head: false,
            key: None,
            retries: 0,
            retry_delay: RETRY_DELAY,
            parallel: None,
            on_lost: OnLost::Again,
            has_worktree: true,
            webhook: None,
            max_recent: None,
        }
    }
}

impl Arguments {
    fn asked(&self) -> Asked {
        Asked {
            priority: self.priority,
            after: self.after.clone(),
            is_from_head: self.from_head,
            key: self.key.clone(),
            retries: self.retries,
            retry_delay: self.retry_delay,
            parallel: self.parallel,
            on_lost: self.on_lost,
            has_worktree: !self.no_worktree,
            webhook: self.webhook.clone(),
            ..Asked::new(self.run.request())
        }
    }
}

/// A task that was added, or the existing task with the same key.
pub(super) struct Added {
    pub(super) id: TaskId,
    /// Notes for the caller, for example about uncommitted changes that are not available to the task.
    pub(super) notes: Vec<String>,
}

/// Checks a run and adds it to the queue as a task.
pub(super) fn add(asked: Asked, store: &StoreArguments) -> Result<Added, Failure> {
    let environment = edge::environment();
    let directory = directory(asked.run.cwd.as_deref())?;
    let Checked { request, title, limits, warnings, .. } =
        checked(&asked, &directory, &environment)?;
    let (repository, mut notes) = repository(asked.has_worktree, &directory, &environment)?;
    notes.extend(warnings);
    let after = asked.after.iter().map(|id| task_id(id)).collect::<Result<_, Failure>>()?;
    let new = NewTask {
        key: asked.key,
        title,
        repository,
        request,
        priority: asked.priority,
        max_parallel: asked.parallel.or((!asked.has_worktree).then_some(1)),
        max_retries: asked.retries,
        retry_delay_ms: asked.retry_delay * 1000,
        on_lost: asked.on_lost,
        limits,
        after,
        max_recent: asked.max_recent,
    };
    let added = store.open()?.add_or_find(&new, &edge::entropy());
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
    limits: Caps,
    warnings: Vec<String>,
    spec: Spec,
    host: RunHost,
}

/// Makes the same checks as `adjutant run`, without starting codex.
fn checked(asked: &Asked, directory: &Path, environment: &Environment) -> Result<Checked, Failure> {
    let usage = |message: String| Failure::new(message, contract::ExitCode::Usage);
    let run_failure = |error: RunError| run::failure(&error);
    let mut request = asked.run.clone();
    if let Some(flag) = request.log_place_flag() {
        return Err(usage(format!("`{flag}` cannot be used in the queue"))
            .hint("the sessions of the queue are stored in the state folder; `adjutant job logs` prints them"));
    }
    if request.names_stdin() {
        return Err(usage("a task cannot read standard input when it starts".to_owned())
            .hint("pass the text with --task"));
    }
    if let Some(webhook) = &asked.webhook {
        Webhook::parse(webhook).map_err(|error| usage(error.to_string()))?;
    }
    let host = run_host_at(environment, sessions_root(environment, None)?);
    let here = edge::working_directory().unwrap_or_else(|| directory.to_owned());
    if !request.has_task() {
        let text = host.stdin_text().map_err(run_failure)?;
        if text.trim().is_empty() {
            return Err(run::failure(&RunError::NoTask));
        }
        request.pieces.push(Piece::Text(text));
    }
    let place = RunPlace { directory, here: &here, confined_to: None };
    let wish = RunWish { origin: Origin::Job, author: Author::Person, continues: None };
    let mut spec = request.without_briefing().describe(place, wish, &host).map_err(run_failure)?;
    let title = spec.instructions.title.clone();
    let limits = spec.budget.caps;
    spec.is_dry_run = true;
    let warnings = runs::check(&spec, &host).map_err(run_failure)?.warnings;
    let request = Request {
        run: request,
        here,
        directory: directory.to_owned(),
        has_worktree: asked.has_worktree,
        is_from_head: asked.is_from_head,
        webhook: asked.webhook.clone(),
    };
    Ok(Checked { request, title, limits, warnings, spec, host })
}

/// Returns the task's repository, and notes about content that is not available to the task.
fn repository(
    has_worktree: bool,
    directory: &Path,
    environment: &Environment,
) -> Result<(PathBuf, Vec<String>), Failure> {
    let worktrees = QueuePlaces::find(environment)?.worktrees(environment);
    match worktrees.check(directory) {
        Ok(state) if !has_worktree => Ok((state.top, Vec::new())),
        Ok(state) => Ok((state.top, state.notes)),
        Err(WorktreeError::NoRepository { .. }) if !has_worktree => {
            Ok((directory.to_owned(), Vec::new()))
        }
        Err(WorktreeError::NoCommits(top)) if !has_worktree => Ok((top, Vec::new())),
        Err(error) => Err(Failure::new(error.to_string(), contract::ExitCode::Usage)
            .hint("`--no-worktree` runs the task in the directory itself")),
    }
}
