//! `codex.stop` and `clean`.

use codex::{CleanRules, Status};
use serde_json::{Map, Value, json};

use super::place;
use crate::argument::Given;
use crate::context::CallContext;
use crate::problem::Problem;

pub(super) fn stop(
    context: &CallContext,
    arguments: &Map<String, Value>,
) -> Result<Value, Problem> {
    let given = Given(arguments);
    let (id, _) = place::session(context, given)?;
    let stopped =
        place::sessions(context).stop(&id, given.is("force", true), &context.host.codex)?;
    Ok(json!(stopped))
}

pub(super) fn clean(
    context: &CallContext,
    arguments: &Map<String, Value>,
) -> Result<Value, Problem> {
    let given = Given(arguments);
    let named = place::states(given, "states");
    let over = [Status::Completed, Status::Failed, Status::Stopped, Status::Lost];
    let rules = CleanRules {
        states: if named.is_empty() { over.to_vec() } else { named },
        older_than_hours: arguments.get("olderThanHours").and_then(Value::as_f64),
        limit: given.number("limit").and_then(|limit| usize::try_from(limit).ok()),
        is_dry_run: given.is("dryRun", true),
        directory: Some(place::looked_at(context, given)?),
    };
    Ok(json!(place::sessions(context).clean(&rules, (context.host.codex.clock)())))
}
