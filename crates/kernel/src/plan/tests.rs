use contract::Request;
use policy::ConfigFile;

use super::*;
use crate::read_signals;

fn plan_for(prompt: &str, environment: &[(&str, &str)], yaml: &str) -> Planned {
    let lookup = |name: &str| {
        environment.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
    };
    let settings =
        Settings::resolve(&lookup, &ConfigFile::parse(yaml).unwrap(), policy::Trust::Never);
    let reading = read_signals(&Request { prompt: prompt.into(), ..Request::default() });
    plan(&settings, &Subject { intent: &reading.intent, has_terms: true, is_for_the_client: false })
}

fn tools(planned: &Planned) -> String {
    planned.plan.tools.iter().map(|tool| tool.tool.as_str()).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(prompt: &str, tier: &str, expected: &str) {
    assert_eq!(
        tools(&plan_for(prompt, &[("CI_AUTO_TOOLS_TIER_MAX", tier)], "")),
        expected,
        "{prompt}"
    );
}

#[test]
fn a25_the_intent_chooses_the_tools() {
    check("weather in SF?", "2", "");
    check("where is Config::load defined", "1", "ci_index_status ci_search ci_graph_rag");
    check("is the code clean", "1", "ci_index_status ci_search ci_graph_rag");
    check("explain auth", "1", "ci_index_status ci_search ci_graph_rag");
    check("explain auth", "2", "ci_index_status ci_search ci_graph_rag");
    check("who calls login()", "2", "ci_index_status ci_search ci_graph_rag ci_call_chain");
    check("改这个接口影响哪些模块", "2", "ci_index_status ci_search ci_graph_rag ci_impact");
    check("panicked at src/a.rs:3", "2", "ci_index_status ci_search ci_graph_rag ci_bug_locate");
    check("explain auth", "0", "ci_index_status");
}

#[test]
fn a12_tier_2_is_off_and_a_limit_says_so() {
    let planned = plan_for("analyze impact of change", &[], "");
    assert_eq!(tools(&planned), "ci_index_status ci_search ci_graph_rag");
    assert_eq!(planned.limits, [Limit::Tier2Disabled]);
    for prompt in ["explain auth", "add a retry to the client", "where is Config::load defined"] {
        assert_eq!(plan_for(prompt, &[], "").limits, [], "{prompt}");
    }
}

#[test]
fn a11_off_plans_nothing_and_on_plans_for_every_prompt() {
    assert_eq!(tools(&plan_for("explain auth", &[("CI_AUTO_TOOLS", "off")], "")), "");
    assert_eq!(
        tools(&plan_for("weather in SF?", &[("CI_AUTO_TOOLS", "on")], "")),
        "ci_index_status ci_search"
    );
}

#[test]
fn a13_the_legacy_policy_plans_two_tools() {
    let environment = [("CI_AUTO_TOOLS_LEGACY", "1"), ("CI_AUTO_TOOLS_TIER_MAX", "2")];
    assert_eq!(
        tools(&plan_for("explain the call chain bug", &environment, "")),
        "ci_index_status ci_search"
    );
}

#[test]
fn a22_arguments_in_the_plan_are_clamped() {
    let planned = plan_for("explain auth", &[("CI_AUTO_TOOLS_CI_GRAPH_RAG_DEPTH", "10")], "");
    assert_eq!(planned.plan.tools[2].args["depth"], 2);
    assert_eq!(planned.limits[0].to_string(), "ci_graph_rag: depth clamped to 2");
}

#[test]
fn a23_timeouts_are_the_documented_ones_or_shorter() {
    let timeouts = |yaml| -> Vec<u64> {
        plan_for("explain auth", &[], yaml).plan.tools.iter().map(|tool| tool.timeout_ms).collect()
    };
    assert_eq!(timeouts(""), [500, 2000, 3500]);
    assert_eq!(timeouts("tools: {ci_search: {timeout_ms: 100}}"), [500, 100, 3500]);
}

#[test]
fn a20_tier_3_is_a_hint_only() {
    let planned =
        plan_for("scan the repo for CVE vulnerabilities", &[("CI_AUTO_TOOLS_TIER_MAX", "2")], "");
    assert_eq!(planned.hints, ["tier 3, by hand only: a dependency and vulnerability scan"]);
    assert!(planned.plan.tools.iter().all(|tool| tool.tier <= 2));
}

#[test]
fn a_repository_can_switch_a_tool_off() {
    let planned = plan_for("explain auth", &[], "tools: {ci_graph_rag: {enabled: false}}");
    assert_eq!(tools(&planned), "ci_index_status ci_search");
}
