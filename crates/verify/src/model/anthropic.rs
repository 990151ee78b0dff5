//! Answers in the format of Anthropic Messages, streamed or complete.

use serde_json::{Value, json};

use super::http::HttpAnswer;
use super::{ScriptedAnswer, event_stream, seconds_from_now, token_estimate};

pub(super) fn answer(body: &Value, said: &ScriptedAnswer, serial: usize) -> HttpAnswer {
    let (block, delta, stop_reason) = match said {
        ScriptedAnswer::Text(text) => (
            json!({"type": "text", "text": text}),
            json!({"type": "text_delta", "text": text}),
            "end_turn",
        ),
        ScriptedAnswer::ToolCall { name, input } => (
            json!({"type": "tool_use", "id": format!("toolu_{serial}"), "name": name, "input": input}),
            json!({"type": "input_json_delta", "partial_json": input.to_string()}),
            "tool_use",
        ),
        ScriptedAnswer::UsageLimit { resets_in } => return usage_limit(*resets_in),
        ScriptedAnswer::Status(status) => return error(*status),
    };
    let message = json!({
        "id": format!("msg_{serial}"), "type": "message", "role": "assistant", "model": body["model"],
        "content": [block], "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {"input_tokens": token_estimate(body), "cache_creation_input_tokens": 0,
                  "cache_read_input_tokens": 0, "output_tokens": 7},
    });
    if body["stream"] == true {
        stream(message, block, &delta)
    } else {
        HttpAnswer::json(200, &message)
    }
}

fn stream(message: Value, block: Value, delta: &Value) -> HttpAnswer {
    let stop_reason = message["stop_reason"].clone();
    let mut start = message;
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    // A block starts empty; its deltas carry the content.
    let mut empty = block;
    if empty["type"] == "text" {
        empty["text"] = json!("");
    } else {
        empty["input"] = json!({});
    }
    event_stream(&[
        json!({"type": "message_start", "message": start}),
        json!({"type": "content_block_start", "index": 0, "content_block": empty}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": stop_reason, "stop_sequence": null},
               "usage": {"output_tokens": 7}}),
        json!({"type": "message_stop"}),
    ])
}

/// Returns the response that Claude's service sends to a subscriber who has reached a usage limit.
fn usage_limit(resets_in: u64) -> HttpAnswer {
    let resets_at = seconds_from_now(resets_in).to_string();
    let headers = vec![
        ("retry-after", resets_in.to_string()),
        ("x-should-retry", "false".to_owned()),
        ("anthropic-ratelimit-unified-status", "rejected".to_owned()),
        ("anthropic-ratelimit-unified-reset", resets_at.clone()),
        ("anthropic-ratelimit-unified-representative-claim", "five_hour".to_owned()),
        ("anthropic-ratelimit-unified-5h-status", "rejected".to_owned()),
        ("anthropic-ratelimit-unified-5h-reset", resets_at),
    ];
    HttpAnswer { headers, ..error(429) }
}

fn error(status: u16) -> HttpAnswer {
    let kind = match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    };
    HttpAnswer::json(
        status,
        &json!({"type": "error", "error": {"type": kind, "message": "scripted failure"}}),
    )
}
