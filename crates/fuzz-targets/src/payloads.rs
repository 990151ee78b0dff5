//! Payloads from a client's hook, and the envelopes that are printed for the client.

use clients::{Client, Envelope, MAX_UNITS};
use contract::{ToolMoment, ToolVerdict};
use serde_json::Value;

/// Reads the bytes as every kind of payload. The answer must be one line with one JSON object.
pub fn payloads(bytes: &[u8]) {
    let client = clients::caller(bytes);
    if let Some(identity) = clients::prompt_identity(bytes) {
        // The identity is used as a file name.
        assert!(!identity.contains(['/', '\0']) && identity.len() <= 255, "{identity:?}");
    }
    if let Some(moment) = clients::tool_moment(bytes) {
        tool_event(client, moment, bytes);
    }
    match clients::read_payload(bytes) {
        Ok(request) => check_envelope(client, &request.prompt),
        Err(error) => check_envelope(client, &error.to_string()),
    }
}

fn tool_event(client: Client, moment: ToolMoment, bytes: &[u8]) {
    let response = match clients::read_tool_event(bytes, client.name(), moment) {
        Ok(event) => event.response,
        Err(_) => Value::Null,
    };
    for caller in [Client::ClaudeCode, Client::Codex] {
        let verdict = ToolVerdict::unknown(moment, "no answer");
        let line = caller.tool_envelope(moment, &response, &verdict);
        check_object(&line);
        if moment == ToolMoment::Before {
            let object = check_object(&line);
            let decision = object["hookSpecificOutput"]["permissionDecision"].as_str();
            assert!(matches!(decision, Some("ask" | "deny")), "no answer allows a call: {line}");
        }
    }
}

/// A briefing or a message may contain any text.
fn check_envelope(client: Client, text: &str) {
    let line = client.envelope(&Envelope::new(text, Some(text.to_owned())));
    let object = check_object(&line);
    let context = object["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default();
    assert!(context.encode_utf16().count() <= MAX_UNITS, "context over the client's limit");
}

fn check_object(line: &str) -> Value {
    assert!(!line.trim_end().contains('\n'), "more than one line: {line:?}");
    let value: Value = serde_json::from_str(line).expect("the envelope is JSON");
    assert!(value.is_object(), "not an object: {line}");
    value
}
