//! The tools with which a model adds tasks to the queue and reads them.

use std::time::Duration;

use queue::{NewTask, StoreLocation, TaskRequest, TaskStore};
use serde_json::json;
use testkit::{FakeCodex, Repository};

use super::client::{setup, text};
use crate::fixture::ADJUTANT;

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

#[test]
fn c5_a_model_cannot_fill_the_queue_or_place_its_tasks_before_every_other() {
    let setup = setup(FakeCodex::answering("done"));
    let mut client = setup.client();
    for priority in [i64::MAX, 101, -101] {
        let result = client.call("codex.queue_add", json!({ "task": "x", "priority": priority }));
        assert_eq!(result["isError"], true, "{result:#}");
    }
    client.ok("codex.queue_add", json!({ "task": "task 0", "priority": 100 }));
    // The other tasks are added without the server, to save time.
    let location = setup.home.path().join(".local/state/adjutant/queue/queue.db");
    let mut store =
        TaskStore::open(StoreLocation::File(location), Duration::from_secs(60)).unwrap();
    for number in 1..100 {
        let run = runs::RunRequest::task("x").without_briefing();
        let request = TaskRequest::in_worktree(run, setup.path().to_owned());
        let task = NewTask::new(format!("task {number}"), setup.path().to_owned(), request);
        // The id of a task consists of the first digits.
        store.add(&task, &format!("{number:04}{:012}", 0)).unwrap();
    }
    let refused = client.call("codex.queue_add", json!({ "task": "one more" }));
    assert_eq!(refused["isError"], true, "{refused:#}");
    assert!(text(&refused).contains("100 tasks of this repository"), "{refused:#}");
    let listed = client.ok("codex.queue_list", json!({ "limit": 200 }));
    assert_eq!(listed["tasks"].as_array().unwrap().len(), 100);
}

#[test]
fn c5_a_model_learns_nothing_about_the_tasks_of_another_repository() {
    let setup = setup(FakeCodex::answering("done"));
    let other = Repository::builder().file("a.rs", "fn a() {}\n").commit("first").build();
    let add = ["queue", "add", "--key", "nightly", "--task", "x"];
    let added = setup.fixture.launch_in(ADJUTANT, other.path()).arguments(add).run();
    let id = added.expect_success().stdout.trim().to_owned();
    let mut client = setup.client();
    let unknown = client.call("codex.queue_show", json!({ "id": "t-0000000000" }));
    for (tool, arguments) in [
        ("codex.queue_add", json!({ "task": "x", "key": "nightly" })),
        ("codex.queue_add", json!({ "task": "x", "after": [id] })),
        ("codex.queue_show", json!({ "id": id })),
    ] {
        let result = client.call(tool, arguments.clone());
        assert_eq!(result["isError"], true, "{result:#}");
        let shown = text(&result);
        match arguments["key"].is_null() {
            true => assert_eq!(shown.replace(&id, "t-0000000000"), text(&unknown)),
            false => assert!(!shown.contains(&id), "{shown}"),
        }
    }
}
