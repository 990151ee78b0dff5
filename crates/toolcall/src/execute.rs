//! Runs the implementation of a tool, either on a thread with a deadline or as a separate program. Only the lifecycle uses
//! this module.

use std::sync::mpsc;
use std::time::Instant;

use contract::{Arguments, ErrorCode};

use crate::command;
use crate::ended::Ended;
use crate::lifecycle::ToolContext;
use crate::toolbox::{BuiltinCall, Kind, ToolOutput, Toolbox};
use crate::workers;

pub(crate) fn carry_out_tool(
    toolbox: &Toolbox,
    context: &ToolContext,
    tool: &str,
    arguments: Arguments,
    deadline: Instant,
) -> Result<ToolOutput, Ended> {
    match toolbox.get(tool) {
        None => Err(Ended::unavailable()),
        Some(Kind::Command(program, owner)) => {
            command::run(&program, owner, context, tool, &arguments, deadline)
        }
        Some(Kind::Builtin(builtin)) => {
            let call = BuiltinCall { arguments, prompt: context.prompt.clone(), deadline };
            // The tool runs on its own thread, so that a panic or a missed deadline does not affect the caller.
            let (sender, receiver) = mpsc::channel();
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
