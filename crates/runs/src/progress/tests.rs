use super::*;
use crate::agents::AgentEvent;
use serde_json::{Value, json};

#[track_caller]
fn check(event: Value, expected: Option<&str>) {
    let shown = match CodexEvent::parse(&event.to_string()).as_ref().and_then(progress) {
        None => None,
        Some(Progress::Line(line)) => Some(line),
        other => panic!("{other:?}"),
    };
    assert_eq!(shown.as_deref(), expected);
}

fn item(moment: &str, item: Value) -> Value {
    json!({"type": format!("item.{moment}"), "item": item})
}

#[test]
fn commands_are_shown_without_the_shell_around_them() {
    let command =
        |command: &str| item("started", json!({"type": "command_execution", "command": command}));
    check(command("/bin/bash -lc 'rg -n foo src'"), Some("$ rg -n foo src"));
    check(command("bash -lc \"ls\""), Some("$ ls"));
    check(command("cargo -c x"), Some("$ cargo -c x"));
    check(command("bash -lc 'one\ntwo'"), Some("$ one…"));
    check(command("echo \u{1b}[31mred"), Some("$ echo [31mred"));
}

#[test]
fn only_failed_commands_have_a_second_line() {
    let ended =
        |code: i64| item("completed", json!({"type": "command_execution", "exit_code": code}));
    check(ended(0), None);
    check(ended(3), Some("  exit code 3"));
}

#[test]
fn sub_agents_and_tool_calls_are_named() {
    let agent =
        json!({"type": "collab_tool_call", "tool": "spawn_agent", "prompt": "look\naround"});
    check(item("started", agent), Some("spawn agent: look…"));
    let tool = |status: &str| json!({"type": "mcp_tool_call", "server": "ci", "tool": "search", "status": status});
    check(item("started", tool("in_progress")), Some("asks ci.search"));
    check(item("completed", tool("completed")), None);
    check(item("completed", tool("failed")), Some("  ci.search failed"));
    check(
        json!({"type": "error", "message": "Reconnecting... 1/5"}),
        Some("codex: Reconnecting... 1/5"),
    );
}

#[test]
fn a_line_is_short() {
    let change = json!({"type": "file_change", "changes": [{"path": "a".repeat(300)}]});
    let Some(Progress::Line(line)) =
        progress(&CodexEvent::parse(&item("completed", change).to_string()).unwrap())
    else {
        panic!()
    };
    assert_eq!(line.chars().count(), MAX_CHARACTERS + 1);
    assert!(line.ends_with('…'));
}

#[test]
fn other_events_are_not_shown() {
    check(json!({"type": "turn.started"}), None);
    check(json!({"type": "turn.completed"}), None);
    check(item("completed", json!({"type": "reasoning", "text": "hm"})), None);
    check(json!({"no": "type"}), None);
}
