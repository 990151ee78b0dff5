//! A call that a client makes itself and tells us of: the same life, in two halves.

use std::time::Instant;

use contract::Limit;
use serde_json::{Map, Value};

use crate::call::ToolCall;
use crate::hooks::Verdict;
use crate::lifecycle::{CompletedCall, Context, Executor, run_lifecycle};
use crate::recorded::Record;

/// What the client is to be told. Nothing unredacted is left in it but the new arguments, which only the tool sees.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientAnswer {
    pub verdict: Verdict,
    pub reason: String,
    pub updated_input: Option<Map<String, Value>>,
    /// Takes the place of the tool's result.
    pub replacement: Option<Value>,
    pub limits: Vec<Limit>,
    pub record: Record,
}

#[must_use]
pub fn before_client_call(context: &Context, call: &ToolCall, deadline: Instant) -> ClientAnswer {
    ClientAnswer::from(run_lifecycle(context, call, Executor::HandOver, deadline))
}

/// `result` is what the tool answered, or how it failed.
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
    fn from(lived: CompletedCall) -> Self {
        let error = lived.outcome.result.error.map(|error| error.message);
        let reason = if lived.reason.is_empty() { error.unwrap_or_default() } else { lived.reason };
        Self {
            verdict: lived.verdict,
            reason,
            updated_input: lived.updated,
            replacement: lived.replacement,
            limits: lived.outcome.limits,
            record: lived.outcome.record,
        }
    }
}
