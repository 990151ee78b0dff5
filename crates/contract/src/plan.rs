//! `tool_plan`: the chosen tools with their reasons and arguments, and the budget.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Arguments;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolPlan {
    pub tier_max: u8,
    /// The codex command that follows the briefing. The kernel does not run it.
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
    pub args: Arguments,
    pub timeout_ms: u64,
}
