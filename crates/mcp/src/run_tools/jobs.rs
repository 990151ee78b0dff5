//! Implements `codex.status`, `codex.list`, `codex.metrics`, `codex.stop` and `codex.clean`.

use runs::{CleanRules, Cleaned, Filter, SessionState, SessionStatus, Stopped};
use serde::Deserialize;
use serde_json::{Value, json};

use super::scope::{self, SessionArguments};
use crate::call::CallContext;
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
    state: Vec<SessionStatus>,
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
    states: Vec<SessionStatus>,
}

pub(super) fn metrics(context: &CallContext, arguments: Metrics) -> Result<runs::Metrics, Problem> {
    let directory = Some(scope::selected(context, arguments.cwd.as_deref())?);
    let filter = Filter { states: arguments.states, directory, ..Filter::default() };
    Ok(scope::sessions(context).metrics(&filter))
}

#[derive(Deserialize)]
pub(super) struct Stop {
    #[serde(flatten)]
    session: SessionArguments,
    #[serde(default)]
    force: bool,
}

pub(super) fn stop(context: &CallContext, arguments: Stop) -> Result<Stopped, Problem> {
    let (id, _) = scope::session(context, &arguments.session)?;
    Ok(scope::sessions(context).stop(&id, arguments.force, &context.host.codex)?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Clean {
    cwd: Option<String>,
    #[serde(default)]
    states: Vec<SessionStatus>,
    older_than_hours: Option<f64>,
    limit: Option<usize>,
    #[serde(default)]
    dry_run: bool,
}

pub(super) fn clean(context: &CallContext, arguments: Clean) -> Result<Cleaned, Problem> {
    let Clean { cwd, states, older_than_hours, limit, dry_run } = arguments;
    let rules = CleanRules {
        states,
        older_than_hours,
        limit,
        is_dry_run: dry_run,
        directory: Some(scope::selected(context, cwd.as_deref())?),
    };
    Ok(scope::sessions(context).clean(&rules, (context.host.codex.clock)()))
}
