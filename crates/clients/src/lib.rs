//! Claude Code and Codex: what their hooks hand over, and what they accept back.
//!
//! Knows no tools. A new client is one more file here and one more row in [`Client`].

mod caller;
mod claude_code;
mod codex;
mod envelope;
mod event;
mod payload;
mod tool_envelope;
mod tool_payload;

pub use caller::{caller, prompt_identity};
pub use envelope::{Envelope, MAX_UNITS};
pub use event::{Event, event, streamed_event};
pub use payload::{PayloadError, read_payload};
pub use tool_payload::{read_tool_event, tool_moment};

use contract::{ClientName, ToolMoment, ToolVerdict};
use serde_json::Value;

/// Whose hook is calling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    ClaudeCode,
    Codex,
}

impl Client {
    #[must_use]
    pub fn name(self) -> ClientName {
        match self {
            Self::ClaudeCode => ClientName::ClaudeCode,
            Self::Codex => ClientName::CodexCli,
        }
    }

    /// One JSON object on one line, with no field the client does not know.
    #[must_use]
    pub fn envelope(self, envelope: &Envelope) -> String {
        match self {
            Self::ClaudeCode => claude_code::envelope(envelope),
            Self::Codex => codex::envelope(envelope),
        }
    }

    /// An answer to an event that is not known: no field that belongs to one event.
    #[must_use]
    pub fn answer_without_event(self, message: Option<&str>) -> String {
        let object = match message {
            Some(message) => serde_json::json!({ "systemMessage": message }),
            None => serde_json::json!({}),
        };
        object.to_string()
    }

    /// A verdict about a tool call, likewise. `response` is what the tool answered, if it did.
    #[must_use]
    pub fn tool_envelope(
        self,
        moment: ToolMoment,
        response: &Value,
        verdict: &ToolVerdict,
    ) -> String {
        tool_envelope::tool_envelope(self, moment, response, verdict)
    }
}
