//! Answers in the format of the Gemini API, streamed or complete.

use serde_json::{Value, json};

use super::http::HttpAnswer;
use super::{ScriptedAnswer, data_stream, token_estimate};

pub(super) fn answer(path: &str, body: &Value, said: &ScriptedAnswer, serial: usize) -> HttpAnswer {
    let part = match said {
        ScriptedAnswer::Text(text) => json!({"text": text}),
        ScriptedAnswer::ToolCall { name, input } => {
            json!({"functionCall": {"name": name, "args": input}})
        }
        ScriptedAnswer::Status(_) | ScriptedAnswer::UsageLimit { .. } => {
            let status = said.status();
            let error = json!({"code": status, "message": "scripted failure", "status": "UNKNOWN"});
            return HttpAnswer::json(status, &json!({"error": error}));
        }
    };
    let tokens = token_estimate(body);
    let response = json!({
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": tokens, "candidatesTokenCount": 7, "totalTokenCount": tokens + 7},
        "modelVersion": "loopback", "responseId": format!("response_{serial}"),
    });
    if path.contains(":streamGenerateContent") {
        data_stream(&[response.to_string()])
    } else {
        HttpAnswer::json(200, &response)
    }
}
