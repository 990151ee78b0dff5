use super::*;
use serde_json::json;

#[test]
fn events_may_come_in_pieces_and_between_noise() {
    let mut lines = Lines::default();
    let bytes = b"{\"type\":\"turn.started\"}\r\nnoise {\n{\"no\":\"type\"}\n{\"type\":\"er";
    let mut said: Vec<Said> = bytes.chunks(5).flat_map(|chunk| lines.push(chunk)).collect();
    said.extend(lines.finish());
    assert_eq!(
        said,
        [
            Said::Event(json!({"type": "turn.started"})),
            Said::Text("noise {".to_owned()),
            Said::Text("{\"no\":\"type\"}".to_owned()),
            Said::Text("{\"type\":\"er".to_owned()),
        ]
    );
}

#[test]
fn c6_tokens_are_summed_over_turns() {
    let mut account = Account::default();
    for _ in 0..2 {
        account.take(&json!({"type": "turn.completed", "usage": {
            "input_tokens": 100, "cached_input_tokens": 40, "output_tokens": 7
        }}));
    }
    assert_eq!(account.usage, Some(Usage { input: 200, cached_input: 80, output: 14 }));
    assert_eq!(account.usage.unwrap().total(), 214);
}

#[test]
fn a_warning_is_no_failure_and_the_last_message_counts() {
    let mut account = Account::default();
    for event in [
        json!({"type": "thread.started", "thread_id": "t-1"}),
        json!({"type": "item.completed", "item": {"type": "error", "message": "no metadata"}}),
        json!({"type": "item.completed", "item": {"type": "agent_message", "text": "one"}}),
        json!({"type": "item.completed", "item": {"type": "agent_message", "text": "two"}}),
    ] {
        account.take(&event);
    }
    assert_eq!(account.failure, None);
    assert_eq!(account.last_message.as_deref(), Some("two"));
    assert_eq!(account.thread_id.as_deref(), Some("t-1"));
}
