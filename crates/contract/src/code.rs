//! `error.code` of a tool result, and the exit codes of the entry layer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a tool call did not end well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ErrorCode {
    #[serde(rename = "E_TIMEOUT")]
    Timeout,
    #[serde(rename = "E_PARSE")]
    Parse,
    #[serde(rename = "E_TOOL_UNAVAILABLE")]
    ToolUnavailable,
    #[serde(rename = "E_BUDGET_EXCEEDED")]
    BudgetExceeded,
    #[serde(rename = "E_INVALID_ARGS")]
    InvalidArgs,
    #[serde(rename = "E_REPO_ROOT")]
    RepoRoot,
    #[serde(rename = "E_SESSION")]
    Session,
    #[serde(rename = "E_UNKNOWN")]
    Unknown,
}

/// What a process of ours ends with, outside hook mode. In hook mode it is always zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitCode {
    /// A usable briefing, degraded or not.
    Success = 0,
    /// The command line was wrong. Never used in hook mode: to a client, 2 means "block the prompt".
    Usage = 2,
    /// The kernel is missing or cannot be started; the injection is empty.
    KernelUnavailable = 10,
    /// The configuration or the repository root cannot be used.
    Configuration = 20,
    /// The kernel printed something that is not JSON 1.0.
    KernelOutputInvalid = 30,
    /// A tool failed; the rest of the briefing stands.
    ToolFailed = 40,
    /// The budget ran out: a tool timed out or results were cut.
    BudgetExceeded = 50,
}

impl ExitCode {
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }
}
