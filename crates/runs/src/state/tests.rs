use super::*;

fn event(data: EventData) -> Event {
    Event { data, timestamp: "2026-01-02T03:04:05Z".to_owned(), session: "s".to_owned(), seq: 1 }
}

fn start(starter: ProcessIdentity) -> Event {
    event(EventData::Start(SessionStart { starter: Some(starter), ..SessionStart::default() }))
}

/// Returns a process of an earlier boot, which cannot be running.
fn ended_process() -> ProcessIdentity {
    ProcessIdentity { pid: 1, start_ticks: 7, boot_id: "an earlier boot".to_owned() }
}

#[test]
fn c5_a_session_without_a_supervisor_is_lost_and_reports_its_last_state() {
    let orders = policy::Effective {
        sandbox: Sandbox::ReadOnly,
        approval: Approval::Never,
        network: policy::Network::Restricted,
        bypass: policy::Bypass::No,
    };
    let effective = EffectiveOrders { orders, writable_roots: Vec::new() };
    let events = [
        start(ended_process()),
        event(EventData::Supervised {
            supervisor: ended_process(),
            watchdog: None,
            effective,
            codex_version: None,
            reasons: Vec::new(),
            codex: "codex".to_owned(),
        }),
        event(EventData::CodexEvent(
            serde_json::json!({"type": "thread.started", "thread_id": "t-9"}),
        )),
        event(EventData::IterationStarted {
            iteration: 1,
            codex: ProcessIdentity::of_this_process(),
            codex_home: None,
        }),
    ];
    let state = SessionSummary::from_events("s", &events).now();
    assert_eq!((state.state, state.exit_code), (SessionStatus::Lost, None));
    assert_eq!(state.thread_id.as_deref(), Some("t-9"));
    assert_eq!(state.effective_sandbox, Some(Sandbox::ReadOnly));
    assert!(state.note.unwrap().contains("still running"));
}

#[test]
fn c5_a_session_whose_supervisor_runs_is_running() {
    let started = start(ProcessIdentity::of_this_process());
    assert_eq!(SessionSummary::from_events("s", &[started]).now().state, SessionStatus::Running);
}

#[test]
fn c5_the_recorded_end_is_the_state() {
    let end = r#"{"event": "orchestration_completed", "timestamp": "", "orchestrationId": "s", "seq": 3,
        "data": {"state": "stopped", "exit_code": 143, "classification": "user_cancelled", "tokens_used": 12}}"#;
    let events = [
        start(ended_process()),
        event(EventData::StopRequested { pid: 1, forced: false }),
        serde_json::from_str(end).unwrap(),
    ];
    let state = SessionSummary::from_events("s", &events).now();
    assert_eq!(
        (state.state, state.exit_code, state.tokens_used),
        (SessionStatus::Stopped, Some(143), Some(12))
    );
    assert!(state.stop_requested);
}
