//! The page in a real Chromium. Each test runs a scenario of `tests/browser/page.mjs`.

use std::path::Path;

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
