use proptest::prelude::*;
use serde_json::json;

use super::*;

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

/// A number larger than any bill.
#[test]
fn c6_tokens_beyond_all_measure_are_no_end_of_the_run() {
    let mut account = Account::default();
    for _ in 0..2 {
        account.take(&json!({"type": "turn.completed", "usage": {
            "input_tokens": u64::MAX, "cached_input_tokens": u64::MAX, "output_tokens": 1
        }}));
    }
    assert_eq!(account.usage.map(Usage::total), Some(u64::MAX));
}

/// Events as codex writes them, with anything in the place of what we read.
fn event() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "thread.started",
        "turn.completed",
        "turn.failed",
        "error",
        "item.started",
        "item.updated",
        "item.completed",
        "agent_message",
        "command_execution",
        "reasoning",
        "file_change",
        "mcp_tool_call",
        "web_search",
        "todo_list",
        "failed",
        "completed",
        "in_progress",
        "登录\u{202e}\0",
    ]);
    let leaf = prop_oneof![
        word.prop_map(Value::from),
        "(?s:.){0,20}".prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ];
    let key = prop::sample::select(vec![
        "type",
        "thread_id",
        "usage",
        "input_tokens",
        "cached_input_tokens",
        "output_tokens",
        "error",
        "message",
        "item",
        "text",
        "status",
        "command",
        "exit_code",
        "aggregated_output",
        "changes",
        "path",
        "kind",
        "server",
        "tool",
        "items",
        "query",
        "completed",
    ]);
    leaf.prop_recursive(3, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key.clone(), inner, 0..8).prop_map(|map| map
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect()),
        ]
    })
}

proptest! {
    #[test]
    fn no_event_breaks_a_reader(events in prop::collection::vec(event(), 0..6)) {
        let mut account = Account::default();
        for event in &events {
            account.take(event);
            for_a_person(event);
            crate::progress::progress(event);
        }
        prop_assert_eq!(account.n_events, events.len() as u64);
    }

    #[test]
    fn bytes_say_the_same_in_whatever_pieces_they_come(
        pieces in prop::collection::vec(prop_oneof![
            Just(b"\n".to_vec()),
            Just(b"\r\n".to_vec()),
            Just(b"{\"type\":\"turn.started\"}".to_vec()),
            Just("{\"type\":\"登录\"".as_bytes().to_vec()),
            prop::collection::vec(any::<u8>(), 0..9),
        ], 0..20),
        size in 1..40_usize,
    ) {
        let bytes = pieces.concat();
        let heard = |size: usize| {
            let mut lines = Lines::default();
            let mut said: Vec<Said> = bytes.chunks(size).flat_map(|chunk| lines.push(chunk)).collect();
            said.extend(lines.finish());
            said
        };
        prop_assert_eq!(heard(size), heard(bytes.len().max(1)));
    }
}
