//! Workers that die or stop, and tasks that are cancelled.

use std::time::Duration;

use process::ProcessIdentity;
use queue::{Claimed, Owner, StoreLocation, TaskStore};
use serde_json::json;
use testkit::{eventually, is_running};

use super::Queue;

/// A fake codex that, in its first run, runs until it is killed.
const HANGS_ONCE: &str = r#"
if [ $n = 1 ]; then thread; echo partial > partial.txt; echo $$ > "$here/pid"; while :; do sleep 0.1; done; fi
thread; echo done > result.txt; message 'Done.'; completed
"#;

fn codex_process(queue: &Queue) -> String {
    eventually("codex runs", || queue.codex.note("pid").is_some_and(|pid| pid.ends_with('\n')));
    queue.codex.note("pid").unwrap()
}

#[test]
fn the_codex_of_a_killed_worker_ends_and_another_worker_starts_the_task_again() {
    let queue = Queue::doing(HANGS_ONCE);
    let id = queue.add(&["--task", "one"]);
    let worker = queue.start_worker(1);
    let codex = codex_process(&queue);
    drop(worker);
    eventually("codex ends without another worker", || !is_running(&codex));
    queue.work();
    let shown = queue.show(&id);
    assert_eq!(shown["task"]["state"], "finished", "{shown:#}");
    let results: Vec<_> =
        shown["attempts"].as_array().unwrap().iter().map(|attempt| &attempt["result"]).collect();
    assert_eq!(results, [&json!("lost"), &json!("finished")]);
    let files =
        queue.repository.git(&["show", "--name-only", "--format=%an", &format!("adjutant/{id}")]);
    assert_eq!(files, "Adjutant\n\nresult.txt", "the second attempt starts from a clean worktree");
}

/// A fake codex that, in its first run, waits until the file `go` exists.
const WAITS_ONCE: &str = r#"
thread
if [ $n = 1 ]; then
    printf %s "$ADJUTANT_QUEUE_WORKER" > "$here/worker"; echo $$ > "$here/pid"
    while [ ! -e "$here/go" ]; do sleep 0.1; done
fi
echo done > result.txt; message 'Done.'; completed
"#;

#[test]
fn a_worker_that_lost_one_lease_keeps_its_other_task() {
    let queue = Queue::doing(WAITS_ONCE);
    let first = queue.add(&["--task", "one"]);
    let mut worker = queue.start_worker(1);
    let codex = codex_process(&queue);
    let second = queue.add(&["--task", "two"]);
    // The worker takes the second task, but does not receive the answer of the store.
    let owner = Owner {
        process: ProcessIdentity::of(worker.process_id()),
        ..Owner::this_process(queue.codex.note("worker").unwrap())
    };
    let location = StoreLocation::File(queue.state().join("queue/queue.db"));
    let mut store = TaskStore::open(location, Duration::from_secs(60)).unwrap();
    assert!(matches!(store.claim(&owner, 1, &[]).unwrap(), Claimed::Task(_)));
    let mut other = queue.start_worker(1);
    eventually("the other worker ends the task", || queue.task(&second)["state"] == "finished");
    assert!(is_running(&codex));
    std::fs::write(queue.codex.folder().join("go"), "").unwrap();
    for worker in [&mut worker, &mut other] {
        assert_eq!(worker.exit_code(testkit::TEST_TIMEOUT), Some(0), "{}", worker.stderr());
    }
    let shown = queue.show(&first);
    assert_eq!(shown["task"]["state"], "finished", "{shown:#}");
    assert_eq!(shown["attempts"].as_array().unwrap().len(), 1, "{shown:#}");
}

/// A git that does not commit while the file `block` is in its folder.
const BLOCKED_GIT: &str = r#"#!/bin/sh
here=${0%/*}
case " $* " in
*" commit-tree "*) while [ -e "$here/block" ]; do touch "$here/blocked"; sleep 0.1; done ;;
esac
PATH=${PATH#*:} exec git "$@"
"#;

#[test]
fn a_completed_run_is_not_repeated_although_two_workers_die_before_its_result_is_stored() {
    let queue = Queue::doing(super::CHANGES_A_FILE);
    let id = queue.add(&["--task", "one"]);
    let folder = tempfile::tempdir().unwrap();
    testkit::write_executable(&folder.path().join("git"), BLOCKED_GIT);
    let (block, blocked) = (folder.path().join("block"), folder.path().join("blocked"));
    std::fs::write(&block, "").unwrap();
    for _ in 0..2 {
        let worker = queue.launch("work").first_on_path(folder.path()).start_piped();
        eventually("the run has completed", || blocked.exists());
        drop(worker);
        let marker = queue.state().to_string_lossy().into_owned();
        eventually("its processes end", || super::fleet::processes_with(&marker).is_empty());
        std::fs::remove_file(&blocked).unwrap();
    }
    std::fs::remove_file(&block).unwrap();
    queue.work();
    let shown = queue.show(&id);
    let results: Vec<_> =
        shown["attempts"].as_array().unwrap().iter().map(|attempt| &attempt["result"]).collect();
    assert_eq!(results, ["lost", "lost", "finished"], "{shown:#}");
    assert_eq!(queue.codex.n_runs(), 1, "{shown:#}");
    assert_eq!(shown["task"]["product"]["branch"], format!("adjutant/{id}"));
}

#[test]
fn a_task_with_the_policy_fail_is_marked_when_its_worker_dies() {
    let queue = Queue::doing(HANGS_ONCE);
    let id = queue.add(&["--task", "one", "--on-lost", "fail"]);
    let worker = queue.start_worker(1);
    codex_process(&queue);
    drop(worker);
    queue.work();
    let task = queue.task(&id);
    assert_eq!(
        (&task["state"], &task["class"]),
        (&json!("failed"), &json!("worker-lost")),
        "{task:#}"
    );
    assert_eq!(queue.codex.n_runs(), 1);
}

#[test]
fn a_cancelled_task_is_stopped_by_its_worker() {
    let queue = Queue::doing(HANGS_ONCE);
    let id = queue.add(&["--task", "one"]);
    let mut worker = queue.start_worker(1);
    let codex = codex_process(&queue);
    queue.run("cancel", &[&id]).expect_success();
    assert_eq!(worker.exit_code(testkit::TEST_TIMEOUT), Some(0), "{}", worker.stderr());
    assert!(!is_running(&codex));
    assert_eq!(queue.task(&id)["state"], "cancelled");
}

#[test]
fn a_worker_that_is_asked_to_stop_puts_its_task_back_and_the_next_one_continues_it() {
    let queue = Queue::doing(HANGS_ONCE);
    let id = queue.add(&["--task", "one"]);
    let mut worker = queue.start_worker(1);
    let codex = codex_process(&queue);
    worker.terminate();
    assert_eq!(worker.exit_code(testkit::TEST_TIMEOUT), Some(0), "{}", worker.stderr());
    assert!(!is_running(&codex));
    let task = queue.task(&id);
    assert_eq!((&task["state"], &task["failures"]), (&json!("queued"), &json!(0)), "{task:#}");
    queue.work();
    assert_eq!(queue.task(&id)["state"], "finished", "{:#}", queue.show(&id));
    assert!(queue.codex.arguments(2).contains(&"resume".to_owned()));
    let files = queue.repository.git(&["ls-tree", "--name-only", &format!("adjutant/{id}")]);
    assert_eq!(files, "a.txt\npartial.txt\nresult.txt", "the worktree is the same");
}

#[test]
fn codex_does_not_get_the_url_of_the_store() {
    let mut queue = Queue::doing("env > \"$here/environment\"; thread; message 'Done.'; completed");
    queue.store = Some(queue.folder.path().join("other/queue.db").to_string_lossy().into_owned());
    let id = queue.add(&["--task", "one"]);
    queue.work();
    assert_eq!(queue.task(&id)["state"], "finished");
    let environment = queue.codex.note("environment").unwrap();
    assert!(environment.contains("ADJUTANT_QUEUE_WORKER="), "{environment}");
    assert!(!environment.contains("ADJUTANT_QUEUE_STORE"), "{environment}");
}
