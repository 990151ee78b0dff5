//! Implements the hook process. It starts the kernel for a prompt or a tool call, waits for the kernel's output, and prints
//! one result for the client.
//!
//! This crate cannot call a tool. If the kernel is missing, hangs, crashes or prints invalid output, the hook's output
//! reports the failure.

mod answer;
mod emit;
mod invocation;
mod kernel;
mod request;
mod tool_event;

pub use emit::Emission;
pub use invocation::{Format, HookHost, Invocation};
pub use request::WORKING_DIRECTORY;

use clients::{Event, Input, PayloadError};
use contract::{ExitCode, Limit};

/// Returns the output for one prompt or one tool event.
#[must_use]
pub fn run(invocation: &Invocation, input: &Input, host: &HookHost) -> Emission {
    let reason = match &input.payload {
        Err(PayloadError::Incomplete(reason)) => Some(reason.as_str()),
        Ok(_) | Err(_) => None,
    };
    let nothing = |limit, exit| emit::nothing(invocation, input.client, host, limit, exit);
    match (input.event, reason) {
        (Some(Event::Tool(moment)), _) => return tool_event::run(invocation, input, host, moment),
        // The output format for a prompt is not valid for another event.
        (Some(Event::Other), _) if invocation.format == Format::Hook => {
            return emit::other_event(input.client, reason);
        }
        (_, Some(reason)) => {
            return nothing(Some(Limit::Said(reason.to_owned())), ExitCode::Configuration);
        }
        (_, None) => {}
    }
    if invocation.format == Format::Hook && is_briefed(input, host) {
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
    match kernel::ask(&request, invocation, host) {
        Ok(answer) => emit::answer(invocation, input.client, &answer),
        Err(failure) => nothing(Some(failure.limit), failure.exit),
    }
}

/// The environment variable that `codex-auto` sets for its codex process. The prompts of that process already contain
/// a briefing, so the hook does not add another one. Prompts to sub-agents still get a briefing.
pub const BRIEFED: &str = "ADJUTANT_BRIEFED";
/// The value of [`BRIEFED`] that also disables briefings for sub-agents.
pub const NOBODY: &str = "off";

fn is_briefed(input: &Input, host: &HookHost) -> bool {
    let is_sub_agent = || input.payload.as_ref().is_ok_and(|payload| payload.agent_id.is_some());
    host.environment.text(BRIEFED).is_some_and(|value| value == NOBODY || !is_sub_agent())
}
