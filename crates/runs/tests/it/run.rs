use runs::{
    Classification, Conditions, Meta, PatchArtifact, PatchSpec, RunCall, RunError, RunHooks,
    SessionStatus,
};
use serde_json::Value;
use testkit::{FAKE_THREAD, FakeCodex};

use crate::stage::Stage;

fn answering(answer: &str) -> Stage {
    Stage::new(FakeCodex::answering(answer), "say hello")
}

#[test]
fn c6_a_run_leaves_the_published_files_and_keys() {
    let stage = answering("Hello.\nCONTROL: DONE").with(|spec| spec.tag = "nightly".to_owned());
    let outcome = stage.run();
    assert_eq!((outcome.exit_code, outcome.meta.classification.as_str()), (0, "done"));
    let meta = std::fs::read_to_string(outcome.session.meta(1)).unwrap();
    let keys: Vec<&str> = meta
        .lines()
        .filter_map(|line| line.strip_prefix("  \"").and_then(|line| line.split_once('"')))
        .map(|(key, _)| key)
        .take(12)
        .collect();
    assert_eq!(
        keys,
        [
            "id",
            "timestamp",
            "tag",
            "classification",
            "control_flag",
            "reason",
            "tokens_used",
            "cwd",
            "log_file",
            "instructions_file",
            "exit_code",
            "title"
        ]
    );
    let meta: Value = serde_json::from_str(&meta).unwrap();
    assert_eq!(meta["tokens_used"], 127);
    assert_eq!(meta["control_flag"], "DONE");
    assert_eq!(meta["title"], "say hello");
    assert_eq!(meta["thread_id"], FAKE_THREAD);
    assert!(meta["id"].as_str().unwrap().starts_with("codex-"));
    assert!(meta["id"].as_str().unwrap().ends_with("-nightly"));
    let last = std::fs::read_to_string(outcome.session.last_message(1)).unwrap();
    assert_eq!(last, "Hello.\nCONTROL: DONE");
    assert_eq!(stage.codex.prompt(1), "say hello");
}

#[test]
fn c6_the_log_has_the_published_lines_in_order() {
    let stage = answering("Hello.");
    stage.run();
    let log = stage.log();
    let marks = [
        "===== Codex Run Start: ",
        "Log: ",
        "Instructions: ",
        "Meta: ",
        "Patch Mode: off",
        "Requested: ",
        "Effective: ",
        "[arg-normalize] no sandbox was named",
        "----- Begin Composed Instructions -----",
        "----- End Composed Instructions -----",
        "----- Begin Codex Output -----",
        "----- Invocation Args -----",
        "start.sh argv (raw):",
        "codex global args:",
        "codex exec args:",
        "----- End Invocation Args -----",
        "[message] Hello.",
        "----- End Codex Output -----",
        "Exit Code: 0",
        "===== Codex Run End: ",
    ];
    let mut at = 0;
    for mark in marks {
        let found = log[at..].find(mark).unwrap_or_else(|| panic!("`{mark}` is missing in\n{log}"));
        at += found + mark.len();
    }
}

#[test]
fn c5_the_exit_code_is_codexs_own() {
    for code in [1, 3, 77] {
        let stage = Stage::new(FakeCodex::doing(&format!("echo boom >&2; exit {code}")), "x");
        let outcome = stage.run();
        assert_eq!((outcome.exit_code, outcome.meta.exit_code), (code, code));
        assert_eq!(outcome.meta.classification, "error");
        assert_eq!(stage.codex.n_runs(), 1, "a failure is not run again");
        assert!(stage.log().contains(&format!("Exit Code: {code}\n")));
        let state = &stage.sessions().list(&runs::Filter::default())[0];
        assert_eq!((state.state, state.exit_code), (SessionStatus::Failed, Some(code)));
    }
}

#[test]
fn c6_state_json_matches_the_events() {
    let stage = answering("Hello.");
    let outcome = stage.run();
    let state: Value =
        serde_json::from_slice(&std::fs::read(outcome.session.state()).unwrap()).unwrap();
    let listed = stage.sessions().list(&runs::Filter::default());
    assert_eq!(state, serde_json::to_value(&listed[0]).unwrap());
    assert_eq!(state["state"], "completed");
}

#[test]
fn c5_codex_missing_and_codex_that_is_not_codex() {
    let stage = answering("x");
    std::fs::remove_file(stage.codex.program()).unwrap();
    let mut host = stage.host();
    host.environment = host.environment.with("PATH", "/nonexistent");
    let missing = runs::check(&stage.spec, &host).err().unwrap();
    assert_eq!(missing.exit_code(), 127);
    assert!(!stage.sessions_folder().exists(), "nothing was written");
    // `ls` is started as codex. It runs and fails, and the record reports that failure.
    std::os::unix::fs::symlink("/bin/ls", stage.codex.program()).unwrap();
    let outcome = stage.run();
    assert_eq!((outcome.exit_code, outcome.meta.codex_version), (2, None));
    assert_eq!(outcome.meta.classification, "input_error");
}

struct Veto;

impl RunHooks for Veto {
    fn before(&self, call: &RunCall<'_>) -> Result<(), String> {
        Err(format!("no {} today", call.effective.orders.sandbox))
    }

    fn after(&self, _call: &RunCall<'_>, _meta: &Meta) {
        panic!("the run did not start");
    }
}

#[test]
fn c7_a_before_hook_can_block_a_run() {
    let stage = answering("x");
    let switch = process::StopSwitch::default();
    let outcome = runs::exec(&stage.spec, &stage.host(), &switch, &Veto, &mut |_| ()).unwrap();
    assert_eq!(outcome.meta.classification, Classification::BlockedByHook.word());
    assert!(outcome.meta.reason.contains("no read-only today"), "{}", outcome.meta.reason);
    assert_eq!((outcome.exit_code, stage.codex.n_runs()), (40, 0));
}

#[test]
fn c5_a_dry_run_starts_nothing() {
    let stage = answering("x").with(|spec| spec.is_dry_run = true);
    std::fs::remove_file(stage.codex.program()).unwrap();
    let outcome = stage.run();
    assert_eq!((outcome.exit_code, outcome.meta.classification.as_str()), (0, "normal"));
    assert!(outcome.session.instructions(1).is_file());
}

#[test]
fn c8_repeated_runs_continue_the_thread_until_the_condition_is_met() {
    let codex = FakeCodex::doing(
        "thread; if [ $n -ge 3 ]; then message 'ALL DONE'; else message 'more'; fi; completed",
    );
    let stage = Stage::new(codex, "the task").with(|spec| {
        spec.repeat.until = Some("ALL DONE".to_owned());
        spec.repeat.max_runs = 5;
    });
    let outcome = stage.run();
    assert_eq!((outcome.exit_code, outcome.meta.iteration, stage.codex.n_runs()), (0, 3, 3));
    assert_eq!(outcome.meta.tokens_used, Some(3 * 127));
    let second = stage.codex.arguments(2).join(" ");
    assert!(second.ends_with(&format!("resume {FAKE_THREAD} -")), "{second}");
    assert!(stage.codex.prompt(2).contains("Continue the task"));
    assert!(outcome.session.meta(3).is_file() && outcome.session.last_message(3).is_file());
}

#[test]
fn c8_a_condition_that_is_never_met_is_reported() {
    let stage = answering("I changed nothing.\nCONTROL: DONE").with(|spec| {
        spec.repeat.max_runs = 2;
        spec.repeat.conditions =
            Conditions { change_in: vec!["src/**".to_owned()], ..Conditions::default() };
    });
    let outcome = stage.run();
    assert_eq!(outcome.meta.classification, "continue");
    let reason = &outcome.meta.reason;
    assert!(
        reason.contains("cannot determine what changed") && reason.contains("not a git"),
        "{reason}"
    );
    testkit_git_init(&stage.spec.directory);
    let outcome = stage.run();
    assert_eq!(outcome.meta.classification, "continue");
    assert!(outcome.meta.reason.contains("no file changed in src/**"), "{}", outcome.meta.reason);
}

#[test]
fn c8_an_overflowing_context_is_retried_in_a_new_thread_a_few_times() {
    let codex =
        FakeCodex::doing("thread; failed 'ran out of room in the model context window'; exit 1");
    let stage = Stage::new(codex, "x");
    let outcome = stage.run();
    assert_eq!(outcome.meta.classification, "context_overflow");
    assert_eq!(stage.codex.n_runs(), 3);
    assert!(!stage.codex.arguments(3).contains(&"resume".to_owned()));
}

#[test]
fn c8_patch_mode_is_always_read_only() {
    let diff = "diff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+hello\n";
    let codex = FakeCodex::answering(&format!("Here:\n```diff\n{diff}```\nCONTROL: DONE"));
    let stage = Stage::new(codex, "make a patch").with(|spec| {
        spec.patch = Some(PatchSpec::default());
        spec.orders.sandbox = Some(policy::Sandbox::WorkspaceWrite);
    });
    testkit_git_init(&stage.spec.directory);
    let outcome = stage.run();
    assert_eq!(outcome.meta.classification, "patch_only");
    assert_eq!(outcome.meta.effective_sandbox, "read-only");
    let Some(PatchArtifact::File { path, lines, applies, .. }) = outcome.meta.patch_artifact else {
        panic!("{:?}", outcome.meta)
    };
    assert_eq!((applies, lines), (Some(true), 6));
    assert_eq!(std::fs::read_to_string(path).unwrap(), diff);
    let bypass = stage.with(|spec| spec.orders.bypass = policy::Bypass::Yes);
    assert!(matches!(bypass.try_run(), Err(RunError::PatchConflict(_))));
}

fn testkit_git_init(directory: &std::path::Path) {
    testkit::Launch::new("git", directory).arguments(["init", "--quiet"]).run().expect_success();
}
