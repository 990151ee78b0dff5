use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::agents::claude::events::ClaudeEvent;
use crate::agents::codex::events::CodexEvent;

fn event(event: &Value) -> CodexEvent {
    CodexEvent::parse(&event.to_string()).unwrap()
}

fn read<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> (OutputReader, Vec<String>) {
    let mut reader = OutputReader::default();
    let mut lines = Vec::new();
    let mut add = |line: OutputLine<'_, CodexEvent>| {
        lines.push(match line {
            OutputLine::Event { json, .. } => format!("event {json}"),
            OutputLine::Text(text) => text.to_owned(),
        });
    };
    pieces.for_each(|piece| reader.read(OutputEvent::Stdout(piece), &mut add));
    reader.finish(&mut add);
    (reader, lines)
}

#[test]
fn events_can_arrive_in_pieces_and_between_other_lines() {
    let bytes = b"{\"type\":\"turn.started\"}\r\nnoise {\n{\"no\":\"type\"}\n{\"type\":\"er";
    let (reader, lines) = read(bytes.chunks(5));
    assert_eq!(
        lines,
        ["event {\"type\":\"turn.started\"}", "noise {", "{\"no\":\"type\"}", "{\"type\":\"er"]
    );
    assert_eq!(reader.text, "noise {\n{\"no\":\"type\"}\n{\"type\":\"er\n");
}

#[test]
fn c6_tokens_are_summed_over_turns() {
    let mut account = Account::default();
    for _ in 0..2 {
        event(&json!({"type": "turn.completed", "usage": {
            "input_tokens": 100, "cached_input_tokens": 40, "output_tokens": 7
        }}))
        .add_to(&mut account);
    }
    assert_eq!(account.usage, Some(Usage { input: 200, cached_input: 80, output: 14 }));
    assert_eq!(account.usage.unwrap().total(), 214);
}

#[test]
fn a_warning_is_not_a_failure_and_the_last_message_is_kept() {
    let mut account = Account::default();
    for json in [
        json!({"type": "thread.started", "thread_id": "t-1"}),
        json!({"type": "item.completed", "item": {"type": "error", "message": "no metadata"}}),
        json!({"type": "item.completed", "item": {"type": "agent_message", "text": "one"}}),
        json!({"type": "item.completed", "item": {"type": "agent_message", "text": "two"}}),
    ] {
        event(&json).add_to(&mut account);
    }
    assert_eq!(account.failure, None);
    assert_eq!(account.last_message.as_deref(), Some("two"));
    assert_eq!(account.thread_id.as_deref(), Some("t-1"));
}

#[test]
fn c6_token_counts_do_not_overflow() {
    let mut account = Account::default();
    for _ in 0..2 {
        event(&json!({"type": "turn.completed", "usage": {
            "input_tokens": u64::MAX, "cached_input_tokens": u64::MAX, "output_tokens": 1
        }}))
        .add_to(&mut account);
    }
    assert_eq!(account.usage.map(Usage::total), Some(u64::MAX));
}

/// Generates events with random values in the fields that are read.
fn random_event() -> impl Strategy<Value = Value> {
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
    fn every_object_with_a_type_is_an_event(json in random_event()) {
        let event = CodexEvent::parse(&json.to_string());
        prop_assert_eq!(event.is_some(), json["type"].is_string());
        let line = format!("{json}\n");
        let n_events = u64::from(event.is_some());
        prop_assert_eq!(read(std::iter::once(line.as_bytes())).0.account.n_events, n_events);
        let Some(event) = event else { return Ok(()) };
        event.log_line();
        crate::progress::progress(&event);
    }

    #[test]
    fn every_object_with_a_type_is_an_event_of_claude_code(json in random_event()) {
        let event = ClaudeEvent::parse(&json.to_string());
        prop_assert_eq!(event.is_some(), json["type"].is_string());
        let Some(event) = event else { return Ok(()) };
        event.add_to(&mut Account::default());
        event.log_line();
    }

    #[test]
    fn the_result_does_not_depend_on_the_pieces(
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
        prop_assert_eq!(read(bytes.chunks(size)).1, read(bytes.chunks(bytes.len().max(1))).1);
    }
}
