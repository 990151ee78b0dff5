//! Defines the messages between the hook process and the kernel: a prompt, and a tool call that a client runs itself.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{ClientName, ContextLimit};

/// The environment variable of a codex process whose prompts already contain a briefing, so the hook does not add
/// another one. Prompts to sub-agents still get a briefing.
pub const BRIEFED: &str = "ADJUTANT_BRIEFED";

/// The first line of the task of an unattended run.
pub const COMPOSED_TASK: &str = "<user-instructions>\n";

/// A prompt with its client, session and working directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Request {
    pub prompt: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The id of the sub-agent that wrote the prompt. `None` if the main agent wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<ClientName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    pub with_history: bool,
    /// Whether the briefing is only planned, and no tool is called.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub plan_only: bool,
    /// The maximum length of the text for the model. `None` if the text does not go through a client's hook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_limit: Option<ContextLimit>,
    /// What the client's transcript says about the earlier turns. `None` if there is no usable transcript.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<SessionActivity>,
}

/// What the transcript of a session says about its earlier turns. Everything in it is untrusted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionActivity {
    /// The number of the user's earlier prompts in the part of the transcript that was read.
    pub n_prompts: u32,
    /// The user's most recent prompts before this prompt, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<String>,
    /// Files that the client's tools touched, oldest first. Each file has one entry per kind of action, for the latest
    /// action of that kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<TouchedFile>,
    /// The end of the output of the last failed command. `None` if a later command succeeded, unless the failure was in the
    /// last turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The time of the last compaction, in seconds since 1970. `None` if there was none in the part of the transcript that
    /// was read. The client has replaced everything that the model had read by then with a summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compacted_at: Option<u64>,
}

impl SessionActivity {
    /// The maximum number of entries in `prompts`.
    pub const MAX_PROMPTS: usize = 4;
    /// The maximum length of an entry in `prompts`, in characters.
    pub const MAX_PROMPT_CHARS: usize = 1_000;
    /// The maximum number of entries in `files`.
    pub const MAX_FILES: usize = 80;
    /// The maximum length of a touched file's path, in characters. A file with a longer path is left out.
    pub const MAX_PATH_CHARS: usize = 512;
    /// The maximum length of `failure`, in characters.
    pub const MAX_FAILURE_CHARS: usize = 4_000;
}

/// A file that one of the client's tools touched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TouchedFile {
    /// The path relative to the session's working directory, or the absolute path of a file outside that directory.
    pub path: String,
    pub action: FileAction,
    /// The number of prompts between the action and the current prompt. 0 for the turn directly before the current prompt.
    pub prompts_ago: u32,
    /// The time of the action in seconds since 1970, if the transcript contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// The first and the last line that were read, counted from 1. `None` if the whole file was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
}

/// What one of the client's tools did with a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileAction {
    #[default]
    Read,
    Edited,
    Created,
    /// The path was the target of a search, or the directory that was listed.
    Listed,
}

/// A tool call that a client runs itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolEvent {
    pub moment: ToolMoment,
    pub client: ClientName,
    /// The client's name for the tool.
    pub tool: String,
    #[serde(default)]
    pub input: Value,
    /// The tool's response, or `null` if the client sends none.
    #[serde(default)]
    pub response: Value,
    /// The tool's error message, or `None` if the client sends none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The id of the sub-agent that makes the call. `None` if the main agent makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolMoment {
    /// The tool has not run.
    Before,
    /// The tool has returned a response.
    After,
    /// The tool has failed.
    Failed,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolVerdict {
    pub decision: ToolDecision,
    pub reason: String,
    /// The tool's new input, if a hook changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_input: Option<Map<String, Value>>,
    /// The tool's new response, if a hook replaced it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replacement: Option<Value>,
    /// Additional context for the model.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub context: String,
    /// A message for the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// The combined decision of the before hooks. The variants are ordered by severity, and the most severe decision wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolDecision {
    /// No hook made a decision. The client continues as if there were no hook.
    #[default]
    Go,
    /// The client runs the tool without asking the user.
    Allow,
    Ask,
    Block,
}

impl ToolVerdict {
    /// Returns the verdict for a call whose hooks could not run. Before the call, the client asks the user; after the call,
    /// the user gets a message.
    #[must_use]
    pub fn unknown(moment: ToolMoment, reason: &str) -> Self {
        match moment {
            ToolMoment::Before => {
                Self { decision: ToolDecision::Ask, reason: reason.to_owned(), ..Self::default() }
            }
            ToolMoment::After | ToolMoment::Failed => {
                Self { message: Some(format!("Adjutant: {reason}")), ..Self::default() }
            }
        }
    }
}
