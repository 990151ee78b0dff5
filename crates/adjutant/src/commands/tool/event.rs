//! `adjutant tool event`: runs the user's hooks for a client's tool call. Reads the event from stdin and prints the
//! verdict.

use std::path::PathBuf;
use std::process::ExitCode as Exit;
use std::time::Duration;

use contract::{Arguments, ExitCode, Limit, ToolDecision, ToolEvent, ToolMoment, ToolVerdict};
use kernel::{ClientMoment, client_call};
use toolcall::{Caller, ClientAnswer, Identity, ToolCall};

use crate::commands::orchestrate::host;
use crate::failure::Failure;
use crate::{edge, output};

/// The timeout for the user's hooks. It is shorter than the time that `adjutant-hook` waits for the verdict.
const HOOKS_TIMEOUT: Duration = Duration::from_secs(50);

pub(crate) fn run() -> Result<Exit, Failure> {
    let configuration = |error: String| Failure::new(error, ExitCode::Configuration);
    let input = edge::read_stdin().map_err(|error| configuration(format!("stdin: {error}")))?;
    let event: ToolEvent = serde_json::from_slice(&input)
        .map_err(|error| configuration(format!("stdin is not a tool event: {error}")))?;
    let identity = Identity {
        tool_use_id: event.tool_use_id,
        session_id: event.session_id,
        agent_id: event.agent_id,
        client_tool_name: None,
    };
    let call =
        ToolCall::of_client(&event.tool, Arguments::from_client_input(event.input), identity);
    let caller = Caller::Client(event.client);
    let moment = match event.moment {
        ToolMoment::Before => ClientMoment::Before,
        ToolMoment::After => ClientMoment::After(Ok(event.response)),
        ToolMoment::Failed => ClientMoment::After(Err(event.error.unwrap_or_default())),
    };
    let host = host(event.cwd.map(PathBuf::from));
    let answer = client_call(&host, caller, &call, moment, HOOKS_TIMEOUT).map_err(configuration)?;
    output::data(&serde_json::to_string(&verdict(answer)).unwrap_or_default());
    Ok(Exit::SUCCESS)
}

fn verdict(answer: ClientAnswer) -> ToolVerdict {
    ToolVerdict {
        decision: answer.verdict,
        message: message(&answer.limits, answer.verdict),
        reason: answer.reason,
        updated_input: answer.updated_input.map(Into::into),
        replacement: answer.replacement,
        context: answer.record.notes.join("\n"),
    }
}

/// Formats the `[Limits]` messages as one message to the user. Returns `None` if there are no messages, and for a
/// blocked call, because its reason already contains them.
fn message(limits: &[Limit], decision: ToolDecision) -> Option<String> {
    let said: Vec<String> = limits.iter().map(ToString::to_string).collect();
    let said = if decision == ToolDecision::Block { Vec::new() } else { said };
    (!said.is_empty()).then(|| format!("Adjutant: {}", said.join(" · ")))
}
