use super::*;
use crate::instructions::Instructions;
use crate::redaction::RedactionRules;
use crate::spec::{LogPlace, Spec};
use std::time::SystemTime;

fn host() -> RunHost {
    RunHost {
        environment: process::Environment::default(),
        clock: || SystemTime::UNIX_EPOCH,
        entropy: || "abc123".to_owned(),
        sessions: "/nonexistent".into(),
        cache: None,
        program: None,
        configuration: None,
        stdin: || Ok(Vec::new()),
        brief: |_, _, _| None,
    }
}

fn session(folder: &tempfile::TempDir) -> (Session, PathBuf) {
    let directory = folder.path().to_owned();
    let mut spec = Spec::new(Origin::Run, directory.clone(), Instructions::default());
    spec.log.place = LogPlace::Named(directory);
    let session = Session::create(&spec, &host()).unwrap();
    let path = session.events();
    (session, path)
}

#[test]
fn c6_writers_share_the_numbering_and_a_broken_line_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let (session, path) = session(&folder);
    let (host, redaction) = (host(), Redaction::default());
    let mut first = Journal::open(&session, &host, &redaction);
    let mut second = Journal::open(&session, &host, &redaction);
    first.append(EventData::Start(SessionStart::default())).unwrap();
    second.append(EventData::StopRequested { pid: 1, forced: false }).unwrap();
    // Simulates a writer that dies in the middle of a line.
    files::open_for_appending(&path).unwrap().write_all(b"{\"event\":\"half").unwrap();
    let end = SessionEnd::new(SessionStatus::Completed, Some(0), Classification::Normal, "");
    first.append(EventData::OrchestrationCompleted(end)).unwrap();
    let events = read_all(&path).unwrap();
    let seen: Vec<String> =
        events.iter().map(|event| format!("{} {}", event.seq, event.data.name())).collect();
    assert_eq!(seen, ["1 start", "2 stop_requested", "3 orchestration_completed"]);
}

#[test]
fn c7_events_are_redacted_and_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let (session, path) = session(&folder);
    let (host, redaction) = (host(), Redaction::default());
    let mut journal = Journal::open(&session, &host, &redaction);
    let secret = format!("ghp_{}", "Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zB0cD3fG6");
    let event = json!({"type": "item.completed", "item": {"text": format!("see {secret}")}});
    journal.append_codex(&event.to_string());
    let large = json!({"type": "item.completed", "item": {"text": "x ".repeat(4000)}}).to_string();
    for _ in 0..4000 {
        journal.append_codex(&large);
    }
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(!text.contains(&secret));
    assert!(text.len() as u64 <= MAX_CODEX_BYTES + MAX_CODEX_BYTES / 4, "{}", text.len());
    assert!(journal.n_dropped > 0);
}

/// A caller's pattern must not change the fields that Adjutant reads back to count, find and stop a run.
#[test]
fn c5_no_pattern_changes_what_the_program_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let (session, path) = session(&folder);
    let rules = RedactionRules { enabled: true, patterns: vec!["(?s).+".to_owned()] };
    let (host, redaction) = (host(), Redaction::new(&rules).unwrap());
    let mut journal = Journal::open(&session, &host, &redaction);
    let start = SessionStart {
        cwd: "/r/token=q8Zr2LkP77xvWm0aTe".into(),
        tag: "nightly".to_owned(),
        title: "a title".to_owned(),
        args: vec!["one".to_owned()],
        ..SessionStart::default()
    };
    journal.append(EventData::Start(start.clone())).unwrap();
    let thread = "01a00000-0000-7000-8000-00000000fa6e";
    let started = json!({"type": "thread.started", "thread_id": thread});
    journal.append_thread(thread);
    let events = read_all(&path).unwrap();
    let redacted = || "<redacted>".to_owned();
    let expected = SessionStart { title: redacted(), args: vec![redacted()], ..start };
    assert_eq!(events[0].data, EventData::Start(expected));
    assert_eq!(events[1].data, EventData::CodexEvent(started));
}
