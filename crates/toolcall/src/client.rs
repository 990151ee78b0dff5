//! Handles tool calls that a client runs itself. The client reports each call before and after it runs the tool, so
//! the call's lifecycle runs in two parts.

use std::time::Instant;

use serde_json::Value;

use crate::call::ToolCall;
use crate::lifecycle::{CompletedCall, Executor, ToolContext, run_lifecycle};

/// Runs the first part of the lifecycle, before the client runs the tool.
#[must_use]
pub fn before_client_call(
    context: &ToolContext,
    call: &ToolCall,
    deadline: Instant,
) -> CompletedCall {
    run_lifecycle(context, call, Executor::Client, deadline)
}

/// Runs the second part of the lifecycle, after the client has run the tool. `result` is the tool's response or error
/// message.
#[must_use]
pub fn after_client_call(
    context: &ToolContext,
    call: &ToolCall,
    result: Result<Value, String>,
    deadline: Instant,
) -> CompletedCall {
    run_lifecycle(context, call, Executor::Done(result), deadline)
}
