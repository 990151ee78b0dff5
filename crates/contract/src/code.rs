//! Defines the error codes of tool results and the exit codes of the programs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The reason why a tool call failed or was skipped.
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

/// The exit code of a program. In hook mode, the exit code is always 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitCode {
    /// The briefing is usable. It may be degraded.
    Success = 0,
    /// The command line is invalid. Not used in hook mode, because clients block the prompt on exit code 2.
    Usage = 2,
    /// The kernel is missing or cannot be started. The briefing is empty.
    KernelUnavailable = 10,
    /// The configuration or the repository root cannot be used.
    Configuration = 20,
    /// The output of the kernel is not JSON 1.0.
    KernelOutputInvalid = 30,
    /// A tool failed. The briefing contains the results of the other tools.
    ToolFailed = 40,
    /// A tool timed out, or results were cut.
    BudgetExceeded = 50,
}

impl ExitCode {
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }
}
