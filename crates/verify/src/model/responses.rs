//! Answers in the format of OpenAI Responses, streamed or complete.

use serde_json::{Value, json};

use super::http::HttpAnswer;
use super::{ScriptedAnswer, event_stream, seconds_from_now, token_estimate};

pub(super) fn answer(body: &Value, said: &ScriptedAnswer, serial: usize) -> HttpAnswer {
    let item = match said {
        ScriptedAnswer::Text(text) => json!({
            "type": "message", "id": format!("msg_{serial}"), "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        }),
        ScriptedAnswer::ToolCall { name, input } => tool_call(name, input, serial),
        ScriptedAnswer::UsageLimit { resets_in } => return usage_limit(*resets_in),
        ScriptedAnswer::Status(status) => {
            let error = json!({"message": "scripted failure", "type": "api_error", "code": null, "param": null});
            return HttpAnswer::json(*status, &json!({"error": error}));
        }
    };
    let input_tokens = token_estimate(body);
    let response = json!({
        "id": format!("resp_{serial}"), "object": "response", "created_at": 0, "status": "completed",
        "model": body["model"], "output": [item], "error": null, "incomplete_details": null,
        "parallel_tool_calls": true,
        "usage": {"input_tokens": input_tokens, "input_tokens_details": {"cached_tokens": 0},
                  "output_tokens": 7, "output_tokens_details": {"reasoning_tokens": 0},
                  "total_tokens": input_tokens + 7},
    });
    if body["stream"] == true { stream(response, &item) } else { HttpAnswer::json(200, &response) }
}

/// Returns the response that codex's own service sends when a usage limit is reached. Codex shows the reset time
/// without seconds, and stores the times from the headers with the thread.
fn usage_limit(resets_in: u64) -> HttpAnswer {
    let resets_at = seconds_from_now(resets_in);
    let error = json!({
        "type": "usage_limit_reached", "message": "The usage limit has been reached", "plan_type": "pro",
        "resets_at": resets_at, "resets_in_seconds": resets_in,
    });
    let headers = vec![
        ("x-codex-primary-used-percent", "100".to_owned()),
        ("x-codex-primary-window-minutes", "300".to_owned()),
        ("x-codex-primary-reset-at", resets_at.to_string()),
    ];
    HttpAnswer { headers, ..HttpAnswer::json(429, &json!({"error": error})) }
}

/// Builds a tool call. If `input` is a string, it is the input of a freeform tool (`apply_patch`). Otherwise, it
/// contains the arguments of a function.
fn tool_call(name: &str, input: &Value, serial: usize) -> Value {
    let call_id = format!("call_{serial}");
    if let Some(text) = input.as_str() {
        json!({"type": "custom_tool_call", "id": format!("ctc_{serial}"), "call_id": call_id,
               "name": name, "input": text, "status": "completed"})
    } else {
        let mut call = json!({"type": "function_call", "id": format!("fc_{serial}"), "call_id": call_id,
               "name": name, "arguments": input.to_string(), "status": "completed"});
        // `mcp__server__tool` is a tool in a namespace.
        if let Some((namespace, name)) = name.rsplit_once("__") {
            call["namespace"] = namespace.into();
            call["name"] = name.into();
        }
        call
    }
}

fn stream(response: Value, item: &Value) -> HttpAnswer {
    let mut begun = response.clone();
    begun["status"] = json!("in_progress");
    begun["output"] = json!([]);
    begun["usage"] = Value::Null;
    let mut added = item.clone();
    added["status"] = json!("in_progress");

    let is_message = item["type"] == "message";
    if is_message {
        added["content"] = json!([]);
    }
    let mut events = vec![
        json!({"type": "response.created", "response": begun}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": added}),
    ];
    if is_message {
        events.push(json!({"type": "response.output_text.delta", "item_id": item["id"],
                           "output_index": 0, "content_index": 0, "delta": item["content"][0]["text"]}));
    }
    events.push(json!({"type": "response.output_item.done", "output_index": 0, "item": item}));
    events.push(json!({"type": "response.completed", "response": response}));
    for (sequence_number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(sequence_number);
    }
    event_stream(&events)
}
