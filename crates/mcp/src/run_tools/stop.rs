//! Implements `codex.stop` and `codex.clean`.

use runs::{CleanRules, Cleaned, Status, Stopped};
use serde::Deserialize;

use super::RunTool;
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

impl RunTool for Stop {
    type Answer = Stopped;

    fn run(self, context: &CallContext) -> Result<Stopped, Problem> {
        let (id, _) = scope::session(context, &self.session)?;
        Ok(scope::sessions(context).stop(&id, self.force, &context.host.codex)?)
    }
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

impl RunTool for Clean {
    type Answer = Cleaned;

    fn run(self, context: &CallContext) -> Result<Cleaned, Problem> {
        let rules = CleanRules {
            states: if self.states.is_empty() { Status::ENDED.to_vec() } else { self.states },
            older_than_hours: self.older_than_hours,
            limit: self.limit,
            is_dry_run: self.dry_run,
            directory: Some(scope::selected(context, self.cwd.as_deref())?),
        };
        Ok(scope::sessions(context).clean(&rules, (context.host.codex.clock)()))
    }
}
