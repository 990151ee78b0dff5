//! Each odd input in each format: one valid output, a documented exit code, nothing else on stdout.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::stage::{ADJUTANT, HOOK, Stage, on, stage};
use serde_json::{Value, json};
use testkit::{Finished, Launch, Repository};

fn one_object(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
}

/// Hook, JSON and text for the same input.
#[track_caller]
fn check(input: &[u8], json_code: i32, limit: &str) {
    let hook = stage().run_on(input);
    assert_eq!(hook.exit_code, Some(0), "{hook:#?}");
    let envelope = one_object(&hook);
    assert!(envelope["hookSpecificOutput"]["additionalContext"].is_string(), "{envelope}");
    let codex = stage().arguments(&["--client", "codex"]).run_on(input);
    assert_eq!(codex.exit_code, Some(0));
    for key in one_object(&codex).as_object().unwrap().keys() {
        assert!(["hookSpecificOutput", "systemMessage"].contains(&key.as_str()), "{key}");
    }
    let json = stage().arguments(&["--format", "json"]).run_on(input);
    assert_eq!(json.exit_code, Some(json_code), "{json:#?}");
    let briefing = one_object(&json);
    assert_eq!(briefing["schema_version"], "1.0");
    assert!(crate::stage::limits(&briefing).contains(limit), "{}", crate::stage::limits(&briefing));
    let text = stage().arguments(&["--format", "text"]).run_on(input);
    assert_eq!(text.exit_code, Some(json_code));
}

#[test]
fn nothing_at_all() {
    check(b"", 0, "empty prompt");
    check(b"{\"prompt\": \"  \"}", 0, "empty prompt");
}

#[test]
fn what_is_not_a_payload() {
    check(b"fix the bug", 20, "not a JSON object with a text `prompt`");
    check(b"[1, 2]", 20, "not a JSON object");
    check(b"{\"prompt\": {\"text\": 1}}", 20, "expected a string");
    check(b"{\"query\": \"x\"}", 20, "there is no `prompt`");
    check(b"{\"prompt\": \"\xff\xfe\"}", 20, "not UTF-8");
}

#[test]
fn ten_megabytes() {
    let prompt = format!("explain enforce_retry_budget_zebra {}", "log line 🦀 ".repeat(800_000));
    let input = json!({ "prompt": prompt }).to_string();
    assert!(input.len() > 10_000_000);
    check(input.as_bytes(), 0, "characters: only its first and last");
}

#[test]
fn a_directory_that_is_gone_or_was_never_there() {
    let (briefing, code) = stage().env("WORKING_DIRECTORY", "/no/such/place").json("explain auth");
    assert_eq!(code, 20);
    assert!(
        crate::stage::limits(&briefing)
            .contains("E_REPO_ROOT: working directory: `/no/such/place`")
    );
    let deleted = json!({"prompt": "explain auth", "cwd": "/no/such/place"}).to_string();
    let hook = stage().run_on(deleted);
    assert_eq!(hook.exit_code, Some(0));
    assert!(one_object(&hook)["systemMessage"].as_str().unwrap().contains("/no/such/place"));
}

#[test]
fn a_working_directory_deleted_under_us() {
    let repository = Repository::builder().build();
    let gone = repository.join("gone");
    fs::create_dir(&gone).unwrap();
    let script = format!(
        "rmdir '{}' && echo '{{\"prompt\":\"explain auth\"}}' | '{HOOK}' --format json",
        gone.display()
    );
    let finished = Launch::new("/bin/sh", &gone).arguments(["-c", &script]).run();
    assert_eq!(finished.exit_code, Some(20), "{finished:#?}");
    assert_eq!(one_object(&finished)["degraded"]["is_degraded"], true);
}

#[test]
fn repositories_with_one_commit_and_with_none() {
    for repository in [
        Repository::builder().file("a.rs", "fn zebra_fn() {}\n").build(),
        Repository::builder().file("a.rs", "fn zebra_fn() {}\n").commit("one").build(),
    ] {
        let (briefing, code) = on(repository).json("where is zebra_fn defined");
        assert_eq!((code, crate::stage::context(&briefing).contains("a.rs:1")), (0, true));
    }
    let (empty, code) = on(Repository::builder().build()).json("where is zebra_fn defined");
    assert_eq!((code, crate::stage::context(&empty)), (0, ""));
}

#[test]
fn a_repository_that_cannot_be_written_to() {
    let stage = stage();
    let directories = ["src/billing", "src", ".git", ""];
    for directory in directories {
        fs::set_permissions(stage.repository.join(directory), fs::Permissions::from_mode(0o555))
            .unwrap();
    }
    let root = stage.repository.path().to_owned();
    let (briefing, code) = stage.json("where is enforce_retry_budget_zebra defined");
    for directory in directories.iter().rev() {
        fs::set_permissions(root.join(directory), fs::Permissions::from_mode(0o755))
            .unwrap_or_default();
    }
    assert_eq!((code, crate::stage::context(&briefing).contains("retry_budget.rs:2")), (0, true));
}

#[test]
fn a_full_disk_for_stdout_is_no_crash() {
    let script = format!("echo '{{\"prompt\":\"explain auth\"}}' | '{HOOK}' > /dev/full");
    let stage = stage();
    let finished = stage.launch("/bin/sh").arguments(["-c", &script]).run();
    assert_eq!(finished.exit_code, Some(0), "{finished:#?}");
}

#[test]
fn wrong_flags_never_block_a_prompt() {
    let hook = stage().arguments(&["--no-such-flag"]).run_on(r#"{"prompt":"x"}"#);
    assert_eq!(
        (hook.exit_code, one_object(&hook)["hookSpecificOutput"]["hookEventName"].as_str()),
        (Some(0), Some("UserPromptSubmit"))
    );
    assert!(hook.stderr.contains("--no-such-flag"));
    let json = stage().arguments(&["--format", "json", "--no-such-flag"]).run_on("{}");
    assert_eq!(json.exit_code, Some(2));
}

#[test]
fn a_kernel_fed_garbage_says_so() {
    let stage = |input: &str| -> (Value, Option<i32>) {
        let place: Stage = stage();
        let finished = place.launch(ADJUTANT).argument("orchestrate").input(input).run();
        (one_object(&finished), finished.exit_code)
    };
    assert_eq!(stage("garbage").1, Some(20));
    assert_eq!(stage("").1, Some(0));
    assert_eq!(stage(r#"{"prompt":"explain auth"}"#).1, Some(0));
}
