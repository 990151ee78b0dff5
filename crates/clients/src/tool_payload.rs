//! The payloads of `PreToolUse`, `PostToolUse` and `PostToolUseFailure`. Both clients use the same names.

use contract::{ClientName, ToolEvent, ToolMoment};
use serde::Deserialize;
use serde_json::Value;

use crate::PayloadError;
use crate::event::{Event, event};

#[derive(Deserialize)]
struct Payload {
    tool_name: String,
    #[serde(default)]
    tool_input: Value,
    #[serde(default)]
    tool_response: Value,
    error: Option<String>,
    tool_use_id: Option<String>,
    session_id: Option<String>,
    agent_id: Option<String>,
    cwd: Option<String>,
}

/// `None` if the payload is not about a tool call.
#[must_use]
pub fn tool_moment(bytes: &[u8]) -> Option<ToolMoment> {
    match event(bytes) {
        Some(Event::Tool(moment)) => Some(moment),
        Some(Event::Prompt | Event::Other) | None => None,
    }
}

pub fn read_tool_event(
    bytes: &[u8],
    client: ClientName,
    moment: ToolMoment,
) -> Result<ToolEvent, PayloadError> {
    let payload: Payload = serde_json::from_slice(bytes)
        .map_err(|error| PayloadError::NotAToolEvent(error.to_string()))?;
    Ok(ToolEvent {
        moment,
        client,
        tool: payload.tool_name,
        input: payload.tool_input,
        response: payload.tool_response,
        error: payload.error,
        tool_use_id: payload.tool_use_id,
        session_id: payload.session_id,
        agent_id: payload.agent_id,
        cwd: payload.cwd,
    })
}

#[cfg(test)]
mod tests;
