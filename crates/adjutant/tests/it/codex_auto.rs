use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::stage::{Stage, stage};

const CODEX_AUTO: &str = env!("CARGO_BIN_EXE_codex-auto");

/// A codex that writes down how it was called; the real one is in the real-client tests.
struct FakeCodex {
    folder: tempfile::TempDir,
}

impl FakeCodex {
    fn new(body: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("codex");
        let record = "d=${0%/*}; echo \"$*\" >> \"$d/calls\"";
        fs::write(&path, format!("#!/bin/sh\n{record}\n{body}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Self { folder }
    }

    fn run(&self, stage: &Stage, arguments: &[&str], input: &str) -> testkit::Finished {
        stage
            .launch(CODEX_AUTO)
            .first_on_path(self.folder.path())
            .arguments(arguments)
            .input(input)
            .run()
    }

    fn note(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }
}

const ANSWERS: &str = "case \"$*\" in *--help*) echo '--last'; exit 0;; esac; cat >> \"$d/prompts\"; echo >> \"$d/prompts\"; echo answer";
const NO_RESUME: &str =
    "case \"$*\" in *resume*) exit 1;; esac; cat >> \"$d/prompts\"; echo answer";

#[test]
fn a61_dry_run_prints_the_json_and_starts_no_codex() {
    let codex = FakeCodex::new(ANSWERS);
    let finished = codex.run(&stage(), &["--dry-run", "ping"], "").expect_success();
    let briefing: serde_json::Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(briefing["schema_version"], "1.0");
    assert_eq!(codex.note("calls"), "");
}

#[test]
fn a6_one_prompt_is_one_briefed_exec() {
    let codex = FakeCodex::new(ANSWERS);
    let finished = codex
        .run(&stage(), &["where is enforce_retry_budget_zebra defined and who calls it?"], "")
        .expect_success();
    assert_eq!((codex.note("calls").as_str(), finished.stdout.as_str()), ("exec -\n", "answer\n"));
    let prompt = codex.note("prompts");
    assert!(
        prompt.contains("src/billing/retry_budget.rs:2") && prompt.contains("run 20"),
        "{prompt}"
    );
    assert!(prompt.contains("[Limits] "), "{prompt}");
    assert!(prompt.trim_end().ends_with("and who calls it?"), "{prompt}");
}

#[test]
fn a5_the_loop_continues_the_session() {
    let codex = FakeCodex::new(ANSWERS);
    codex
        .run(&stage(), &[], "explain enforce_retry_budget_zebra\n\nand now?\n/quit\nunasked\n")
        .expect_success();
    assert_eq!(codex.note("calls"), "exec -\nexec resume --help\nexec resume --last -\n");
    assert!(!codex.note("prompts").contains("unasked"));
}

#[test]
fn a5_a_failing_resume_falls_back_to_a_new_session_and_says_so() {
    let codex = FakeCodex::new(NO_RESUME);
    let finished = codex.run(&stage(), &[], "first\nsecond\n").expect_success();
    assert_eq!(codex.note("calls"), "exec -\nexec resume --help\nexec -\n");
    let sentence = "[Limits] session continuity unavailable; fallback to stateless exec";
    assert!(finished.stderr.contains(sentence) && codex.note("prompts").contains(sentence));
}

#[test]
fn a5_exec_mode_never_resumes() {
    let codex = FakeCodex::new(ANSWERS);
    codex.run(&stage(), &["--session-mode", "exec"], "first\nsecond\n").expect_success();
    assert_eq!(codex.note("calls"), "exec -\nexec -\n");
}

#[test]
fn the_exit_code_is_codexs_own_and_a_missing_codex_is_127() {
    let codex = FakeCodex::new("cat > /dev/null; exit 7");
    assert_eq!(codex.run(&stage(), &["explain auth"], "").exit_code, Some(7));
    let nowhere = tempfile::tempdir().unwrap();
    let finished =
        stage().launch(CODEX_AUTO).env("PATH", nowhere.path()).argument("explain auth").run();
    assert_eq!(finished.exit_code, Some(127));
    assert!(finished.stderr.contains("hint: install codex"));
}

#[test]
fn a6_a_broken_kernel_costs_the_evidence_not_the_prompt() {
    let codex = FakeCodex::new(ANSWERS);
    let stage = stage().env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", "/missing");
    codex.run(&stage, &["explain auth"], "").expect_success();
    assert!(
        codex.note("prompts").contains("[Limits] orchestrator unavailable")
            && codex.note("prompts").contains("explain auth")
    );
}
