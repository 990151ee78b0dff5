use super::*;
use crate::redaction::RedactionRules;
use serde_json::json;
use std::time::SystemTime;

fn host() -> RunHost {
    RunHost {
        environment: process::Environment::default(),
        clock: || SystemTime::UNIX_EPOCH,
        chance: || "abc123".to_owned(),
        sessions: "/nonexistent".into(),
        cache: None,
        program: None,
    }
}

#[test]
fn c6_numbers_go_on_whoever_writes_and_a_broken_line_costs_only_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.jsonl");
    let (host, redaction) = (host(), Redaction::new(&RedactionRules::default()).unwrap());
    let mut first = Journal::open(&path, "s", &host, &redaction);
    let mut second = Journal::open(&path, "s", &host, &redaction);
    first.append("start", json!({"n": 1}), json!({})).unwrap();
    second.append("stop_requested", json!({}), json!({})).unwrap();
    // A writer that dies in the middle of a line.
    files::appended(&path).unwrap().write_all(b"{\"event\":\"half").unwrap();
    first.append("orchestration_completed", json!({}), json!({})).unwrap();
    let events = read_all(&path).unwrap();
    let seen: Vec<(u64, &str)> =
        events.iter().map(|event| (event.seq, event.event.as_str())).collect();
    assert_eq!(seen, [(1, "start"), (2, "stop_requested"), (3, "orchestration_completed")]);
}

#[test]
fn c7_events_are_redacted_and_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.jsonl");
    let (host, redaction) = (host(), Redaction::new(&RedactionRules::default()).unwrap());
    let mut journal = Journal::open(&path, "s", &host, &redaction);
    let secret = format!("ghp_{}", "Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zB0cD3fG6");
    journal.codex(&json!({"type": "item.completed", "item": {"text": format!("see {secret}")}}));
    let large = json!({"type": "item.completed", "item": {"text": "x ".repeat(4000)}});
    for _ in 0..4000 {
        journal.codex(&large);
    }
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(!text.contains(&secret));
    assert!(text.len() as u64 <= MAX_CODEX_BYTES + MAX_CODEX_BYTES / 4, "{}", text.len());
    assert!(journal.n_dropped > 0);
}

/// A pattern of the caller's must not change what is read back to count, find and stop a run.
#[test]
fn c5_no_pattern_changes_what_the_program_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.jsonl");
    let rules = RedactionRules { enabled: true, patterns: vec!["(?s).+".to_owned()] };
    let (host, redaction) = (host(), Redaction::new(&rules).unwrap());
    let mut journal = Journal::open(&path, "s", &host, &redaction);
    let facts = json!({"cwd": "/r/token=q8Zr2LkP77xvWm0aTe", "state": "running"});
    journal.append("start", facts.clone(), json!({"title": "a title"})).unwrap();
    let thread = "01a00000-0000-7000-8000-00000000fa6e";
    journal.codex(&json!({"type": "thread.started", "thread_id": thread}));
    let events = read_all(&path).unwrap();
    assert_eq!(events[0].data["cwd"], facts["cwd"]);
    assert_eq!(events[0].data["state"], "running");
    assert_eq!(events[0].data["title"], "<redacted>");
    assert_eq!(events[1].data["thread_id"], thread);
}
