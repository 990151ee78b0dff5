//! The user's hooks around the tools of a briefing.

use std::fs;

use contract::{ExitCode, Status};
use serde_json::json;

use crate::fixture::{Fixture, expect_limit, fixture, result};

const PROMPT: &str = "where is enforce_retry_budget_zebra used?";

fn with_hook(kind: &str, command: &str) -> Fixture {
    let fixture = fixture();
    let action = json!({"type": "command", "command": command, "enabled": true, "timeout": 60000});
    let rules = json!([{"matcher": "*", "hooks": [action]}]).to_string();
    write(&fixture, kind, &rules);
    fixture
}

fn write(fixture: &Fixture, kind: &str, text: &str) {
    let folder = fixture.configuration().join("hooks");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{kind}.json")), text).unwrap();
}

#[test]
fn b3_a_blocked_tool_is_skipped_and_the_briefing_continues() {
    let script = "case $ADJUTANT_TOOL_NAME in ci_search) echo not this one >&2; exit 2;; esac";
    let briefed = with_hook("beforeToolCall", script).brief(PROMPT);
    assert_eq!(briefed.exit, ExitCode::Success);
    assert_eq!(result(&briefed, "ci_search"), (Status::Skipped, None));
    expect_limit(&briefed, "ci_search: skipped, blocked by a hook: ");
    expect_limit(&briefed, "not this one");
    assert_eq!(result(&briefed, "ci_index_status").0, Status::Ok);
}

#[test]
fn b6_an_unreadable_hook_file_blocks_tools_but_not_the_prompt() {
    let fixture = fixture();
    write(&fixture, "beforeToolCall", "[\n  {\"hooks\": }\n]");
    let briefed = fixture.brief(PROMPT);
    let outcome = (briefed.exit, result(&briefed, "ci_search").0);
    assert_eq!(outcome, (ExitCode::Success, Status::Skipped));
    expect_limit(&briefed, "a hook file cannot be used: ");
    expect_limit(&briefed, "hooks/beforeToolCall.json:2: expected value");
}

#[test]
fn a32_a_plan_fires_no_hook() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("fired");
    let touch = format!("touch '{}'", note.display());
    with_hook("beforeToolCall", &touch).plan().brief(PROMPT);
    assert!(!note.exists());
    with_hook("beforeToolCall", &touch).brief(PROMPT);
    assert!(note.exists());
}
