//! Unusual input in each format: the output must be valid, the exit code must be documented, and stdout must contain nothing
//! else.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::fixture::{ADJUTANT, Fixture, HOOK, fixture};
use serde_json::{Value, json};
use testkit::{Finished, Launch, Repository};

fn one_object(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
}

/// Runs the hook, JSON and text formats on the same input.
#[track_caller]
fn check(fixture: &Fixture, input: &[u8], json_code: i32, limit: &str) {
    let run = |arguments: &[&str]| fixture.launch(HOOK).arguments(arguments).input(input).run();
    let hook = run(&[]);
    assert_eq!(hook.exit_code, Some(0), "{hook:#?}");
    let envelope = one_object(&hook);
    assert!(envelope["hookSpecificOutput"]["additionalContext"].is_string(), "{envelope}");
    let json = run(&["--format", "json"]);
    assert_eq!(json.exit_code, Some(json_code), "{json:#?}");
    let briefing = one_object(&json);
    assert_eq!(briefing["schema_version"], "1.0");
    let limits = crate::fixture::limits(&briefing);
    assert!(limits.contains(limit), "{limits}");
}

/// Other inputs that are not payloads are tested in `crates/clients`.
#[test]
fn unusual_input_is_answered_in_every_format() {
    let place = fixture();
    check(&place, b"", 0, "empty prompt");
    check(&place, b"{\"prompt\": \"\xff\xfe\"}", 20, "not UTF-8");
    let wrong = b"fix the bug";
    check(&place, wrong, 20, "not a JSON object with a text `prompt`");
    let launch = |arguments: &[&str]| place.launch(HOOK).arguments(arguments).input(wrong).run();
    assert_eq!(launch(&["--format", "text"]).exit_code, Some(20));
    let codex = launch(&["--client", "codex"]);
    assert_eq!(codex.exit_code, Some(0));
    for key in one_object(&codex).as_object().unwrap().keys() {
        assert!(["hookSpecificOutput", "systemMessage"].contains(&key.as_str()), "{key}");
    }
}

#[test]
fn ten_megabytes_of_input_are_answered() {
    let prompt = format!("explain enforce_retry_budget_zebra {}", "log line 🦀 ".repeat(800_000));
    let input = json!({ "prompt": prompt }).to_string();
    assert!(input.len() > 10_000_000);
    check(&fixture(), input.as_bytes(), 0, "characters: only its first and last");
}

#[test]
fn a_missing_directory_is_answered() {
    let deleted = json!({"prompt": "explain auth", "cwd": "/no/such/place"}).to_string();
    let hook = fixture().run_on(deleted);
    assert_eq!(hook.exit_code, Some(0));
    assert!(one_object(&hook)["systemMessage"].as_str().unwrap().contains("/no/such/place"));
}

#[test]
fn a_deleted_working_directory_is_answered() {
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
fn a_read_only_repository_is_answered() {
    let fixture = fixture();
    let directories = ["src/billing", "src", ".git", ""];
    for directory in directories {
        fs::set_permissions(fixture.repository.join(directory), fs::Permissions::from_mode(0o555))
            .unwrap();
    }
    let root = fixture.repository.path().to_owned();
    let (briefing, code) = fixture.json("where is enforce_retry_budget_zebra defined");
    for directory in directories.iter().rev() {
        fs::set_permissions(root.join(directory), fs::Permissions::from_mode(0o755))
            .unwrap_or_default();
    }
    assert_eq!((code, crate::fixture::context(&briefing).contains("retry_budget.rs:2")), (0, true));
}

#[test]
fn a_full_disk_for_stdout_causes_no_crash() {
    let script = format!("echo '{{\"prompt\":\"explain auth\"}}' | '{HOOK}' > /dev/full");
    let fixture = fixture();
    let finished = fixture.launch("/bin/sh").arguments(["-c", &script]).run();
    assert_eq!(finished.exit_code, Some(0), "{finished:#?}");
}

#[test]
fn wrong_flags_never_block_a_prompt() {
    let hook = fixture().arguments(&["--no-such-flag"]).run_on(r#"{"prompt":"x"}"#);
    assert_eq!(
        (hook.exit_code, one_object(&hook)["hookSpecificOutput"]["hookEventName"].as_str()),
        (Some(0), Some("UserPromptSubmit"))
    );
    assert!(hook.stderr.contains("--no-such-flag"));
    let json = fixture().arguments(&["--format", "json", "--no-such-flag"]).run_on("{}");
    assert_eq!(json.exit_code, Some(2));
}

#[test]
fn the_kernel_reports_invalid_input() {
    let fixture = |input: &str| -> (Value, Option<i32>) {
        let place: Fixture = fixture();
        let finished = place.launch(ADJUTANT).argument("orchestrate").input(input).run();
        (one_object(&finished), finished.exit_code)
    };
    assert_eq!(fixture("garbage").1, Some(20));
    assert_eq!(fixture("").1, Some(0));
    assert_eq!(fixture(r#"{"prompt":"explain auth"}"#).1, Some(0));
}
