use crate::fixture::{ADJUTANT, HOOK, context, fixture, limits, result};
use testkit::ShellScript;

#[test]
fn a42_a_missing_kernel_is_exit_10_and_an_empty_briefing() {
    let (briefing, code) =
        fixture().env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", "/no/such/kernel").json("explain auth");
    assert_eq!((code, context(&briefing)), (10, ""));
    assert_eq!(briefing["degraded"]["is_degraded"], true);
    assert!(limits(&briefing).contains("[Limits] orchestrator unavailable"));
}

#[test]
fn a42_invalid_kernel_output_is_exit_30() {
    for nonsense in ["not json", "{}", r#"{"schema_version":"1.0"}"#, ""] {
        let kernel = ShellScript::new(&format!("echo '{nonsense}'"));
        let (briefing, code) =
            fixture().env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", kernel.path()).json("explain auth");
        assert_eq!((code, context(&briefing)), (30, ""), "{nonsense}");
        assert!(
            limits(&briefing)
                .contains("[Limits] orchestrator output invalid; fallback to empty context")
        );
    }
}

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
fn a40_a_crashing_kernel_gives_an_empty_briefing() {
    let kernel = ShellScript::new("kill -SEGV $$");
    let (briefing, code) =
        fixture().env("CI_AUTO_TOOLS_ORCHESTRATOR_PATH", kernel.path()).json("explain auth");
    assert_eq!(code, 10);
    assert!(limits(&briefing).contains("orchestrator unavailable (killed by signal 11)"));
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
fn a42_a_tool_that_fails_is_exit_40() {
    let runner = ShellScript::new("echo boom >&2; exit 9");
    let (briefing, code) = fixture()
        .env("CI_AUTO_TOOLS_RUNNER_CI_GRAPH_RAG", runner.path())
        .json("explain enforce_retry_budget_zebra");
    assert_eq!(
        (code, result(&briefing, "ci_graph_rag")),
        (40, ("error", Some("E_TOOL_UNAVAILABLE")))
    );
    assert_eq!(briefing["degraded"]["is_degraded"], true);
    assert!(
        context(&briefing).contains("retry_budget.rs:2"),
        "the findings of the other tool are missing"
    );
}

#[test]
fn a42_a_tool_that_times_out_is_exit_50() {
    let slow = ShellScript::new("echo > \"${0%/*}/started\"; sleep 600");
    // On a busy machine, the tool may start late.
    let (briefing, code) = (0..7)
        .map(|doubled| {
            fixture()
                .env("CI_AUTO_TOOLS_RUNNER_CI_SEARCH", slow.path())
                .env("CI_AUTO_TOOLS_BUDGET_WALL_MS", (200 << doubled).to_string())
                .env("ADJUTANT_TEST_SLOWNESS", "1")
                .json("explain auth")
        })
        .find(|(briefing, _)| {
            let results = briefing["tool_results"].as_array().unwrap();
            slow.note("started").is_some()
                && results.iter().any(|result| result["tool"] == "ci_search")
        })
        .expect("the tool is started");
    assert_eq!((code, result(&briefing, "ci_search")), (50, ("timeout", Some("E_TIMEOUT"))));
    assert!(limits(&briefing).contains("tool timeout; degraded to plan-only"));
}

#[test]
fn a24_a42_a_long_briefing_is_cut_and_exits_with_50() {
    let long = ShellScript::new("printf 'A%.0s' $(seq 1 220)");
    let fixture = fixture()
        .env("CI_AUTO_TOOLS_MAX_INJECTED_CHARS", "50")
        .env("CI_AUTO_TOOLS_RUNNER_CI_INDEX_STATUS", long.path())
        .env("CI_AUTO_TOOLS_RUNNER_CI_GRAPH_RAG", long.path())
        .env("CI_AUTO_TOOLS_RUNNER_CI_SEARCH", long.path());
    let (briefing, code) = fixture.json("explain auth");
    assert_eq!(code, 50);
    assert!(context(&briefing).chars().count() <= 50);
    assert!(limits(&briefing).contains("budget exceeded; results truncated"));
    for tool in ["ci_index_status", "ci_search", "ci_graph_rag"] {
        assert_eq!(result(&briefing, tool), ("ok", Some("E_BUDGET_EXCEEDED")));
    }
    let results = briefing["tool_results"].as_array().unwrap();
    assert!(results.iter().all(|result| result["truncated"] == true));
}

#[test]
fn a43_an_unavailable_tool_is_skipped_and_named() {
    let fixture = fixture().env("CI_AUTO_TOOLS_TIER_MAX", "2");
    let (briefing, code) = fixture
        .json("how complex is enforce_retry_budget_zebra, what is its cyclomatic complexity?");
    let skipped: Vec<&str> = ["ci_graph_rag", "ci_complexity"]
        .into_iter()
        .filter(|tool| result(&briefing, tool).0 == "skipped")
        .collect();
    for tool in skipped {
        assert!(limits(&briefing).contains(&format!("tool unavailable; skipped ({tool})")));
    }
    assert_eq!(code, 0);
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
    let silent = answer(start());
    assert!(silent["systemMessage"].as_str().unwrap().contains("stdin was not closed"), "{silent}");
    assert_eq!(silent.as_object().unwrap().len(), 1, "an unknown event gets no answer: {silent}");

    let mut whole = start();
    whole.write_line(r#"{"hook_event_name": "UserPromptSubmit", "prompt": "where is enforce_retry_budget_zebra?"}"#);
    let whole = answer(whole);
    let context = whole["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(context.contains("retry_budget.rs"), "{whole}");

    let mut half = start();
    half.write_line(r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "#);
    let half = answer(half);
    assert_eq!(half["hookSpecificOutput"]["permissionDecision"], "ask", "{half}");
}

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
    for names in [["UserPromptSubmit", "PreToolUse"], ["PreToolUse", "UserPromptSubmit"]] {
        let [first, second] = names;
        let twice = answer(format!(
            r#"{{"hook_event_name": "{first}", "prompt": "{large}", "hook_event_name": "{second}"}}"#
        ));
        assert_eq!(twice["hookSpecificOutput"]["permissionDecision"], "ask", "{names:?}: {twice}");
    }
    let prompt =
        answer(format!(r#"{{"prompt": "{large}", "hook_event_name": "UserPromptSubmit"}}"#));
    assert_eq!(prompt["hookSpecificOutput"]["additionalContext"], "", "{prompt}");
    for unknown in [
        format!(r#"{{"x": "{large}", "hook_event_name": "Stop"}}"#),
        format!(r#"{{"x": "{large}"}}"#),
    ] {
        let unknown = answer(unknown);
        assert!(unknown.get("hookSpecificOutput").is_none(), "{unknown}");
        assert!(unknown["systemMessage"].as_str().unwrap().contains("larger than"), "{unknown}");
    }
}
