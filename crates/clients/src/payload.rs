//! The payload of `UserPromptSubmit`. Both clients use the same names; fields we do not use are passed over.

use contract::Request;
use serde::Deserialize;

/// Why a payload could not be used.
#[derive(Debug, thiserror::Error)]
pub enum PayloadError {
    #[error("input is not UTF-8 (byte {at})")]
    NotText { at: usize },
    #[error("input is not a JSON object with a text `prompt`: {0}")]
    NotAPayload(String),
    #[error("input is not a tool event: {0}")]
    NotAToolEvent(String),
}

#[derive(Deserialize)]
struct Payload {
    prompt: Option<String>,
    cwd: Option<String>,
    session_id: Option<String>,
    agent_id: Option<String>,
}

/// An empty input is an empty prompt.
pub fn read_payload(bytes: &[u8]) -> Result<Request, PayloadError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| PayloadError::NotText { at: error.valid_up_to() })?;
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Ok(Request::default());
    }
    let payload: Payload =
        serde_json::from_str(text).map_err(|error| PayloadError::NotAPayload(error.to_string()))?;
    let Some(prompt) = payload.prompt else {
        return Err(PayloadError::NotAPayload("there is no `prompt`".to_owned()));
    };
    let Payload { cwd, session_id, agent_id, .. } = payload;
    Ok(Request { prompt, cwd, session_id, agent_id, ..Request::default() })
}

#[cfg(test)]
mod tests;
