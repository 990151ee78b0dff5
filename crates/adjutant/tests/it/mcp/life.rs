//! Beginning and end: the server goes when its client goes, and takes along what it waits for.

use std::time::Duration;

use serde_json::json;
use testkit::{FakeCodex, is_running};

use super::client::{PATIENCE, eventually, scene};
use crate::stage::ADJUTANT;

const HANGS: &str = "echo $$ > \"$here/pid\"; thread; while :; do sleep 0.1; done";

#[test]
fn c5_the_end_of_input_ends_the_server() {
    let scene = scene(FakeCodex::answering("done"));
    let mut client = scene.client();
    client.conversation.fall_silent();
    assert_eq!(
        client.conversation.exit_code(PATIENCE),
        Some(0),
        "{}",
        client.conversation.stderr()
    );
    // Also for a client that never said a word, or not a whole one.
    for input in ["", "{\"jsonrpc\""] {
        let finished = scene.launch().input(input).limit(PATIENCE).run().expect_success();
        assert_eq!(finished.stdout, "");
    }
}

#[test]
fn c5_questions_asked_before_the_end_of_input_are_still_answered() {
    let scene = scene(FakeCodex::answering("done"));
    let mut client = scene.client();
    let arguments = json!({ "query": "enforce_retry_budget_zebra" });
    let id = client.send("tools/call", json!({ "name": "ci_search", "arguments": arguments }));
    client.conversation.fall_silent();
    assert_eq!(client.answer_to(id)["result"]["isError"], false);
}

#[test]
fn c5_a_client_that_goes_away_leaves_no_codex_behind() {
    let scene = scene(FakeCodex::doing(HANGS));
    let mut client = scene.client();
    client.send("tools/call", json!({ "name": "codex.exec", "arguments": { "task": "x" } }));
    eventually("codex runs", || scene.codex.note("pid").is_some_and(|pid| !pid.is_empty()));
    let pid = scene.codex.note("pid").unwrap();
    assert!(is_running(&pid));
    client.conversation.fall_silent();
    assert_eq!(
        client.conversation.exit_code(PATIENCE),
        Some(0),
        "{}",
        client.conversation.stderr()
    );
    assert!(!is_running(&pid));
    let mut other = scene.client();
    let jobs = other.ok("codex.list", json!({}));
    assert_eq!(jobs["jobs"][0]["state"], "stopped", "{jobs:#}");
}

#[test]
fn c5_a_signal_ends_the_server_and_its_codex() {
    let scene = scene(FakeCodex::doing(HANGS));
    let mut client = scene.client();
    client.send("tools/call", json!({ "name": "codex.exec", "arguments": { "task": "x" } }));
    eventually("codex runs", || scene.codex.note("pid").is_some_and(|pid| !pid.is_empty()));
    let pid = scene.codex.note("pid").unwrap();
    client.conversation.terminate();
    assert_eq!(
        client.conversation.exit_code(PATIENCE),
        Some(0),
        "{}",
        client.conversation.stderr()
    );
    assert!(!is_running(&pid));
}

#[test]
fn c5_a_run_stopped_from_outside_ends_and_the_server_goes_on() {
    let scene = scene(FakeCodex::doing(HANGS));
    let mut client = scene.client();
    let id =
        client.send("tools/call", json!({ "name": "codex.exec", "arguments": { "task": "x" } }));
    eventually("codex runs", || scene.codex.note("pid").is_some_and(|pid| !pid.is_empty()));
    let pid = scene.codex.note("pid").unwrap();
    let jobs = client.ok("codex.list", json!({}));
    let run = jobs["jobs"][0]["id"].as_str().unwrap();
    let stop = scene.stage.launch(ADJUTANT).arguments(["job", "stop", run]);
    stop.run().expect_success();
    assert!(!is_running(&pid));
    assert_eq!(client.answer_to(id)["result"]["isError"], true);
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    assert_eq!(client.ok("codex.status", json!({ "jobId": run }))["state"], "stopped");
}

#[test]
fn c5_a_cancelled_run_is_stopped_and_not_answered() {
    let scene = scene(FakeCodex::doing(HANGS));
    let mut client = scene.client();
    let params = json!({ "name": "codex.exec", "arguments": { "task": "x" }, "_meta": { "progressToken": "p" } });
    let id = client.send("tools/call", params);
    eventually("codex runs", || scene.codex.note("pid").is_some_and(|pid| !pid.is_empty()));
    let pid = scene.codex.note("pid").unwrap();
    client.notify("notifications/cancelled", json!({ "requestId": id, "reason": "enough" }));
    eventually("codex is gone", || !is_running(&pid));
    eventually("the session is over", || {
        let jobs = client.ok("codex.list", json!({}));
        jobs["jobs"][0]["state"] == "stopped"
            && jobs["jobs"][0]["classification"] == "user_cancelled"
    });
    while let Some(line) = client.conversation.hear(Duration::from_millis(200)) {
        client.aside.push(serde_json::from_str(&line).unwrap());
    }
    assert!(client.aside.iter().all(|message| message["id"] != id), "{:?}", client.aside);
}
