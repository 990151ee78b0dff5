//! The server ends when its client disconnects, and stops the runs that it waits for.

use std::time::Duration;

use serde_json::json;
use testkit::{FakeCodex, is_running};

use super::client::{TEST_TIMEOUT, eventually, setup};
use crate::fixture::ADJUTANT;

const HANGS: &str = "echo $$ > \"$here/pid\"; thread; while :; do sleep 0.1; done";

#[test]
fn c5_the_end_of_input_ends_the_server_after_the_answers() {
    let setup = setup(FakeCodex::answering("done"));
    let mut client = setup.client();
    let arguments = json!({ "query": "enforce_retry_budget_zebra" });
    let id = client.send("tools/call", json!({ "name": "ci_search", "arguments": arguments }));
    client.program.close_stdin();
    assert_eq!(client.answer_to(id)["result"]["isError"], false);
    assert_eq!(client.program.exit_code(TEST_TIMEOUT), Some(0), "{}", client.program.stderr());
    // This also holds for a client that sends nothing, or an incomplete line.
    for input in ["", "{\"jsonrpc\""] {
        let finished = setup.launch().input(input).limit(TEST_TIMEOUT).run().expect_success();
        assert_eq!(finished.stdout, "");
    }
}

#[test]
fn c5_codex_ends_when_its_client_disconnects() {
    let setup = setup(FakeCodex::doing(HANGS));
    let mut client = setup.client();
    client.send("tools/call", json!({ "name": "codex.exec", "arguments": { "task": "x" } }));
    eventually("codex runs", || setup.codex.note("pid").is_some_and(|pid| !pid.is_empty()));
    let pid = setup.codex.note("pid").unwrap();
    assert!(is_running(&pid));
    client.program.close_stdin();
    assert_eq!(client.program.exit_code(TEST_TIMEOUT), Some(0), "{}", client.program.stderr());
    assert!(!is_running(&pid));
    let mut other = setup.client();
    let jobs = other.ok("codex.list", json!({}));
    assert_eq!(jobs["jobs"][0]["state"], "stopped", "{jobs:#}");
}

#[test]
fn c5_a_signal_stops_the_server_and_its_codex() {
    let setup = setup(FakeCodex::doing(HANGS));
    let mut client = setup.client();
    client.send("tools/call", json!({ "name": "codex.exec", "arguments": { "task": "x" } }));
    eventually("codex runs", || setup.codex.note("pid").is_some_and(|pid| !pid.is_empty()));
    let pid = setup.codex.note("pid").unwrap();
    client.program.terminate();
    assert_eq!(client.program.exit_code(TEST_TIMEOUT), Some(0), "{}", client.program.stderr());
    assert!(!is_running(&pid));
}

#[test]
fn c5_a_run_stopped_by_another_process_does_not_end_the_server() {
    let setup = setup(FakeCodex::doing(HANGS));
    let mut client = setup.client();
    let id =
        client.send("tools/call", json!({ "name": "codex.exec", "arguments": { "task": "x" } }));
    eventually("codex runs", || setup.codex.note("pid").is_some_and(|pid| !pid.is_empty()));
    let pid = setup.codex.note("pid").unwrap();
    let jobs = client.ok("codex.list", json!({}));
    let run = jobs["jobs"][0]["id"].as_str().unwrap();
    let stop = setup.fixture.launch(ADJUTANT).arguments(["job", "stop", run]);
    stop.run().expect_success();
    assert!(!is_running(&pid));
    assert_eq!(client.answer_to(id)["result"]["isError"], true);
    assert_eq!(client.request("ping", json!({}))["result"], json!({}));
    assert_eq!(client.ok("codex.status", json!({ "jobId": run }))["state"], "stopped");
}

#[test]
fn c5_a_cancelled_run_is_stopped_and_not_answered() {
    let setup = setup(FakeCodex::doing(HANGS));
    let mut client = setup.client();
    let params = json!({ "name": "codex.exec", "arguments": { "task": "x" }, "_meta": { "progressToken": "p" } });
    let id = client.send("tools/call", params);
    eventually("codex runs", || setup.codex.note("pid").is_some_and(|pid| !pid.is_empty()));
    let pid = setup.codex.note("pid").unwrap();
    client.notify("notifications/cancelled", json!({ "requestId": id, "reason": "enough" }));
    eventually("codex has ended", || !is_running(&pid));
    eventually("the session has ended", || {
        let jobs = client.ok("codex.list", json!({}));
        jobs["jobs"][0]["state"] == "stopped"
            && jobs["jobs"][0]["classification"] == "user_cancelled"
    });
    while let Some(line) = client.program.read_line(Duration::from_millis(200)) {
        client.other_messages.push(serde_json::from_str(&line).unwrap());
    }
    assert!(
        client.other_messages.iter().all(|message| message["id"] != id),
        "{:?}",
        client.other_messages
    );
}
