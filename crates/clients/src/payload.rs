//! Parses the payload that a client writes to the standard input of its hook.

mod event_name;

use std::io::Read;

use contract::{ClientName, Request, ToolEvent, ToolMoment};
use serde::{Deserialize, Deserializer};

use crate::{CLIENTS, Client};

/// Why a payload cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PayloadError {
    #[error("input is not UTF-8 (byte {at})")]
    NotText { at: usize },
    #[error("input is not a JSON object with a text `prompt`: {0}")]
    NotAPayload(String),
    #[error("input is not a tool event: {0}")]
    NotAToolEvent(String),
    /// Standard input was not read to its end.
    #[error("{0}")]
    Incomplete(String),
}

/// The event for which a client called the hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The user sent a prompt.
    Prompt,
    Tool(ToolMoment),
    /// An event that Adjutant does not handle.
    Other,
}

/// The payload fields that Adjutant uses, with the names that Claude Code uses.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Payload {
    pub hook_event_name: Option<String>,
    pub prompt: Option<String>,
    pub cwd: Option<String>,
    pub session_id: Option<String>,
    /// The id of the sub-agent; `None` for the main agent.
    pub agent_id: Option<String>,
    /// The prompt id that Claude Code sends.
    #[serde(deserialize_with = "text_or_empty")]
    pub prompt_id: Option<String>,
    /// The turn id that Codex sends. A user may send several prompts in one turn.
    #[serde(deserialize_with = "text_or_empty")]
    pub turn_id: Option<String>,
    /// The time of the event, which Gemini CLI and Copilot CLI send.
    #[serde(deserialize_with = "text_or_empty")]
    pub timestamp: Option<String>,
    /// The path of the session's transcript.
    #[serde(deserialize_with = "text_or_empty")]
    pub transcript_path: Option<String>,
    pub tool_name: Option<String>,
    pub tool_input: serde_json::Value,
    pub tool_response: serde_json::Value,
    /// The result of a tool, under the name that Copilot CLI uses.
    pub tool_result: serde_json::Value,
    pub error: Option<String>,
    pub tool_use_id: Option<String>,
}

/// Deserializes a string. A value of another type is read as an empty string, so that the rest of the payload can still be
/// used.
fn text_or_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let value = Option::<serde_json::Value>::deserialize(deserializer)?;
    Ok(value.map(|value| value.as_str().unwrap_or_default().to_owned()))
}

/// Parses a payload with the field names of Claude Code. An empty input is parsed as an empty prompt.
pub(crate) fn read(bytes: &[u8]) -> Result<Payload, PayloadError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| PayloadError::NotText { at: error.valid_up_to() })?;
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Ok(Payload { prompt: Some(String::new()), ..Payload::default() });
    }
    serde_json::from_str(text).map_err(|error| PayloadError::NotAPayload(error.to_string()))
}

impl Payload {
    /// Builds the request for the kernel. Returns an error if the payload has no prompt.
    pub fn into_request(self) -> Result<Request, PayloadError> {
        let Self { prompt, cwd, session_id, agent_id, .. } = self;
        let missing = || PayloadError::NotAPayload("`prompt` is missing".to_owned());
        let prompt = prompt.ok_or_else(missing)?;
        Ok(Request { prompt, cwd, session_id, agent_id, ..Request::default() })
    }

    /// Builds the tool event for the kernel. Returns an error if the payload has no tool name.
    pub fn into_tool_event(
        self,
        client: ClientName,
        moment: ToolMoment,
    ) -> Result<ToolEvent, PayloadError> {
        let missing = || PayloadError::NotAToolEvent("`tool_name` is missing".to_owned());
        Ok(ToolEvent {
            moment,
            client,
            tool: self.tool_name.ok_or_else(missing)?,
            input: self.tool_input,
            response: self.tool_response,
            error: self.error,
            tool_use_id: self.tool_use_id,
            session_id: self.session_id,
            agent_id: self.agent_id,
            cwd: self.cwd,
        })
    }

    /// Returns a file name that identifies this prompt or tool call. All hooks that are called for it compute the same name.
    /// Returns `None` if the payload has no session id, or if it has neither a prompt id nor a turn id. A tool call needs an
    /// id of its own.
    #[must_use]
    pub fn identity(&self) -> Option<String> {
        let ids = match self.tool_name {
            Some(_) => [&self.tool_use_id, &None],
            None => [&self.prompt_id, &self.turn_id],
        };
        let id = ids.into_iter().flatten().find(|id| !id.is_empty())?;
        let parts =
            [self.session_id.as_ref()?, id, self.agent_id.as_ref().unwrap_or(&String::new())].map(
                |part| {
                    let plain = part.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-');
                    plain.take(64).collect::<String>()
                },
            );
        let prompt = fingerprint(self.prompt.as_deref().unwrap_or_default().as_bytes());
        Some(format!("{}.{prompt:016x}", parts.join(".")))
    }
}

/// Computes the FNV-1a hash, which is the same in every build. After a collision, one of the two prompts gets no
/// briefing.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The parsed input of a hook.
pub struct Input {
    pub client: &'static dyn Client,
    /// The event, or `None` if the input does not name one.
    pub event: Option<Event>,
    pub payload: Result<Payload, PayloadError>,
}

impl Input {
    /// Parses the input of a hook. If `client` is `None`, the client is recognised from the payload.
    #[must_use]
    pub fn read(client: Option<&'static dyn Client>, bytes: &[u8]) -> Self {
        let payload = client.map_or_else(|| read(bytes), |client| client.read_payload(bytes));
        let sender = |payload: &Payload| CLIENTS.into_iter().find(|it| it.has_sent(payload));
        let client =
            client.or_else(|| payload.as_ref().ok().and_then(sender)).unwrap_or(CLIENTS[0]);
        let event = match &payload {
            Ok(payload) => payload.hook_event_name.as_deref().map(|name| client.event(name)),
            Err(_) => event_name::event(client, bytes),
        };
        Self { client, event, payload }
    }

    /// Returns whether the client is about to start a sub-agent whose task can get a briefing.
    #[must_use]
    pub fn starts_sub_agent(&self) -> bool {
        let tool = self.payload.as_ref().ok().and_then(|payload| payload.tool_name.as_deref());
        self.event == Some(Event::Tool(ToolMoment::Before))
            && tool.is_some_and(|tool| self.client.task_argument(tool).is_some())
    }

    /// Creates an input of which only `start` was kept in memory. Reads `rest` only to find the name of the event.
    pub fn incomplete(
        client: Option<&'static dyn Client>,
        start: &[u8],
        rest: impl Read,
        reason: String,
    ) -> Self {
        let client = client.unwrap_or(CLIENTS[0]);
        let event = event_name::event(client, start.chain(rest)).unwrap_or(Event::Other);
        Self { client, event: Some(event), payload: Err(PayloadError::Incomplete(reason)) }
    }
}

#[cfg(test)]
mod tests;
