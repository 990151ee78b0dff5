//! Tests that hooks run exactly once before and once after a call, for every caller (B1, B5).

use std::time::Duration;

use contract::{ErrorCode, Status};
use serde_json::json;
use toolcall::{BatchBounds, CallStatus, Caller, Implementation, ToolFailure};

use crate::fixture::{Fixture, action, counting, limits};

#[test]
fn b5_hooks_run_once_before_and_once_after_for_every_caller() {
    for caller in [Caller::Kernel, Caller::Command, Caller::Mcp, Caller::CodexRun] {
        let mut fixture = Fixture::new();
        fixture.caller = caller.clone();
        fixture.count_both();
        let outcome = fixture.call();
        assert_eq!(outcome.result.status, Status::Ok, "{caller:?}: {:?}", limits(&outcome));
        assert_eq!((fixture.counts(), fixture.ran()), ((1, 1), 1), "{caller:?}");
        assert_eq!(outcome.record.hooks.len(), 2, "{caller:?}");
    }
}

#[test]
fn b5_the_before_hook_of_a_tool_that_asks_the_user_runs_once() {
    let mut fixture = Fixture::new();
    let answer = Implementation::builtin(|_| Ok(toolcall::ToolOutput::default()));
    fixture.toolbox.put("askuser-ask_question", answer);
    let rules = json!([{"matcher": "askuser-*", "hooks": [action(&counting("before", "exit 0"))]}]);
    fixture.write(&fixture.user_file("beforeToolCall"), &rules.to_string());
    let outcome =
        fixture.call_with("askuser-ask_question", json!({"options": "[\"yes\", \"no\"]"}));
    assert_eq!((outcome.result.status, fixture.counts()), (Status::Ok, (1, 0)));
    assert_eq!(outcome.record.arguments["options"], json!(["yes", "no"]));
}

#[test]
fn b5_a_blocked_call_does_not_run_and_has_no_after_hook() {
    let fixture = Fixture::new();
    fixture.before(&counting("before", "echo not today >&2; exit 2"));
    fixture.after(&counting("after", "exit 0"));
    let outcome = fixture.call();
    assert_eq!((fixture.counts(), fixture.ran()), ((1, 0), 0));
    assert_eq!(outcome.record.status, CallStatus::Blocked);
    assert_eq!(outcome.result.status, Status::Skipped);
    assert_eq!(outcome.result.summary, "blocked");
    let message = outcome.result.error.as_ref().unwrap().message.clone();
    assert!(
        message.starts_with("blocked by a hook: ") && message.ends_with("not today"),
        "{message}"
    );
    assert!(limits(&outcome)[0].starts_with("ci_search: skipped, blocked by a hook: "));
}

#[test]
fn b5_a_refused_call_runs_no_hook() {
    let fixture = Fixture::new();
    fixture.count_both();
    assert_eq!(
        fixture.call_with("ci_search", json!({"limit": "x"})).result.status,
        Status::Skipped
    );
    assert_eq!(fixture.call_with("ci_impact", json!({})).result.status, Status::Skipped);
    assert_eq!(fixture.counts(), (0, 0));
}

#[test]
fn b5_the_after_hook_of_a_failed_call_gets_the_error() {
    let mut fixture = Fixture::new();
    fixture.after("cat > \"$NOTES/stdin\"");
    let fail = Implementation::builtin(|_| {
        Err(ToolFailure { code: ErrorCode::Unknown, message: "boom".into() })
    });
    fixture.toolbox.put("ci_search", fail);
    let outcome = fixture.call();
    assert_eq!(outcome.result.status, Status::Error);
    let stdin: serde_json::Value = serde_json::from_str(&fixture.note("stdin")).unwrap();
    assert_eq!(stdin["error"], json!({"name": "ToolError", "message": "boom"}));
    assert_eq!(stdin["result"], json!(null));
}

#[test]
fn b5_only_enabled_actions_of_matching_rules_run() {
    let fixture = Fixture::new();
    let rules = json!([
        {"matcher": "ci_s*", "hooks": [action(&counting("before", "exit 0"))]},
        {"matcher": "Bash", "hooks": [action(&counting("before", "exit 2"))]},
        {"hooks": [{"type": "command", "command": counting("before", "exit 2"), "enabled": "true"}]},
    ]);
    fixture.write(&fixture.user_file("beforeToolCall"), &rules.to_string());
    assert_eq!(fixture.call().result.status, Status::Ok);
    assert_eq!(fixture.counts().0, 1);
}

#[test]
fn b6_hooks_of_the_project_run_after_global_hooks() {
    let fixture = Fixture::new();
    let write = |path: std::path::PathBuf, word: &str| {
        let file = json!([{"hooks": [action(&format!("echo {word} >> \"$NOTES/order\""))]}]);
        fixture.write(&path.join("beforeToolCall.json"), &file.to_string());
    };
    let folders = fixture.folders();
    write(folders.home.unwrap().join(".snow/hooks"), "home-snow");
    write(folders.configuration.unwrap().join("hooks"), "user");
    write(fixture.root.join(".snow/hooks"), "project-snow");
    write(fixture.root.join(".adjutant/hooks"), "project");
    crate::trusted::trust(&fixture);
    fixture.call();
    assert_eq!(fixture.note("order"), "home-snow\nuser\nproject-snow\nproject\n");
}

#[test]
fn b1_a_batch_has_one_outcome_per_call_in_order_for_all_hook_results() {
    let fixture = Fixture::new();
    // The hook blocks the second of four calls and is killed during the third call.
    fixture.hook(
        "beforeToolCall",
        "seed",
        &[action("case $ADJUTANT_TOOL_ARGS_JSON in *two*) exit 2;; *three*) kill -9 $$;; esac")],
    );
    let calls: Vec<_> = ["one", "two", "three", "four"]
        .iter()
        .map(|query| fixture.tool_call("ci_search", json!({"query": query})))
        .collect();
    let bounds = BatchBounds { deadline: fixture.deadline(), max_concurrency: 2 };
    let outcomes = toolcall::call_all(&fixture.toolbox, &fixture.context(), &calls, bounds);
    let status: Vec<_> = outcomes.iter().map(|outcome| outcome.record.status.word()).collect();
    assert_eq!(status, ["ok", "blocked", "blocked", "ok"]);
    let queries: Vec<_> =
        outcomes.iter().map(|outcome| outcome.record.arguments["query"].clone()).collect();
    assert_eq!(queries, ["one", "two", "three", "four"]);
}

#[test]
fn b1_the_nesting_of_hooks_is_limited() {
    let mut fixture = Fixture::new();
    fixture.count_both();
    fixture.environment = fixture.environment.clone().with("ADJUTANT_HOOK_DEPTH", "3");
    assert_eq!(fixture.call().record.status, CallStatus::Blocked);
    assert_eq!(fixture.counts(), (0, 0));
}

#[test]
fn a23_the_time_of_hooks_counts_for_the_wall_budget() {
    // The time limit is doubled until the hook is started, because the machine may be busy.
    let run = (0..9).find_map(|doubled| {
        let mut fixture = Fixture::new();
        fixture.wall = Duration::from_millis(400 << doubled);
        fixture.before("sleep 600");
        let outcome = fixture.call();
        assert_eq!(fixture.ran(), 0);
        outcome.record.hooks.first().map(|hook| (outcome.record.status, hook.exit))
    });
    assert_eq!(run, Some((CallStatus::Blocked, -1)));
}
