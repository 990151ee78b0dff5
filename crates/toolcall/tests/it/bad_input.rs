//! Tests with malicious and invalid hooks and arguments: no call hangs, leaves a process running or loses its result.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use contract::{ClientName, ErrorCode, Status};
use serde_json::json;
use testkit::{eventually, is_running};
use toolcall::{CallOutcome, CallStatus};

use crate::fixture::{Fixture, action, limits};

/// Runs a hook that hangs after it has written a file. Doubles the time limit until the hook has written the file.
fn hanging(kind: &str, command: &str, note: &str) -> (Fixture, CallOutcome) {
    let mut tries = (0..9).map(|doubled| {
        let fixture = Fixture::new();
        let hook = json!({"type": "command", "command": command, "enabled": true, "timeout": 400 << doubled});
        fixture.hook(kind, "seed", &[hook]);
        let outcome = fixture.call();
        (fixture, outcome)
    });
    tries.find(|(fixture, _)| !fixture.note(note).trim().is_empty()).expect("the hook never ran")
}

/// Asserts that a process ends soon after it was killed.
#[track_caller]
fn assert_ends(pid: &str) {
    assert!(!pid.trim().is_empty(), "the hook never ran");
    eventually(&format!("process {pid} has ended"), || !is_running(pid));
}

#[test]
fn b3_a_hook_that_hangs_fails_and_its_children_are_killed() {
    let command =
        "sleep 600 & echo $! > \"$NOTES/child\"; echo $$ > \"$NOTES/self\"; trap '' TERM; wait";
    let (fixture, outcome) = hanging("beforeToolCall", command, "self");
    assert_eq!((outcome.record.status, outcome.record.hooks[0].exit), (CallStatus::Blocked, -1));
    assert!(limits(&outcome)[0].contains("no answer in "), "{:?}", limits(&outcome));
    assert_ends(&fixture.note("child"));
    assert_ends(&fixture.note("self"));
}

#[test]
fn b3_processes_that_left_the_group_of_a_hanging_hook_are_killed() {
    let command = "setsid sh -c 'echo $$ > \"$NOTES/child\"; exec sleep 600' & wait; sleep 600";
    let (fixture, outcome) = hanging("beforeToolCall", command, "child");
    assert_eq!(outcome.record.hooks[0].exit, -1);
    assert_ends(&fixture.note("child"));
}

#[test]
fn b3_an_after_hook_that_hangs_does_not_change_the_result() {
    let command = "sleep 600 & echo $! > \"$NOTES/child\"; wait";
    let (fixture, outcome) = hanging("afterToolCall", command, "child");
    assert_eq!((outcome.result.status, outcome.result.summary.as_str()), (Status::Ok, "found"));
    assert!(limits(&outcome)[0].contains("hook failed, "), "{:?}", limits(&outcome));
    assert_ends(&fixture.note("child"));
}

#[test]
fn a_hook_that_forks_and_exits_leaves_no_process() {
    let fixture = Fixture::new();
    fixture.before("(sleep 600 & echo $! > \"$NOTES/child\"); exit 0");
    assert_eq!(fixture.call().result.status, Status::Ok);
    assert_ends(&fixture.note("child"));
}

#[test]
fn b3_a_hundred_megabytes_of_output_are_cut() {
    let fixture = Fixture::new();
    fixture.before("head -c 100000000 /dev/zero | tr '\\0' x; exit 1");
    let outcome = fixture.call();
    assert_eq!(outcome.result.status, Status::Ok, "{:?}", limits(&outcome));
    let run = &outcome.record.hooks[0];
    assert_eq!((run.exit, run.cut), (1, true));
    assert!(limits(&outcome)[0].len() < 3000);
}

#[test]
fn a_hook_may_close_stdin_without_reading() {
    let mut fixture = Fixture::new();
    fixture.caller = toolcall::Caller::Client(ClientName::CLAUDE_CODE);
    fixture.before("exec 0<&-; exit 0");
    let call = fixture.tool_call("Write", json!({"content": "x".repeat(5_000_000)}));
    let answer = toolcall::before_client_call(&fixture.context(), &call, fixture.deadline());
    assert_eq!(answer.verdict.decision, contract::ToolDecision::Go, "{answer:?}");
}

#[test]
fn b3_invalid_json_is_not_a_decision() {
    let fixture = Fixture::new();
    fixture.hook("beforeToolCall", "claude", &[action("echo '{\"hookSpecificOutput\": '")]);
    let outcome = fixture.call();
    assert_eq!(outcome.record.status, CallStatus::Blocked);
    assert!(limits(&outcome)[0].contains("its output is not a decision"), "{:?}", limits(&outcome));
    let fixture = Fixture::new();
    fixture.hook("beforeToolCall", "claude", &[action("printf 'plain \\377 words'")]);
    assert_eq!(fixture.call().result.status, Status::Ok);
}

#[test]
fn b3_a_program_that_is_missing_or_not_executable_is_a_failure() {
    let fixture = Fixture::new();
    let script = fixture.root.join("script");
    fs::write(&script, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o644)).unwrap();
    for run in [
        json!({"argv": ["/no/such/program"], "enabled": true}),
        json!({"argv": ["no-such-program-anywhere"], "enabled": true}),
        json!({"argv": ["./script"], "enabled": true}),
        json!({"command": "/no/such/program", "enabled": true}),
        json!({"command": "./script", "enabled": true}),
    ] {
        fixture.hook("beforeToolCall", "seed", std::slice::from_ref(&run));
        assert_eq!(fixture.call().record.status, CallStatus::Blocked, "{run}");
    }
}

#[test]
fn a_change_of_a_hook_file_applies_to_the_next_call() {
    let fixture = Fixture::new();
    let file = fixture.user_file("beforeToolCall");
    fixture.before(&format!("echo '[' > '{}'; exit 0", file.display()));
    assert_eq!(fixture.call().result.status, Status::Ok);
    assert_eq!(fixture.call().record.status, CallStatus::Blocked);
    assert_eq!(fixture.ran(), 1);
}

#[test]
fn b5_nothing_a_model_wrote_is_read_by_a_shell() {
    let fixture = Fixture::new();
    let planted = fixture.root.join("planted");
    fixture.before("true $TOOLSRESULT$; true \"$TOOLSRESULT$\" \"$ADJUTANT_TOOL_ARGS_JSON\" $ADJUTANT_TOOL_NAME");
    for attack in
        ["$(touch planted)", "`touch planted`", "\"; touch planted; \"", "'; touch planted; '"]
    {
        assert_eq!(fixture.call_with("free", json!({"files": attack})).result.status, Status::Ok);
        assert!(!planted.exists(), "{attack}");
    }
    fixture.before("printf %s \"$TOOLSRESULT$\" > \"$NOTES/context\"");
    fixture.call();
    assert!(
        fixture.note("context").contains("\"toolName\":\"ci_search\""),
        "{}",
        fixture.note("context")
    );
}

#[test]
fn b5_a_program_gets_its_arguments_unchanged() {
    let fixture = Fixture::new();
    let argv = json!({"argv": ["/bin/sh", "-c", "printf '%s|' \"$@\" > \"$NOTES/argv\"", "x", "$HOME", "a b;c"], "enabled": true});
    fixture.hook("beforeToolCall", "seed", &[argv]);
    fixture.call();
    assert_eq!(fixture.note("argv"), "$HOME|a b;c|");
}

#[test]
fn b5_a_hook_gets_only_the_secret_variables_that_it_names() {
    let fixture = Fixture::new();
    fixture.before("printf '%s' \"[$API_KEY]\" > \"$NOTES/key\"");
    fixture.call();
    assert_eq!(fixture.note("key"), "[]");
    let named = json!({"command": "printf '%s' \"[$API_KEY]\" > \"$NOTES/key\"", "enabled": true, "env": ["API_KEY", "NOT_SET"]});
    fixture.hook("beforeToolCall", "seed", &[named]);
    fixture.call();
    assert_eq!(fixture.note("key"), "[hunter2]");
}

#[test]
fn invalid_arguments_give_an_outcome() {
    let fixture = Fixture::new();
    fixture.count_both();
    let large = fixture.call_with("free", json!({"text": "x".repeat(5_000_000)}));
    assert_eq!(large.result.error.unwrap().code, Some(ErrorCode::InvalidArgs));
    let mut deep = json!("end");
    for _ in 0..100 {
        deep = json!([deep]);
    }
    assert_eq!(fixture.call_with("free", json!({"options": deep})).result.status, Status::Ok);
    let odd = json!({"nul": "a\0b", "\0": 1, "half": "\u{fffd}", "empty": "", "long": "y".repeat(300_000)});
    assert_eq!(fixture.call_with("free", odd).result.status, Status::Ok);
    assert_eq!(fixture.counts(), (2, 2));
    assert_eq!(fixture.ran(), 2);
}
