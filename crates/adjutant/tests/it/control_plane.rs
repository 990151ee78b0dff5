use std::fs;

use crate::fixture::{context, fixture, fixture_with, limits, on, tools};
use testkit::Repository;

#[test]
fn a10_the_environment_overrides_the_config_and_the_default() {
    let yaml = "budget:\n  wall_ms: 900\n  max_concurrency: 2\n";
    let (config, _) = fixture_with(yaml).plan().json("search auth");
    assert_eq!(config["tool_plan"]["budget"]["wall_ms"], 900);
    assert_eq!(config["tool_plan"]["budget"]["max_injected_chars"], 12_000);
    let (environment, _) = fixture_with(yaml)
        .plan()
        .env("CI_AUTO_TOOLS_BUDGET_WALL_MS", "5000")
        .env("CI_AUTO_TOOLS_MAX_CONCURRENCY", "3")
        .json("search auth");
    assert_eq!(environment["tool_plan"]["budget"]["wall_ms"], 5000);
    assert_eq!(environment["tool_plan"]["budget"]["max_concurrency"], 3);
}

#[test]
fn a12_tier_2_in_the_config_is_ignored_and_reported() {
    let (briefing, _) = fixture_with("tier_max: 2\n").plan().json("analyze impact of change");
    assert_eq!(briefing["tool_plan"]["tier_max"], 1);
    assert!(
        limits(&briefing)
            .contains("[Limits] tier-2 requires CI_AUTO_TOOLS_TIER_MAX=2 (config ignored)")
    );
}

#[test]
fn a13_legacy_mode_runs_the_old_pair_of_tools() {
    let (briefing, code) =
        fixture().env("CI_AUTO_TOOLS_LEGACY", "1").json("explain enforce_retry_budget_zebra");
    assert_eq!((briefing["enforcement"]["source"].as_str(), code), (Some("legacy"), 0));
    assert!(limits(&briefing).contains("[Limits] legacy mode enabled; using legacy policy"));
    assert_eq!(tools(&briefing), ["ci_index_status", "ci_search"]);
    assert!(context(&briefing).contains("src/billing/retry_budget.rs:2"));
}

#[test]
fn a11_a15_off_injects_nothing_and_on_briefs_every_prompt() {
    let (off, code) =
        fixture().env("CI_AUTO_TOOLS", "off").json("explain enforce_retry_budget_zebra");
    assert_eq!((context(&off), tools(&off).len(), code), ("", 0, 0));
    assert_eq!(
        fixture().env("CI_AUTO_TOOLS", "off").hook("explain auth")["hookSpecificOutput"]["additionalContext"],
        ""
    );
    let (on, _) = fixture().plan().env("CI_AUTO_TOOLS", "on").json("tell me about zebras");
    assert!(tools(&on).contains(&"ci_search"));
}

#[test]
fn a10_settings_in_the_devbooks_file_are_reported_and_ignored() {
    let repository = Repository::builder()
        .file(".devbooks/config.yaml", "auto_tools: off\ntier_max: 2\n")
        .commit("init")
        .build();
    let (briefing, _) = on(repository).plan().json("explain auth");
    assert!(
        limits(&briefing).contains("move `auto_tools`, `tier_max` to config/auto-tools.yaml"),
        "{}",
        limits(&briefing)
    );
    assert!(!tools(&briefing).is_empty());
}

#[test]
fn a_bad_config_is_exit_20_with_file_line_and_reason() {
    let yaml = "tier_max: 1\nbudget:\n  wall_ms: fast\n";
    let (briefing, code) = fixture_with(yaml).json("explain auth");
    assert_eq!((code, context(&briefing)), (20, ""));
    let expected = "config/auto-tools.yaml:3:12: not a whole number in `wall_ms: fast`";
    assert!(limits(&briefing).contains(expected), "{}", limits(&briefing));
    let text = fixture_with(yaml).arguments(&["--format", "text"]).ask("explain auth");
    assert_eq!(text.exit_code, Some(20));
    let hook = fixture_with(yaml).hook("explain auth");
    assert_eq!(hook["hookSpecificOutput"]["additionalContext"], "");
    assert!(hook["systemMessage"].as_str().unwrap().contains(expected), "{hook}");
}

#[test]
fn unknown_keys_are_reported_by_path() {
    let (briefing, code) = fixture_with("budget:\n  wallms: 3\n").plan().json("explain auth");
    assert!(
        limits(&briefing)
            .contains("config/auto-tools.yaml: unknown key `budget.wallms` has no effect")
    );
    assert_eq!(code, 0);
}

#[test]
fn a54_a_repository_cannot_start_a_program_or_widen_a_limit() {
    let yaml = "budget: {wall_ms: 600000}\ntools:\n  ci_search: {command: [touch, pwned]}\n";
    let fixture = fixture_with(yaml);
    let pwned = fixture.repository.join("pwned");
    let (briefing, _) = fixture.json("explain enforce_retry_budget_zebra");
    assert_eq!(briefing["tool_plan"]["budget"]["wall_ms"], 5000);
    assert!(
        limits(&briefing)
            .contains("`tools.ci_search.command` starts a program, `touch pwned`; not applied")
    );
    assert!(!fs::exists(pwned).unwrap());
}

#[test]
fn a22_arguments_beyond_the_limit_are_clamped_and_reported() {
    let fixture = fixture()
        .plan()
        .env("CI_AUTO_TOOLS_CI_GRAPH_RAG_DEPTH", "10")
        .env("CI_AUTO_TOOLS_CI_SEARCH_LIMIT", "99");
    let (briefing, _) = fixture.json("explain auth");
    assert!(limits(&briefing).contains("ci_graph_rag: depth clamped to 2"));
    assert!(limits(&briefing).contains("ci_search: limit clamped to 10"));
    assert_eq!(briefing["tool_plan"]["tools"][2]["args"]["depth"], 2);
}
