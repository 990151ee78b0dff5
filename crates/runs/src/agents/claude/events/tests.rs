use serde_json::json;

use super::*;

fn account(events: &[Value]) -> Account {
    let mut account = Account::default();
    for event in events {
        ClaudeEvent::parse(&event.to_string()).unwrap().add_to(&mut account);
    }
    account
}

fn message(id: &str, block: &Value) -> Value {
    json!({"type": "assistant", "parent_tool_use_id": null, "message": {"id": id, "content": [block],
        "usage": {"input_tokens": 1000, "cache_creation_input_tokens": 10, "cache_read_input_tokens": 20, "output_tokens": 1}}})
}

/// Events printed by Claude Code 2.1.325, without the fields that this program does not read.
#[test]
fn c10_a_run_is_summarised() {
    let found = account(&[
        json!({"type": "system", "subtype": "init", "session_id": "52fa1333-3c05-4286-b41b-a9f76781929e", "tools": ["Read"]}),
        message("msg_1", &json!({"type": "text", "text": "I look."})),
        message(
            "msg_1",
            &json!({"type": "tool_use", "id": "toolu_1", "name": "Glob", "input": {"pattern": "*"}}),
        ),
        json!({"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "a.txt"}]}}),
        message("msg_2", &json!({"type": "text", "text": "Hello."})),
    ]);
    assert_eq!(found.thread_id.as_deref(), Some("52fa1333-3c05-4286-b41b-a9f76781929e"));
    assert_eq!((found.n_turns, found.last_message.as_deref()), (2, Some("Hello.")));
    assert_eq!(found.usage, Some(Usage { input: 2060, cached_input: 40, output: 2 }));
}

#[test]
fn c10_the_result_has_the_final_counts_and_the_cost_of_this_process() {
    let found = account(&[
        message("msg_1", &json!({"type": "text", "text": "second"})),
        json!({"type": "result", "subtype": "success", "is_error": false, "result": "second", "total_cost_usd": 0.008388,
            "usage": {"input_tokens": 1000, "cache_creation_input_tokens": 10, "cache_read_input_tokens": 20, "output_tokens": 7},
            "model_usage_since_last_result": {"claude-opus-5-5": {"inputTokens": 1000, "outputTokens": 7,
                "cacheReadInputTokens": 20, "cacheCreationInputTokens": 10, "costUSD": 0.004194}}}),
    ]);
    assert_eq!(found.usage, Some(Usage { input: 1030, cached_input: 20, output: 7 }));
    assert_eq!(found.cost, Some("0.004194".parse().unwrap()));
    assert_eq!(found.failure, None);
}

#[test]
fn c10_a_usage_limit_has_its_time() {
    let found = account(&[
        json!({"type": "rate_limit_event", "rate_limit_info": {"status": "rejected", "resetsAt": 1_794_840_066, "rateLimitType": "five_hour"}}),
        json!({"type": "assistant", "is_api_error_message": true, "parent_tool_use_id": null,
            "message": {"id": "x", "content": [{"type": "text", "text": "You've hit your 5-hour limit · resets 2:41pm (UTC)"}]}}),
        json!({"type": "result", "subtype": "success", "is_error": true, "result": "You've hit your 5-hour limit · resets 2:41pm (UTC)"}),
    ]);
    assert_eq!(found.limit_resets_at, Some("2026-11-16T14:41:06Z".parse().unwrap()));
    assert!(found.failure.unwrap().contains("5-hour limit"));
    assert_eq!(
        (found.n_turns, found.last_message),
        (0, None),
        "the model did not write the message"
    );
}

#[test]
fn c10_other_lines_are_ignored() {
    assert_eq!(ClaudeEvent::parse("Error: x"), None);
    assert_eq!(ClaudeEvent::parse("{\"no\":\"type\"}"), None);
    let unknown = ClaudeEvent::parse("{\"type\":\"assistant\",\"message\":7}").unwrap();
    assert_eq!(unknown, ClaudeEvent::Unknown { kind: "assistant".to_owned() });
    let failed = json!({"type": "result", "is_error": true, "errors": ["Sandbox required but unavailable"], "subtype": "error_during_execution"});
    assert_eq!(account(&[failed]).failure.unwrap(), "Sandbox required but unavailable");
}
