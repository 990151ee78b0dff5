use crate::fixture::{context, fixture, limits, tools};

#[test]
fn a32_a_plan_is_deterministic_and_calls_no_tool() {
    let fixture = || fixture().plan().env("CI_AUTO_TOOLS_RUNNER_CI_SEARCH", "/no/such/runner");
    let one = fixture();
    let first = one
        .launch(crate::fixture::HOOK)
        .arguments(["--format", "json"])
        .input(r#"{"prompt":"explain call chain"}"#);
    let (a, b) = (first.run().expect_success(), first.run().expect_success());
    assert_eq!(a.stdout, b.stdout);
    let briefing: serde_json::Value = serde_json::from_str(&a.stdout).unwrap();
    assert_eq!(briefing["tool_results"], serde_json::json!([]));
    assert_eq!(context(&briefing), "");
    assert_eq!(tools(&briefing), ["ci_index_status", "ci_search", "ci_graph_rag"]);
}

#[test]
fn a31_the_id_of_a_plan_depends_on_its_content() {
    let (plan, _) = fixture().plan().json("explain auth");
    let id = plan["run_id"].as_str().unwrap();
    assert!(id.starts_with("plan-") && id.len() == 17, "{id}");
    let (run, _) = fixture().json("explain auth");
    let id = run["run_id"].as_str().unwrap();
    assert_eq!((id.len(), id.matches('-').count()), (22, 2), "{id}");
}

#[test]
fn a32_the_planned_codex_command_follows_the_session_mode() {
    let command = |mode: &str| {
        fixture().plan().env("CI_CODEX_SESSION_MODE", mode).json("explain auth").0["tool_plan"]["planned_codex_command"].clone()
    };
    assert_eq!(command("resume_last"), "codex exec resume --last");
    assert_eq!(command("exec"), "codex exec");
    assert_eq!(
        fixture().plan().json("explain auth").0["tool_plan"]["planned_codex_command"],
        "codex exec resume --last"
    );
}

#[test]
fn a11_dry_run_is_a_plan() {
    let (briefing, code) = fixture().env("CI_AUTO_TOOLS_DRY_RUN", "1").json("explain auth");
    assert_eq!((briefing["tool_results"].as_array().unwrap().len(), code), (0, 0));
}

#[test]
fn a12_a20_tier_2_is_planned_if_the_environment_enables_it() {
    let (without, _) =
        fixture().plan().json("analyze the impact of changing enforce_retry_budget_zebra");
    assert!(!tools(&without).contains(&"ci_impact"));
    assert!(
        limits(&without)
            .contains("tier-2 disabled by default; set CI_AUTO_TOOLS_TIER_MAX=2 to enable")
    );
    let (with, _) = fixture()
        .plan()
        .env("CI_AUTO_TOOLS_TIER_MAX", "2")
        .json("analyze the impact of changing enforce_retry_budget_zebra");
    assert!(tools(&with).contains(&"ci_impact"));
    assert_eq!(with["tool_plan"]["budget"]["wall_ms"], 10_000);
}

#[test]
fn a26_non_code_prompts_inject_nothing_in_both_languages() {
    for prompt in ["weather in SF?", "今天天气怎么样"] {
        let (briefing, code) = fixture().json(prompt);
        assert_eq!((context(&briefing), tools(&briefing).len(), code), ("", 0, 0), "{prompt}");
    }
}

#[test]
fn commands_and_notices_of_the_client_are_not_briefed() {
    for prompt in ["/compact the code", "<task-notification>the test failed</task-notification>"] {
        let (briefing, _) = fixture().json(prompt);
        assert_eq!(tools(&briefing).len(), 0, "{prompt}");
    }
    let (path, _) = fixture().json("/src/main.rs does not compile");
    assert!(!tools(&path).is_empty());
}

#[test]
fn a26_signals_can_be_shown_alone() {
    let finished = fixture()
        .arguments(&[
            "--analyze-intent",
            "--prompt",
            "fix authentication bug",
            "--file",
            "src/a.rs",
            "--line",
            "3",
            "--format",
            "text",
        ])
        .run_on("")
        .expect_success();
    assert!(finished.stdout.contains("explicit: bug (weight: 0.8)"), "{}", finished.stdout);
    assert!(finished.stdout.contains("implicit: src/a.rs:3 (weight: 0.6)"), "{}", finished.stdout);
}
