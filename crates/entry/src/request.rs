//! Builds the request for the kernel from the payload and the command line.

use std::time::{Duration, Instant};

use clients::{Input, PayloadError};
use contract::{Request, SessionActivity};

use crate::{Format, HookHost, Invocation};

/// The environment variable with the working directory for the briefing. It takes precedence over the payload's `cwd`.
pub const WORKING_DIRECTORY: &str = "WORKING_DIRECTORY";

/// The maximum time for reading the client's transcript. Reading normally takes about 2 ms; the rest is a reserve for a
/// machine under load.
const TRANSCRIPT_TIMEOUT: Duration = Duration::from_millis(25);

pub(crate) fn build(
    invocation: &Invocation,
    input: &Input,
    host: &HookHost,
) -> Result<Request, PayloadError> {
    let payload = match &input.payload {
        Ok(payload) => payload.request(),
        Err(error) => Err(error.clone()),
    };
    let payload = match &invocation.prompt {
        // A prompt on the command line does not need a payload.
        Some(prompt) => Request { prompt: prompt.clone(), ..payload.unwrap_or_default() },
        None => payload?,
    };
    let is_empty = payload.prompt.trim().is_empty();
    let prompt = if is_empty { location_as_prompt(invocation) } else { payload.prompt };
    let event = if invocation.format == Format::Hook { "UserPromptSubmit" } else { "cli" };
    let named = host.environment.text(WORKING_DIRECTORY).map(str::to_owned);
    let own = host.working_directory.as_ref();
    let own = own.map(|directory| directory.to_string_lossy().into_owned());
    let cwd = named.or(payload.cwd).or(own);
    Ok(Request {
        prompt,
        activity: activity(input, host, cwd.as_deref()),
        client: Some(input.client.names().published.clone()),
        event: Some(event.to_owned()),
        file: invocation.file.clone(),
        line: invocation.line,
        function: invocation.function.clone(),
        with_history: invocation.with_history,
        cwd,
        ..payload
    })
}

fn activity(input: &Input, host: &HookHost, directory: Option<&str>) -> Option<SessionActivity> {
    let payload = input.payload.as_ref().ok()?;
    let timeout = TRANSCRIPT_TIMEOUT * host.environment.slowness();
    clients::session_activity(input.client, payload, directory, Instant::now() + timeout)
}

/// Builds a prompt from the file, the line and the function on the command line.
fn location_as_prompt(invocation: &Invocation) -> String {
    let mut parts = Vec::new();
    if let Some(file) = &invocation.file {
        parts.push(format!("file: {file}"));
        parts.extend(invocation.line.map(|line| format!("at line {line}")));
    }
    parts.extend(invocation.function.as_ref().map(|function| format!("function: {function}")));
    parts.join(" ")
}
