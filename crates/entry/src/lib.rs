//! The hook process: read, spawn the kernel, wait, emit.
//!
//! Cannot reach a tool: its crate does not know one. Whatever the kernel does — missing, hung, crashed, talking
//! nonsense — exactly one output of the asked format comes out.

mod answer;
mod emit;
mod invocation;
mod kernel;
mod request;
mod tool_event;

pub use emit::Emission;
pub use invocation::{Edge, Format, Incomplete, Invocation};

use clients::Event;
use contract::{ExitCode, Limit};

/// One prompt in, one output out; or one tool call of the client's.
#[must_use]
pub fn run(invocation: &Invocation, edge: &Edge) -> Emission {
    let event = match &edge.incomplete {
        Some(incomplete) => incomplete.event.or(Some(Event::Other)),
        None => clients::event(&edge.input),
    };
    let reason = edge.incomplete.as_ref().map(|incomplete| incomplete.reason.as_str());
    match (event, reason) {
        (Some(Event::Tool(moment)), _) => return tool_event::run(invocation, edge, moment),
        // The answer to a prompt is not a valid answer to another event.
        (Some(Event::Other), _) if invocation.format == Format::Hook => {
            return emit::without_event(invocation, reason);
        }
        (_, Some(reason)) => {
            let limit = Limit::Said(reason.to_owned());
            return emit::nothing(invocation, edge, Some(limit), ExitCode::Configuration);
        }
        (_, None) => {}
    }
    if invocation.format == Format::Hook && is_briefed(edge) {
        return emit::nothing(invocation, edge, None, ExitCode::Success);
    }
    let request = match request::build(invocation, edge) {
        Ok(request) => request,
        Err(error) => {
            return emit::nothing(
                invocation,
                edge,
                Some(Limit::Said(error.to_string())),
                ExitCode::Configuration,
            );
        }
    };
    if request.prompt.trim().is_empty() {
        let exit = if invocation.analyze_intent { ExitCode::Usage } else { ExitCode::Success };
        let limit =
            (invocation.format != Format::Hook).then(|| Limit::Said("empty prompt".to_owned()));
        return emit::nothing(invocation, edge, limit, exit);
    }
    match kernel::ask(&request, invocation, edge) {
        Ok(answer) => emit::answer(invocation, &answer),
        Err(failure) => emit::nothing(invocation, edge, Some(failure.limit), failure.exit),
    }
}

/// Set by `codex-auto` for the codex it starts: the evidence is in the prompt already. A sub-agent's prompt is another one.
pub const BRIEFED: &str = "ADJUTANT_BRIEFED";
/// Its value where nobody is to be briefed.
pub const NOBODY: &str = "off";

fn is_briefed(edge: &Edge) -> bool {
    let is_sub_agents =
        || clients::read_payload(&edge.input).is_ok_and(|request| request.agent_id.is_some());
    edge.environment.text(BRIEFED).is_some_and(|value| value == NOBODY || !is_sub_agents())
}
