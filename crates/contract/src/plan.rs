//! `tool_plan`: which tools, why, with which arguments, and what they may cost together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolPlan {
    pub tier_max: u8,
    /// The codex command an entry would use next; set in plan mode, never run there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_codex_command: Option<String>,
    pub budget: Budget,
    pub tools: Vec<PlannedTool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Budget {
    pub wall_ms: u64,
    pub max_concurrency: u64,
    pub max_injected_chars: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedTool {
    pub tool: String,
    pub tier: u8,
    pub reason: String,
    pub args: Map<String, Value>,
    pub timeout_ms: u64,
}
