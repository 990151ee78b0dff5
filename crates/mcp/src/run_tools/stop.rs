//! Implements `codex.stop` and `codex.clean`.

use runs::{CleanRules, Cleaned, Status, Stopped};
use serde::Deserialize;

use super::scope::{self, SessionArguments};
use crate::context::CallContext;
use crate::problem::Problem;

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
    states: Vec<Status>,
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
