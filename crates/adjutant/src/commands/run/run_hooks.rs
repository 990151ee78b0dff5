//! Runs the user's hooks before and after an unattended run.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use contract::{ToolDecision, ToolVerdict};
use runs::{Meta, RunCall, RunHooks, TOOL};
use serde_json::json;
use toolcall::{Caller, Context, Identity, ToolCall, after_client_call, before_client_call};

use crate::commands::orchestrate::call_context;

/// The time limit for all hooks of a run together. It is practically unlimited, because each hook has its own timeout,
/// but small enough that adding it to the current time does not overflow.
const MAX_DURATION: Duration = Duration::from_secs(60 * 24 * 3600);

/// The hooks of the repository that contains `directory`.
pub(crate) struct RepositoryHooks {
    pub(crate) directory: Option<PathBuf>,
}

impl RepositoryHooks {
    fn context(&self) -> Result<Context, String> {
        call_context(self.directory.clone(), Caller::CodexRun)
    }
}

fn tool_call(call: &RunCall<'_>) -> ToolCall {
    let arguments = json!(call).as_object().cloned().unwrap_or_default();
    ToolCall {
        tool: TOOL.to_owned(),
        arguments: arguments.into(),
        timeout: MAX_DURATION,
        identity: Identity::default(),
    }
}

impl RunHooks for RepositoryHooks {
    fn before(&self, call: &RunCall<'_>) -> Result<(), String> {
        let deadline = Instant::now() + MAX_DURATION;
        let completed = before_client_call(&self.context()?, &tool_call(call), deadline);
        let ToolVerdict { decision, reason, updated_input, .. } = completed.verdict;
        match decision {
            ToolDecision::Block => Err(format!("blocked by a hook: {reason}")),
            ToolDecision::Ask => Err(format!(
                "a hook requires the user's approval, and an unattended run has no user: {reason}"
            )),
            ToolDecision::Go | ToolDecision::Allow if updated_input.is_some() => {
                Err("a hook changed the arguments, which a run does not support".to_owned())
            }
            ToolDecision::Go | ToolDecision::Allow => Ok(()),
        }
    }

    fn after(&self, call: &RunCall<'_>, meta: &Meta) {
        let result = json!({ "summary": meta.reason, "data": meta });
        // The run has already ended, so a failed hook has no effect on it.
        if let Ok(context) = self.context() {
            let deadline = Instant::now() + MAX_DURATION;
            drop(after_client_call(&context, &tool_call(call), Ok(result), deadline));
        }
    }
}
