//! A hook file that cannot be read is never passed over.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::json;
use toolcall::{CallStatus, Caller, Verdict};

use crate::stage::{Stage, limits};

#[track_caller]
fn check(stage: &mut Stage, path: &Path, expected: &str) {
    for caller in [Caller::Kernel, Caller::Command, Caller::Mcp, Caller::CodexRun] {
        stage.caller = caller;
        let outcome = stage.call();
        assert_eq!(outcome.record.status, CallStatus::Blocked, "{caller:?}");
        let said = limits(&outcome).join("\n");
        assert!(said.starts_with("ci_search: skipped, a hook file cannot be used: "), "{said}");
        assert!(said.contains(&path.display().to_string()) && said.contains(expected), "{said}");
    }
    for caller in [Caller::ClaudeCode, Caller::CodexCli] {
        stage.caller = caller;
        let call = stage.tool_call("Bash", json!({"command": "ls"}));
        let answer = toolcall::before_client_call(&stage.context(), &call, stage.deadline());
        assert_eq!(answer.verdict, Verdict::Ask);
        assert!(answer.reason.contains(expected), "{}", answer.reason);
    }
    assert_eq!(stage.ran(), 0);
}

#[test]
fn b6_broken_json_stops_our_calls_and_asks_about_the_clients() {
    let mut stage = Stage::new();
    let path = stage.user_file("beforeToolCall");
    stage.write(&path, "[\n{\"hooks\": [}\n]");
    check(&mut stage, &path, "beforeToolCall.json:2: expected value");
}

#[test]
fn b6_a_folder_a_dead_link_and_bytes_are_no_hook_files() {
    for (what, expected) in [
        ("folder", "is not a regular file"),
        ("link", "No such file"),
        ("bytes", "is not UTF-8"),
        ("large", "is larger than"),
    ] {
        let mut stage = Stage::new();
        let path = stage.user_file("afterToolCall");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match what {
            "folder" => fs::create_dir(&path).unwrap(),
            "link" => symlink("/nowhere", &path).unwrap(),
            "bytes" => fs::write(&path, b"[\xff]").unwrap(),
            _ => fs::write(&path, " ".repeat(2_000_000)).unwrap(),
        }
        check(&mut stage, &path, expected);
    }
}

#[test]
fn a54_a_broken_file_of_the_repository_can_only_tighten() {
    let mut stage = Stage::new();
    let path = stage.root.join(".adjutant/hooks/beforeToolCall.json");
    stage.write(&path, "nonsense");
    check(&mut stage, &path, "beforeToolCall.json:1: ");
    fs::remove_file(&path).unwrap();
    let outside = stage.user_file("outside");
    stage.write(&outside, "[]");
    symlink(&outside, &path).unwrap();
    check(&mut stage, &path, "is a link out of the repository");
}

#[test]
fn the_other_types_do_not_stand_in_the_way_of_a_call() {
    let stage = Stage::new();
    stage.write(&stage.user_file("onStop"), "nonsense");
    assert_eq!(stage.call().record.status, CallStatus::Ok);
}
