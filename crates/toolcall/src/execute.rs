//! Carries a tool out: on a thread with a deadline, or as a program. The lifecycle alone calls this.

use std::sync::Arc;
use std::sync::mpsc;
use std::time::Instant;

use contract::ErrorCode;
use serde_json::{Map, Value};

use crate::command;
use crate::ended::Ended;
use crate::lifecycle::Context;
use crate::toolbox::{Answer, BuiltinCall, Kind, Toolbox};
use crate::workers;

pub(crate) fn carry_out_tool(
    toolbox: &Toolbox,
    context: &Context,
    tool: &str,
    arguments: Map<String, Value>,
    deadline: Instant,
) -> Result<Answer, Ended> {
    match toolbox.get(tool) {
        Kind::Unavailable => {
            Err(Ended::skipped(ErrorCode::ToolUnavailable, "tool unavailable; skipped"))
        }
        Kind::Command(program) => command::run(&program, context, tool, &arguments, deadline),
        Kind::Builtin(builtin) => {
            let call = BuiltinCall { arguments, prompt: context.prompt.clone(), deadline };
            // On a thread of its own: a tool that forgets its deadline, or panics, costs only itself.
            let (sender, receiver) = mpsc::channel();
            let builtin = Arc::clone(&builtin);
            workers::start(move || drop(sender.send(builtin(&call)))).map_err(|error| {
                Ended::failed(
                    ErrorCode::ToolUnavailable,
                    &format!("cannot start a thread: {error}"),
                )
            })?;
            match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(answer) => answer.map_err(Ended::from),
                Err(mpsc::RecvTimeoutError::Timeout) => Err(Ended::timed_out()),
                Err(mpsc::RecvTimeoutError::Disconnected) => {
                    Err(Ended::failed(ErrorCode::Unknown, "the tool crashed"))
                }
            }
        }
    }
}
