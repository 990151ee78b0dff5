//! The `codex.*` tools: codex gets the requested arguments, and the results are correct.

use serde_json::{Value, json};
use testkit::FakeCodex;

use super::client::{Client, eventually, setup};
use crate::fixture::fixture;

#[track_caller]
fn finished(client: &mut Client, job: &Value) -> Value {
    let mut state = Value::Null;
    eventually("the job has ended", || {
        state = client.ok("codex.status", json!({ "jobId": job }));
        state["state"] != "running"
    });
    state
}

#[test]
fn c5_exec_waits_and_returns_the_result() {
    let setup = setup(FakeCodex::answering("The answer is 42."));
    let mut client = setup.client();
    let result = client.ok("codex.exec", json!({ "task": "think", "tag": "deep thought" }));
    assert_eq!(result["exitCode"], 0, "{result:#}");
    assert_eq!(result["lastMessage"], "The answer is 42.");
    assert_eq!(result["tag"], "deep-thought");
    for file in ["logFile", "instructionsFile", "metaFile", "lastMessageFile"] {
        let path = result[file].as_str().unwrap();
        assert!(std::path::Path::new(path).is_file(), "{file}: {path}");
    }
    assert!(result["runId"].as_str().unwrap().starts_with("exec-"));
    assert!(setup.codex.prompt(1).contains("think"));
}

#[test]
fn c4_the_default_sandbox_of_an_mcp_run_is_workspace_write() {
    let setup = setup(FakeCodex::answering("done"));
    let mut client = Client::start(&setup.launch().argument("--allow-bypass"));
    client.ok("codex.exec", json!({ "task": "x" }));
    client.ok("codex.exec", json!({ "task": "x", "sandbox": "read-only" }));
    client.ok("codex.exec", json!({ "task": "x", "args": ["--sandbox", "read-only"] }));
    client.ok("codex.exec", json!({ "task": "x", "dangerouslyBypass": true }));
    let sandbox = |run: usize| {
        let words = setup.codex.arguments(run);
        let at = words.iter().position(|word| word == "--sandbox" || word == "-s");
        at.and_then(|at| words.get(at + 1).cloned()).unwrap_or_default()
    };
    assert_eq!(sandbox(1), "workspace-write");
    assert_eq!(sandbox(2), "read-only");
    assert_eq!(sandbox(3), "read-only");
    let bypass = "--dangerously-bypass-approvals-and-sandbox".to_owned();
    assert!(setup.codex.arguments(4).contains(&bypass), "{:?}", setup.codex.arguments(4));
    assert!((1..=3).all(|run| !setup.codex.arguments(run).contains(&bypass)));
}

#[test]
fn c5_a_failed_codex_is_an_error_with_the_whole_result() {
    let setup = setup(FakeCodex::doing("thread; failed 'out of luck'; exit 3"));
    let mut client = setup.client();
    let result = client.call("codex.exec", json!({ "task": "x" }));
    assert_eq!(result["isError"], true, "{result:#}");
    let structured = &result["structuredContent"];
    assert_eq!(structured["exitCode"], 3, "{result:#}");
    assert_eq!(structured["error"]["code"], "CLI_NON_ZERO_EXIT");
    assert!(structured["logFile"].is_string());
}

#[test]
fn c5_progress_is_sent_to_clients_that_request_it() {
    let setup = setup(FakeCodex::doing("thread; message 'half way'; message 'there'; completed"));
    let mut client = setup.client();
    let params = json!({ "name": "codex.exec", "arguments": { "task": "x" }, "_meta": { "progressToken": 7 } });
    let answer = client.request("tools/call", params);
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let told: Vec<&Value> = client
        .other_messages
        .iter()
        .filter(|message| message["method"] == "notifications/progress")
        .map(|message| &message["params"])
        .collect();
    assert!(told.iter().all(|told| told["progressToken"] == 7), "{told:?}");
    assert!(
        told.iter().any(|told| told["message"].as_str().unwrap().contains("half way")),
        "{told:?}"
    );
    let steps: Vec<f64> = told.iter().filter_map(|told| told["progress"].as_f64()).collect();
    assert!(steps.len() >= 2 && steps.is_sorted_by(|a, b| a < b), "{steps:?}");
    client.other_messages.clear();
    client.ok("codex.exec", json!({ "task": "x" }));
    assert_eq!(client.other_messages, Vec::<Value>::new());
}

#[test]
fn c5_a_job_can_be_started_and_cleaned() {
    let setup = setup(FakeCodex::answering("first answer"));
    let mut client = setup.client();
    let started =
        client.ok("codex.start", json!({ "task": "x", "sandbox": "read-only", "tag": "t1" }));
    let job = started["jobId"].clone();
    assert_eq!(started["next"]["status"]["arguments"]["jobId"], job);
    let state = finished(&mut client, &job);
    assert_eq!(
        (&state["state"], &state["exit_code"]),
        (&json!("completed"), &json!(0)),
        "{state:#}"
    );

    let lines = client.ok("codex.logs", json!({ "jobId": job, "view": "result-only" }));
    assert!(lines["lines"].to_string().contains("first answer"), "{lines:#}");
    let bytes = client.ok("codex.logs", json!({ "jobId": job, "limit": 10 }));
    assert_eq!((&bytes["nextOffset"], &bytes["eof"]), (&json!(10), &json!(false)), "{bytes:#}");
    let grep = client.ok("codex.logs", json!({ "jobId": job, "grep": "Exit Code" }));
    assert_eq!(grep["lines"], json!(["Exit Code: 0"]));
    assert_eq!(
        client.error("codex.logs", json!({ "jobId": job, "grep": "(" })),
        "INVALID_ARGUMENT"
    );

    let replied = client.ok("codex.reply", json!({ "jobId": job, "message": "and now?" }));
    assert_eq!(replied["resumedFrom"], job);
    finished(&mut client, &replied["jobId"]);
    assert_eq!(setup.codex.prompt(2).trim(), "and now?");
    let words = setup.codex.arguments(2);
    assert!(words.contains(&"resume".to_owned()), "{words:?}");
    assert!(words.contains(&"read-only".to_owned()), "a reply keeps the sandbox: {words:?}");
    let wider =
        client.call("codex.resume", json!({ "jobId": job, "sandbox": "danger-full-access" }));
    assert_eq!(wider["isError"], true, "{wider:#}");
    let resumed = client.ok("codex.resume", json!({ "jobId": job, "skipCompleted": true }));
    assert_eq!(resumed["ignored"], json!(["skipCompleted"]));
    finished(&mut client, &resumed["jobId"]);

    let metrics = client.ok("codex.metrics", json!({}));
    assert_eq!(
        (&metrics["total"], &metrics["byState"]["completed"]),
        (&json!(3), &json!(3)),
        "{metrics:#}"
    );
    let tagged =
        client.ok("codex.list", json!({ "tagContains": "t1", "state": ["completed"], "limit": 2 }));
    assert_eq!(tagged["count"], 2, "{tagged:#}");
    assert_eq!(client.ok("codex.clean", json!({ "olderThanHours": 1 }))["deleted"], json!([]));
    assert_eq!(client.ok("codex.clean", json!({}))["deleted"].as_array().unwrap().len(), 3);
    assert_eq!(client.ok("codex.list", json!({}))["count"], 0);
}

#[test]
fn c5_stop_ends_a_job_and_the_number_of_runs_is_limited() {
    let setup = setup(FakeCodex::doing("thread; while :; do sleep 0.1; done"));
    let wrong = setup.launch().env("MAX_CONCURRENT_JOBS", "many").run();
    assert_eq!(wrong.exit_code, Some(2), "{wrong:#?}");
    let launch = setup.launch().env("MAX_CONCURRENT_JOBS", "2");
    let mut client = Client::start(&launch);
    let jobs: Vec<Value> =
        (0..2).map(|_| client.ok("codex.start", json!({ "task": "x" }))["jobId"].clone()).collect();
    assert_eq!(client.error("codex.start", json!({ "task": "x" })), "TOO_MANY_RUNS");
    assert_eq!(client.error("codex.exec", json!({ "task": "x" })), "TOO_MANY_RUNS");
    assert_eq!(
        client.error("codex.reply", json!({ "jobId": jobs[0], "message": "y" })),
        "STILL_RUNNING"
    );
    for job in &jobs {
        let stopped = client.ok("codex.stop", json!({ "jobId": job, "force": true }));
        assert_eq!(stopped["newState"], "stopped", "{stopped:#}");
    }
    let again = client.ok("codex.start", json!({ "task": "x" }));
    client.ok("codex.stop", json!({ "jobId": again["jobId"], "force": true }));
}

#[test]
fn c5_no_path_leads_out_of_the_repository_or_the_sessions() {
    let setup = setup(FakeCodex::answering("done"));
    std::os::unix::fs::symlink("/etc", setup.path().join("away")).unwrap();
    let mut client = setup.client();
    for id in ["../../../etc", "..", "a/b", "/etc/passwd", ".", "x\u{0}y"] {
        for tool in ["codex.status", "codex.logs", "codex.stop", "codex.resume", "codex.reply"] {
            assert_eq!(
                client.error(tool, json!({ "jobId": id })),
                "INVALID_ARGUMENT",
                "{tool} {id:?}"
            );
        }
    }
    assert_eq!(client.error("codex.status", json!({ "jobId": "cdx-none" })), "NOT_FOUND");
    for cwd in ["/etc", "..", "away", "src/../..", "not-there"] {
        assert_eq!(
            client.error("codex.exec", json!({ "task": "x", "cwd": cwd })),
            "INVALID_ARGUMENT",
            "{cwd}"
        );
    }
    for cwd in ["/etc", "..", "src/../.."] {
        assert_eq!(client.error("codex.clean", json!({ "cwd": cwd })), "INVALID_ARGUMENT", "{cwd}");
    }
    for args in [
        json!(["--file", "/etc/passwd"]),
        json!(["--task", "x", "--log-file", "/tmp/stolen"]),
        json!(["--task", "x", "--codex-config", "notify=[\"touch\",\"/tmp/x\"]"]),
        json!(["--task", "x", "--", "--add-dir", "/"]),
        json!(["--no-such-flag"]),
        json!(["--sandbox", "read-only"]),
    ] {
        assert_eq!(
            client.error("codex.exec", json!({ "args": args })),
            "INVALID_ARGUMENTS",
            "{args}"
        );
    }
    assert_eq!(client.error("codex.exec", json!({})), "INVALID_ARGUMENT");
    assert_eq!(setup.codex.n_runs(), 0);
}

#[test]
fn a50_a_model_does_not_choose_where_a_patch_is_written() {
    let diff = "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+hello\n";
    let setup = setup(FakeCodex::answering(&format!("```diff\n{diff}```")));
    let config = std::fs::read(setup.path().join(".git/config")).unwrap();
    let mut client = setup.client();
    for output in [".git/config", "link/new.txt", "new.diff"] {
        let args = json!(["--patch-output", output]);
        let call = json!({ "task": "x", "patchMode": true, "args": args });
        for tool in ["codex.exec", "codex.start"] {
            assert_eq!(client.error(tool, call.clone()), "INVALID_ARGUMENTS", "{tool} {output}");
        }
        let field = json!({ "task": "x", "patchMode": true, "patchOutput": output });
        assert_eq!(client.error("codex.exec", field), "INVALID_ARGUMENT", "{output}");
    }
    assert_eq!(setup.codex.n_runs(), 0);
    let result = client.ok("codex.exec", json!({ "task": "x", "patchMode": true }));
    let written = std::path::Path::new(result["patchFile"].as_str().unwrap());
    assert_eq!(std::fs::read_to_string(written).unwrap(), diff, "{result:#}");
    assert!(!written.starts_with(setup.path()), "{result:#}");
    assert_eq!(std::fs::read(setup.path().join(".git/config")).unwrap(), config);
}

#[test]
fn a50_no_match_of_a_pattern_is_outside_the_repository() {
    let setup = setup(FakeCodex::answering("done"));
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.md"), "OUTSIDE").unwrap();
    std::fs::create_dir(setup.path().join("docs")).unwrap();
    std::fs::write(setup.path().join("docs/a.md"), "INSIDE").unwrap();
    let link = |target: &std::path::Path, name: &str| {
        std::os::unix::fs::symlink(target, setup.path().join(name)).unwrap();
    };
    link(outside.path(), "link");
    link(&outside.path().join("secret.md"), "docs/z.md");
    let mut client = setup.client();
    for named in ["link/*.md", "link", "link/secret.md", "docs/z.md", "docs/z*.md"] {
        for flag in ["--file", "--docs", "--docs-dir", "--prepend-file", "--append-file", "-F"] {
            let args = json!(["--task", "x", flag, named]);
            let code = client.error("codex.exec", json!({ "args": args }));
            assert_eq!(code, "INVALID_ARGUMENTS", "{flag} {named}");
        }
    }
    assert_eq!(setup.codex.n_runs(), 0);
    for (run, named) in (1..).zip(["docs/*.md", "**/*.md", "docs"]) {
        let result = client.ok("codex.exec", json!({ "args": ["--file", named] }));
        let told = setup.codex.prompt(run);
        assert!(told.contains("INSIDE") && !told.contains("OUTSIDE"), "{named}: {told}");
        let left_out = result["leftOut"].to_string();
        assert!(left_out.contains("docs/z.md (it leads out"), "{named}: {result:#}");
    }
}

/// An earlier run may have replaced its working directory with a link.
#[test]
fn a50_a_session_does_not_continue_outside_the_repository() {
    let setup = setup(FakeCodex::answering("done"));
    let work = setup.path().join("work");
    std::fs::create_dir(&work).unwrap();
    let mut client = setup.client();
    let job = client.ok("codex.start", json!({ "task": "x", "cwd": "work" }))["jobId"].clone();
    finished(&mut client, &job);
    let outside = tempfile::tempdir().unwrap();
    std::fs::remove_dir(&work).unwrap();
    std::os::unix::fs::symlink(outside.path(), &work).unwrap();
    let n_runs = setup.codex.n_runs();
    let message = json!({ "jobId": job, "message": "go on" });
    assert_eq!(client.error("codex.reply", message), "INVALID_ARGUMENT");
    assert_eq!(client.error("codex.resume", json!({ "jobId": job })), "INVALID_ARGUMENT");
    assert_eq!(setup.codex.n_runs(), n_runs);
}

/// Even with a redaction pattern that matches everything, a run is counted, listed and stopped.
#[test]
fn c5_a_pattern_does_not_hide_a_run_or_lift_the_limit() {
    let setup = setup(FakeCodex::doing("thread; while :; do sleep 0.1; done"));
    let mut client = Client::start(&setup.launch().env("MAX_CONCURRENT_JOBS", "2"));
    let hidden =
        json!({ "task": "x", "args": ["--redact-pattern", "(?s).+", "--redact-pattern", "/"] });
    let jobs: Vec<Value> =
        (0..2).map(|_| client.ok("codex.start", hidden.clone())["jobId"].clone()).collect();
    assert_eq!(client.error("codex.start", hidden.clone()), "TOO_MANY_RUNS");
    assert_eq!(client.error("codex.exec", hidden), "TOO_MANY_RUNS");
    assert_eq!(client.ok("codex.list", json!({}))["count"], 2);
    for job in &jobs {
        let state = client.ok("codex.status", json!({ "jobId": job }));
        assert_eq!(state["cwd"], json!(setup.path()), "{state:#}");
        let stopped = client.ok("codex.stop", json!({ "jobId": job, "force": true }));
        assert_eq!(stopped["newState"], "stopped", "{stopped:#}");
    }
    let many = vec!["--redact-pattern=x"; 40];
    let too_many = json!({ "task": "x", "args": many });
    assert_eq!(client.call("codex.exec", too_many)["isError"], true);
}

#[test]
fn c5_sessions_of_another_repository_are_hidden() {
    let here = setup(FakeCodex::answering("done"));
    let mut client = here.client();
    let job = client.ok("codex.start", json!({ "task": "x" }))["jobId"].clone();
    finished(&mut client, &job);
    let elsewhere =
        fixture().env("HOME", here.home.path()).env("ADJUTANT_CODEX", here.codex.program());
    let mut other = Client::start(
        &elsewhere.launch(crate::fixture::ADJUTANT).arguments(["mcp", "--tools", "all"]),
    );
    assert_eq!(other.error("codex.logs", json!({ "jobId": job })), "NOT_FOUND");
    assert_eq!(other.ok("codex.list", json!({}))["count"], 0);
    assert_eq!(other.ok("codex.metrics", json!({}))["total"], 0);
    assert_eq!(other.ok("codex.clean", json!({}))["deleted"], json!([]));
    assert_eq!(client.ok("codex.list", json!({}))["count"], 1);
}

#[test]
fn c5_a_missing_codex_is_reported_with_a_hint() {
    let setup = setup(FakeCodex::answering("done"));
    let launch = setup.launch().env("ADJUTANT_CODEX", "/nowhere/codex");
    let mut client = Client::start(&launch);
    assert_eq!(client.error("codex.exec", json!({ "task": "x" })), "CODEX_NOT_FOUND");
    assert_eq!(client.ok("codex.version", json!({}))["codex"], Value::Null);
    assert_eq!(setup.client().ok("codex.version", json!({}))["codex"], "0.166.0");
}
