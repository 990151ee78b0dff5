//! `codex.status`, `list` and `metrics`. Looking writes nothing.

use codex::Filter;
use serde_json::{Map, Value, json};

use super::place;
use crate::argument::Given;
use crate::context::CallContext;
use crate::problem::Problem;

const DEFAULT_JOBS: u64 = 50;
const MAX_JOBS: u64 = 500;

pub(super) fn status(
    context: &CallContext,
    arguments: &Map<String, Value>,
) -> Result<Value, Problem> {
    let (_, state) = place::session(context, Given(arguments))?;
    Ok(json!(state))
}

pub(super) fn list(
    context: &CallContext,
    arguments: &Map<String, Value>,
) -> Result<Value, Problem> {
    let given = Given(arguments);
    let limit = given.number("limit").unwrap_or(DEFAULT_JOBS).min(MAX_JOBS);
    let filter = Filter {
        states: place::states(given, "state"),
        tag_contains: given.text("tagContains").map(str::to_owned),
        directory: Some(place::looked_at(context, given)?),
        limit: usize::try_from(limit).ok(),
        offset: usize::try_from(given.number("offset").unwrap_or(0)).unwrap_or(usize::MAX),
    };
    let jobs = place::sessions(context).list(&filter);
    Ok(json!({ "count": jobs.len(), "jobs": jobs }))
}

pub(super) fn metrics(
    context: &CallContext,
    arguments: &Map<String, Value>,
) -> Result<Value, Problem> {
    let given = Given(arguments);
    let filter = Filter {
        states: place::states(given, "states"),
        directory: Some(place::looked_at(context, given)?),
        ..Filter::default()
    };
    Ok(json!(place::sessions(context).metrics(&filter)))
}
