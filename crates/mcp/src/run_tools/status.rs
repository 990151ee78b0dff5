//! Implements `codex.status`, `codex.list` and `codex.metrics`.

use runs::{Filter, SessionState};
use serde::Deserialize;
use serde_json::{Value, json};

use super::scope::{self, SessionArguments};
use crate::context::CallContext;
use crate::problem::Problem;

const DEFAULT_JOBS: usize = 50;
const MAX_JOBS: usize = 500;

pub(super) fn status(
    context: &CallContext,
    arguments: SessionArguments,
) -> Result<SessionState, Problem> {
    Ok(scope::session(context, &arguments)?.1)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct List {
    cwd: Option<String>,
    #[serde(default)]
    state: Vec<runs::Status>,
    tag_contains: Option<String>,
    limit: Option<usize>,
    #[serde(default)]
    offset: usize,
}

pub(super) fn list(context: &CallContext, arguments: List) -> Result<Value, Problem> {
    let jobs = scope::sessions(context).list(&Filter {
        states: arguments.state,
        tag_contains: arguments.tag_contains,
        directory: Some(scope::selected(context, arguments.cwd.as_deref())?),
        limit: Some(arguments.limit.unwrap_or(DEFAULT_JOBS).min(MAX_JOBS)),
        offset: arguments.offset,
        ..Filter::default()
    });
    Ok(json!({ "count": jobs.len(), "jobs": jobs }))
}

#[derive(Deserialize)]
pub(super) struct Metrics {
    cwd: Option<String>,
    #[serde(default)]
    states: Vec<runs::Status>,
}

pub(super) fn metrics(context: &CallContext, arguments: Metrics) -> Result<runs::Metrics, Problem> {
    let directory = Some(scope::selected(context, arguments.cwd.as_deref())?);
    let filter = Filter { states: arguments.states, directory, ..Filter::default() };
    Ok(scope::sessions(context).metrics(&filter))
}
