//! Tests of requests: their stored form, their words, and what a model may ask for.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use policy::Author;
use process::Environment;

use super::*;
use crate::checks::RunError;
use crate::run_host::RunHost;
use crate::spec::{Continues, Origin};

fn request(words: &[&str]) -> RunRequest {
    let words: Vec<String> = words.iter().map(ToString::to_string).collect();
    RunRequest::from_words(&words).unwrap_or_else(|error| panic!("{words:?}: {error}"))
}

/// The words that version 0.2.0 stored for a task with every kind of flag.
const OLD_WORDS: [&str; 17] = [
    "--context=off",
    "--task=one",
    "--file=a.md",
    "--docs-dir=docs",
    "--full-auto",
    "--task=-two = 2",
    "--timeout=5m",
    "--idle-timeout=off",
    "--max-cost=2.5",
    "--max-tokens=9000",
    "--agent=claude",
    "--redact-pattern=a=b",
    "--ask-for-approval=on-request",
    "--preset=fast",
    "--cwd=/repository",
    "--redact",
    "--context-head=3",
];

#[test]
fn the_words_of_an_older_version_are_read() {
    let words: Vec<&str> = OLD_WORDS.into_iter().chain(["--", "--search", "-c", "x=1"]).collect();
    let expected = RunRequest {
        context: BriefingChoice::Off,
        pieces: vec![
            Piece::Text("one".to_owned()),
            Piece::File("a.md".to_owned()),
            Piece::Folder("docs".into()),
            Piece::Text("-two = 2".to_owned()),
        ],
        full_auto: true,
        timeout: "5m".parse().ok(),
        idle_timeout: "off".parse().ok(),
        max_cost: "2.5".parse().ok(),
        max_tokens: Some(9000),
        agent: Some(AgentKind::Claude),
        redact_pattern: vec!["a=b".to_owned()],
        ask_for_approval: Some(Approval::OnRequest),
        preset: Some(Preset::Fast),
        cwd: Some("/repository".into()),
        codex_arg: ["--search", "-c", "x=1"].map(str::to_owned).to_vec(),
        ..RunRequest::default()
    };
    assert_eq!(request(&words), expected);
    for wrong in
        ["task", "--unknown", "--network=yes", "--max-tokens=x", "--timeout", "--sandbox=all"]
    {
        assert!(RunRequest::from_words(&[wrong.to_owned()]).is_err(), "{wrong}");
    }
}

#[test]
fn a_request_is_stored_with_its_version_and_without_defaults() {
    let stored =
        Value::Object(request(&["--task=fix it", "--sandbox=read-only", "--network"]).given());
    let expected = json!({
        "version": 1, "pieces": [{ "task": "fix it" }], "sandbox": "read-only", "network": true,
    });
    assert_eq!(stored, expected);
    let every = request(&OLD_WORDS);
    assert_eq!(serde_json::from_value::<RunRequest>(Value::Object(every.given())).unwrap(), every);
}

#[test]
fn a_stored_request_of_an_older_version_equals_a_new_one() {
    let older = json!({ "version": VERSION - 1, "pieces": [{ "task": "fix it" }] });
    assert_eq!(serde_json::from_value::<RunRequest>(older).unwrap(), RunRequest::task("fix it"));
    let newer = json!({ "version": VERSION + 1, "pieces": [{ "task": "fix it" }] });
    assert_ne!(serde_json::from_value::<RunRequest>(newer).unwrap(), RunRequest::task("fix it"));
}

#[test]
fn the_words_of_a_request_make_the_same_request() {
    let every = request(&OLD_WORDS);
    let words = every.words();
    assert!(words.contains(&"--task=-two = 2".to_owned()), "{words:?}");
    assert_eq!(RunRequest::from_words(&words).unwrap(), every);
}

fn for_model(root: &Path, words: &[&str]) -> Result<(), RunError> {
    let place = RunPlace { directory: root, here: root, confined_to: Some(root) };
    request(words).check_for_model(place, false)
}

#[test]
fn c4_a_model_can_set_a_task_and_orders() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    fs::write(root.join("notes.md"), "x").unwrap();
    for words in [
        &["--task=x"][..],
        &["--task=x", "--sandbox=read-only", "--codex-config=model_reasoning_effort=low"],
        &["--file=notes.md"],
        &["--file=docs/**/*.md", "--task=x"],
        &["--task=x", "--", "-s", "read-only", "-c", "model=\"m\""],
    ] {
        let checked = for_model(&root, words);
        assert!(checked.is_ok(), "{words:?}: {checked:?}");
    }
}

#[test]
fn c4_a_model_cannot_leave_the_repository_or_start_programs() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    std::os::unix::fs::symlink("/etc/passwd", root.join("innocent.md")).unwrap();
    for words in [
        &["--task=x", "--log-file=/tmp/x"][..],
        &["--task=x", "--log-dir=/tmp/x"],
        &["--task=x", "--flat-logs"],
        &["--task=x", "--aggregate-file=x"],
        &["--task=x", "--no-redact"],
        &["--task=x", "--timeout=off"],
        &["--task=x", "--idle-timeout=0"],
        &["--task=x", "--patch-mode", "--patch-output=../x"],
        &["--task=x", "--patch-mode", "--patch-output=patch.diff"],
        &["--file=/etc/passwd"],
        &["--file=../secret.md"],
        &["--file=innocent.md"],
        &["--file=@list"],
        &["--file=-"],
        &["--docs-dir=/etc"],
        &["--prepend-file=/etc/passwd", "--task=x"],
        &["--file-override=/etc/passwd"],
        &["--sandbox=read-only"],
        &["--task=x", "--cwd=/"],
        &["--task=x", "--profile=../../evil"],
        &["--task=x", "--codex-config=notify=[\"sh\"]"],
        &["--task=x", "--codex-config=mcp_servers.a.command=\"sh\""],
        &["--task=x", "--codex-config=sandbox_workspace_write.writable_roots=[\"/\"]"],
        &["--task=x", "--codex-arg=--add-dir", "--codex-arg=/"],
        &["--task=x", "--", "-C", "/"],
        &["--task=x", "--", "-cnotify=[\"sh\"]"],
        &["--task=x", "--", "--config=notify=[\"sh\"]"],
        &["--task=x", "--", "-c", "notify=[\"sh\"]"],
        &["--task=x", "--", "--dangerously-bypass-hook-trust"],
    ] {
        assert!(for_model(&root, words).is_err(), "{words:?}");
    }
}

fn host(folder: &Path) -> RunHost {
    RunHost {
        environment: Environment::default().with("HOME", folder),
        clock: || SystemTime::UNIX_EPOCH,
        entropy: String::new,
        sessions: folder.join("sessions"),
        cache: None,
        program: None,
        configuration: None,
        stdin: || Ok(b"from stdin".to_vec()),
        brief: |task, _, _| Some(format!("briefing of {task}")),
    }
}

fn earlier(directory: &Path) -> Continues {
    Continues {
        session: "cdx-1".to_owned(),
        agent: AgentKind::Claude,
        thread: "thread".to_owned(),
        directory: directory.to_owned(),
        resolved_directory: None,
        effective: serde_json::from_value(json!({
            "sandbox": "read-only", "approval": "never", "network": false, "bypass": false,
        }))
        .unwrap(),
        codex_home: None,
    }
}

#[test]
fn c7_the_hook_adds_nothing_to_instructions_that_adjutant_composed() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path();
    let place = RunPlace { directory, here: directory, confined_to: None };
    let spec = |request: &RunRequest, continues| {
        let wish = RunWish { origin: Origin::Job, author: Author::Person, continues };
        request.describe(place, wish, &host(directory)).unwrap()
    };
    let task = RunRequest::task("thanks");
    let briefed = spec(&task, None);
    assert!(briefed.is_composed && briefed.instructions.text.contains("briefing of thanks"));
    let plain = spec(&task.without_briefing(), None);
    assert!(plain.is_composed && !plain.instructions.text.contains("briefing"));
    let message = spec(&task, Some(earlier(directory)));
    assert!(!message.is_composed);
    assert_eq!((message.instructions.text.as_str(), message.agent), ("thanks", AgentKind::Claude));
    let from_stdin = spec(&RunRequest::default(), None);
    assert!(from_stdin.instructions.text.contains("from stdin"));
}

#[test]
fn a_request_of_a_newer_version_is_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let newer = json!({ "version": 2, "pieces": [{ "task": "x" }], "unknown": "y" });
    let newer: RunRequest = serde_json::from_value(newer).unwrap();
    let described = newer.describe_for_user(Origin::Job, None, folder.path(), &host(folder.path()));
    assert!(matches!(described, Err(RunError::Newer { version: 2 })), "{described:?}");
}
