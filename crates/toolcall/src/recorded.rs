//! What is known of a call afterwards, and results that were prepared beforehand: they take the last step of the same life.

use contract::ToolResult;
use serde_json::{Map, Value};

use crate::clean::clean;
use crate::hooks::HookRun;
use crate::lifecycle::{Context, Outcome};

/// How a call ended, told apart more finely than JSON 1.0 does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallStatus {
    #[default]
    Ok,
    Timeout,
    Error,
    Skipped,
    /// By a hook, or by a hook file that cannot be used. Published as `skipped`.
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

/// Redacted like everything that leaves a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    pub status: CallStatus,
    /// As hooks and tool saw them.
    pub arguments: Map<String, Value>,
    pub hooks: Vec<HookRun>,
    /// What hooks said to the model.
    pub notes: Vec<String>,
}

#[must_use]
pub fn recorded(context: &Context, results: Vec<ToolResult>) -> Vec<Outcome> {
    let outcome = |result| {
        let cleaned = clean(context, result);
        Outcome { result: cleaned.result, limits: cleaned.limits, record: Record::default() }
    };
    results.into_iter().map(outcome).collect()
}
