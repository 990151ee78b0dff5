//! Sessions: the memory and the transcript. Their rules are tested in `crates/kernel`.

use std::path::Path;

use serde_json::{Value, json};

use crate::fixture::{Fixture, context, fixture, limits};

const PROMPT: &str = "where is enforce_retry_budget_zebra defined?";
const CODE: &str = "pub fn enforce_retry_budget_zebra(limit: u32) -> u32 {";

#[track_caller]
fn briefing(fixture: &Fixture, payload: &Value) -> Value {
    let finished = fixture.run_on(payload.to_string());
    serde_json::from_str(&finished.stdout)
        .unwrap_or_else(|error| panic!("not one JSON object ({error}): {finished:#?}"))
}

fn in_session(fixture: &Fixture, session: &str, prompt: &str) -> Value {
    briefing(fixture, &json!({ "prompt": prompt, "session_id": session }))
}

fn remembering(fixture: Fixture, state: &Path) -> Fixture {
    fixture.env("ADJUTANT_STATE_DIR", state).arguments(&["--format", "json"])
}

#[test]
fn a33_evidence_is_not_repeated_within_a_session() {
    let state = tempfile::tempdir().unwrap();
    let place = remembering(fixture(), state.path());
    assert!(context(&in_session(&place, "one", PROMPT)).contains(CODE));
    let again = in_session(&place, "one", PROMPT);
    assert!(!context(&again).contains(CODE), "{}", context(&again));
    let said = "shown earlier in this session, not repeated: ";
    assert!(limits(&again).contains(said), "{}", limits(&again));
    assert!(limits(&again).contains("src/billing/retry_budget.rs:2"), "{}", limits(&again));
    let off = place.env("ADJUTANT_MEMORY", "off");
    assert!(context(&in_session(&off, "one", PROMPT)).contains(CODE), "the memory is off");
}

/// The decision depends on the transcript: without it, the same prompt gets no evidence.
#[test]
fn a26_a_short_prompt_in_a_session_gets_pointers_to_the_files_of_the_session() {
    let state = tempfile::tempdir().unwrap();
    let fixture = remembering(fixture(), state.path());
    let transcript = state.path().join("transcript.jsonl");
    let path = fixture.repository.path().join("src/billing/retry_budget.rs");
    let call =
        json!({"type": "tool_use", "id": "t1", "name": "Edit", "input": {"file_path": path}});
    let lines = [
        json!({"type": "user", "message": {"role": "user", "content": "the zebra budget is too small"}}),
        json!({"type": "assistant", "message": {"role": "assistant", "content": [call]}}),
        json!({"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]}}),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(&transcript, text).unwrap();
    let ask = |prompt: &str| {
        let payload = json!({
            "session_id": "pointers", "prompt_id": prompt, "hook_event_name": "UserPromptSubmit",
            "cwd": fixture.repository.path(), "transcript_path": transcript, "prompt": prompt,
        });
        context(&briefing(&fixture, &payload)).to_owned()
    };
    let pointers = ask("the limit is still wrong, make it bigger");
    assert!(pointers.contains("src/billing/retry_budget.rs"), "{pointers}");
    assert!(pointers.chars().count() <= 600, "{pointers}");
    assert_eq!(ask("ok, commit and push"), "");
}

#[test]
fn a26_a_prompt_that_no_person_wrote_is_left_alone() {
    let fixture = fixture();
    let ask = |prompt: &str| {
        let payload = json!({
            "session_id": "s", "prompt_id": "p", "hook_event_name": "UserPromptSubmit", "prompt": prompt,
        });
        briefing(&fixture, &payload)
    };
    let context = |answer: &Value| {
        answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
    };
    assert!(context(&ask(PROMPT)).contains(CODE));
    for prompt in [
        format!("<task-notification>{PROMPT}</task-notification>"),
        format!("<user-instructions>\n[2026-11-18T00:00:00Z] Composed instructions:\n\n{PROMPT}"),
    ] {
        let answer = ask(&prompt);
        assert_eq!(context(&answer), "", "{prompt}");
        assert_eq!(answer["systemMessage"], Value::Null, "{prompt}");
    }
}
