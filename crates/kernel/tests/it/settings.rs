//! The settings of the environment and of the repository's configuration, and their effect on a briefing.

use contract::{EnforcementSource, ExitCode};

use crate::fixture::{Fixture, context, expect_limit, files, fixture, on, tools, with_config};

#[test]
fn a10_the_environment_overrides_the_config_and_the_default() {
    let yaml = "budget:\n  wall_ms: 900\n  max_concurrency: 2\n";
    let budget = |fixture: Fixture| fixture.plan().brief("search auth").briefing.tool_plan.budget;
    let config = budget(with_config(yaml));
    assert_eq!(
        (config.wall_ms, config.max_concurrency, config.max_injected_chars),
        (900, 2, 12_000)
    );
    let environment = budget(
        with_config(yaml)
            .env("CI_AUTO_TOOLS_BUDGET_WALL_MS", "5000")
            .env("CI_AUTO_TOOLS_MAX_CONCURRENCY", "3"),
    );
    assert_eq!((environment.wall_ms, environment.max_concurrency), (5000, 3));
}

#[test]
fn a12_tier_2_in_the_config_is_ignored_and_reported() {
    let briefed = with_config("tier_max: 2\n").plan().brief("analyze impact of change");
    assert_eq!(briefed.briefing.tool_plan.tier_max, 1);
    expect_limit(&briefed, "[Limits] tier-2 requires CI_AUTO_TOOLS_TIER_MAX=2 (config ignored)");
}

#[test]
fn a13_legacy_mode_runs_the_old_pair_of_tools() {
    let fixture = fixture().env("CI_AUTO_TOOLS_LEGACY", "1");
    let briefed = fixture.brief("explain enforce_retry_budget_zebra");
    let outcome = (briefed.briefing.enforcement.source, briefed.exit);
    assert_eq!(outcome, (EnforcementSource::Legacy, ExitCode::Success));
    expect_limit(&briefed, "[Limits] legacy mode enabled; using legacy policy");
    assert_eq!(tools(&briefed), ["ci_index_status", "ci_search"]);
    assert!(context(&briefed).contains("src/billing/retry_budget.rs:2"));
}

#[test]
fn a10_settings_in_the_devbooks_file_are_reported_and_ignored() {
    let files = files().file(".devbooks/config.yaml", "auto_tools: off\ntier_max: 2\n");
    let briefed = on(files).plan().brief("explain auth");
    expect_limit(&briefed, "move `auto_tools`, `tier_max` to config/auto-tools.yaml");
    assert!(!tools(&briefed).is_empty());
}

#[test]
fn unknown_keys_are_reported_by_path() {
    let briefed = with_config("budget:\n  wallms: 3\n").plan().brief("explain auth");
    expect_limit(&briefed, "config/auto-tools.yaml: unknown key `budget.wallms` has no effect");
    assert_eq!(briefed.exit, ExitCode::Success);
}

#[test]
fn a54_a_repository_cannot_start_a_program_or_widen_a_limit() {
    let yaml = "budget: {wall_ms: 600000}\ntools:\n  ci_search: {command: [touch, pwned]}\n";
    let fixture = with_config(yaml);
    let briefed = fixture.brief("explain enforce_retry_budget_zebra");
    assert_eq!(briefed.briefing.tool_plan.budget.wall_ms, 5000);
    expect_limit(
        &briefed,
        "`tools.ci_search.command` starts a program, `touch pwned`; not applied",
    );
    assert!(!fixture.repository.join("pwned").exists());
}

#[test]
fn a22_arguments_beyond_the_limit_are_clamped_and_reported() {
    let fixture = fixture()
        .plan()
        .env("CI_AUTO_TOOLS_CI_GRAPH_RAG_DEPTH", "10")
        .env("CI_AUTO_TOOLS_CI_SEARCH_LIMIT", "99");
    let briefed = fixture.brief("explain auth");
    expect_limit(&briefed, "ci_graph_rag: depth clamped to 2");
    expect_limit(&briefed, "ci_search: limit clamped to 10");
    assert_eq!(briefed.briefing.tool_plan.tools[2].args["depth"], 2);
}
