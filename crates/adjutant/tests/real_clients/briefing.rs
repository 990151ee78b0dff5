//! A4, A8: the first request to the model contains the briefing.

use crate::fixture::{BOTH, CALL, CHINESE_PROMPT, Fixture, Hook, PROMPT, evidence_in};
use testkit::ClientKind;

#[track_caller]
fn check(kind: ClientKind, prompt: &str) {
    let turn = Fixture::new(kind, Hook::Installed).prompt(prompt);
    turn.expect_answered(prompt);
    turn.expect_evidence();
}

#[test]
fn a4_claude_code_is_briefed() {
    check(ClientKind::ClaudeCode, PROMPT);
}

#[test]
fn a4_claude_code_is_briefed_in_chinese() {
    check(ClientKind::ClaudeCode, CHINESE_PROMPT);
}

#[test]
fn a8_codex_is_briefed_by_its_own_hook() {
    check(ClientKind::Codex, PROMPT);
}

#[test]
fn a8_codex_is_briefed_in_chinese() {
    check(ClientKind::Codex, CHINESE_PROMPT);
}

/// Checks that the first finding is the caller, with the line of the call.
#[track_caller]
fn check_caller(kind: ClientKind, prompt: &str) {
    let turn = Fixture::new(kind, Hook::Installed).prompt(prompt);
    turn.expect_answered(prompt);
    let text = turn.briefing();
    let first = text.lines().find(|line| line.starts_with("- ")).unwrap_or_default();
    assert!(first.starts_with(CALL[0]) && first.contains(CALL[1]), "{text}");
}

#[test]
fn a4_claude_code_gets_the_caller_first() {
    check_caller(ClientKind::ClaudeCode, "who calls enforce_retry_budget_zebra?");
}

#[test]
fn a4_claude_code_gets_the_caller_first_in_chinese() {
    check_caller(ClientKind::ClaudeCode, "谁调用了 enforce_retry_budget_zebra？");
}

#[test]
fn a8_codex_gets_the_caller_first() {
    check_caller(ClientKind::Codex, "who calls enforce_retry_budget_zebra?");
}

#[test]
fn a8_codex_gets_the_caller_first_in_chinese() {
    check_caller(ClientKind::Codex, "谁调用了 enforce_retry_budget_zebra？");
}

#[test]
fn a4_older_models_get_the_briefing_as_a_system_reminder() {
    let mut fixture = Fixture::new(ClientKind::ClaudeCode, Hook::Installed);
    fixture.client = fixture.client.with_argument("--model").with_argument("claude-sonnet-4-5");
    let turn = fixture.prompt(PROMPT);
    let request = turn.expect_answered(PROMPT);
    let reminders: Vec<_> =
        request.passages().into_iter().filter(|passage| passage.is_system_reminder()).collect();
    let briefed = reminders.iter().filter(|reminder| evidence_in(&reminder.text).is_ok()).count();
    assert_eq!(briefed, 1, "{reminders:#?}");
}

/// The control test: without the hook, the same checks fail.
#[test]
fn without_the_hook_the_model_gets_no_evidence() {
    for kind in BOTH {
        let turn = Fixture::new(kind, Hook::Absent).prompt(PROMPT);
        turn.expect_answered(PROMPT);
        turn.evidence().unwrap_err();
    }
}
