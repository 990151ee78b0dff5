//! A5 with a codex that supports neither `--json` nor session ids.

use std::fs;

use super::{CODEX_AUTO, LOST};
use crate::fixture::fixture;

struct PlainCodex {
    folder: tempfile::TempDir,
}

impl PlainCodex {
    /// Creates a script that records its arguments and then runs `body`.
    fn new(body: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("codex");
        let record = "d=${0%/*}; echo \"$*\" >> \"$d/calls\"; [ \"$*\" = --version ] && exit 1";
        testkit::write_executable(&path, &format!("#!/bin/sh\n{record}\n{body}\n"));
        Self { folder }
    }

    fn run(&self, arguments: &[&str], input: &str) -> testkit::Finished {
        let fixture = fixture();
        let launch = fixture.launch(CODEX_AUTO).first_on_path(self.folder.path());
        launch.arguments(arguments).input(input).run()
    }

    fn note(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    #[track_caller]
    fn check_calls(&self, expected: &[&str]) {
        let calls = self.note("calls");
        let calls: Vec<&str> = calls.lines().filter(|call| *call != "--version").collect();
        assert_eq!(calls, expected);
    }
}

const ANSWERS: &str = "case \"$*\" in *--help*) echo '--last'; exit 0;; esac; cat >> \"$d/prompts\"; echo >> \"$d/prompts\"; echo answer; echo talk >&2";
const NO_RESUME: &str =
    "case \"$*\" in *resume*) exit 1;; esac; cat >> \"$d/prompts\"; echo answer";

#[test]
fn a6_the_output_of_codex_is_passed_on_unchanged() {
    let codex = PlainCodex::new(ANSWERS);
    let finished = codex.run(&["explain enforce_retry_budget_zebra"], "").expect_success();
    codex.check_calls(&["exec -"]);
    assert_eq!(finished.stdout, "answer\n");
    assert!(finished.stderr.ends_with("talk\n"), "{}", finished.stderr);
    assert!(codex.note("prompts").contains("src/billing/retry_budget.rs:2"));
}

#[test]
fn a5_the_loop_continues_the_last_session() {
    let codex = PlainCodex::new(ANSWERS);
    codex.run(&[], "first\nsecond\nthird\n").expect_success();
    codex.check_calls(&[
        "exec -",
        "exec resume --help",
        "exec resume --last -",
        "exec resume --last -",
    ]);
    let codex = PlainCodex::new(ANSWERS);
    codex.run(&["--session-mode", "resume_last", "first"], "").expect_success();
    codex.check_calls(&["exec resume --help", "exec resume --last -"]);
}

#[test]
fn a5_without_resume_every_prompt_starts_a_new_session_and_reports_it() {
    let codex = PlainCodex::new(NO_RESUME);
    let finished = codex.run(&[], "first\nsecond\n").expect_success();
    codex.check_calls(&["exec -", "exec resume --help", "exec -"]);
    let sentence = format!("[Limits] {LOST}");
    assert!(finished.stderr.contains(&sentence) && codex.note("prompts").contains(&sentence));
    assert_eq!(finished.stdout, "answer\nanswer\n");
}

#[test]
fn a5_a_failing_resume_falls_back_too() {
    let codex = PlainCodex::new(
        "case \"$*\" in *--help*) echo '--last'; exit 0;; *resume*) cat > /dev/null; exit 4;; esac; cat > /dev/null; echo answer",
    );
    let finished = codex.run(&["--json"], "first\nsecond\n").expect_success();
    codex.check_calls(&["exec -", "exec resume --help", "exec resume --last -", "exec -"]);
    let last: serde_json::Value =
        serde_json::from_str(finished.stdout.lines().last().unwrap()).unwrap();
    assert_eq!((&last["limits"][0], &last["codex"]["answer"]), (&LOST.into(), &"answer".into()));
}
