//! Parses the payload of Kimi Code.

use serde::Deserialize;
use serde_json::Value;

use crate::transcript::Text;
use crate::{Payload, PayloadError};

/// The fields of a Kimi Code payload. Some of them differ from those of Claude Code.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Wire {
    hook_event_name: Option<String>,
    session_id: Option<String>,
    cwd: Option<String>,
    prompt: Option<Text>,
    tool_name: Option<String>,
    tool_input: Value,
    tool_call_id: Option<String>,
    tool_output: Value,
    error: Value,
}

pub(super) fn read(bytes: &[u8]) -> Result<Payload, PayloadError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| PayloadError::NotText { at: error.valid_up_to() })?;
    if text.trim().is_empty() {
        return Ok(Payload { prompt: Some(String::new()), ..Payload::default() });
    }
    let wire: Wire =
        serde_json::from_str(text).map_err(|error| PayloadError::NotAPayload(error.to_string()))?;
    let error = Some(wire.error).filter(|error| !error.is_null()).map(|error| {
        let message = error.as_str().or_else(|| error["message"].as_str());
        message.map_or_else(|| error.to_string(), str::to_owned)
    });
    Ok(Payload {
        hook_event_name: wire.hook_event_name,
        session_id: wire.session_id,
        cwd: wire.cwd,
        prompt: wire.prompt.map(Text::joined),
        tool_name: wire.tool_name,
        tool_input: wire.tool_input,
        tool_response: wire.tool_output,
        tool_use_id: wire.tool_call_id,
        error,
        ..Payload::default()
    })
}
