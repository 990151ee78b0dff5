//! A5, A6, A32, A61: `codex-auto` with a scripted codex. The tests with real clients use the real codex.

mod loop_commands;
mod plain_codex;
mod terminal;

use serde_json::Value;
use testkit::{FAKE_THREAD, FakeCodex, Finished, Launch};

use crate::fixture::{Fixture, fixture};

const CODEX_AUTO: &str = env!("CARGO_BIN_EXE_codex-auto");
const QUESTION: &str = "where is enforce_retry_budget_zebra defined and who calls it?";
const LOST: &str = "session continuity unavailable; fallback to stateless exec";

fn launch(fixture: &Fixture, codex: &FakeCodex) -> Launch {
    fixture.launch(CODEX_AUTO).first_on_path(codex.folder())
}

fn run(codex: &FakeCodex, arguments: &[&str], input: &str) -> Finished {
    let fixture = fixture();
    launch(&fixture, codex).arguments(arguments).input(input).run()
}

/// Returns the arguments of codex from `resume` on.
fn resume_arguments(codex: &FakeCodex, run: usize) -> String {
    let words = codex.arguments(run);
    let from = words.iter().position(|word| word == "resume").unwrap_or(words.len() - 1);
    words[from..].join(" ")
}

#[test]
fn a6_one_prompt_runs_one_briefed_exec_and_prints_the_answer() {
    let codex = FakeCodex::answering("the answer");
    let finished = run(&codex, &[QUESTION], "").expect_success();
    assert_eq!((finished.stdout.as_str(), codex.n_runs()), ("the answer\n", 1));
    let words = codex.arguments(1).join(" ");
    assert_eq!(words, "exec --json --disable unbounded_connection_retries -");
    let prompt = codex.prompt(1);
    assert!(
        prompt.contains("src/billing/retry_budget.rs:2") && prompt.contains("run 20"),
        "{prompt}"
    );
    assert!(prompt.contains("[Limits] ") && prompt.ends_with(QUESTION), "{prompt}");
    let line = finished.stderr.lines().next().unwrap_or_default();
    assert!(line.starts_with("briefed: ") && line.contains(" finding"), "{finished:#?}");
    assert!(line.contains(" · ci_"), "{line}");
    assert!(line.contains(" ms") && line.contains(" limit"), "{line}");
}

#[test]
fn the_activity_of_codex_is_printed_to_stderr() {
    let codex = FakeCodex::doing(
        r#"thread
        printf '{"type":"item.started","item":{"type":"command_execution","command":"/bin/bash -lc '"'"'rg zebra'"'"'"}}\n'
        message 'I look around'
        printf '{"type":"item.completed","item":{"type":"command_execution","exit_code":3}}\n'
        message 'done'; completed"#,
    );
    let finished = run(&codex, &[QUESTION], "").expect_success();
    assert_eq!(finished.stdout, "done\n");
    let talk: Vec<&str> = finished.stderr.lines().skip(1).collect();
    assert_eq!(talk, ["$ rg zebra", "I look around", "  exit code 3"]);
    assert!(!finished.stderr.contains('\u{1b}'), "no colour outside of a terminal");
}

#[test]
fn a5_the_loop_stays_in_its_thread() {
    let codex = FakeCodex::answering("yes");
    let input = "explain enforce_retry_budget_zebra\n\nand now?\nand then?\n/quit\nunasked\n";
    let finished = run(&codex, &["--", "-m", "o3"], input).expect_success();
    assert_eq!((finished.stdout.as_str(), codex.n_runs()), ("yes\nyes\nyes\n", 3));
    let resumed = format!("resume {FAKE_THREAD} -");
    assert_eq!(
        [resume_arguments(&codex, 1), resume_arguments(&codex, 2), resume_arguments(&codex, 3)],
        ["-", &resumed, &resumed]
    );
    let words = codex.arguments(2).join(" ");
    assert!(words.contains("-m o3 resume"), "the flags of exec are not before resume: {words}");
}

#[test]
fn a5_every_prompt_can_have_its_own_session() {
    for arguments in [&["--exec"][..], &["--session-mode", "exec"]] {
        let codex = FakeCodex::answering("yes");
        run(&codex, arguments, "first\nsecond\n").expect_success();
        assert_eq!([resume_arguments(&codex, 1), resume_arguments(&codex, 2)], ["-", "-"]);
    }
}

#[test]
fn a5_a_lost_thread_is_replaced_and_the_prompt_is_sent() {
    let codex = FakeCodex::doing(
        "case \"$*\" in *resume*) echo 'Error: no rollout found for thread id' >&2; exit 1;; esac\nthread; message yes; completed",
    );
    let state = tempfile::tempdir().unwrap();
    let fixture = fixture().env("ADJUTANT_STATE_DIR", state.path());
    let input = format!("{QUESTION}\n{QUESTION}\n");
    let finished = launch(&fixture, &codex).input(input).run().expect_success();
    assert_eq!((finished.stdout.as_str(), codex.n_runs()), ("yes\nyes\n", 3));
    assert!(finished.stderr.contains(&format!("[Limits] {LOST}")), "{}", finished.stderr);
    assert!(
        codex.prompt(3).ends_with(&format!("{QUESTION}\n[Limits] {LOST}")),
        "{}",
        codex.prompt(3)
    );
    // The new thread gets the evidence again that the lost thread had.
    let is_told = |run: &usize| codex.prompt(*run).contains("pub fn enforce_retry_budget_zebra");
    assert_eq!((1..=3).filter(is_told).collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn a5_a_failed_turn_is_not_sent_to_another_thread() {
    let codex = FakeCodex::doing(
        "thread; case \"$*\" in *resume*) failed 'stream disconnected'; exit 1;; esac; message yes; completed",
    );
    let finished = run(&codex, &[], "first\nsecond\n");
    assert_eq!((finished.exit_code, codex.n_runs()), (Some(1), 2));
    assert!(finished.stderr.contains("codex: Network error or timeout: stream disconnected"));
    assert!(!finished.stderr.contains(LOST), "{}", finished.stderr);
}

#[test]
fn a5_resume_last_is_used_once_and_then_the_thread_id() {
    let codex = FakeCodex::doing(
        "THREAD=00000000-0001-7000-8000-000000000001; thread; message yes; completed",
    );
    for ask in [&["--session-mode", "resume_last"][..], &[]] {
        let from = codex.n_runs();
        let fixture = fixture().env("CI_CODEX_SESSION_MODE", "resume_last");
        let launch = launch(&fixture, &codex);
        let finished = launch.arguments(ask).input("first\nsecond\n").run().expect_success();
        assert_eq!(resume_arguments(&codex, from + 1), "resume --last -");
        assert_eq!(
            resume_arguments(&codex, from + 2),
            "resume 00000000-0001-7000-8000-000000000001 -"
        );
        assert!(!finished.stderr.contains(LOST), "{}", finished.stderr);
    }
}

/// The real codex starts a new session without a message if no session can be resumed.
#[test]
fn a5_a_missing_last_session_is_reported() {
    let codex = FakeCodex::doing(
        "THREAD=7fffffff-0001-7000-8000-000000000001; thread; message yes; completed",
    );
    let finished = run(&codex, &["--session-mode", "resume_last", "hello"], "").expect_success();
    assert_eq!((finished.stdout.as_str(), codex.n_runs()), ("yes\n", 1));
    assert!(finished.stderr.contains(LOST), "{}", finished.stderr);
}

#[test]
fn a5_a_sub_agents_session_is_not_the_last_session() {
    let codex = FakeCodex::doing(
        "case \"$*\" in *--last*) THREAD=below; thread; sleep 20; exit 9;; esac; thread; message yes; completed",
    );
    let home = tempfile::tempdir().unwrap();
    let day = home.path().join("sessions/2026/11/15");
    std::fs::create_dir_all(&day).unwrap();
    let meta = r#"{"payload":{"session_id":"above","id":"below","thread_source":"subagent"}}"#;
    std::fs::write(day.join("rollout-2026-11-15T01-02-03-below.jsonl"), meta).unwrap();
    let fixture = fixture().env("CODEX_HOME", home.path());
    let launch = launch(&fixture, &codex);
    let finished =
        launch.arguments(["--session-mode", "resume_last", "hello"]).run().expect_success();
    assert_eq!((finished.stdout.as_str(), codex.n_runs()), ("yes\n", 2));
    assert_eq!(resume_arguments(&codex, 2), "resume above -");
    assert!(finished.stderr.contains("sub-agent"), "{}", finished.stderr);
}

#[test]
fn json_prints_one_object_per_prompt() {
    let codex = FakeCodex::answering("first line\nsecond line");
    let finished = run(&codex, &["--json"], &format!("{QUESTION}\nand now?\n")).expect_success();
    let reports: Vec<Value> =
        finished.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reports.len(), 2, "{}", finished.stdout);
    let report = &reports[1];
    assert_eq!(report["format"], "codex-auto/1");
    assert_eq!(report["briefing"]["schema_version"], "1.0");
    assert_eq!((&report["exit_code"], &report["limits"]), (&0.into(), &serde_json::json!([])));
    let codex = &report["codex"];
    assert_eq!(codex["answer"], "first line\nsecond line");
    assert_eq!(codex["thread_id"], FAKE_THREAD);
    assert_eq!((&codex["classification"], &codex["exit_code"]), (&"normal".into(), &0.into()));
    assert_eq!(codex["usage"]["input_tokens"], 120);
    let command: Vec<&str> =
        codex["command"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(command[..2], ["codex", "exec"]);
    assert!(command.ends_with(&["resume", FAKE_THREAD, "-"]), "{command:?}");
    assert!(!finished.stderr.contains("briefed"), "{}", finished.stderr);
}

#[test]
fn a61_a32_dry_run_prints_the_json_and_starts_no_codex() {
    let codex = FakeCodex::doing("touch \"$here/started\"");
    for (arguments, planned) in [
        (&["--dry-run", "ping"][..], "codex exec resume --last"),
        (&["--dry-run", "--json", "ping"], "codex exec resume --last"),
        (&["--dry-run", "--exec", "ping"], "codex exec"),
    ] {
        let finished = run(&codex, arguments, "").expect_success();
        let briefing: Value = serde_json::from_str(&finished.stdout).unwrap();
        assert_eq!(briefing["schema_version"], "1.0");
        assert_eq!(briefing["tool_plan"]["planned_codex_command"], planned);
    }
    let nowhere = tempfile::tempdir().unwrap();
    let fixture = fixture();
    fixture
        .launch(CODEX_AUTO)
        .env("PATH", nowhere.path())
        .arguments(["--dry-run", "ping"])
        .run()
        .expect_success();
    assert_eq!((codex.n_runs(), codex.note("started")), (0, None));
}

#[test]
fn the_exit_code_is_that_of_codex_and_127_if_codex_is_missing() {
    let codex = FakeCodex::doing("exit 7");
    assert_eq!(run(&codex, &["explain auth"], "").exit_code, Some(7));
    // codex exited with 0 and without an answer, because one of its hooks blocked the prompt.
    let codex = FakeCodex::doing("thread; completed");
    let finished = run(&codex, &["explain auth"], "");
    assert_eq!(finished.exit_code, Some(1));
    assert!(finished.stderr.contains("blocked the prompt"), "{}", finished.stderr);
    let nowhere = tempfile::tempdir().unwrap();
    for arguments in [&["explain auth"][..], &[]] {
        let fixture = fixture();
        let launch = fixture.launch(CODEX_AUTO).env("PATH", nowhere.path()).arguments(arguments);
        let finished = launch.input("hello\n").run();
        assert_eq!(finished.exit_code, Some(127));
        assert!(finished.stderr.contains("hint: install codex"), "{}", finished.stderr);
    }
}

#[test]
fn a42_with_a_broken_kernel_the_prompt_is_sent_without_evidence() {
    let codex = FakeCodex::answering("yes");
    let fixture = fixture().env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", "/missing");
    let launch = launch(&fixture, &codex);
    let finished = launch.argument("explain auth").run();
    assert_eq!((finished.exit_code, finished.stdout.as_str()), (Some(10), "yes\n"));
    assert!(finished.stderr.starts_with("not briefed, code 10"), "{}", finished.stderr);
    assert!(finished.stderr.contains("[Limits] orchestrator unavailable"), "{}", finished.stderr);
    assert!(
        codex.prompt(1).contains("[Limits] orchestrator unavailable")
            && codex.prompt(1).ends_with("explain auth")
    );
    let failing = FakeCodex::doing("exit 7");
    let launch = self::launch(&fixture, &failing);
    assert_eq!(
        launch.argument("explain auth").run().exit_code,
        Some(7),
        "the exit code of codex takes precedence"
    );
}

#[test]
fn a_wider_sandbox_is_passed_on_and_reported() {
    let codex = FakeCodex::answering("yes");
    let finished =
        run(&codex, &["hello", "--", "--sandbox", "workspace-write"], "").expect_success();
    assert!(codex.arguments(1).join(" ").contains("--sandbox workspace-write -"));
    assert!(finished.stderr.contains("records this repository as trusted"), "{}", finished.stderr);
    let finished =
        run(&codex, &["--codex-arg", "-m", "--codex-arg", "o3", "hello"], "").expect_success();
    assert!(codex.arguments(2).join(" ").contains("-m o3 -"));
    assert!(!finished.stderr.contains("trusted"), "{}", finished.stderr);
    let refused = run(&codex, &["hello", "--", "resume"], "");
    assert_eq!(refused.exit_code, Some(2));
}

/// Also stops processes that left the process group of codex, as the commands of codex do.
#[test]
fn an_interrupt_stops_codex_its_children_and_a_script() {
    let codex = FakeCodex::doing(
        "thread; echo $$ > \"$here/pid\"
        setsid sh -c 'echo $$ > \"$1/below\"; exec sleep 60' - \"$here\" &
        while [ ! -s \"$here/below\" ]; do sleep 0.05; done
        kill -INT $PPID; sleep 30; message late",
    );
    let finished = run(&codex, &[], "first\nsecond\n");
    assert_eq!((finished.exit_code, codex.n_runs()), (Some(130), 1), "{finished:#?}");
    for started in ["pid", "below"] {
        let process = codex.note(started).unwrap();
        testkit::eventually(started, || !testkit::is_running(&process));
    }
}

#[test]
fn a_warning_of_codex_is_shown_once() {
    let codex = FakeCodex::doing(
        r#"thread; printf '{"type":"item.completed","item":{"type":"error","message":"old model"}}\n'; message yes; completed"#,
    );
    let finished = run(&codex, &[], "first\nsecond\n").expect_success();
    assert_eq!(finished.stderr.matches("warning: old model").count(), 1, "{}", finished.stderr);
}

#[test]
fn a_prompt_of_several_lines_is_read_from_stdin() {
    let codex = FakeCodex::answering("yes");
    run(&codex, &["-"], "first\n/quit\nthird\n").expect_success();
    assert_eq!(codex.n_runs(), 1);
    assert!(codex.prompt(1).ends_with("first\n/quit\nthird\n"), "{}", codex.prompt(1));
    assert_eq!(run(&codex, &["-"], "\n").exit_code, Some(2));
}

#[test]
fn a5_codex_errors_about_its_input_are_reported_verbatim() {
    let codex = FakeCodex::doing(
        "thread; printf 'Error: turn/start failed: input_too_large\\n\\nStack backtrace:\\n   0: <unknown>\\n' >&2; exit 1",
    );
    let finished = run(&codex, &[], "first\nsecond\n");
    assert_eq!(
        (finished.exit_code, codex.n_runs()),
        (Some(1), 2),
        "the prompt is not sent to another session"
    );
    assert!(
        finished.stderr.contains("usage: Error: turn/start failed: input_too_large\n"),
        "{}",
        finished.stderr
    );
}
