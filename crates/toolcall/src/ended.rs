//! How a call ended: its status, the error of a call without a result, and the record of a completed call.

use contract::{Arguments, ErrorCode, Limit, Status, ToolResult};

use crate::clean::clean;
use crate::hooks::HookRun;
use crate::lifecycle::{CallOutcome, ToolContext};
use crate::toolbox::ToolFailure;

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
pub fn recorded(context: &ToolContext, results: Vec<ToolResult>) -> Vec<CallOutcome> {
    let outcome = |result| {
        let (result, limits) = clean(context, result);
        CallOutcome { result, limits, record: Record::default() }
    };
    results.into_iter().map(outcome).collect()
}

/// A call that ended without a result because it was skipped, blocked, failed or timed out.
pub(crate) struct Ended {
    pub(crate) status: CallStatus,
    pub(crate) code: Option<ErrorCode>,
    pub(crate) message: String,
}

impl Ended {
    pub(crate) fn skipped(code: ErrorCode, message: &str) -> Self {
        Self { status: CallStatus::Skipped, code: Some(code), message: message.to_owned() }
    }

    pub(crate) fn unavailable() -> Self {
        Self::skipped(ErrorCode::ToolUnavailable, "tool unavailable; skipped")
    }

    pub(crate) fn blocked(message: impl Into<String>) -> Self {
        Self { status: CallStatus::Blocked, code: None, message: message.into() }
    }

    pub(crate) fn failed(code: ErrorCode, message: &str) -> Self {
        Self { status: CallStatus::Error, code: Some(code), message: message.to_owned() }
    }

    pub(crate) fn timed_out() -> Self {
        let message = "no answer in time".to_owned();
        Self { status: CallStatus::Timeout, code: Some(ErrorCode::Timeout), message }
    }

    /// Returns the status that JSON 1.0 publishes. A blocked call is published as `skipped`.
    pub(crate) fn published(&self) -> Status {
        match self.status {
            CallStatus::Ok => Status::Ok,
            CallStatus::Timeout => Status::Timeout,
            CallStatus::Error => Status::Error,
            CallStatus::Skipped | CallStatus::Blocked => Status::Skipped,
        }
    }

    pub(crate) fn limit(&self, tool: &str) -> Option<Limit> {
        let tool = tool.to_owned();
        let message = self.message.clone();
        match (self.status, self.code) {
            (CallStatus::Timeout, _) => Some(Limit::ToolTimeout { tool }),
            (CallStatus::Blocked, _) => Some(Limit::Said(format!("{tool}: skipped, {message}"))),
            (CallStatus::Skipped, Some(ErrorCode::ToolUnavailable)) => {
                Some(Limit::ToolUnavailable { tool })
            }
            (CallStatus::Skipped, Some(ErrorCode::InvalidArgs)) => {
                Some(Limit::InvalidArgs { tool, reason: message })
            }
            (CallStatus::Error, _) => Some(Limit::ToolFailed { tool, message }),
            (CallStatus::Skipped | CallStatus::Ok, _) => None,
        }
    }

    /// Returns the value of `error.name` in the input of an after hook.
    pub(crate) fn error_name(&self) -> &'static str {
        match self.status {
            CallStatus::Timeout => "TimeoutError",
            CallStatus::Ok | CallStatus::Error | CallStatus::Skipped | CallStatus::Blocked => {
                "ToolError"
            }
        }
    }
}

impl From<ToolFailure> for Ended {
    fn from(failure: ToolFailure) -> Self {
        if failure.code == ErrorCode::Timeout {
            Self::timed_out()
        } else if failure.code == ErrorCode::ToolUnavailable {
            Self::skipped(failure.code, &failure.message)
        } else {
            Self::failed(failure.code, &failure.message)
        }
    }
}
