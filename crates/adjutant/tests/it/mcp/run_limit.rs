//! The maximum number of codex runs, with calls and servers that start runs at the same time.

use serde_json::{Value, json};
use testkit::FakeCodex;

use super::client::{Client, Setup, eventually, setup};

/// Returns a setup with a codex that runs until it is stopped.
fn endless() -> Setup {
    setup(FakeCodex::doing("thread; while :; do sleep 0.1; done"))
}

/// Sends calls without waiting for their responses.
fn send(client: &mut Client, tool: &str, n: usize) -> Vec<u64> {
    let call = json!({ "name": tool, "arguments": { "task": "x", "args": ["--context", "off"] } });
    (0..n).map(|_| client.send("tools/call", call.clone())).collect()
}

fn code(answer: &Value) -> &str {
    answer["result"]["structuredContent"]["error"]["code"].as_str().unwrap_or_default()
}

fn running(client: &mut Client) -> Vec<Value> {
    let list = client.ok("codex.list", json!({ "state": ["running"] }));
    list["jobs"].as_array().unwrap().iter().map(|job| job["id"].clone()).collect()
}

fn stop_all(client: &mut Client) {
    for job in running(client) {
        client.call("codex.stop", json!({ "jobId": job, "force": true }));
    }
}

#[test]
fn c5_the_limit_holds_when_jobs_run_and_many_calls_arrive_at_once() {
    let setup = endless();
    let mut client = setup.client();
    for _ in 0..3 {
        client.ok("codex.start", json!({ "task": "x", "args": ["--context", "off"] }));
    }
    send(&mut client, "codex.exec", 8);
    // One call has room, and the other seven are refused.
    let mut n_refused = 0;
    while n_refused < 7 {
        let message = client.read_line().expect("seven calls are refused");
        n_refused += usize::from(code(&message) == "TOO_MANY_RUNS");
    }
    eventually("the fourth run is listed", || running(&mut client).len() == 4);
    stop_all(&mut client);
}

#[test]
fn c5_the_limit_holds_for_several_servers_of_one_repository() {
    let setup = endless();
    let mut clients: Vec<Client> = (0..3).map(|_| setup.client()).collect();
    let sent: Vec<Vec<u64>> =
        clients.iter_mut().map(|client| send(client, "codex.start", 4)).collect();
    let mut n_started = 0;
    for (client, ids) in clients.iter_mut().zip(sent) {
        for id in ids {
            let answer = client.answer_to(id);
            assert!(["", "TOO_MANY_RUNS"].contains(&code(&answer)), "{answer:#}");
            n_started += usize::from(code(&answer).is_empty());
        }
    }
    assert_eq!(n_started, 4);
    assert_eq!(running(&mut clients[0]).len(), 4);
    stop_all(&mut clients[0]);
}
