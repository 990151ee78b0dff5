//! The content of one line of a transcript, in a form that all clients share.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// One line of a transcript.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// The session that the line names.
    pub session: Option<String>,
    /// The time of the line, in seconds since 1970.
    pub at: Option<u64>,
    /// The working directory of the client when it wrote the line.
    pub directory: Option<String>,
    /// Whether a sub-agent of the session wrote the line.
    pub is_of_sub_agent: bool,
    pub entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A prompt that the user wrote.
    Prompt {
        text: String,
        id: Option<String>,
    },
    /// The path of a file that the client attached to a prompt.
    Attached(String),
    /// A message of the assistant.
    Answer,
    Call(Call),
    Outcome(CallOutput),
    /// The client replaced the conversation up to this line with a summary.
    Compaction,
}

/// A tool call by the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call {
    pub id: String,
    /// The name of the tool, as the client calls it.
    pub tool: String,
    /// The arguments: an object, or a string for a tool with free-form input.
    pub input: Value,
}

/// The result of a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallOutput {
    pub call_id: String,
    pub result: CallResult,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallResult {
    Succeeded,
    /// The tool ran and failed. For a command, the exit code is not 0.
    Failed,
    /// The user or the client refused the call, or its arguments were invalid.
    NotRun,
    /// The result does not show how the call ended, for example because a command is still running.
    Unknown,
}

/// Text that is either a string or a list of blocks.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Text {
    Plain(String),
    Blocks(Vec<Value>),
}

impl Default for Text {
    fn default() -> Self {
        Self::Blocks(Vec::new())
    }
}

impl Text {
    /// Returns the text of each block. Blocks without text, such as images, are skipped.
    pub(crate) fn parts(self) -> Vec<String> {
        let text = |mut block: Value| match block.get_mut("text").map(Value::take) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        match self {
            Self::Plain(text) => vec![text],
            Self::Blocks(blocks) => blocks.into_iter().filter_map(text).collect(),
        }
    }

    pub(crate) fn joined(self) -> String {
        self.parts().join("\n")
    }
}

/// A value that is read as the default if it has an unexpected type, so that the rest of the line can still be used.
#[derive(Default)]
pub(crate) struct Lenient<T>(pub(crate) T);

impl<'de, T: DeserializeOwned + Default> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Ok(Self(serde_json::from_value(value).unwrap_or_default()))
    }
}

/// Converts a time such as `2026-11-16T07:16:03.825Z` to seconds since 1970.
pub(crate) fn seconds(time: &str) -> Option<u64> {
    let time: jiff::Timestamp = time.parse().ok()?;
    u64::try_from(time.as_second()).ok()
}
