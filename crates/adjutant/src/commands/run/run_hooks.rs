//! Runs the user's hooks before and after an unattended run.

use std::path::PathBuf;
use std::time::Duration;

use codex::{Meta, RunCall, RunHooks, TOOL};
use contract::ToolDecision;
use kernel::{ClientMoment, client_call};
use serde_json::json;
use toolcall::{Caller, ClientAnswer, Identity, ToolCall};

use crate::commands::orchestrate;

/// The time limit for all hooks of a run together. It is practically unlimited, because each hook has its own timeout,
/// but small enough that adding it to the current time does not overflow.
const MAX_DURATION: Duration = Duration::from_secs(60 * 24 * 3600);

/// The hooks of the repository that contains `directory`.
pub(crate) struct RepositoryHooks {
    pub(crate) directory: Option<PathBuf>,
}

impl RepositoryHooks {
    fn run(&self, call: &RunCall<'_>, moment: ClientMoment) -> Result<ClientAnswer, String> {
        let arguments = json!(call).as_object().cloned().unwrap_or_default();
        let call = ToolCall {
            tool: TOOL.to_owned(),
            arguments: arguments.into(),
            timeout: MAX_DURATION,
            identity: Identity::default(),
        };
        let host = orchestrate::host(self.directory.clone());
        client_call(&host, Caller::CodexRun, &call, moment, MAX_DURATION)
    }
}

impl RunHooks for RepositoryHooks {
    fn before(&self, call: &RunCall<'_>) -> Result<(), String> {
        let answer = self.run(call, ClientMoment::Before)?;
        let reason = answer.reason;
        match answer.verdict {
            ToolDecision::Block => Err(format!("blocked by a hook: {reason}")),
            ToolDecision::Ask => Err(format!(
                "a hook requires the user's approval, and an unattended run has no user: {reason}"
            )),
            ToolDecision::Go | ToolDecision::Allow if answer.updated_input.is_some() => {
                Err("a hook changed the arguments, which a run does not support".to_owned())
            }
            ToolDecision::Go | ToolDecision::Allow => Ok(()),
        }
    }

    fn after(&self, call: &RunCall<'_>, meta: &Meta) {
        let result = json!({ "summary": meta.reason, "data": meta });
        // The run has already ended, so a failed hook has no effect on it.
        drop(self.run(call, ClientMoment::After(Ok(result))));
    }
}
