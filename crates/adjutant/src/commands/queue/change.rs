//! Implements `queue cancel`, `queue retry` and `queue limits`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;
use queue::{Cancelled, TaskState};
use runs::{Caps, Cost, SETTINGS_FILE};
use serde_json::json;

use super::{StoreArguments, task_id};
use crate::commands::run::run_host_at;
use crate::failure::Failure;
use crate::{edge, output};

#[derive(Args)]
pub(crate) struct Cancel {
    /// The id of the task
    id: String,
    #[command(flatten)]
    store: StoreArguments,
}

#[derive(Args)]
pub(crate) struct Retry {
    /// The id of the task
    id: String,
    /// Continue the conversation of the last attempt in its worktree
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    store: StoreArguments,
}

#[derive(Args)]
pub(crate) struct Limits {
    /// Stop starting tasks after this many tokens per day (UTC), and end running tasks after their turn; off removes the limit
    #[arg(long, value_name = "N", value_parser = cap)]
    max_tokens: Option<Cap<u64>>,
    /// Stop starting tasks after this many turns per day
    #[arg(long, value_name = "N", value_parser = cap)]
    max_turns: Option<Cap<u64>>,
    /// Stop starting tasks after this cost per day
    #[arg(long, value_name = "AMOUNT", value_parser = cost_cap)]
    max_cost: Option<Cap<Cost>>,
    #[command(flatten)]
    store: StoreArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The value of a flag that sets a cap. `None` if the value is `off`.
#[derive(Clone, Copy, Debug)]
struct Cap<T>(Option<T>);

fn cap(text: &str) -> Result<Cap<u64>, String> {
    parse_cap(text).ok_or_else(|| "expected a number above 0, or off".to_owned())
}

fn cost_cap(text: &str) -> Result<Cap<Cost>, String> {
    parse_cap(text).ok_or_else(|| "expected an amount above 0, such as 2.50".to_owned())
}

fn parse_cap<T: FromStr + Default + PartialOrd>(text: &str) -> Option<Cap<T>> {
    if text == "off" {
        return Some(Cap(None));
    }
    text.parse().ok().filter(|value| *value > T::default()).map(|value| Cap(Some(value)))
}

pub(super) fn amount(cost: Cost) -> String {
    format!("{:.2}", f64::from(cost))
}

pub(super) fn cancel(arguments: &Cancel) -> Result<ExitCode, Failure> {
    let id = task_id(&arguments.id)?;
    let cancelled = arguments.store.open()?.cancel(&id)?;
    output::data(&match cancelled {
        Cancelled::AtOnce => format!("{id}  cancelled"),
        Cancelled::Requested => format!("{id}  the worker will stop it"),
    });
    Ok(ExitCode::SUCCESS)
}

pub(super) fn retry(arguments: &Retry) -> Result<ExitCode, Failure> {
    let id = task_id(&arguments.id)?;
    let mut store = arguments.store.open()?;
    let state = store.task(&id)?.state;
    let has_not_ended = matches!(state, TaskState::Queued | TaskState::Waiting);
    let changed = if has_not_ended && !arguments.resume {
        store.make_due(&id)
    } else {
        store.retry(&id, arguments.resume)
    };
    changed?;
    output::data(&match has_not_ended && !arguments.resume {
        true => format!("{id}  starts when a worker has a free slot"),
        false => format!("{id}  {} -> queued", state.word()),
    });
    Ok(ExitCode::SUCCESS)
}

pub(super) fn limits(arguments: &Limits) -> Result<ExitCode, Failure> {
    let mut store = arguments.store.open()?;
    let known = store.day_use()?.limits;
    let new = Caps {
        max_tokens: arguments.max_tokens.map_or(known.max_tokens, |cap| cap.0),
        max_turns: arguments.max_turns.map_or(known.max_turns, |cap| cap.0),
        max_cost: arguments.max_cost.map_or(known.max_cost, |cap| cap.0),
    };
    let settings = || run_host_at(&edge::environment(), PathBuf::new()).settings();
    if arguments.max_cost.is_some_and(|cap| cap.0.is_some()) && settings()?.prices.is_empty() {
        output::talk(&format!(
            "warning: {SETTINGS_FILE} has no prices, so the cost of codex is not known and does not count"
        ));
    }
    if new != known {
        store.set_day_limits(new)?;
    }
    let day = store.day_use()?;
    if arguments.json {
        return output::json(&json!(day));
    }
    let or_none = |cap: Option<String>| {
        cap.map_or_else(|| ", no limit".to_owned(), |cap| format!(" of {cap}"))
    };
    output::data(&format!(
        "today (UTC)\n  tokens  {}{}\n  turns   {}{}\n  cost    {}{}",
        day.used.tokens.total(),
        or_none(new.max_tokens.map(|cap| cap.to_string())),
        day.used.turns,
        or_none(new.max_turns.map(|cap| cap.to_string())),
        amount(day.used.cost.unwrap_or_default()),
        or_none(new.max_cost.map(amount)),
    ));
    Ok(ExitCode::SUCCESS)
}
