//! Implements `codex.status`, `codex.list` and `codex.metrics`.

use runs::{Filter, SessionState};
use serde::{Deserialize, Serialize};

use super::RunTool;
use super::scope::{self, SessionArguments};
use crate::context::CallContext;
use crate::problem::Problem;

const DEFAULT_JOBS: usize = 50;
const MAX_JOBS: usize = 500;

#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Status(SessionArguments);

impl RunTool for Status {
    type Answer = SessionState;

    fn run(self, context: &CallContext) -> Result<SessionState, Problem> {
        Ok(scope::session(context, &self.0)?.1)
    }
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

#[derive(Serialize)]
pub(super) struct JobList {
    count: usize,
    jobs: Vec<SessionState>,
}

impl RunTool for List {
    type Answer = JobList;

    fn run(self, context: &CallContext) -> Result<JobList, Problem> {
        let jobs = scope::sessions(context).list(&Filter {
            states: self.state,
            tag_contains: self.tag_contains,
            directory: Some(scope::selected(context, self.cwd.as_deref())?),
            limit: Some(self.limit.unwrap_or(DEFAULT_JOBS).min(MAX_JOBS)),
            offset: self.offset,
            ..Filter::default()
        });
        Ok(JobList { count: jobs.len(), jobs })
    }
}

#[derive(Deserialize)]
pub(super) struct Metrics {
    cwd: Option<String>,
    #[serde(default)]
    states: Vec<runs::Status>,
}

impl RunTool for Metrics {
    type Answer = runs::Metrics;

    fn run(self, context: &CallContext) -> Result<runs::Metrics, Problem> {
        let directory = Some(scope::selected(context, self.cwd.as_deref())?);
        let filter = Filter { states: self.states, directory, ..Filter::default() };
        Ok(scope::sessions(context).metrics(&filter))
    }
}
