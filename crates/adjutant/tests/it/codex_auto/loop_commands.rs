//! The commands of the `codex-auto` loop.

use testkit::FakeCodex;

use super::{QUESTION, launch, resume_arguments, run};
use crate::fixture::fixture;

fn answering() -> FakeCodex {
    FakeCodex::answering("yes")
}

#[test]
fn limits_shows_the_limits_of_the_last_briefing() {
    let finished =
        run(&answering(), &[], &format!("/limits\n{QUESTION}\n/limits\n")).expect_success();
    let (before, after) = finished.stderr.split_once("briefed: ").unwrap();
    assert!(before.contains("no prompt has been briefed yet"), "{before}");
    assert!(after.contains("[Limits] tier-2 disabled by default"), "{after}");
    assert_eq!(finished.stdout, "yes\n", "stdout is for answers");
}

#[test]
fn a_plan_runs_nothing() {
    let codex = answering();
    let finished =
        run(&codex, &[], &format!("/plan\n/plan {QUESTION}\n{QUESTION}\n/plan\n")).expect_success();
    assert_eq!(codex.n_runs(), 1);
    let plans: Vec<&str> =
        finished.stderr.lines().filter(|line| line.starts_with("would run: ")).collect();
    assert_eq!(plans[0], "would run: codex exec --json --disable unbounded_connection_retries -");
    assert!(plans[1].ends_with(&format!("{} -", testkit::FAKE_THREAD)), "{plans:?}");
    assert!(
        finished.stderr.contains("no prompt has been sent yet")
            && finished.stderr.contains("[Auto Tools]")
    );
}

#[test]
fn the_briefing_can_be_turned_off_and_on() {
    let codex = answering();
    run(&codex, &[], &format!("/off\n{QUESTION}\n/on\n{QUESTION}\n")).expect_success();
    assert_eq!(codex.prompt(1), QUESTION);
    assert!(codex.prompt(2).contains("src/billing/retry_budget.rs:2"), "{}", codex.prompt(2));
}

#[test]
fn new_starts_another_session() {
    let codex = answering();
    run(&codex, &["--session-mode", "resume_last"], "one\ntwo\n/new\nthree\n").expect_success();
    assert_eq!(resume_arguments(&codex, 1), "resume --last -");
    assert_eq!(resume_arguments(&codex, 3), "-", "the last session is not resumed either");
}

#[test]
fn an_unknown_command_gets_a_suggestion_and_two_slashes_are_an_escape() {
    let codex = answering();
    let finished = run(&codex, &[], "/limit\n//compact the log\n");
    assert!(
        finished.stderr.contains("unknown command `/limit`: did you mean `/limits`?"),
        "{}",
        finished.stderr
    );
    assert_eq!(codex.n_runs(), 1);
    assert!(codex.prompt(1).ends_with("/compact the log"));
    assert_eq!(run(&codex, &[], "/limit\n").exit_code, Some(2));
}

/// A session gets each piece of evidence once, but a new session gets it again.
#[test]
fn a33_evidence_is_shown_once_per_session() {
    let codex = answering();
    let state = tempfile::tempdir().unwrap();
    let fixture = fixture().env("ADJUTANT_STATE_DIR", state.path());
    let input = format!("{QUESTION}\n{QUESTION}\n/new\n{QUESTION}\n");
    launch(&fixture, &codex).input(input).run().expect_success();
    let is_told = |run: &usize| codex.prompt(*run).contains("pub fn enforce_retry_budget_zebra");
    assert_eq!((1..=3).filter(is_told).collect::<Vec<_>>(), [1, 3], "{}", codex.prompt(2));
}
