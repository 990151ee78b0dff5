//! The page in a real Chromium. Each test runs a scenario of `tests/browser/page.mjs`.

use std::path::Path;

use process::ProcessIdentity;
use queue::{
    ChangeCount, Claimed, NewTask, Owner, RunReport, RunResult, TaskRequest, TaskStore, WorkProduct,
};
use runs::{RunRequest, TotalUse, Usage};
use testkit::{Launch, PostgresServer, browser, eventually};

use crate::{ADJUTANT, Server, Setup};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/browser/page.mjs");
/// Markup that must be shown as text.
const MARKUP: &str = "<img src=x onerror=document.title='broken'> & \"quotes\"";

#[expect(clippy::disallowed_methods, reason = "a developer may ask for screenshots")]
fn scenario(name: &str, setup: &Setup, server: &Server) -> Launch {
    let browser = browser();
    Launch::new(browser.node, Path::new(env!("CARGO_MANIFEST_DIR")))
        .arguments([SCRIPT, name])
        .env("HOME", setup.folder.path())
        .env("MODULES", browser.modules)
        .env("CHROMIUM", browser.chromium)
        .env("LINK", format!("http://127.0.0.1:{}/?token={}", server.port, server.token))
        .env("GO", setup.go())
        .env("ADJUTANT", ADJUTANT)
        .env("ADJUTANT_STATE_DIR", setup.state())
        .env("SCREENSHOTS", std::env::var_os("ADJUTANT_TEST_SCREENSHOTS").unwrap_or_default())
}

#[test]
fn the_page_loads_without_errors_and_fits_a_phone_in_light_and_dark() {
    let setup = Setup::new();
    let job = setup.start_job(MARKUP);
    setup.add_task("first task");
    let server = setup.serve(&[]);
    let scenario = scenario("load", &setup, &server).env("JOB", job).env("MARKUP", MARKUP);
    scenario.run().expect_success();
}

#[test]
fn the_page_shows_a_new_state_and_new_log_lines_without_a_reload() {
    let setup = Setup::new();
    let job = setup.start_job("Fix the retry limit of the client");
    setup.add_task("Update the changelog");
    setup.add_task("Remove the deprecated flags");
    std::fs::write(setup.repository.path().join("a.txt"), "two\n").unwrap();
    let server = setup.serve(&[]);
    scenario("follow", &setup, &server).env("JOB", job).run().expect_success();
}

#[test]
fn a_button_stops_a_job_and_a_forged_origin_does_not() {
    let setup = Setup::new();
    let job = setup.start_job("long job");
    let server = setup.serve(&[]);
    scenario("stop", &setup, &server).env("JOB", &job).run().expect_success();
    eventually("the job is stopped", || setup.job_state(&job) == "stopped");
}

/// A codex that changes a file and works until the file `go` exists. Its third run needs an approval.
const CHANGES_A_FILE: &str = "thread; if [ $n = 3 ]; then failed 'approval required for command: rm'; exit 1; fi; message 'first news'; echo two > a.txt; while [ -d \"$here\" ] && [ ! -e \"$here/go\" ]; do sleep 0.1; done; message 'last news'; completed";

fn show_tasks(setup: &Setup) {
    for title in ["Change the greeting", "Describe the change", "Remove the files"] {
        setup.add_task(title);
    }
    let worker = setup.launch(ADJUTANT).arguments(["queue", "work"]).start_piped();
    let server = setup.serve(&[]);
    let ended = scenario("task", setup, &server).run();
    assert_eq!(ended.exit_code, Some(0), "{ended:#?}\nthe worker: {}", worker.stderr());
}

#[test]
fn the_page_shows_and_changes_tasks_while_a_worker_runs_them() {
    show_tasks(&Setup::doing(CHANGES_A_FILE));
}

#[test]
fn the_page_shows_and_changes_the_tasks_of_a_postgresql_store() {
    let database = PostgresServer::start();
    let mut setup = Setup::doing(CHANGES_A_FILE);
    setup.store = Some(database.url());
    show_tasks(&setup);
}

/// Takes the next task and stores this result.
fn finish(store: &mut TaskStore, report: RunReport) {
    let owner =
        Owner { worker: "w".to_owned(), machine: None, process: ProcessIdentity::default() };
    let Claimed::Task(claim) = store.claim(&owner, 3_600_000, &[]).unwrap() else {
        panic!("no task can start")
    };
    let session = Some(claim.task.id.session(claim.lease.generation));
    assert!(store.finish(&claim.lease, &RunReport { session, ..report }).unwrap());
}

fn result(result: RunResult, reason: &str, product: WorkProduct) -> RunReport {
    let tokens = Usage { input: 1200, output: 34, cached_input: 0 };
    let usage = TotalUse { tokens, ..TotalUse::default() };
    RunReport { usage, product, ..RunReport::not_started(result, reason) }
}

#[test]
fn the_report_of_1000_tasks_lists_failures_first_and_can_be_filtered() {
    let setup = Setup::new();
    let server = setup.serve(&[]);
    let mut store = setup.store();
    let add = |store: &mut TaskStore, title: &str, repository: &str, priority, retries| {
        let request = TaskRequest::in_worktree(RunRequest::default(), repository.into());
        let new = NewTask::new(title, repository.into(), request);
        let new = NewTask { priority, max_retries: retries, ..new };
        store.add(&new, &title.replace(' ', "")).unwrap().0
    };
    let failed = |can_retry| {
        let class = "network_error".to_owned();
        let failed = RunResult::Failed { class, can_retry };
        result(failed, "the connection was reset", WorkProduct::default())
    };
    add(&mut store, "first failure", "/repository", 9, 1);
    finish(&mut store, failed(true));
    finish(&mut store, failed(true));
    for title in ["second failure", "third failure"] {
        add(&mut store, title, "/repository", 9, 0);
        finish(&mut store, failed(false));
    }
    add(&mut store, "limited", "/repository", 9, 0);
    let until = store.now().unwrap() + 3_600_000;
    let waiting = RunResult::Waiting { until, thread: None };
    finish(&mut store, result(waiting, "a usage limit is reached", WorkProduct::default()));
    for n in 0..995 {
        let id = add(&mut store, &format!("task {n}"), "/repository", 5, 0);
        let product = WorkProduct {
            branch: Some(id.branch()),
            changes: Some(ChangeCount { files: 2, added: 12, removed: 3 }),
            ..WorkProduct::default()
        };
        finish(&mut store, result(RunResult::Finished, "done", product));
    }
    add(&mut store, "open", "/other", 0, 0);
    scenario("report", &setup, &server).run().expect_success();
}

#[test]
fn the_changes_of_a_task_are_shown_by_file_without_binary_content() {
    let setup = Setup::new();
    let id = setup.add_task("Change two files");
    let patch = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n\
        diff --git a/data.bin b/data.bin\nGIT binary patch\nliteral 3\nKcmZQzU\n\n\
        diff --git a/src/new.rs b/src/new.rs\nnew file mode 100644\n--- /dev/null\n+++ b/src/new.rs\n@@ -0,0 +1,2 @@\n+a\n+b\n";
    let path = setup.folder.path().join("task.patch");
    std::fs::write(&path, patch).unwrap();
    let product = WorkProduct {
        branch: Some(id.branch()),
        base: Some("0123abcd".to_owned()),
        patch: Some(path),
        ..WorkProduct::default()
    };
    finish(&mut setup.store(), result(RunResult::Finished, "done", product));
    let server = setup.serve(&[]);
    scenario("diff", &setup, &server).run().expect_success();
}

#[test]
fn the_page_uses_the_language_of_the_browser() {
    let setup = Setup::new();
    let server = setup.serve(&[]);
    scenario("chinese", &setup, &server).run().expect_success();
}

#[test]
fn the_page_shows_what_was_injected_and_why() {
    let setup = Setup::new();
    std::fs::create_dir_all(setup.state()).unwrap();
    let entry = |prompt: &str, time: &str| {
        let entry = serde_json::json!({
            "run_id": format!("20261116-{}-1a2b", time.replace(':', "")), "created_at": format!("2026-11-16T{time}Z"),
            "client": "codex", "repo_root": "/home/me/shop", "prompt": prompt, "characters": 412, "limits": "[Limits] none",
            "decision": { "amount": "briefing (has_question)", "probability": 0.93 },
            "findings": [
                { "confidence": 0.44, "line": 12, "path": "src/client.rs", "symbol": "send", "tool": "ci_search" },
                { "confidence": 0.91, "line": 3, "path": "src/limits.rs", "symbol": "limit", "tool": "ci_search" },
            ],
            "tools": [{ "ms": 12, "status": "ok", "summary": "2 files", "tool": "ci_search" }],
        });
        format!("{entry}\n")
    };
    let log = [entry(MARKUP, "09:36:50"), entry("where are retries limited?", "09:41:07")].concat();
    std::fs::write(setup.state().join("runs.jsonl"), log).unwrap();
    let server = setup.serve(&[]);
    scenario("briefings", &setup, &server).env("MARKUP", MARKUP).run().expect_success();
}
