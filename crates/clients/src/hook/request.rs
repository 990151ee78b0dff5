//! Builds the request for the kernel from the payload and the command line.

use std::time::{Duration, Instant};

use contract::{Request, SessionActivity};

use super::{Format, HookHost, Invocation};
use crate::{Client, Input, Payload, PayloadError};

/// The environment variable with the working directory for the briefing. It takes precedence over the payload's `cwd`.
pub const WORKING_DIRECTORY: &str = "WORKING_DIRECTORY";

/// The maximum time for reading the client's transcript. Reading normally takes about 2 ms; the rest is a reserve for a
/// machine under load.
const TRANSCRIPT_TIMEOUT: Duration = Duration::from_millis(25);

pub(super) fn build(
    invocation: &Invocation,
    input: Input,
    host: &HookHost,
) -> Result<Request, PayloadError> {
    let Input { client, payload, .. } = input;
    let mut payload = match &invocation.prompt {
        // A prompt on the command line does not need a payload.
        Some(prompt) => Payload { prompt: Some(prompt.clone()), ..payload.unwrap_or_default() },
        None => payload?,
    };
    payload.cwd = directory(payload.cwd, host);
    let activity = activity(client, &payload, host);
    let mut request = payload.into_request()?;
    if request.prompt.trim().is_empty() {
        request.prompt = location_as_prompt(invocation);
    }
    let (event, context_limit) = match invocation.format {
        Format::Hook => ("UserPromptSubmit", Some(client.context_limit())),
        Format::Json | Format::Text => ("cli", None),
    };
    Ok(Request {
        activity,
        context_limit,
        client: Some(client.names().published.clone()),
        event: Some(event.to_owned()),
        file: invocation.file.clone(),
        line: invocation.line,
        function: invocation.function.clone(),
        with_history: invocation.with_history,
        plan_only: invocation.analyze_intent,
        ..request
    })
}

/// Returns the working directory of a request. `sent` is the directory that the client sent.
pub(super) fn directory(sent: Option<String>, host: &HookHost) -> Option<String> {
    let named = host.environment.text(WORKING_DIRECTORY).map(str::to_owned);
    let own = host.working_directory.as_ref();
    let own = own.map(|directory| directory.to_string_lossy().into_owned());
    named.or(sent).or(own)
}

fn activity(client: &dyn Client, payload: &Payload, host: &HookHost) -> Option<SessionActivity> {
    let timeout = TRANSCRIPT_TIMEOUT * host.environment.slowness();
    crate::session_activity(client, payload, payload.cwd.as_deref(), Instant::now() + timeout)
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
