//! `adjutant queue`: manages a backlog of unattended runs.

mod add;
mod change;
mod clean;
mod list;
mod mcp_tools;
mod report;
mod settings;
mod work;

use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use queue::{StoreError, StoreLocation, TaskId, TaskStore};

use crate::edge;
use crate::failure::Failure;

pub(crate) use mcp_tools::queue_tools;
use settings::{QueuePlaces, QueueSettings, STORE_VARIABLE};

/// The maximum time that a command waits for a store that cannot be reached.
const STORE_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Subcommand)]
#[command(after_help = AFTER_HELP)]
pub(crate) enum Command {
    /// Add a task and print its id
    Add(Box<add::Arguments>),
    /// List tasks, newest first
    List(list::List),
    /// Report what happened: failed and waiting tasks first, then results and how to take them
    Report(report::Arguments),
    /// Show a task, its attempts and its notices
    Show(list::Show),
    /// Cancel a task; a running task is stopped
    Cancel(change::Cancel),
    /// Put an ended task back into the queue, or start a waiting task now
    Retry(change::Retry),
    /// Take tasks and run them
    Work(work::Arguments),
    /// Remove worktrees that are no longer needed, and show the space they use
    Clean(clean::Arguments),
    /// Show or set the daily limits of the queue
    Limits(change::Limits),
    /// Stop the processes of a worker that dies
    #[command(hide = true)]
    Watch,
}

const AFTER_HELP: &str = concat!(
    "\
Exit codes: 0 ok · 1 the task does not exist, or its state does not allow the command · 2 usage · 20 the store cannot be used.
Example: ",
    page!("guide/queue.md")
);

pub(crate) fn run(command: &Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Add(arguments) => add::run(arguments),
        Command::List(arguments) => list::list(arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Show(arguments) => list::show(arguments),
        Command::Cancel(arguments) => change::cancel(arguments),
        Command::Retry(arguments) => change::retry(arguments),
        Command::Work(arguments) => work::run(arguments),
        Command::Clean(arguments) => clean::run(arguments),
        Command::Limits(arguments) => change::limits(arguments),
        Command::Watch => work::watch(),
    }
}

#[derive(Args, Default)]
pub(super) struct StoreArguments {
    /// Use this store: a file, or postgres://user@host/database [default: a file in the state folder]
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
}

impl StoreArguments {
    fn open(&self) -> Result<TaskStore, Failure> {
        Ok(TaskStore::open(self.location()?, STORE_TIMEOUT)?)
    }

    pub(super) fn location(&self) -> Result<StoreLocation, Failure> {
        let environment = edge::environment();
        let variable = environment.text(STORE_VARIABLE).map(str::to_owned);
        let named = match self.store.clone().or(variable) {
            Some(named) => Some(named),
            None => QueueSettings::read(&environment)?.store,
        };
        let Some(named) = named else {
            return Ok(StoreLocation::File(QueuePlaces::find(&environment)?.database()));
        };
        let here = edge::working_directory().unwrap_or_default();
        StoreLocation::parse(&named, &here).map_err(Failure::usage)
    }
}

fn task_id(text: &str) -> Result<TaskId, Failure> {
    TaskId::new(text).map_err(|error| {
        let failure = Failure::usage(error);
        failure.hint("`adjutant queue list` lists all tasks")
    })
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let failure = Self::usage(&error);
        match error {
            StoreError::UnknownTask(_) => {
                Self { exit: 1, ..failure }.hint("`adjutant queue list` lists all tasks")
            }
            StoreError::WrongState { id, .. } => {
                Self { exit: 1, ..failure }.hint(format!("`adjutant queue show {id}` shows it"))
            }
            StoreError::NoThread(id) => Self { exit: 1, ..failure }
                .hint(format!("`adjutant queue retry {id}` starts it again")),
            StoreError::Cycle(_) => failure.hint("remove one `--after`"),
            StoreError::KeyTaken { .. } => {
                failure.hint("use another `--key`, or repeat the same command")
            }
            StoreError::KeyTakenElsewhere(_) => failure.hint("use another `--key`"),
            StoreError::TooMany(_) => {
                failure.hint("`adjutant queue add` adds tasks without this limit")
            }
            StoreError::NotText(_) => failure,
            StoreError::Unavailable { reason, .. } => {
                Self::configuration(failure.message).hint(match reason.contains("certificate") {
                    true => "set the certificate authority with `sslrootcert=FILE` in the URL"
                        .to_owned(),
                    false => format!("`--store` or `{STORE_VARIABLE}` selects another store"),
                })
            }
            StoreError::Database(_) => Self::configuration(failure.message),
        }
    }
}
