//! A4, A8: the briefing is in the first request, before the model has said a word.

use crate::stage::{BOTH, CHINESE_PROMPT, Hook, PROMPT, Stage, evidence_in};
use testkit::ClientKind;

#[track_caller]
fn check(kind: ClientKind, prompt: &str) {
    let turn = Stage::new(kind, Hook::Installed).prompt(prompt);
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

#[test]
fn a4_older_models_get_it_as_a_reminder_of_the_client() {
    let mut stage = Stage::new(ClientKind::ClaudeCode, Hook::Installed);
    stage.client = stage.client.with_argument("--model").with_argument("claude-sonnet-4-5");
    let turn = stage.prompt(PROMPT);
    let request = turn.expect_answered(PROMPT);
    let reminders: Vec<_> =
        request.passages().into_iter().filter(|passage| passage.is_system_reminder()).collect();
    let briefed = reminders.iter().filter(|reminder| evidence_in(&reminder.text).is_ok()).count();
    assert_eq!(briefed, 1, "{reminders:#?}");
}

/// The control: the same checks must fail when nobody installed the hook.
#[test]
fn without_the_hook_there_is_no_evidence() {
    for kind in BOTH {
        let turn = Stage::new(kind, Hook::Absent).prompt(PROMPT);
        turn.expect_answered(PROMPT);
        turn.evidence().unwrap_err();
    }
}
