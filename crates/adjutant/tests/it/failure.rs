use std::path::Path;

use crate::fixture::{ADJUTANT, HOOK, context, fixture, limits, result};
use testkit::ShellScript;

#[test]
fn a40_a_hanging_kernel_is_stopped_with_its_children() {
    let kernel = ShellScript::new("sleep 600 & echo $! > \"${0%/*}/child\"; sleep 600");
    // On a busy machine, the kernel may start late.
    let (wall_ms, (briefing, code)) = (0..7)
        .map(|doubled| {
            let wall_ms = 100 << doubled;
            let fixture = fixture()
                .env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", kernel.path())
                .env("CI_AUTO_TOOLS_BUDGET_WALL_MS", wall_ms.to_string())
                .env("ADJUTANT_TEST_SLOWNESS", "1");
            (wall_ms, fixture.json("explain auth"))
        })
        .find(|_| kernel.note("child").is_some_and(|child| child.ends_with('\n')))
        .expect("the kernel is started");
    assert_eq!((code, briefing["degraded"]["is_degraded"].as_bool()), (50, Some(true)));
    let waited = format!("orchestrator unavailable (no answer in {} ms)", wall_ms + 1_500);
    assert!(limits(&briefing).contains(&waited), "{}", limits(&briefing));
    let child = kernel.note("child").unwrap();
    testkit::eventually("the child process of the kernel ends", || !testkit::is_running(&child));
}

#[test]
fn a40_in_hook_mode_every_failure_prints_one_object_and_exits_with_0() {
    let scripts = ["exit 2", "echo nonsense", "kill -SEGV $$", "head -c 20000000 /dev/zero"];
    for script in scripts {
        let kernel = ShellScript::new(script);
        let hook =
            fixture().env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", kernel.path()).hook("explain auth");
        assert_eq!(hook["hookSpecificOutput"]["additionalContext"], "", "{script}");
        assert!(
            hook["systemMessage"].as_str().unwrap().starts_with("Adjutant: nothing injected"),
            "{hook}"
        );
    }
}

#[test]
fn a11_another_kernel_can_be_configured() {
    let kernel = ShellScript::new(
        r#"cat > "${0%/*}/request"; echo '{"schema_version":"1.1","fused_context":{"for_model":{"additional_context":"from elsewhere"}}}'"#,
    );
    let hook = fixture().env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", kernel.path()).hook("explain auth");
    assert_eq!(hook["hookSpecificOutput"]["additionalContext"], "from elsewhere");
    let request: serde_json::Value =
        serde_json::from_str(&kernel.note("request").unwrap()).unwrap();
    assert_eq!(
        (request["prompt"].as_str(), request["event"].as_str()),
        (Some("explain auth"), Some("UserPromptSubmit"))
    );
}

/// A stack size with which no thread can be created. A low `RLIMIT_NPROC` has the same effect, but not for root.
const NO_THREADS: &str = "70368744177664";

#[test]
fn a40_a_hook_without_threads_stops_its_kernel() {
    let kernel = ShellScript::new("sleep 600");
    let hook = fixture()
        .env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", kernel.path())
        .env("RUST_MIN_STACK", NO_THREADS)
        .hook("explain auth");
    let message = hook["systemMessage"].as_str().unwrap();
    assert!(message.contains("orchestrator unavailable (cannot start"), "{hook}");
    let path = kernel.path().to_str().unwrap();
    testkit::eventually("the kernel has ended", || {
        process::processes_with("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", path).is_empty()
    });
}

#[test]
fn a40_a_kernel_without_threads_still_answers() {
    let fixture = fixture().env("RUST_MIN_STACK", NO_THREADS);
    let kernel = fixture.launch(ADJUTANT).argument("orchestrate");
    let finished = kernel.input(r#"{"prompt": "explain auth"}"#).run();
    let briefing: serde_json::Value = serde_json::from_str(&finished.stdout)
        .unwrap_or_else(|error| panic!("{error}: {finished:#?}"));
    assert_eq!(result(&briefing, "ci_search"), ("error", Some("E_TOOL_UNAVAILABLE")), "{briefing}");
}

#[test]
fn a40_the_hook_does_not_wait_for_an_open_stdin() {
    let fixture = fixture().env("ADJUTANT_TEST_SLOWNESS", "1");
    let start = || fixture.launch(HOOK).start_piped();
    let answer = |mut hook: testkit::PipedProgram| {
        let line = hook.read_line(testkit::TEST_TIMEOUT).expect("no answer while stdin is open");
        assert_eq!(hook.exit_code(testkit::TEST_TIMEOUT), Some(0));
        serde_json::from_str::<serde_json::Value>(&line).unwrap()
    };
    // All three wait for the same timeout.
    let (silent, mut whole, mut half) = (start(), start(), start());
    whole.write_line(r#"{"hook_event_name": "UserPromptSubmit", "prompt": "where is enforce_retry_budget_zebra?"}"#);
    half.write_line(r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "#);
    let silent = answer(silent);
    assert!(silent["systemMessage"].as_str().unwrap().contains("stdin was not closed"), "{silent}");
    assert_eq!(silent.as_object().unwrap().len(), 1, "an unknown event gets no answer: {silent}");
    let whole = answer(whole);
    let context = whole["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(context.contains("retry_budget.rs"), "{whole}");
    let half = answer(half);
    assert_eq!(half["hookSpecificOutput"]["permissionDecision"], "ask", "{half}");
}

/// Other incomplete payloads are tested in `crates/clients`.
#[test]
fn a40_a_too_large_payload_gets_the_answer_of_its_event() {
    let large = "x".repeat(33 * 1024 * 1024);
    let answer = |payload: String| -> serde_json::Value {
        let finished = fixture().run_on(payload).expect_success();
        serde_json::from_str(&finished.stdout)
            .unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
    };
    let tool = answer(format!(
        r#"{{"tool_name": "Write", "tool_input": {{"content": "{large}"}}, "hook_event_name": "PreToolUse"}}"#
    ));
    assert_eq!(tool["hookSpecificOutput"]["hookEventName"], "PreToolUse", "{tool}");
    assert_eq!(tool["hookSpecificOutput"]["permissionDecision"], "ask", "{tool}");
    let unknown = answer(format!(r#"{{"x": "{large}", "hook_event_name": "Stop"}}"#));
    assert!(unknown.get("hookSpecificOutput").is_none(), "{unknown}");
    assert!(unknown["systemMessage"].as_str().unwrap().contains("larger than"), "{unknown}");
}

#[test]
fn a42_a_kernel_that_is_missing_invalid_or_crashes_gives_an_empty_briefing() {
    let nonsense = ShellScript::new("echo 'not json'");
    let crash = ShellScript::new("kill -SEGV $$");
    let fixture = fixture().arguments(&["--format", "json"]);
    let unavailable = "[Limits] orchestrator unavailable";
    let invalid = "[Limits] orchestrator output invalid; fallback to empty context";
    let killed = "orchestrator unavailable (killed by signal 11)";
    for (kernel, exit, said) in [
        (Path::new("/no/such/kernel"), 10, unavailable),
        (nonsense.path(), 30, invalid),
        (crash.path(), 10, killed),
    ] {
        let launch = fixture.launch(HOOK).env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", kernel);
        let finished = launch.input(r#"{"prompt": "explain auth"}"#).run();
        let briefing: serde_json::Value = serde_json::from_str(&finished.stdout).unwrap();
        assert_eq!((finished.exit_code, context(&briefing)), (Some(exit), ""));
        assert_eq!(briefing["degraded"]["is_degraded"], true);
        assert!(limits(&briefing).contains(said), "{}", limits(&briefing));
    }
}
