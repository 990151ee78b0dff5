//! Types of `fused_context.for_model.structured`: findings with their source, and conflicts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tool_data::{citation, heading};

/// One finding with its tool, time and version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// The tool's confidence that the finding is relevant to the prompt, from 0 to 1.
    pub confidence: f64,
    /// How the tool found the location, for example `live search` or `claim`.
    pub source: String,
    pub time: String,
    pub version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    #[serde(default)]
    pub truncated: bool,
}

impl Evidence {
    /// Returns `path:line`, or `path` if the finding has no line. Returns `None` if the finding has no path.
    #[must_use]
    pub fn citation(&self) -> Option<String> {
        self.path.as_deref().map(|path| citation(path, self.line))
    }

    /// Returns the first part of a rendered finding: the citation or the title, and the symbol.
    #[must_use]
    pub fn heading(&self) -> String {
        heading(self.citation().as_deref().unwrap_or(&self.title), self.symbol.as_deref())
    }
}

/// Findings that contradict each other. All of them are included in the briefing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Conflict {
    pub key: String,
    pub sides: Vec<Evidence>,
}

/// The findings for the model as structured data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Structured {
    #[serde(default)]
    pub intent: String,
    #[serde(default)]
    pub items: Vec<Evidence>,
    #[serde(default)]
    pub conflicts: Vec<Conflict>,
    /// Tools that the user may run by hand. They are not called automatically.
    #[serde(default)]
    pub hints: Vec<String>,
}
