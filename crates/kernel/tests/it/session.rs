//! Sessions: evidence is not repeated, a follow-up prompt keeps its subject, and a sub-agent gets a smaller briefing.

use std::os::unix::fs::PermissionsExt;

use contract::{FileAction, Request, SessionActivity, TouchedFile};
use kernel::Briefed;
use kernel::gate::Amount;
use serde_json::{Value, json};

use crate::fixture::{context, fixture, limits};

const PROMPT: &str = "where is enforce_retry_budget_zebra defined?";
const CODE: &str = "pub fn enforce_retry_budget_zebra(limit: u32) -> u32 {";

#[test]
fn a33_evidence_is_shown_again_in_another_session_or_without_one() {
    let place = fixture().with_memory();
    assert!(context(&place.brief_in_session("one", PROMPT)).contains(CODE));
    let again = place.brief_in_session("one", PROMPT);
    assert!(!context(&again).contains(CODE), "{}", context(&again));
    assert!(!again.briefing.degraded.is_degraded);
    assert!(context(&place.brief_in_session("two", PROMPT)).contains(CODE), "another session");
    assert!(context(&place.brief(PROMPT)).contains(CODE), "none");
}

#[test]
fn a33_changed_evidence_is_shown_again() {
    let place = fixture().with_memory();
    place.brief_in_session("one", PROMPT);
    let file = place.repository.join("src/billing/retry_budget.rs");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("    limit\n", "    limit + 41\n")).unwrap();
    let again = place.brief_in_session("one", PROMPT);
    assert!(context(&again).contains("limit + 41"), "{}", context(&again));
}

/// A file exists in place of the folder.
#[test]
fn evidence_is_repeated_if_the_memory_cannot_be_written() {
    let place = fixture().with_memory();
    std::fs::write(place.memory_folder(), "").unwrap();
    for _ in 0..2 {
        assert!(context(&place.brief_in_session("one", PROMPT)).contains(CODE));
    }
}

#[test]
fn a26_a_follow_up_prompt_keeps_its_subject() {
    let place = fixture().with_memory().env("CI_AUTO_TOOLS_TIER_MAX", "2");
    place.brief_in_session("one", PROMPT);
    for follow_up in ["who calls it?", "谁调用它？"] {
        let told = place.brief_in_session("one", follow_up);
        let items = &told.briefing.fused_context.for_model.structured.items;
        let is_found = items.iter().any(|item| item.path.as_deref() == Some("src/main.rs"));
        assert!(is_found || limits(&told).contains("src/main.rs"), "{follow_up}: {told:#?}");
        let is_subject = |briefed: &Briefed| {
            let mut signals = briefed.briefing.inputs.signals.iter();
            signals.any(|signal| signal.matched.contains("session: enforce_retry_budget_zebra"))
        };
        assert!(is_subject(&told), "{told:#?}");
        assert_eq!(told.briefing.inputs.prompt, follow_up, "the published prompt is as typed");
        assert!(!is_subject(&place.brief_in_session("another", follow_up)));
    }
}

/// Without a compaction, the same prompt gets nothing: the model still has the evidence.
#[test]
fn a33_a_prompt_that_continues_the_work_gets_its_places_after_a_compaction() {
    let place = fixture().with_memory();
    place.brief_in_session("one", PROMPT);
    let go_on = |compacted_at: Option<u64>| {
        let prompts = vec![PROMPT.to_owned()];
        let activity =
            SessionActivity { n_prompts: 1, prompts, compacted_at, ..SessionActivity::default() };
        place.brief_request(&Request {
            prompt: "go on".to_owned(),
            session_id: Some("one".to_owned()),
            activity: Some(activity),
            ..Request::default()
        })
    };
    assert_eq!(context(&go_on(None)), "");
    let pointers = go_on(Some(u64::from(u32::MAX)));
    let text = context(&pointers);
    assert!(text.contains("src/billing/retry_budget.rs:2"), "{text}");
    assert!(text.chars().count() <= 600 && !text.contains(CODE), "{text}");
    let decision = pointers.decision.unwrap().to_string();
    assert_eq!(decision, "pointers (compaction)");
}

#[test]
fn a25_a_sub_agent_gets_its_own_smaller_briefing() {
    let found: Vec<Value> = (0..8)
        .map(|n| json!({ "path": format!("src/errand_{n}.rs"), "line": 1, "summary": "an errand", "confidence": 0.5 }))
        .collect();
    let results = json!([{ "tool": "ci_search", "status": "ok", "data": { "items": found } }]);
    let place = fixture().with_memory().with_results(&results);
    let prompt = "explain the code of the errands";
    let whole = place.brief_in_session("one", prompt);
    let small = place.brief_request(&Request {
        prompt: prompt.to_owned(),
        session_id: Some("one".to_owned()),
        agent_id: Some("a".to_owned()),
        ..Request::default()
    });
    let n_items =
        |briefed: &Briefed| briefed.briefing.fused_context.for_model.structured.items.len();
    assert!(n_items(&whole) > 5 && (1..=5).contains(&n_items(&small)), "{small:#?}");
    assert!(context(&small).len() < context(&whole).len());
    assert!(
        !limits(&small).contains("shown earlier"),
        "an agent reads no transcript of its parent"
    );
}

#[test]
fn the_first_briefing_of_a_session_names_the_command_explore_if_it_can_be_run() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("adjutant");
    std::fs::write(&program, "#!/bin/sh\n").unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let place = fixture().with_memory().env("PATH", &path);
    let is_named = |session: &str, prompt: &str| {
        let context = context(&place.brief_in_session(session, prompt)).to_owned();
        assert!(!context.is_empty(), "{prompt}");
        context.starts_with("`adjutant explore ARG`")
    };
    assert!(!is_named("one", PROMPT), "the program cannot be executed");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(is_named("two", PROMPT));
    assert!(!is_named("two", "who calls enforce_retry_budget_zebra?"), "the session knows it");
}

#[test]
fn the_command_explore_is_named_alone_if_no_finding_is_likely() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("adjutant");
    std::fs::write(&program, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let found = json!([{ "path": "src/main.rs", "summary": "fn main()", "confidence": 0.2 }]);
    let results = json!([{ "tool": "ci_search", "status": "ok", "data": { "items": found } }]);
    let place = fixture().with_memory().with_results(&results).env("PATH", &path);
    let text = |prompt: &str| context(&place.brief_in_session("one", prompt)).to_owned();
    assert_eq!(text("good morning"), "", "the prompt asks for no code");
    let request = "Fix this bug: the function that runs an errand throws an exception if the errand fails twice";
    let hint = text(request);
    assert!(hint.starts_with("`adjutant explore ARG`") && hint.lines().count() == 1, "{hint}");
    assert_eq!(text(&format!("again, {request}")), "", "the session knows it");
    let question = "What happens to an errand when it fails?";
    let briefed = place.brief_in_session("two", question);
    assert!(
        briefed.decision.as_ref().is_some_and(|decision| decision.probability < 0.8),
        "not sure"
    );
    assert_eq!(context(&briefed), hint, "a question may be answered by a search with other words");
}

#[test]
fn a_short_answer_gets_the_files_of_the_session_in_one_line() {
    let touched = |path: &str, action: FileAction| TouchedFile {
        path: path.to_owned(),
        action,
        ..TouchedFile::default()
    };
    let activity = SessionActivity {
        prompts: vec!["add a limit to the retry budget".to_owned()],
        files: vec![
            touched("src/billing/retry_budget.rs", FileAction::Edited),
            touched("src/main.rs", FileAction::Read),
        ],
        ..SessionActivity::default()
    };
    let place = fixture();
    let text = |prompt: &str, activity: Option<SessionActivity>| {
        let request = Request { prompt: prompt.to_owned(), activity, ..Request::default() };
        context(&place.brief_request(&request)).to_owned()
    };
    let line = "Files of this session (Adjutant): src/billing/retry_budget.rs (edited), src/main.rs (read)";
    assert_eq!(text("yes, proceed", Some(activity.clone())), line);
    for prompt in ["commit and push", "thanks!"] {
        assert_eq!(text(prompt, Some(activity.clone())), "", "{prompt}");
    }
    assert_eq!(text("yes, proceed", None), "");
}

#[test]
fn a_first_prompt_gets_nothing_if_no_finding_is_likely() {
    let text = |confidence: f64, source: &str| {
        let found = json!([{
            "path": "src/main.rs", "summary": "fn main()", "confidence": confidence, "source": source,
        }]);
        let results = json!([{ "tool": "ci_search", "status": "ok", "data": { "items": found } }]);
        let briefed = fixture().with_results(&results).brief("explain the code of the errands");
        let amount = briefed.decision.as_ref().unwrap().amount;
        (amount, context(&briefed).contains("src/main.rs"))
    };
    let (nothing, shown) = ((Amount::Silent, false), (Amount::Briefing, true));
    assert_eq!(text(0.29, "output"), nothing);
    assert_eq!(text(0.5, "output"), shown);
    // The gate is not sure that the prompt is about this repository.
    assert_eq!(text(0.59, "index: names"), nothing);
    assert_eq!(text(0.6, "index: names"), shown);
}
