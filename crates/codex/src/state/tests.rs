use super::*;

fn event(name: &str, data: Value) -> Event {
    Event {
        event: name.to_owned(),
        timestamp: "2026-01-02T03:04:05Z".to_owned(),
        session: "s".to_owned(),
        seq: 1,
        data,
    }
}

fn gone() -> Value {
    json!({"pid": 1, "start_ticks": 7, "boot_id": "an earlier boot"})
}

#[test]
fn c5_a_session_whose_supervisor_is_gone_is_lost_and_says_what_is_known() {
    let ours = identity_json(&Identity::of_this_process());
    let events = [
        event(names::START, json!({"cwd": "/r", "starter": gone()})),
        event(
            names::SUPERVISED,
            json!({"supervisor": gone(), "effective": {"sandbox": "read-only"}}),
        ),
        event(names::CODEX, json!({"type": "thread.started", "thread_id": "t-9"})),
        event(names::ITERATION_STARTED, json!({"iteration": 1, "codex": ours})),
    ];
    let state = Known::from_events("s", &events).now();
    assert_eq!((state.state, state.exit_code), (Status::Lost, None));
    assert_eq!(state.thread_id.as_deref(), Some("t-9"));
    assert!(state.note.unwrap().contains("still runs"));
}

#[test]
fn c5_a_session_whose_supervisor_runs_is_running() {
    let ours = identity_json(&Identity::of_this_process());
    let started = event(names::START, json!({"starter": ours}));
    assert_eq!(Known::from_events("s", &[started]).now().state, Status::Running);
}

#[test]
fn c5_the_end_that_was_written_down_stands() {
    let events = [
        event(names::START, json!({"starter": gone()})),
        event(names::STOP, json!({})),
        event(
            names::COMPLETED,
            json!({"state": "stopped", "exit_code": 143, "classification": "user_cancelled", "tokens_used": 12}),
        ),
    ];
    let state = Known::from_events("s", &events).now();
    assert_eq!(
        (state.state, state.exit_code, state.tokens_used),
        (Status::Stopped, Some(143), Some(12))
    );
    assert!(state.stop_requested);
}
