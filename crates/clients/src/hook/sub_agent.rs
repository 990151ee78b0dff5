//! Adds a briefing to the task of a sub-agent, before the client starts the sub-agent.
//!
//! This is for clients that do not call the prompt hook for the prompts of sub-agents. A sub-agent does not see the
//! conversation of its parent, so its task gets a briefing of its own.

use contract::{Request, ToolDecision, ToolEvent, ToolVerdict};

use super::{BRIEFED, Format, HookHost, NOBODY, ask, request};
use crate::{Client, Envelope};

/// Returns the input of the call with a briefing in its task. Returns `None` if the call starts no sub-agent, if it is
/// blocked, if there is no evidence for the task, or if the kernel fails.
pub(super) fn briefed_input(
    client: &dyn Client,
    event: &ToolEvent,
    verdict: &ToolVerdict,
    host: &HookHost,
) -> Option<serde_json::Map<String, serde_json::Value>> {
    let argument = client.task_argument(&event.tool)?;
    let is_switched_off = host.environment.text(BRIEFED) == Some(NOBODY);
    if is_switched_off || verdict.decision == ToolDecision::Block {
        return None;
    }
    // A hook of the user may have changed the input.
    let mut input = verdict.updated_input.as_ref().or_else(|| event.input.as_object())?.clone();
    let task = input.get(argument)?.as_str()?.to_owned();
    let request = Request {
        prompt: task.clone(),
        cwd: request::directory(event.cwd.clone(), host),
        session_id: event.session_id.clone(),
        // The client chooses the id of the sub-agent later. The id of the call identifies it, too.
        agent_id: event.tool_use_id.clone().or_else(|| Some("sub-agent".to_owned())),
        client: Some(event.client.clone()),
        event: Some("PreToolUse".to_owned()),
        context_limit: Some(client.context_limit()),
        ..Request::default()
    };
    let answer = ask(&request, Format::Hook, host).ok()?;
    let Envelope { context, .. } = Envelope::new(client.context_limit(), answer.context(), None);
    if context.is_empty() {
        return None;
    }
    input.insert(argument.to_owned(), format!("{task}\n\n{context}").into());
    Some(input)
}
