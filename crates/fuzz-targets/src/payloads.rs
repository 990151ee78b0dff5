//! Fuzzes the reader of hook payloads, and checks the envelopes that are printed for the client.

use clients::{CLIENTS, Client, Envelope, Event, Input, Payload};
use contract::{ToolMoment, ToolVerdict};
use serde_json::Value;

/// Reads the bytes as the payload of any client. Every answer must be one line with one JSON object.
pub fn payloads(bytes: &[u8]) {
    let Input { client, event, payload } = Input::read(None, bytes);
    let identity = payload.as_ref().ok().and_then(Payload::identity);
    if let Some(identity) = identity {
        // The identity is used as a file name.
        assert!(!identity.contains(['/', '\0']) && identity.len() <= 255, "{identity:?}");
    }
    if let Some(Event::Tool(moment)) = event {
        tool_event(client, moment, payload.clone().ok());
    }
    match payload.and_then(Payload::into_request) {
        Ok(request) => check_envelope(client, &request.prompt),
        Err(error) => check_envelope(client, &error.to_string()),
    }
}

fn tool_event(client: &dyn Client, moment: ToolMoment, payload: Option<Payload>) {
    let event = payload
        .and_then(|payload| payload.into_tool_event(client.names().published.clone(), moment).ok());
    let response = event.as_ref().map(|event| &event.response);
    for caller in CLIENTS {
        let verdict = ToolVerdict::unknown(moment, "no answer");
        let line = caller.tool_output(moment, response, &verdict);
        check_object(&line);
        if moment == ToolMoment::Before {
            let object = check_object(&line);
            let nested = &object["hookSpecificOutput"]["permissionDecision"];
            let decisions = [nested, &object["permissionDecision"], &object["decision"]];
            let is_stopped = decisions.iter().any(|it| matches!(it.as_str(), Some("ask" | "deny")));
            assert!(is_stopped || object["block"].is_string(), "no answer allows a call: {line}");
        }
    }
}

/// Checks the output for a client if both the briefing and the message are `text`. The output must be valid for any
/// string.
fn check_envelope(client: &dyn Client, text: &str) {
    let line =
        client.prompt_output(&Envelope::new(client.context_limit(), text, Some(text.to_owned())));
    // For Kimi Code, the output is empty if the context is empty, because Kimi Code passes every object to the model.
    let object = if line.is_empty() { Value::Null } else { check_object(&line) };
    let nested = &object["hookSpecificOutput"]["additionalContext"];
    let fields = [nested, &object["additionalContext"], &object["context"], &object["message"]];
    for context in fields.into_iter().filter_map(Value::as_str) {
        assert!(
            context.len() <= client.context_limit().max_bytes,
            "context over the client's limit"
        );
    }
}

fn check_object(line: &str) -> Value {
    assert!(!line.trim_end().contains('\n'), "more than one line: {line:?}");
    let value: Value = serde_json::from_str(line).expect("the envelope is JSON");
    assert!(value.is_object(), "not an object: {line}");
    value
}
