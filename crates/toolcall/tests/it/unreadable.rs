//! Tests that an unreadable hook file is not ignored.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use contract::{ClientName, ToolDecision};
use serde_json::json;
use toolcall::{CallStatus, Caller};

use crate::fixture::{Fixture, limits};

#[track_caller]
fn check(fixture: &mut Fixture, path: &Path, expected: &str) {
    for caller in [Caller::Kernel, Caller::Command, Caller::Mcp, Caller::CodexRun] {
        fixture.caller = caller.clone();
        let outcome = fixture.call();
        assert_eq!(outcome.record.status, CallStatus::Blocked, "{caller:?}");
        let said = limits(&outcome).join("\n");
        assert!(said.starts_with("ci_search: skipped, a hook file cannot be used: "), "{said}");
        assert!(said.contains(&path.display().to_string()) && said.contains(expected), "{said}");
    }
    for caller in [Caller::Client(ClientName::CLAUDE_CODE), Caller::Client(ClientName::CODEX_CLI)] {
        fixture.caller = caller.clone();
        let call = fixture.tool_call("Bash", json!({"command": "ls"}));
        let answer = toolcall::before_client_call(&fixture.context(), &call, fixture.deadline());
        let contract::ToolVerdict { decision, reason, .. } = answer.verdict;
        assert_eq!(decision, ToolDecision::Ask);
        assert!(reason.contains(expected), "{reason}");
    }
    assert_eq!(fixture.ran(), 0);
}

#[test]
fn b6_invalid_json_blocks_adjutant_calls_and_asks_for_client_calls() {
    let mut fixture = Fixture::new();
    let path = fixture.user_file("beforeToolCall");
    fixture.write(&path, "[\n{\"hooks\": [}\n]");
    check(&mut fixture, &path, "beforeToolCall.json:2: expected value");
}

#[test]
fn b6_a_folder_a_dangling_link_and_binary_data_are_not_hook_files() {
    for (what, expected) in [
        ("folder", "is not a regular file"),
        ("link", "No such file"),
        ("bytes", "is not UTF-8"),
        ("large", "is larger than"),
    ] {
        let mut fixture = Fixture::new();
        let path = fixture.user_file("afterToolCall");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match what {
            "folder" => fs::create_dir(&path).unwrap(),
            "link" => symlink("/nowhere", &path).unwrap(),
            "bytes" => fs::write(&path, b"[\xff]").unwrap(),
            _ => fs::write(&path, " ".repeat(2_000_000)).unwrap(),
        }
        check(&mut fixture, &path, expected);
    }
}

#[test]
fn a54_an_invalid_file_of_a_repository_only_restricts() {
    let mut fixture = Fixture::new();
    let path = fixture.root.join(".adjutant/hooks/beforeToolCall.json");
    fixture.write(&path, "nonsense");
    check(&mut fixture, &path, "beforeToolCall.json:1: ");
    fs::remove_file(&path).unwrap();
    let outside = fixture.user_file("outside");
    fixture.write(&outside, "[]");
    symlink(&outside, &path).unwrap();
    check(&mut fixture, &path, "is a link out of the repository");
}

#[test]
fn hook_files_of_other_types_do_not_affect_calls() {
    let fixture = Fixture::new();
    fixture.write(&fixture.user_file("onStop"), "nonsense");
    assert_eq!(fixture.call().record.status, CallStatus::Ok);
}
