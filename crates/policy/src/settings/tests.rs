use super::*;

fn resolve(environment: &[(&str, &str)], yaml: &str) -> Settings {
    let lookup = |name: &str| {
        environment.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
    };
    Settings::resolve(&lookup, &ConfigFile::parse(yaml).unwrap())
}

fn limits(settings: &Settings) -> Vec<String> {
    settings.limits.iter().map(ToString::to_string).collect()
}

#[test]
fn a10_environment_wins_over_config_wins_over_default() {
    let nothing = resolve(&[], "");
    assert_eq!(nothing.wall_ms, Sourced { value: 5000, source: Source::Default });
    let config = resolve(&[], "budget: {wall_ms: 900}");
    assert_eq!(config.wall_ms, Sourced { value: 900, source: Source::Config });
    let environment =
        resolve(&[("CI_AUTO_TOOLS_BUDGET_WALL_MS", "7000")], "budget: {wall_ms: 900}");
    assert_eq!(environment.wall_ms, Sourced { value: 7000, source: Source::Environment });
}

#[test]
fn a11_defaults_are_the_documented_ones() {
    let settings = resolve(&[], "");
    assert_eq!(
        settings.budget(),
        Budget { wall_ms: 5000, max_concurrency: 3, max_injected_chars: 12_000 }
    );
    assert_eq!((settings.switch.value, settings.mode.value), (Switch::Auto, Mode::Run));
    assert_eq!(
        (settings.tier_max.value, settings.session_mode.value),
        (1, SessionMode::ResumeLast)
    );
    assert_eq!(settings.limits, []);
}

#[test]
fn a11_dry_run_is_plan() {
    assert_eq!(
        resolve(&[("CI_AUTO_TOOLS_DRY_RUN", "1"), ("CI_AUTO_TOOLS_MODE", "run")], "").mode.value,
        Mode::Plan
    );
}

#[test]
fn a12_tier_2_comes_from_the_environment_alone() {
    let sentence = "tier-2 requires CI_AUTO_TOOLS_TIER_MAX=2 (config ignored)";
    let config = resolve(&[], "tier_max: 2");
    assert_eq!((config.tier_max.value, limits(&config)), (1, vec![sentence.to_owned()]));
    let both = resolve(&[("CI_AUTO_TOOLS_TIER_MAX", "1")], "tier_max: 2");
    assert_eq!((both.tier_max.value, limits(&both)), (1, vec![sentence.to_owned()]));
    let synonym = resolve(&[], "max_tier: 2");
    assert_eq!((synonym.tier_max.value, limits(&synonym)[0].as_str()), (1, sentence));
    let environment = resolve(&[("CI_AUTO_TOOLS_TIER_MAX", "2")], "");
    assert_eq!((environment.tier_max.value, environment.limits.len()), (2, 0));
}

#[test]
fn a23_tier_2_adds_five_seconds() {
    assert_eq!(resolve(&[("CI_AUTO_TOOLS_TIER_MAX", "2")], "").wall_ms.value, 10_000);
}

#[test]
fn a13_legacy_is_said_and_marked() {
    let settings = resolve(&[("CI_AUTO_TOOLS_LEGACY", "1")], "");
    assert_eq!(settings.enforcement, EnforcementSource::Legacy);
    assert_eq!(limits(&settings), ["legacy mode enabled; using legacy policy"]);
}

#[test]
fn a15_config_can_roll_back() {
    assert_eq!(resolve(&[], "auto_tools: off").switch.value, Switch::Off);
    assert_eq!(resolve(&[], "mode: plan").mode.value, Mode::Plan);
    assert_eq!(resolve(&[], "tier_max: 0").tier_max.value, 0);
}

#[test]
fn a54_a_repository_can_only_tighten() {
    let settings = resolve(
        &[],
        "budget: {wall_ms: 9999}\ntools:\n  evil: {command: [curl, example.com]}\n  ci_search: {timeout_ms: 100}\n",
    );
    assert_eq!((settings.wall_ms.value, settings.timeouts["ci_search"]), (5000, 100));
    assert_eq!(
        limits(&settings),
        [
            "config/auto-tools.yaml: `budget.wall_ms` asks for 9999, more than 5000; not applied, a repository's own configuration can only tighten",
            "config/auto-tools.yaml: `tools.evil.command` starts a program; not applied, a repository's own configuration can only tighten",
        ]
    );
}

#[test]
fn values_nobody_understands_are_said_and_passed_over() {
    let settings =
        resolve(&[("CI_AUTO_TOOLS", "maybe"), ("CI_AUTO_TOOLS_BUDGET_WALL_MS", "-3")], "budgt: 1");
    assert_eq!((settings.switch.value, settings.wall_ms.value), (Switch::Auto, 5000));
    assert_eq!(
        limits(&settings),
        [
            "CI_AUTO_TOOLS=`maybe` ignored: it must be auto, on or off",
            "CI_AUTO_TOOLS_BUDGET_WALL_MS=`-3` ignored: it must be a whole number above 0",
            "config/auto-tools.yaml: unknown key `budgt` has no effect",
        ]
    );
}

#[test]
fn a22_argument_values_are_taken_as_given_and_left_to_the_clamp() {
    let settings = resolve(
        &[("CI_AUTO_TOOLS_CI_GRAPH_RAG_DEPTH", "10")],
        "tools: {ci_search: {args: {limit: 4}}}",
    );
    assert_eq!(settings.arguments[&("ci_graph_rag", "depth")], 10);
    assert_eq!(settings.arguments[&("ci_search", "limit")], 4);
}
