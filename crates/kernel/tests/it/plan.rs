//! Plan mode, the switches, and prompts that get no evidence.

use contract::ExitCode;

use crate::fixture::{Fixture, context, expect_limit, fixture, tools};

#[test]
fn a31_the_id_of_a_plan_depends_on_its_content() {
    let plan = fixture().plan();
    let id = |fixture: &Fixture, prompt: &str| fixture.brief(prompt).briefing.run_id;
    let first = id(&plan, "explain auth");
    assert!(first.starts_with("plan-") && first.len() == 17, "{first}");
    assert_eq!(id(&plan, "explain auth"), first);
    assert_ne!(id(&plan, "explain the budget"), first);
    let run = id(&fixture(), "explain auth");
    assert_eq!((run.len(), run.matches('-').count()), (22, 2), "{run}");
}

#[test]
fn a32_the_planned_codex_command_follows_the_session_mode() {
    #[track_caller]
    fn check(fixture: &Fixture, expected: &str) {
        let plan = fixture.brief("explain auth").briefing.tool_plan;
        assert_eq!(plan.planned_codex_command.as_deref(), Some(expected));
    }
    let plan = || fixture().plan();
    check(&plan(), "codex exec resume --last");
    check(&plan().env("CI_CODEX_SESSION_MODE", "resume_last"), "codex exec resume --last");
    check(&plan().env("CI_CODEX_SESSION_MODE", "exec"), "codex exec");
}

#[test]
fn a11_dry_run_is_a_plan() {
    let briefed = fixture().env("CI_AUTO_TOOLS_DRY_RUN", "1").brief("explain auth");
    assert_eq!((briefed.briefing.tool_results.len(), briefed.exit), (0, ExitCode::Success));
    assert!(!tools(&briefed).is_empty());
}

#[test]
fn a12_a20_tier_2_is_planned_if_the_environment_enables_it() {
    let prompt = "analyze the impact of changing enforce_retry_budget_zebra";
    let without = fixture().plan().brief(prompt);
    assert!(!tools(&without).contains(&"ci_impact"));
    expect_limit(&without, "tier-2 disabled by default; set CI_AUTO_TOOLS_TIER_MAX=2 to enable");
    let with = fixture().plan().env("CI_AUTO_TOOLS_TIER_MAX", "2").brief(prompt);
    assert!(tools(&with).contains(&"ci_impact"));
    assert_eq!(with.briefing.tool_plan.budget.wall_ms, 10_000);
}

#[test]
fn a11_a15_off_injects_nothing_and_on_briefs_every_prompt() {
    let off = fixture().env("CI_AUTO_TOOLS", "off").brief("explain enforce_retry_budget_zebra");
    assert_eq!((context(&off), tools(&off).len(), off.exit), ("", 0, ExitCode::Success));
    let on = fixture().plan().env("CI_AUTO_TOOLS", "on").brief("tell me about zebras");
    assert!(tools(&on).contains(&"ci_search"));
}

#[test]
fn a26_non_code_prompts_inject_nothing_in_both_languages() {
    let fixture = fixture();
    for prompt in ["weather in SF?", "今天天气怎么样"] {
        let briefed = fixture.brief(prompt);
        let outcome = (context(&briefed), tools(&briefed).len(), briefed.exit);
        assert_eq!(outcome, ("", 0, ExitCode::Success), "{prompt}");
    }
}

#[test]
fn commands_of_the_client_are_not_briefed() {
    let fixture = fixture();
    assert!(tools(&fixture.brief("/compact the code")).is_empty());
    assert!(!tools(&fixture.brief("/src/main.rs does not compile")).is_empty());
}

#[test]
fn a26_a_prompt_with_known_terms_of_the_repository_is_about_code() {
    let fixture = fixture();
    for (prompt, answers) in [
        ("where are the zebras?", true),
        ("zebra retries are billed twice", true),
        ("who enforces the retry budget?", true),
        ("校验在哪里", true),
        ("where is the Eiffel tower?", false),
        ("zebra", false),
    ] {
        let briefed = fixture.brief(prompt);
        assert_eq!(!context(&briefed).is_empty(), answers, "{prompt}: {briefed:#?}");
    }
}

#[test]
fn the_index_status_counts_files_and_symbols() {
    let briefed = fixture().brief("explain enforce_retry_budget_zebra");
    let mut results = briefed.briefing.tool_results.iter();
    let status = results.find(|result| result.tool == "ci_index_status").unwrap();
    let data = status.data.as_ref().unwrap();
    let number = |key: &str| data.field(key).and_then(serde_json::Value::as_u64).unwrap();
    assert!(number("files") >= 3 && number("symbols") >= 3 && number("edges") > 0, "{data:?}");
    assert!(number("age_seconds") < 600 && number("changed_since") == 0, "{data:?}");
}
