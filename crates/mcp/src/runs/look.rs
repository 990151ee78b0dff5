//! `codex.status`, `list` and `metrics`. Looking writes nothing.

use codex::Filter;
use serde_json::{Map, Value, json};

use super::place;
use crate::argument::Given;
use crate::errand::Errand;
use crate::problem::Problem;

const DEFAULT_JOBS: u64 = 50;
const MOST_JOBS: u64 = 500;

pub(super) fn status(errand: &Errand, arguments: &Map<String, Value>) -> Result<Value, Problem> {
    let (_, state) = place::session(errand, Given(arguments))?;
    Ok(json!(state))
}

pub(super) fn list(errand: &Errand, arguments: &Map<String, Value>) -> Result<Value, Problem> {
    let given = Given(arguments);
    let limit = given.number("limit").unwrap_or(DEFAULT_JOBS).min(MOST_JOBS);
    let filter = Filter {
        states: place::states(given, "state"),
        tag_contains: given.text("tagContains").map(str::to_owned),
        directory: Some(place::looked_at(errand, given)?),
        limit: usize::try_from(limit).ok(),
        offset: usize::try_from(given.number("offset").unwrap_or(0)).unwrap_or(usize::MAX),
    };
    let jobs = place::sessions(errand).list(&filter);
    Ok(json!({ "count": jobs.len(), "jobs": jobs }))
}

pub(super) fn metrics(errand: &Errand, arguments: &Map<String, Value>) -> Result<Value, Problem> {
    let given = Given(arguments);
    let filter = Filter {
        states: place::states(given, "states"),
        directory: Some(place::looked_at(errand, given)?),
        ..Filter::default()
    };
    Ok(json!(place::sessions(errand).metrics(&filter)))
}
