//! `queue clean`: removes worktrees that are no longer needed.

use std::process::ExitCode;

use clap::Args;
use contract::counted;
use queue::{Fate, Leftover, StoreError, TaskFilter, TaskState, TaskStore, Worktrees};
use serde_json::json;

use super::StoreArguments;
use super::settings::QueuePlaces;
use crate::commands::table::Table;
use crate::failure::Failure;
use crate::{edge, output};

#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is a field")]
pub(crate) struct Arguments {
    /// Show what would be removed without removing it
    #[arg(long)]
    dry_run: bool,
    /// Also remove worktrees of ended tasks that contain uncommitted changes
    #[arg(long)]
    force: bool,
    /// Also delete the records of tasks that ended at least this many hours ago
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..=1_000_000))]
    forget_after_hours: Option<i64>,
    #[command(flatten)]
    store: StoreArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let environment = edge::environment();
    let worktrees = QueuePlaces::find(&environment)?.worktrees(&environment);
    let mut store = arguments.store.open()?;
    let mut problem = None;
    let mut leftovers = worktrees.leftovers(|id| match store.task(id) {
        Ok(task) => Some(task),
        Err(StoreError::UnknownTask(_)) => None,
        Err(error) => {
            problem = Some(error);
            None
        }
    });
    // If the store cannot be read, it is unknown which tasks the worktrees belong to.
    if let Some(error) = problem {
        return Err(error.into());
    }
    for leftover in leftovers.iter_mut().filter(|_| arguments.force) {
        if leftover.fate == Fate::KeepUncommitted {
            leftover.fate = Fate::Remove;
        }
    }
    let mut n_failed = 0;
    if !arguments.dry_run {
        n_failed = remove(&worktrees, &mut leftovers, &mut store)?;
    }
    let forgotten = forget(arguments, &mut store)?;
    report(arguments, &leftovers, &forgotten);
    Ok(if n_failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Removes worktrees. Returns the number of worktrees that could not be removed.
fn remove(
    worktrees: &Worktrees,
    leftovers: &mut [Leftover],
    store: &mut TaskStore,
) -> Result<usize, Failure> {
    let (mut n_failed, mut problem) = (0, None);
    let removed = worktrees.remove_leftovers(leftovers, |leftover, removed| match removed {
        Ok(()) => problem = store.forget_worktree(&leftover.id).err().or(problem.take()),
        Err(error) => {
            n_failed += 1;
            (leftover.fate, leftover.reason) = (Fate::Keep, error.to_string());
        }
    });
    removed.map_err(Failure::configuration)?;
    problem.map_or(Ok(n_failed), |error| Err(error.into()))
}

/// Deletes the records of old tasks. Returns their ids.
fn forget(arguments: &Arguments, store: &mut TaskStore) -> Result<Vec<String>, StoreError> {
    let Some(hours) = arguments.forget_after_hours else { return Ok(Vec::new()) };
    let before = store.now()?.saturating_sub(hours * 3_600_000);
    let states = TaskState::ALL.into_iter().filter(|state| state.has_ended());
    let filter = TaskFilter { states: states.collect(), ..TaskFilter::default() };
    let mut forgotten = Vec::new();
    // The tasks are listed newest first, so that successors are deleted before their predecessors.
    for task in store.tasks(&filter)? {
        let is_old = task.ended_at.is_some_and(|ended| ended <= before);
        if is_old && (arguments.dry_run || store.delete(&task.id)?) {
            forgotten.push(task.id.to_string());
        }
    }
    Ok(forgotten)
}

fn report(arguments: &Arguments, leftovers: &[Leftover], forgotten: &[String]) {
    let removed = leftovers.iter().filter(|leftover| leftover.fate.removes());
    let bytes: u64 = removed.clone().map(|leftover| leftover.bytes).sum();
    if arguments.json {
        let worktree = |leftover: &Leftover| {
            json!({
                "task": leftover.id, "worktree": leftover.path, "bytes": leftover.bytes,
                "removed": leftover.fate.removes(), "reason": leftover.reason,
            })
        };
        let worktrees: Vec<_> = leftovers.iter().map(worktree).collect();
        let answer = json!({
            "dryRun": arguments.dry_run, "bytes": bytes, "worktrees": worktrees, "forgotten": forgotten,
        });
        output::data(&answer.to_string());
        return;
    }
    let mut table = Table::new(["worktree", "size", "action", "reason"]);
    for leftover in leftovers {
        let action = match (leftover.fate.removes(), arguments.dry_run) {
            (true, false) => "removed",
            (true, true) => "would be removed",
            (false, _) => "kept",
        };
        let bytes = size(leftover.bytes);
        table.row([leftover.id.to_string(), bytes, action.to_owned(), leftover.reason.clone()]);
    }
    table.print("there are no worktrees");
    let would = if arguments.dry_run { "would be " } else { "" };
    output::talk(&format!(
        "{} {would}removed, {} {would}freed, {} {would}forgotten",
        counted(removed.count(), "worktree"),
        size(bytes),
        counted(forgotten.len(), "task")
    ));
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        _ => format!("{:.1} MB", bytes as f64 / 1_000_000.0),
    }
}
