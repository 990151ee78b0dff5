//! Hooks and arguments that mean harm or are broken: nothing hangs, leaks a process or loses a result.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use contract::{ErrorCode, Status};
use serde_json::json;
use testkit::{eventually, is_running};
use toolcall::{CallStatus, Outcome};

use crate::stage::{Stage, action, limits};

/// A hook that hangs after it has written a note, and how it ended. A busy machine gets more time until it comes so far.
fn hanging(kind: &str, command: &str, note: &str) -> (Stage, Outcome) {
    let mut tries = (0..9).map(|doubled| {
        let stage = Stage::new();
        let hook = json!({"type": "command", "command": command, "enabled": true, "timeout": 400 << doubled});
        stage.hook(kind, "seed", &[hook]);
        let outcome = stage.call();
        (stage, outcome)
    });
    tries.find(|(stage, _)| !stage.note(note).trim().is_empty()).expect("the hook never ran")
}

/// The signal is sent; how soon it is obeyed is up to the machine.
#[track_caller]
fn assert_ends(pid: &str) {
    assert!(!pid.trim().is_empty(), "the hook never ran");
    eventually(&format!("process {pid} is gone"), || !is_running(pid));
}

#[test]
fn b3_a_hook_that_hangs_is_a_failure_and_dies_with_its_children() {
    let command =
        "sleep 600 & echo $! > \"$NOTES/child\"; echo $$ > \"$NOTES/self\"; trap '' TERM; wait";
    let (stage, outcome) = hanging("beforeToolCall", command, "self");
    assert_eq!((outcome.record.status, outcome.record.hooks[0].exit), (CallStatus::Blocked, -1));
    assert!(limits(&outcome)[0].contains("no answer in "), "{:?}", limits(&outcome));
    assert_ends(&stage.note("child"));
    assert_ends(&stage.note("self"));
}

#[test]
fn b3_a_hook_that_hangs_dies_with_those_who_left_its_group() {
    let command = "setsid sh -c 'echo $$ > \"$NOTES/child\"; exec sleep 600' & wait; sleep 600";
    let (stage, outcome) = hanging("beforeToolCall", command, "child");
    assert_eq!(outcome.record.hooks[0].exit, -1);
    assert_ends(&stage.note("child"));
}

#[test]
fn b3_a_hook_that_hangs_after_a_call_costs_no_result() {
    let command = "sleep 600 & echo $! > \"$NOTES/child\"; wait";
    let (stage, outcome) = hanging("afterToolCall", command, "child");
    assert_eq!((outcome.result.status, outcome.result.summary.as_str()), (Status::Ok, "found"));
    assert!(limits(&outcome)[0].contains("hook failed, "), "{:?}", limits(&outcome));
    assert_ends(&stage.note("child"));
}

#[test]
fn a_hook_that_forks_and_exits_leaves_nobody_behind() {
    let stage = Stage::new();
    stage.before("(sleep 600 & echo $! > \"$NOTES/child\"); exit 0");
    assert_eq!(stage.call().result.status, Status::Ok);
    assert_ends(&stage.note("child"));
}

#[test]
fn b3_a_hundred_megabytes_are_cut_and_not_fatal() {
    let stage = Stage::new();
    stage.before("head -c 100000000 /dev/zero | tr '\\0' x; exit 1");
    let outcome = stage.call();
    assert_eq!(outcome.result.status, Status::Ok, "{:?}", limits(&outcome));
    let run = &outcome.record.hooks[0];
    assert_eq!((run.exit, run.cut), (1, true));
    assert!(limits(&outcome)[0].len() < 3000);
}

#[test]
fn a_hook_that_closes_stdin_at_once_is_fine() {
    let mut stage = Stage::new();
    stage.caller = toolcall::Caller::ClaudeCode;
    stage.before("exec 0<&-; exit 0");
    let call = stage.tool_call("Write", json!({"content": "x".repeat(5_000_000)}));
    let answer = toolcall::before_client_call(&stage.context(), &call, stage.deadline());
    assert_eq!(answer.verdict, toolcall::Verdict::Go, "{answer:?}");
}

#[test]
fn b3_invalid_json_is_no_decision() {
    let stage = Stage::new();
    stage.hook("beforeToolCall", "claude", &[action("echo '{\"hookSpecificOutput\": '")]);
    let outcome = stage.call();
    assert_eq!(outcome.record.status, CallStatus::Blocked);
    assert!(limits(&outcome)[0].contains("its output is not a decision"), "{:?}", limits(&outcome));
    let stage = Stage::new();
    stage.hook("beforeToolCall", "claude", &[action("printf 'plain \\377 words'")]);
    assert_eq!(stage.call().result.status, Status::Ok);
}

#[test]
fn b3_a_program_that_is_missing_or_not_executable_is_a_failure() {
    let stage = Stage::new();
    let script = stage.root.join("script");
    fs::write(&script, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o644)).unwrap();
    for run in [
        json!({"argv": ["/no/such/program"], "enabled": true}),
        json!({"argv": ["no-such-program-anywhere"], "enabled": true}),
        json!({"argv": ["./script"], "enabled": true}),
        json!({"command": "/no/such/program", "enabled": true}),
        json!({"command": "./script", "enabled": true}),
    ] {
        stage.hook("beforeToolCall", "seed", std::slice::from_ref(&run));
        assert_eq!(stage.call().record.status, CallStatus::Blocked, "{run}");
    }
}

#[test]
fn a_hook_file_that_changes_while_it_runs_changes_the_next_call_only() {
    let stage = Stage::new();
    let file = stage.user_file("beforeToolCall");
    stage.before(&format!("echo '[' > '{}'; exit 0", file.display()));
    assert_eq!(stage.call().result.status, Status::Ok);
    assert_eq!(stage.call().record.status, CallStatus::Blocked);
    assert_eq!(stage.ran(), 1);
}

#[test]
fn b5_nothing_a_model_wrote_is_read_by_a_shell() {
    let stage = Stage::new();
    let planted = stage.root.join("planted");
    stage.before("true $TOOLSRESULT$; true \"$TOOLSRESULT$\" \"$ADJUTANT_TOOL_ARGS_JSON\" $ADJUTANT_TOOL_NAME");
    for attack in
        ["$(touch planted)", "`touch planted`", "\"; touch planted; \"", "'; touch planted; '"]
    {
        assert_eq!(stage.call_with("free", json!({"files": attack})).result.status, Status::Ok);
        assert!(!planted.exists(), "{attack}");
    }
    stage.before("printf %s \"$TOOLSRESULT$\" > \"$NOTES/context\"");
    stage.call();
    assert!(
        stage.note("context").contains("\"toolName\":\"ci_search\""),
        "{}",
        stage.note("context")
    );
}

#[test]
fn b5_a_program_gets_its_arguments_as_they_are() {
    let stage = Stage::new();
    let argv = json!({"argv": ["/bin/sh", "-c", "printf '%s|' \"$@\" > \"$NOTES/argv\"", "x", "$HOME", "a b;c"], "enabled": true});
    stage.hook("beforeToolCall", "seed", &[argv]);
    stage.call();
    assert_eq!(stage.note("argv"), "$HOME|a b;c|");
}

#[test]
fn b5_secrets_stay_out_unless_the_hook_names_them() {
    let stage = Stage::new();
    stage.before("printf '%s' \"[$API_KEY]\" > \"$NOTES/key\"");
    stage.call();
    assert_eq!(stage.note("key"), "[]");
    let named = json!({"command": "printf '%s' \"[$API_KEY]\" > \"$NOTES/key\"", "enabled": true, "env": ["API_KEY", "NOT_SET"]});
    stage.hook("beforeToolCall", "seed", &[named]);
    stage.call();
    assert_eq!(stage.note("key"), "[hunter2]");
}

#[test]
fn arguments_of_every_bad_kind_end_in_an_outcome() {
    let stage = Stage::new();
    stage.count_both();
    let large = stage.call_with("free", json!({"text": "x".repeat(5_000_000)}));
    assert_eq!(large.result.error.unwrap().code, Some(ErrorCode::InvalidArgs));
    let mut deep = json!("end");
    for _ in 0..100 {
        deep = json!([deep]);
    }
    assert_eq!(stage.call_with("free", json!({"options": deep})).result.status, Status::Ok);
    let odd = json!({"nul": "a\0b", "\0": 1, "half": "\u{fffd}", "empty": "", "long": "y".repeat(300_000)});
    assert_eq!(stage.call_with("free", odd).result.status, Status::Ok);
    assert_eq!(stage.counts(), (2, 2));
    assert_eq!(stage.ran(), 2);
}
