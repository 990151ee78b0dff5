//! How often hooks fire: once before and once after a call that runs, whoever makes it (B1, B5).

use std::time::Duration;

use contract::{ErrorCode, Status};
use serde_json::json;
use toolcall::{BatchBounds, CallStatus, Caller, Failure, Implementation};

use crate::stage::{Stage, action, counting, limits};

#[test]
fn b5_a_call_fires_once_before_and_once_after_on_every_path() {
    for caller in [Caller::Kernel, Caller::Command, Caller::Mcp, Caller::CodexRun] {
        let mut stage = Stage::new();
        stage.caller = caller;
        stage.count_both();
        let outcome = stage.call();
        assert_eq!(outcome.result.status, Status::Ok, "{caller:?}: {:?}", limits(&outcome));
        assert_eq!((stage.counts(), stage.ran()), ((1, 1), 1), "{caller:?}");
        assert_eq!(outcome.record.hooks.len(), 2, "{caller:?}");
    }
}

#[test]
fn b5_a_tool_that_asks_the_user_has_its_before_fired_once() {
    let mut stage = Stage::new();
    let answer = Implementation::builtin(|_| Ok(toolcall::Answer::default()));
    stage.toolbox.put("askuser-ask_question", answer);
    let rules = json!([{"matcher": "askuser-*", "hooks": [action(&counting("before", "exit 0"))]}]);
    stage.write(&stage.user_file("beforeToolCall"), &rules.to_string());
    let outcome = stage.call_with("askuser-ask_question", json!({"options": "[\"yes\", \"no\"]"}));
    assert_eq!((outcome.result.status, stage.counts()), (Status::Ok, (1, 0)));
    assert_eq!(outcome.record.arguments["options"], json!(["yes", "no"]));
}

#[test]
fn b5_a_blocked_call_never_runs_and_has_no_after() {
    let stage = Stage::new();
    stage.before(&counting("before", "echo not today >&2; exit 2"));
    stage.after(&counting("after", "exit 0"));
    let outcome = stage.call();
    assert_eq!((stage.counts(), stage.ran()), ((1, 0), 0));
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
fn b5_a_call_that_is_not_admitted_fires_nothing() {
    let stage = Stage::new();
    stage.count_both();
    assert_eq!(stage.call_with("ci_search", json!({"limit": "x"})).result.status, Status::Skipped);
    assert_eq!(stage.call_with("ci_impact", json!({})).result.status, Status::Skipped);
    assert_eq!(stage.counts(), (0, 0));
}

#[test]
fn b5_a_call_that_fails_has_an_after_that_is_told_why() {
    let mut stage = Stage::new();
    stage.after("cat > \"$NOTES/stdin\"");
    let fail = Implementation::builtin(|_| {
        Err(Failure { code: ErrorCode::Unknown, message: "boom".into() })
    });
    stage.toolbox.put("ci_search", fail);
    let outcome = stage.call();
    assert_eq!(outcome.result.status, Status::Error);
    let stdin: serde_json::Value = serde_json::from_str(&stage.note("stdin")).unwrap();
    assert_eq!(stdin["error"], json!({"name": "ToolError", "message": "boom"}));
    assert_eq!(stdin["result"], json!(null));
}

#[test]
fn b5_only_matching_rules_and_enabled_actions_fire() {
    let stage = Stage::new();
    let rules = json!([
        {"matcher": "ci_s*", "hooks": [action(&counting("before", "exit 0"))]},
        {"matcher": "Bash", "hooks": [action(&counting("before", "exit 2"))]},
        {"hooks": [{"type": "command", "command": counting("before", "exit 2"), "enabled": "true"}]},
    ]);
    stage.write(&stage.user_file("beforeToolCall"), &rules.to_string());
    assert_eq!(stage.call().result.status, Status::Ok);
    assert_eq!(stage.counts().0, 1);
}

#[test]
fn b6_global_and_project_hooks_both_run_the_project_last() {
    let stage = Stage::new();
    let write = |path: std::path::PathBuf, word: &str| {
        let file = json!([{"hooks": [action(&format!("echo {word} >> \"$NOTES/order\""))]}]);
        stage.write(&path.join("beforeToolCall.json"), &file.to_string());
    };
    let folders = stage.folders();
    write(folders.home.unwrap().join(".snow/hooks"), "home-snow");
    write(folders.configuration.unwrap().join("hooks"), "user");
    write(stage.root.join(".snow/hooks"), "project-snow");
    write(stage.root.join(".adjutant/hooks"), "project");
    crate::trusted::trust(&stage);
    stage.call();
    assert_eq!(stage.note("order"), "home-snow\nuser\nproject-snow\nproject\n");
}

#[test]
fn b1_a_batch_has_one_outcome_per_call_in_order_whatever_hooks_do() {
    let stage = Stage::new();
    // The second of four calls is blocked, the third one's hook is killed.
    stage.hook(
        "beforeToolCall",
        "seed",
        &[action("case $ADJUTANT_TOOL_ARGS_JSON in *two*) exit 2;; *three*) kill -9 $$;; esac")],
    );
    let calls: Vec<_> = ["one", "two", "three", "four"]
        .iter()
        .map(|query| stage.tool_call("ci_search", json!({"query": query})))
        .collect();
    let bounds = BatchBounds { deadline: stage.deadline(), max_concurrency: 2 };
    let outcomes = toolcall::call_all(&stage.toolbox, &stage.context(), &calls, bounds);
    let status: Vec<_> = outcomes.iter().map(|outcome| outcome.record.status.word()).collect();
    assert_eq!(status, ["ok", "blocked", "blocked", "ok"]);
    let queries: Vec<_> =
        outcomes.iter().map(|outcome| outcome.record.arguments["query"].clone()).collect();
    assert_eq!(queries, ["one", "two", "three", "four"]);
}

#[test]
fn b1_hooks_that_call_tools_come_to_an_end() {
    let mut stage = Stage::new();
    stage.count_both();
    stage.environment = stage.environment.clone().with("ADJUTANT_HOOK_DEPTH", "3");
    assert_eq!(stage.call().record.status, CallStatus::Blocked);
    assert_eq!(stage.counts(), (0, 0));
}

#[test]
fn a23_hooks_spend_the_wall_budget_of_the_call() {
    // A busy machine gets more time until the hook is started at all.
    let run = (0..9).find_map(|doubled| {
        let mut stage = Stage::new();
        stage.wall = Duration::from_millis(400 << doubled);
        stage.before("sleep 600");
        let outcome = stage.call();
        assert_eq!(stage.ran(), 0);
        outcome.record.hooks.first().map(|hook| (outcome.record.status, hook.exit))
    });
    assert_eq!(run, Some((CallStatus::Blocked, -1)));
}
