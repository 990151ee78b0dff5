//! `adjutant tool event`: runs the user's hooks for a client's tool call. Reads the event from stdin and prints the
//! verdict.

use std::path::PathBuf;
use std::process::ExitCode as Exit;
use std::time::{Duration, Instant};

use contract::{Arguments, ExitCode, ToolEvent, ToolMoment};
use toolcall::{Caller, Identity, ToolCall, after_client_call, before_client_call};

use crate::commands::orchestrate::call_context;
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
    let context = call_context(event.cwd.map(PathBuf::from), caller).map_err(configuration)?;
    let deadline = Instant::now() + HOOKS_TIMEOUT;
    let after = |result| after_client_call(&context, &call, result, deadline);
    let completed = match event.moment {
        ToolMoment::Before => before_client_call(&context, &call, deadline),
        ToolMoment::After => after(Ok(event.response)),
        ToolMoment::Failed => after(Err(event.error.unwrap_or_default())),
    };
    output::data(&serde_json::to_string(&completed.verdict).unwrap_or_default());
    Ok(Exit::SUCCESS)
}
