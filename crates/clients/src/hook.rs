//! Implements the hook process. It starts the kernel for a prompt or a tool call, waits for the kernel's output, and
//! returns one result for the client.
//!
//! If the kernel is missing, hangs, crashes or prints invalid output, the hook's output reports the failure.

mod answer;
mod emission;
mod kernel;
mod request;
mod sub_agent;
mod tool_event;

pub use answer::KernelAnswer;
pub use emission::Emission;
pub use kernel::{KernelFailure, ask};
pub use request::WORKING_DIRECTORY;
pub use tool_event::{SubAgentTask, run as run_tool_event};

use std::path::PathBuf;
use std::time::Duration;

use contract::{ExitCode, Limit};
use process::Environment;

use crate::{Event, Input, PayloadError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The envelope that the client expects. The exit code is always 0.
    Hook,
    /// The briefing as JSON 1.0.
    Json,
    /// The briefing as human-readable text.
    Text,
}

/// The flags of `adjutant-hook`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    pub format: Format,
    /// The prompt to use instead of the prompt in the payload.
    pub prompt: Option<String>,
    pub file: Option<String>,
    pub line: Option<u64>,
    pub function: Option<String>,
    pub with_history: bool,
    /// Whether to print only the signals found in the prompt. The kernel then calls no tool.
    pub analyze_intent: bool,
}

/// The environment, the folders and the time of the process.
pub struct HookHost {
    pub environment: Environment,
    pub working_directory: Option<PathBuf>,
    /// The folder that contains `adjutant-hook`. This program also contains the kernel.
    pub program_directory: Option<PathBuf>,
    pub other_kernel: Option<OtherKernel>,
    /// The current time in RFC 3339 format.
    pub now: String,
}

/// A kernel program that the user configured to replace `adjutant-hook orchestrate`.
pub struct OtherKernel {
    pub path: PathBuf,
    /// The time after which the kernel is killed. `adjutant-hook orchestrate` ends by itself at the end of its budget, but
    /// another program may not.
    pub timeout: Duration,
}

/// Returns the output for one prompt, or for an event that Adjutant does not handle. [`run_tool_event`] handles tool
/// events.
#[must_use]
pub fn run(invocation: &Invocation, input: Input, host: &HookHost) -> Emission {
    let reason = match &input.payload {
        Err(PayloadError::Incomplete(reason)) => Some(reason.as_str()),
        Ok(_) | Err(_) => None,
    };
    let client = input.client;
    let nothing = |limit, exit| emission::nothing(invocation, client, host, limit, exit);
    match (input.event, reason) {
        // The output format for a prompt is not valid for another event.
        (Some(Event::Other), _) if invocation.format == Format::Hook => {
            return emission::other_event(client, reason);
        }
        (_, Some(reason)) => {
            return nothing(Some(Limit::Said(reason.to_owned())), ExitCode::Configuration);
        }
        (_, None) => {}
    }
    let is_left_alone = || is_briefed(&input, host) || is_of_machine(&input);
    if invocation.format == Format::Hook && is_left_alone() {
        return nothing(None, ExitCode::Success);
    }
    let request = match request::build(invocation, input, host) {
        Ok(request) => request,
        Err(error) => {
            return nothing(Some(Limit::Said(error.to_string())), ExitCode::Configuration);
        }
    };
    if request.prompt.trim().is_empty() {
        let exit = if invocation.analyze_intent { ExitCode::Usage } else { ExitCode::Success };
        let limit = || Limit::Said("empty prompt".to_owned());
        return nothing((invocation.format != Format::Hook).then(limit), exit);
    }
    match ask(&request, invocation.format, host) {
        Ok(answer) => emission::answer(invocation, client, &answer),
        Err(failure) => nothing(Some(failure.limit), failure.exit),
    }
}

pub use contract::BRIEFED;
/// The value of [`BRIEFED`] that also disables briefings for sub-agents.
pub const NOBODY: &str = "off";

fn is_briefed(input: &Input, host: &HookHost) -> bool {
    let is_sub_agent = || input.payload.as_ref().is_ok_and(|payload| payload.agent_id.is_some());
    host.environment.text(BRIEFED).is_some_and(|value| value == NOBODY || !is_sub_agent())
}

/// Returns whether no person wrote the prompt: the client wrote it, or it is the task of an unattended run, which already
/// has a briefing if it is to get one.
fn is_of_machine(input: &Input) -> bool {
    let prompt = input.payload.as_ref().ok().and_then(|payload| payload.prompt.as_deref());
    prompt.map(str::trim_start).filter(|prompt| !prompt.is_empty()).is_some_and(|prompt| {
        prompt.starts_with(contract::COMPOSED_TASK) || input.client.has_written(prompt)
    })
}
