//! The request for the kernel, from the payload and the command line.

use clients::{PayloadError, read_payload};
use contract::Request;

use crate::{Edge, Format, Invocation};

/// The directory a caller wants, when it is not the one it started us in.
const WORKING_DIRECTORY: &str = "WORKING_DIRECTORY";

pub(crate) fn build(invocation: &Invocation, edge: &Edge) -> Result<Request, PayloadError> {
    // A prompt on the command line needs no payload, and a broken one must not get in its way.
    let payload = match (&invocation.prompt, read_payload(&edge.input)) {
        (Some(_), payload) => payload.unwrap_or_default(),
        (None, payload) => payload?,
    };
    let mut request = Request {
        client: Some(invocation.client.name()),
        event: Some(
            if invocation.format == Format::Hook { "UserPromptSubmit" } else { "cli" }.to_owned(),
        ),
        file: invocation.file.clone(),
        line: invocation.line,
        function: invocation.function.clone(),
        with_history: invocation.with_history,
        ..payload
    };
    if let Some(prompt) = &invocation.prompt {
        request.prompt.clone_from(prompt);
    }
    if request.prompt.trim().is_empty() {
        request.prompt = place_as_prompt(invocation);
    }
    let explicit = edge.environment.text(WORKING_DIRECTORY).map(str::to_owned);
    let own =
        edge.working_directory.as_ref().map(|directory| directory.to_string_lossy().into_owned());
    request.cwd = explicit.or(request.cwd).or(own);
    Ok(request)
}

/// A place without a question is a question about the place.
fn place_as_prompt(invocation: &Invocation) -> String {
    let mut parts = Vec::new();
    if let Some(file) = &invocation.file {
        parts.push(format!("file: {file}"));
        parts.extend(invocation.line.map(|line| format!("at line {line}")));
    }
    parts.extend(invocation.function.as_ref().map(|function| format!("function: {function}")));
    parts.join(" ")
}
