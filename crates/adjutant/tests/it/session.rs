//! Sessions: evidence is not repeated, a follow-up prompt keeps its subject, and a sub-agent gets a smaller briefing.

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
    assert_eq!(again["degraded"]["is_degraded"], false);
    assert!(context(&in_session(&place, "two", PROMPT)).contains(CODE), "another session");
    assert!(context(&briefing(&place, &json!({ "prompt": PROMPT }))).contains(CODE), "none");
}

#[test]
fn a33_changed_evidence_is_shown_again() {
    let state = tempfile::tempdir().unwrap();
    let place = remembering(fixture(), state.path());
    in_session(&place, "one", PROMPT);
    let file = place.repository.path().join("src/billing/retry_budget.rs");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("    limit\n", "    limit + 41\n")).unwrap();
    let again = in_session(&place, "one", PROMPT);
    assert!(context(&again).contains("limit + 41"), "{}", context(&again));
}

#[test]
fn evidence_is_repeated_without_a_session_memory() {
    let state = tempfile::tempdir().unwrap();
    let off = remembering(fixture(), state.path()).env("ADJUTANT_MEMORY", "off");
    for _ in 0..2 {
        assert!(context(&in_session(&off, "one", PROMPT)).contains(CODE));
    }
    assert!(!state.path().join("memory").exists());
    // A file exists in place of the folder.
    std::fs::write(state.path().join("memory"), "").unwrap();
    let broken = remembering(fixture(), state.path());
    for _ in 0..2 {
        assert!(context(&in_session(&broken, "one", PROMPT)).contains(CODE));
    }
}

#[test]
fn a26_a_follow_up_prompt_keeps_its_subject() {
    let state = tempfile::tempdir().unwrap();
    let place = remembering(fixture(), state.path()).env("CI_AUTO_TOOLS_TIER_MAX", "2");
    in_session(&place, "one", PROMPT);
    for follow_up in ["who calls it?", "谁调用它？"] {
        let told = in_session(&place, "one", follow_up);
        let items = told["fused_context"]["for_model"]["structured"]["items"].to_string();
        let known = limits(&told);
        let named = items.contains("src/main.rs") || known.contains("src/main.rs");
        assert!(named, "{follow_up}: {items}\n{known}");
        let signals = told["inputs"]["signals"].to_string();
        assert!(signals.contains("session: enforce_retry_budget_zebra"), "{signals}");
        assert_eq!(
            told["inputs"]["prompt"], follow_up,
            "the published prompt differs from the typed one"
        );
        let alone = in_session(&place, "another", follow_up);
        assert!(!alone["inputs"]["signals"].to_string().contains("session:"), "{alone}");
    }
}

#[test]
fn a25_a_sub_agent_gets_its_own_smaller_briefing() {
    let state = tempfile::tempdir().unwrap();
    let place = remembering(fixture(), state.path());
    let found: Vec<Value> = (0..8)
        .map(|n| json!({ "path": format!("src/errand_{n}.rs"), "line": 1, "summary": "an errand", "confidence": 0.5 }))
        .collect();
    let results = json!([{ "tool": "ci_search", "status": "ok", "data": { "items": found } }]);
    let file = place.repository.path().join("results.json");
    std::fs::write(&file, results.to_string()).unwrap();
    let place = place.env("CI_AUTO_TOOLS_FAKE_TOOL_RESULTS_FILE", file);
    let items = |briefing: &Value| {
        let items = &briefing["fused_context"]["for_model"]["structured"]["items"];
        items.as_array().map_or(0, Vec::len)
    };
    let prompt = "explain the code of the errands";
    let whole = in_session(&place, "one", prompt);
    let small = briefing(
        &place,
        &json!({ "prompt": prompt, "session_id": "one", "agent_id": "a", "agent_type": "explorer" }),
    );
    assert!(items(&whole) > 5 && (1..=5).contains(&items(&small)), "{small:#}");
    assert!(context(&small).len() < context(&whole).len());
    assert!(
        !limits(&small).contains("shown earlier"),
        "an agent reads no transcript of its parent"
    );
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
