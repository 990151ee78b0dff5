//! Defines the record of a completed call, and cleans recorded results.

use contract::{Arguments, ToolResult};

use crate::clean::clean;
use crate::hooks::HookRun;
use crate::lifecycle::{Context, Outcome};

/// The status of a completed call. Unlike the published [`contract::Status`], it distinguishes blocked calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallStatus {
    #[default]
    Ok,
    Timeout,
    Error,
    Skipped,
    /// The call was stopped by a hook, or by a hook file that cannot be used. Published as `skipped`.
    Blocked,
}

impl CallStatus {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Timeout => "timeout",
            Self::Error => "error",
            Self::Skipped => "skipped",
            Self::Blocked => "blocked",
        }
    }
}

/// The status, arguments and hook runs of a call. All strings are redacted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    pub status: CallStatus,
    /// The arguments that the hooks and the tool received.
    pub arguments: Arguments,
    pub hooks: Vec<HookRun>,
    /// Messages from hooks to the model.
    pub notes: Vec<String>,
}

/// Cleans recorded results in the same way as the results of tool calls, without running a tool.
#[must_use]
pub fn recorded(context: &Context, results: Vec<ToolResult>) -> Vec<Outcome> {
    let outcome = |result| {
        let (result, limits) = clean(context, result);
        Outcome { result, limits, record: Record::default() }
    };
    results.into_iter().map(outcome).collect()
}
