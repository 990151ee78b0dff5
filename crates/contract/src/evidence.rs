//! One finding, and what `fused_context.for_model.structured` holds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One finding with its source. There is no finding without `tool`, `time` and `version`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    pub tool: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    pub title: String,
    pub summary: String,
    /// From 0 to 1: how sure the tool is that this belongs to the prompt.
    pub confidence: f64,
    /// How the tool came to it, for instance `live search` or `claim`.
    pub source: String,
    pub time: String,
    pub version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    #[serde(default)]
    pub truncated: bool,
}

impl Evidence {
    /// `path:line`, `path` or nothing.
    #[must_use]
    pub fn citation(&self) -> Option<String> {
        let path = self.path.as_ref()?;
        Some(match self.line {
            Some(line) => format!("{path}:{line}"),
            None => path.clone(),
        })
    }
}

/// Findings that contradict each other. They are shown side by side and never resolved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Conflict {
    pub key: String,
    pub sides: Vec<Evidence>,
}

/// The machine-readable half of what the model gets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Structured {
    #[serde(default)]
    pub intent: String,
    #[serde(default)]
    pub items: Vec<Evidence>,
    #[serde(default)]
    pub conflicts: Vec<Conflict>,
    /// Tools worth a call by hand; never called automatically.
    #[serde(default)]
    pub hints: Vec<String>,
}
