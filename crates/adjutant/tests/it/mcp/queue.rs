//! The tools with which a model adds tasks to the queue and reads them.

use serde_json::json;
use testkit::FakeCodex;

use super::client::setup;

#[test]
fn a_model_can_add_a_task_and_read_the_tasks_of_its_repository() {
    let setup = setup(FakeCodex::answering("done"));
    let mut client = setup.client();
    let task = json!({ "task": "tidy the imports", "key": "tidy", "priority": 3, "maxTurns": 4 });
    let added = client.ok("codex.queue_add", task.clone());
    let id = added["id"].as_str().unwrap();
    assert_eq!(client.ok("codex.queue_add", task)["id"], id, "the key names the first task");
    let listed = client.ok("codex.queue_list", json!({}));
    assert_eq!(listed["tasks"].as_array().unwrap().len(), 1, "{listed}");
    assert_eq!(listed["tasks"][0]["state"], "queued");
    let shown = client.ok("codex.queue_show", json!({ "id": id }));
    assert_eq!((&shown["priority"], &shown["state"]), (&json!(3), &json!("queued")), "{shown}");
    assert_eq!(setup.codex.n_runs(), 0, "adding a task does not run it");
}

#[test]
fn a_model_cannot_widen_the_sandbox_of_a_task_or_pass_flags() {
    let setup = setup(FakeCodex::answering("done"));
    let mut client = setup.client();
    for wrong in [
        json!({ "task": "x", "sandbox": "danger-full-access" }),
        json!({ "task": "x", "args": ["--dangerously-bypass-approvals-and-sandbox"] }),
        json!({ "task": "x", "cwd": "/" }),
        json!({ "task": "" }),
    ] {
        let result = client.call("codex.queue_add", wrong);
        assert_eq!(result["isError"], true, "{result:#}");
    }
    client.ok("codex.queue_add", json!({ "task": "--full-auto", "key": "--no-worktree" }));
    let listed = client.ok("codex.queue_list", json!({ "state": "queued" }));
    assert_eq!(listed["tasks"].as_array().unwrap().len(), 1, "{listed}");
    let missing = client.call("codex.queue_show", json!({ "id": "t-0000000000" }));
    assert_eq!(missing["isError"], true, "{missing:#}");
}
