//! Answers in the format of OpenAI Chat Completions, streamed or complete.

use serde_json::{Value, json};

use super::http::HttpAnswer;
use super::{ScriptedAnswer, data_stream, token_estimate};

pub(super) fn answer(body: &Value, said: &ScriptedAnswer, serial: usize) -> HttpAnswer {
    let (message, finish_reason) = match said {
        ScriptedAnswer::Text(text) => (json!({"role": "assistant", "content": text}), "stop"),
        ScriptedAnswer::ToolCall { name, input } => {
            let function = json!({"name": name, "arguments": input.to_string()});
            let call = json!({"index": 0, "id": format!("call_{serial}"), "type": "function", "function": function});
            (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
        }
        ScriptedAnswer::Status(_) | ScriptedAnswer::UsageLimit { .. } => {
            let status = said.status();
            let error = json!({"message": "scripted failure", "type": "api_error"});
            return HttpAnswer::json(status, &json!({"error": error}));
        }
    };
    let tokens = token_estimate(body);
    let usage =
        json!({"prompt_tokens": tokens, "completion_tokens": 7, "total_tokens": tokens + 7});
    let object = |kind: &str, choices: Value, usage: Value| {
        json!({"id": format!("chatcmpl-{serial}"), "object": kind, "created": 0,
               "model": body["model"], "choices": choices, "usage": usage})
    };
    if body["stream"] != true {
        let choice = json!([{"index": 0, "message": message, "finish_reason": finish_reason}]);
        return HttpAnswer::json(200, &object("chat.completion", choice, usage));
    }
    let kind = "chat.completion.chunk";
    let delta = json!([{"index": 0, "delta": message, "finish_reason": null}]);
    let end = json!([{"index": 0, "delta": {}, "finish_reason": finish_reason}]);
    data_stream(&[
        object(kind, delta, Value::Null).to_string(),
        object(kind, end, Value::Null).to_string(),
        object(kind, json!([]), usage).to_string(),
        "[DONE]".to_owned(),
    ])
}
