//! Tests of the words that the fields of a call become, and of the schemas.

use serde_json::{Map, Value, json};

use super::{definitions, orders};
use crate::argument::{Given, check};

fn words(arguments: Value) -> Vec<String> {
    orders::command_line(Given(arguments.as_object().unwrap()), true)
}

fn object(value: &Value) -> &Map<String, Value> {
    value.as_object().unwrap()
}

#[test]
fn c4_without_a_word_about_it_the_sandbox_is_workspace_write() {
    assert_eq!(words(json!({})), ["--sandbox=workspace-write"]);
    assert_eq!(words(json!({ "sandbox": "read-only" })), ["--sandbox=read-only"]);
    assert_eq!(words(json!({ "args": ["--sandbox", "read-only"] })), ["--sandbox", "read-only"]);
    assert_eq!(words(json!({ "args": ["--sandbox=read-only"] })), ["--sandbox=read-only"]);
    for raw in [&["--", "--sandbox", "read-only"][..], &["--", "-s", "read-only"]] {
        assert_eq!(words(json!({ "args": raw })), raw);
    }
}

#[test]
fn c4_a_bypass_is_danger_full_access_and_asks_nobody() {
    let both = ["--sandbox=danger-full-access", "--dangerously-bypass-approvals-and-sandbox"];
    assert_eq!(words(json!({ "dangerouslyBypass": true })), both);
    assert_eq!(words(json!({ "dangerouslyBypass": true, "approvalPolicy": "never" })), both);
    assert_eq!(words(json!({ "args": [both[1]] })), both);
    assert_eq!(
        words(json!({ "dangerouslyBypass": true, "sandbox": "read-only" })),
        ["--sandbox=read-only", both[1]]
    );
}

#[test]
fn c3_going_on_never_names_a_sandbox_by_itself() {
    let words = orders::command_line(Given(object(&json!({}))), false);
    assert_eq!(words, Vec::<String>::new());
}

#[test]
fn c4_fields_become_flags_and_values_toml() {
    let words = words(json!({
        "sandbox": "workspace-write", "approvalPolicy": "never", "network": true, "carryContext": false,
        "task": "--fix it", "codexConfig": { "a.b": { "c": ["x", 1, true] }, "d": "e" },
        "requireChangeIn": ["src/**"],
    }));
    assert_eq!(
        words,
        [
            "--sandbox=workspace-write",
            "--ask-for-approval=never",
            "--task=--fix it",
            "--require-change-in=src/**",
            "--network",
            "--no-carry-context",
            "--codex-config=a.b={ \"c\" = [\"x\", 1, true] }",
            "--codex-config=d=\"e\"",
        ]
    );
}

#[test]
fn c5_schemas_are_enforced() {
    let named =
        |name: &str| definitions().into_iter().find(|tool| tool.name == name).unwrap().input;
    let exec = named("codex.exec");
    assert!(check(&exec, object(&json!({ "task": "x", "sandbox": "read-only" }))).is_ok());
    for wrong in [
        json!({ "approvalPolicy": "bogus" }),
        json!({ "sandbox": "none" }),
        json!({ "unknown": 1 }),
        json!({ "args": "--task x" }),
        json!({ "network": "yes" }),
    ] {
        assert!(check(&exec, object(&wrong)).is_err(), "{wrong}");
    }
    let status = named("codex.status");
    for id in ["../../etc", "a/b", "", ".hidden", "a\0b", "-rf"] {
        assert!(check(&status, object(&json!({ "jobId": id }))).is_err(), "{id}");
    }
}
