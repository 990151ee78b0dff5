//! A5, A6, A32, A61: `codex-auto` with a scripted codex; the real one is in the real-client tests.

mod loop_commands;
mod plain_codex;
mod terminal;

use serde_json::Value;
use testkit::{FAKE_THREAD, FakeCodex, Finished, Launch};

use crate::stage::{Stage, stage};

const CODEX_AUTO: &str = env!("CARGO_BIN_EXE_codex-auto");
const QUESTION: &str = "where is enforce_retry_budget_zebra defined and who calls it?";
const LOST: &str = "session continuity unavailable; fallback to stateless exec";

fn launch(stage: &Stage, codex: &FakeCodex) -> Launch {
    stage.launch(CODEX_AUTO).first_on_path(codex.folder())
}

fn run(codex: &FakeCodex, arguments: &[&str], input: &str) -> Finished {
    let stage = stage();
    launch(&stage, codex).arguments(arguments).input(input).run()
}

/// How codex was told to go on: the words from `resume` on.
fn goes_on(codex: &FakeCodex, run: usize) -> String {
    let words = codex.arguments(run);
    let from = words.iter().position(|word| word == "resume").unwrap_or(words.len() - 1);
    words[from..].join(" ")
}

#[test]
fn a6_one_prompt_is_one_briefed_exec_and_stdout_is_the_answer() {
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
    assert!(line.starts_with("briefed: ") && line.contains(" findings · ci_"), "{finished:#?}");
    assert!(line.contains(" ms") && line.contains(" limit"), "{line}");
}

#[test]
fn what_codex_does_on_the_way_is_on_stderr() {
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
fn a5_the_loop_keeps_to_the_thread_it_began() {
    let codex = FakeCodex::answering("yes");
    let input = "explain enforce_retry_budget_zebra\n\nand now?\nand then?\n/quit\nunasked\n";
    let finished = run(&codex, &["--", "-m", "o3"], input).expect_success();
    assert_eq!((finished.stdout.as_str(), codex.n_runs()), ("yes\nyes\nyes\n", 3));
    let resumed = format!("resume {FAKE_THREAD} -");
    assert_eq!(
        [goes_on(&codex, 1), goes_on(&codex, 2), goes_on(&codex, 3)],
        ["-", &resumed, &resumed]
    );
    let words = codex.arguments(2).join(" ");
    assert!(words.contains("-m o3 resume"), "flags of exec stand before resume: {words}");
}

#[test]
fn a5_every_prompt_can_be_a_session_of_its_own() {
    for arguments in [&["--exec"][..], &["--session-mode", "exec"]] {
        let codex = FakeCodex::answering("yes");
        run(&codex, arguments, "first\nsecond\n").expect_success();
        assert_eq!([goes_on(&codex, 1), goes_on(&codex, 2)], ["-", "-"]);
    }
}

#[test]
fn a5_a_thread_that_is_gone_costs_the_thread_not_the_prompt() {
    let codex = FakeCodex::doing(
        "case \"$*\" in *resume*) echo 'Error: no rollout found for thread id' >&2; exit 1;; esac\nthread; message yes; completed",
    );
    let state = tempfile::tempdir().unwrap();
    let stage = stage().env("ADJUTANT_STATE_DIR", state.path());
    let input = format!("{QUESTION}\n{QUESTION}\n");
    let finished = launch(&stage, &codex).input(input).run().expect_success();
    assert_eq!((finished.stdout.as_str(), codex.n_runs()), ("yes\nyes\n", 3));
    assert!(finished.stderr.contains(&format!("[Limits] {LOST}")), "{}", finished.stderr);
    assert!(
        codex.prompt(3).ends_with(&format!("{QUESTION}\n[Limits] {LOST}")),
        "{}",
        codex.prompt(3)
    );
    // What the lost thread knew, the new one is told again.
    let is_told = |run: &usize| codex.prompt(*run).contains("pub fn enforce_retry_budget_zebra");
    assert_eq!((1..=3).filter(is_told).collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn a5_a_turn_that_failed_is_not_sent_again_elsewhere() {
    let codex = FakeCodex::doing(
        "thread; case \"$*\" in *resume*) failed 'stream disconnected'; exit 1;; esac; message yes; completed",
    );
    let finished = run(&codex, &[], "first\nsecond\n");
    assert_eq!((finished.exit_code, codex.n_runs()), (Some(1), 2));
    assert!(finished.stderr.contains("codex: Network error or timeout: stream disconnected"));
    assert!(!finished.stderr.contains(LOST), "{}", finished.stderr);
}

#[test]
fn a5_resume_last_is_used_when_asked_for_and_then_by_its_id() {
    let codex = FakeCodex::doing(
        "THREAD=00000000-0001-7000-8000-000000000001; thread; message yes; completed",
    );
    for ask in [&["--session-mode", "resume_last"][..], &[]] {
        let from = codex.n_runs();
        let stage = stage().env("CI_CODEX_SESSION_MODE", "resume_last");
        let launch = launch(&stage, &codex);
        let finished = launch.arguments(ask).input("first\nsecond\n").run().expect_success();
        assert_eq!(goes_on(&codex, from + 1), "resume --last -");
        assert_eq!(goes_on(&codex, from + 2), "resume 00000000-0001-7000-8000-000000000001 -");
        assert!(!finished.stderr.contains(LOST), "{}", finished.stderr);
    }
}

/// The real codex begins a new session without a word if there is none to go on with.
#[test]
fn a5_a_last_session_that_is_none_is_said() {
    let codex = FakeCodex::doing(
        "THREAD=7fffffff-0001-7000-8000-000000000001; thread; message yes; completed",
    );
    let finished = run(&codex, &["--session-mode", "resume_last", "hello"], "").expect_success();
    assert_eq!((finished.stdout.as_str(), codex.n_runs()), ("yes\n", 1));
    assert!(finished.stderr.contains(LOST), "{}", finished.stderr);
}

#[test]
fn a5_a_sub_agents_session_is_not_taken_for_the_last_one() {
    let codex = FakeCodex::doing(
        "case \"$*\" in *--last*) THREAD=below; thread; sleep 20; exit 9;; esac; thread; message yes; completed",
    );
    let home = tempfile::tempdir().unwrap();
    let day = home.path().join("sessions/2026/11/15");
    std::fs::create_dir_all(&day).unwrap();
    let meta = r#"{"payload":{"session_id":"above","id":"below","thread_source":"subagent"}}"#;
    std::fs::write(day.join("rollout-2026-11-15T01-02-03-below.jsonl"), meta).unwrap();
    let stage = stage().env("CODEX_HOME", home.path());
    let launch = launch(&stage, &codex);
    let finished =
        launch.arguments(["--session-mode", "resume_last", "hello"]).run().expect_success();
    assert_eq!((finished.stdout.as_str(), codex.n_runs()), ("yes\n", 2));
    assert_eq!(goes_on(&codex, 2), "resume above -");
    assert!(finished.stderr.contains("sub-agent"), "{}", finished.stderr);
}

#[test]
fn json_is_one_object_a_prompt_and_nothing_else() {
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
    let stage = stage();
    stage
        .launch(CODEX_AUTO)
        .env("PATH", nowhere.path())
        .arguments(["--dry-run", "ping"])
        .run()
        .expect_success();
    assert_eq!((codex.n_runs(), codex.note("started")), (0, None));
}

#[test]
fn the_exit_code_is_codexs_own_and_a_missing_codex_is_127() {
    let codex = FakeCodex::doing("exit 7");
    assert_eq!(run(&codex, &["explain auth"], "").exit_code, Some(7));
    // It ended well and did not answer: a hook of its own blocked the prompt.
    let codex = FakeCodex::doing("thread; completed");
    let finished = run(&codex, &["explain auth"], "");
    assert_eq!(finished.exit_code, Some(1));
    assert!(finished.stderr.contains("blocked the prompt"), "{}", finished.stderr);
    let nowhere = tempfile::tempdir().unwrap();
    for arguments in [&["explain auth"][..], &[]] {
        let stage = stage();
        let launch = stage.launch(CODEX_AUTO).env("PATH", nowhere.path()).arguments(arguments);
        let finished = launch.input("hello\n").run();
        assert_eq!(finished.exit_code, Some(127));
        assert!(finished.stderr.contains("hint: install codex"), "{}", finished.stderr);
    }
}

#[test]
fn a42_a_broken_kernel_costs_the_evidence_not_the_prompt() {
    let codex = FakeCodex::answering("yes");
    let stage = stage().env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", "/missing");
    let launch = launch(&stage, &codex);
    let finished = launch.argument("explain auth").run();
    assert_eq!((finished.exit_code, finished.stdout.as_str()), (Some(10), "yes\n"));
    assert!(finished.stderr.starts_with("not briefed, code 10"), "{}", finished.stderr);
    assert!(finished.stderr.contains("[Limits] orchestrator unavailable"), "{}", finished.stderr);
    assert!(
        codex.prompt(1).contains("[Limits] orchestrator unavailable")
            && codex.prompt(1).ends_with("explain auth")
    );
    let failing = FakeCodex::doing("exit 7");
    let launch = self::launch(&stage, &failing);
    assert_eq!(launch.argument("explain auth").run().exit_code, Some(7), "codex's own comes first");
}

#[test]
fn a_wider_sandbox_is_handed_on_and_said() {
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

/// Also what has left the group of codex, as its commands do.
#[test]
fn an_interrupt_ends_codex_and_all_it_started_and_a_script() {
    let codex = FakeCodex::doing(
        "thread; echo $$ > \"$here/pid\"
        setsid sh -c 'echo $$ > \"$1/below\"; exec sleep 60' - \"$here\" &
        while [ ! -s \"$here/below\" ]; do sleep 0.05; done
        kill -INT $PPID; sleep 30; message late",
    );
    let finished = run(&codex, &[], "first\nsecond\n");
    assert_eq!((finished.exit_code, codex.n_runs()), (Some(130), 1), "{finished:#?}");
    for started in ["pid", "below"] {
        assert!(!testkit::is_running(&codex.note(started).unwrap()), "{started}");
    }
}

#[test]
fn a_warning_of_codexs_is_shown_once() {
    let codex = FakeCodex::doing(
        r#"thread; printf '{"type":"item.completed","item":{"type":"error","message":"old model"}}\n'; message yes; completed"#,
    );
    let finished = run(&codex, &[], "first\nsecond\n").expect_success();
    assert_eq!(finished.stderr.matches("warning: old model").count(), 1, "{}", finished.stderr);
}

#[test]
fn a_prompt_of_several_lines_comes_from_stdin_as_a_whole() {
    let codex = FakeCodex::answering("yes");
    run(&codex, &["-"], "first\n/quit\nthird\n").expect_success();
    assert_eq!(codex.n_runs(), 1);
    assert!(codex.prompt(1).ends_with("first\n/quit\nthird\n"), "{}", codex.prompt(1));
    assert_eq!(run(&codex, &["-"], "\n").exit_code, Some(2));
}

#[test]
fn a5_what_codex_will_not_read_is_reported_in_its_own_words() {
    let codex = FakeCodex::doing(
        "thread; printf 'Error: turn/start failed: input_too_large\\n\\nStack backtrace:\\n   0: <unknown>\\n' >&2; exit 1",
    );
    let finished = run(&codex, &[], "first\nsecond\n");
    assert_eq!((finished.exit_code, codex.n_runs()), (Some(1), 2), "not sent again elsewhere");
    assert!(
        finished.stderr.contains("usage: Error: turn/start failed: input_too_large\n"),
        "{}",
        finished.stderr
    );
}
