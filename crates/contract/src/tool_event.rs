//! A tool call that a client makes itself: what its hook tells the kernel, and what the kernel answers.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::ClientName;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolEvent {
    pub moment: ToolMoment,
    pub client: ClientName,
    /// The tool as the client names it.
    pub tool: String,
    #[serde(default)]
    pub input: Value,
    /// What the tool answered.
    #[serde(default)]
    pub response: Value,
    /// How it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Set when a sub-agent makes the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolMoment {
    /// It has not run.
    Before,
    /// It has answered.
    After,
    /// It has failed.
    Failed,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolVerdict {
    pub decision: ToolDecision,
    pub reason: String,
    /// The input the tool is to get instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_input: Option<Map<String, Value>>,
    /// What the model is to get instead of the tool's answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replacement: Option<Value>,
    /// More for the model.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub context: String,
    /// For the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolDecision {
    /// As if there were no hook.
    #[default]
    Go,
    /// Nobody needs to be asked.
    Allow,
    Ask,
    Block,
}

impl ToolVerdict {
    /// What the user's hooks would have said is not known: nothing runs without the user.
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
