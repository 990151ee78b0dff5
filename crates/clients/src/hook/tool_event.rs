//! Passes a client's tool event to the kernel and formats the verdict for the client. If the call starts a sub-agent, its
//! task gets a briefing afterwards.
//!
//! If the hook outputs nothing before a tool call, the client runs the call. Therefore, if the kernel returns no
//! verdict, the output tells the client to ask the user.

use std::time::Duration;

use contract::{ToolEvent, ToolMoment, ToolVerdict};
use process::{End, Program};
use serde::de::Error;
use serde_json::Value;

use super::{Emission, Format, HookHost, kernel, sub_agent};
use crate::{Input, PayloadError};

/// Whether the task of a sub-agent gets a briefing, if the call starts one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubAgentTask {
    Brief,
    /// Another hook adds the briefing, or none is wanted.
    Leave,
}

/// The maximum time to wait for the kernel. It is shorter than the hook timeout of 60 s that `adjutant install` sets.
/// After that timeout, a client runs the call without a verdict.
const KERNEL_TIMEOUT: Duration = Duration::from_secs(55);
const MAX_STDOUT: usize = 16 * 1024 * 1024;

/// Returns the output for a tool event. `has_hooks` says whether a hook file may apply to the call; without one, the
/// kernel is not started.
#[must_use]
pub fn run(
    format: Format,
    input: Input,
    moment: ToolMoment,
    has_hooks: bool,
    task: SubAgentTask,
    host: &HookHost,
) -> Emission {
    let Input { client, payload, .. } = input;
    let event = match payload {
        Ok(payload) => payload.into_tool_event(client.names().published.clone(), moment),
        Err(PayloadError::NotAPayload(reason)) => Err(PayloadError::NotAToolEvent(reason)),
        Err(error) => Err(error),
    };
    let mut verdict = match &event {
        Ok(_) if !has_hooks => ToolVerdict::default(),
        Ok(event) => ask(event, host).unwrap_or_else(|reason| {
            ToolVerdict::unknown(moment, &format!("your hooks could not run: {reason}"))
        }),
        Err(error) => ToolVerdict::unknown(moment, &error.to_string()),
    };
    let briefed_input = match &event {
        Ok(event) if task == SubAgentTask::Brief => {
            sub_agent::briefed_input(client, event, &verdict, host)
        }
        Ok(_) | Err(_) => None,
    };
    let has_context = briefed_input.is_some();
    verdict.updated_input = briefed_input.or(verdict.updated_input);
    let response = event.as_ref().ok().map(|event| &event.response);
    let stdout = match format {
        Format::Hook => client.tool_output(moment, response, &verdict),
        Format::Json => serde_json::to_string_pretty(&verdict).unwrap_or_default(),
        Format::Text => verdict.reason,
    };
    Emission { stdout, exit: 0, has_context }
}

fn ask(event: &ToolEvent, host: &HookHost) -> Result<ToolVerdict, String> {
    let directory = host.program_directory.as_ref().ok_or("its folder is not known")?;
    let program = Program::new(directory.join("adjutant-hook"), host.environment.clone())
        .arguments(["tool", "event"]);
    let finished = kernel::run(program, event, KERNEL_TIMEOUT, MAX_STDOUT)?;
    match finished.end {
        End::Exited(0) => {}
        End::Exited(code) => return Err(format!("the kernel exited with {code}")),
        End::Signalled(signal) => return Err(format!("the kernel was killed by signal {signal}")),
        End::TimedOut => return Err(format!("no answer in {} s", KERNEL_TIMEOUT.as_secs())),
    }
    read_verdict(&finished.stdout.bytes)
        .map_err(|error| format!("the kernel's answer is not a verdict: {error}"))
}

/// Parses a verdict. A verdict without a decision is an error, so that it does not permit the call.
fn read_verdict(bytes: &[u8]) -> Result<ToolVerdict, serde_json::Error> {
    let answer: Value = serde_json::from_slice(bytes)?;
    answer.get("decision").ok_or_else(|| Error::missing_field("decision"))?;
    serde_json::from_value(answer)
}
