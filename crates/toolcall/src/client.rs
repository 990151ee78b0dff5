//! Handles tool calls that a client runs itself. The client reports each call before and after it runs the tool, so
//! the call's lifecycle runs in two parts.

use std::time::Instant;

use contract::{Arguments, Limit, ToolDecision};
use serde_json::Value;

use crate::call::ToolCall;
use crate::lifecycle::{CompletedCall, Context, Executor, run_lifecycle};
use crate::recorded::Record;

/// The answer to a client. All strings are redacted except `updated_input`, which only the tool reads.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientAnswer {
    pub verdict: ToolDecision,
    pub reason: String,
    /// The changed arguments, if a hook changed them.
    pub updated_input: Option<Arguments>,
    /// The result that a hook returned to replace the tool's result.
    pub replacement: Option<Value>,
    pub limits: Vec<Limit>,
    pub record: Record,
}

/// Runs the first part of the lifecycle, before the client runs the tool.
#[must_use]
pub fn before_client_call(context: &Context, call: &ToolCall, deadline: Instant) -> ClientAnswer {
    ClientAnswer::from(run_lifecycle(context, call, Executor::Client, deadline))
}

/// Runs the second part of the lifecycle, after the client has run the tool. `result` is the tool's response or error
/// message.
#[must_use]
pub fn after_client_call(
    context: &Context,
    call: &ToolCall,
    result: Result<Value, String>,
    deadline: Instant,
) -> ClientAnswer {
    ClientAnswer::from(run_lifecycle(context, call, Executor::Done(result), deadline))
}

impl From<CompletedCall> for ClientAnswer {
    fn from(call: CompletedCall) -> Self {
        let error = call.outcome.result.error.map(|error| error.message);
        let reason = if call.reason.is_empty() { error.unwrap_or_default() } else { call.reason };
        Self {
            verdict: call.verdict,
            reason,
            updated_input: call.updated,
            replacement: call.replacement,
            limits: call.outcome.limits,
            record: call.outcome.record,
        }
    }
}
