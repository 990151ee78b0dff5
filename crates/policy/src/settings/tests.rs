use super::*;

fn resolve(environment: &[(&str, &str)], yaml: &str) -> Settings {
    judged(environment, yaml, Trust::Never)
}

fn judged(environment: &[(&str, &str)], yaml: &str, trust: Trust) -> Settings {
    let lookup = |name: &str| {
        environment.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
    };
    Settings::resolve(&lookup, &ConfigFile::parse(yaml).unwrap(), trust)
}

fn limits(settings: &Settings) -> Vec<String> {
    settings.limits.iter().map(ToString::to_string).collect()
}

#[test]
fn a10_environment_wins_over_config_wins_over_default() {
    let nothing = resolve(&[], "");
    assert_eq!(nothing.wall_ms, Sourced { value: 5000, source: SettingSource::Default });
    let config = resolve(&[], "budget: {wall_ms: 900}");
    assert_eq!(config.wall_ms, Sourced { value: 900, source: SettingSource::Config });
    let environment =
        resolve(&[("CI_AUTO_TOOLS_BUDGET_WALL_MS", "7000")], "budget: {wall_ms: 900}");
    assert_eq!(environment.wall_ms, Sourced { value: 7000, source: SettingSource::Environment });
}

#[test]
fn a11_defaults_are_the_documented_ones() {
    let settings = resolve(&[], "");
    assert_eq!(
        settings.budget(),
        Budget { wall_ms: 5000, max_concurrency: 3, max_injected_chars: 12_000 }
    );
    assert_eq!((settings.switch.value, settings.mode.value), (Switch::Auto, BriefingMode::Run));
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
        BriefingMode::Plan
    );
}

#[test]
fn a12_only_the_environment_enables_tier_2() {
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
fn a13_legacy_mode_is_reported() {
    let settings = resolve(&[("CI_AUTO_TOOLS_LEGACY", "1")], "");
    assert_eq!(settings.enforcement, EnforcementSource::Legacy);
    assert_eq!(limits(&settings), ["legacy mode enabled; using legacy policy"]);
}

#[test]
fn a15_the_config_can_switch_tools_off() {
    assert_eq!(resolve(&[], "auto_tools: off").switch.value, Switch::Off);
    assert_eq!(resolve(&[], "mode: plan").mode.value, BriefingMode::Plan);
    assert_eq!(resolve(&[], "tier_max: 0").tier_max.value, 0);
}

const WISHES: &str = "auto_tools: on
budget: {wall_ms: 9999, max_concurrency: 5}
tools:
  ci_search: {timeout_ms: 9000, command: [bin/search, --fast]}
  ci_graph_rag: {timeout_ms: 100}
  owners: {command: [sh, owners.sh], reason: who owns the files}
";

#[test]
fn a54_an_untrusted_repository_can_only_restrict() {
    let settings = resolve(&[], WISHES);
    assert_eq!((settings.wall_ms.value, settings.timeouts["ci_graph_rag"]), (5000, 100));
    assert_eq!((settings.max_concurrency.value, settings.switch.value), (3, Switch::Auto));
    assert_eq!(settings.timeouts["ci_search"], 2000);
    assert_eq!((settings.runners.len(), settings.own_tools.len()), (0, 0));
    let not_trusted =
        "; not applied, not trusted (allow with: adjutant trust config/auto-tools.yaml)";
    let expected = [
        "`auto_tools` asks to brief every prompt",
        "`budget.wall_ms` is 9999, above the default of 5000",
        "`budget.max_concurrency` is 5, above the default of 3",
        "`tools.owners.command` starts a program, `sh owners.sh`",
        "`tools.ci_search.timeout_ms` is 9000, above the default of 2000",
        "`tools.ci_search.command` starts a program, `bin/search --fast`",
    ];
    let expected: Vec<String> =
        expected.iter().map(|ask| format!("config/auto-tools.yaml: {ask}{not_trusted}")).collect();
    assert_eq!(limits(&settings), expected);
}

#[test]
fn a54_a_trusted_repository_gets_its_settings() {
    let settings = judged(&[], WISHES, Trust::Trusted);
    assert_eq!((settings.wall_ms.value, settings.timeouts["ci_search"]), (9999, 9000));
    assert_eq!((settings.max_concurrency.value, settings.switch.value), (5, Switch::On));
    assert_eq!(settings.runners["ci_search"], ["bin/search", "--fast"]);
    let owners = OwnTool {
        name: "owners".into(),
        tier: 1,
        timeout_ms: 2000,
        reason: Some("who owns the files".into()),
        command: vec!["sh".into(), "owners.sh".into()],
    };
    assert_eq!(settings.own_tools, [owners]);
    assert_eq!(limits(&settings), Vec::<String>::new());
    assert_eq!(settings.asks.len(), 6);
}

#[test]
fn a54_changed_content_is_not_trusted() {
    let settings = judged(&[], "budget: {wall_ms: 9999}", Trust::Changed);
    assert_eq!(settings.wall_ms.value, 5000);
    assert_eq!(
        limits(&settings),
        [
            "config/auto-tools.yaml: `budget.wall_ms` is 9999, above the default of 5000; not applied, changed since it was trusted (review it, then: adjutant trust config/auto-tools.yaml)"
        ]
    );
}

#[test]
fn a54_trust_has_limits() {
    let yaml = "tier_max: 2
budget: {wall_ms: 600000}
tools:
  ci_search: {args: {limit: 500}}
  ci_new: {command: x}
  scan: {tier: 3, command: x}
  deep: {tier: 2, command: x}
  nothing: {command: []}
  Bad-Name: {command: x}
  typo: {timeout_ms: 3}
";
    let settings = judged(&[], yaml, Trust::Trusted);
    assert_eq!((settings.tier_max.value, settings.wall_ms.value), (1, 12_500));
    let names: Vec<&str> = settings.own_tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["deep"]);
    assert_eq!(
        limits(&settings),
        [
            "tier-2 requires CI_AUTO_TOOLS_TIER_MAX=2 (config ignored)",
            "config/auto-tools.yaml: `tools.Bad-Name` is not a tool name: use lower-case letters, digits and _, and do not begin with ci_; not applied",
            "config/auto-tools.yaml: `tools.ci_new` is not a tool name: use lower-case letters, digits and _, and do not begin with ci_; not applied",
            "config/auto-tools.yaml: `tools.nothing.command` names no program; not applied",
            "config/auto-tools.yaml: `tools.scan` has a tier that is never called automatically; not applied",
            "config/auto-tools.yaml: `tools.typo` is not on the allow-list and has no command; not applied",
            "config/auto-tools.yaml: `budget.wall_ms` is 600000, reduced to 12500",
        ]
    );
}

#[test]
fn a54_many_refused_settings_are_counted() {
    let yaml: String = (0..500).map(|n| format!("  tool{n}: {{command: x}}\n")).collect();
    let settings = resolve(&[], &format!("tools:\n{yaml}"));
    let said = limits(&settings);
    assert_eq!((said.len(), settings.asks.len()), (7, 500));
    assert!(
        said[6].starts_with("config/auto-tools.yaml: 494 more settings; not applied"),
        "{said:?}"
    );
    let long = format!("tools: {{{}: {{command: x}}}}", "a".repeat(1_000));
    assert!(limits(&resolve(&[], &long))[0].len() < 400);
    let unknown: String = (0..500).map(|n| format!("key{n}: 1\n")).collect();
    assert_eq!(limits(&resolve(&[], &unknown)).len(), 9);
}

#[test]
fn a54_a_file_does_not_override_the_environment() {
    let settings = resolve(&[("CI_AUTO_TOOLS_BUDGET_WALL_MS", "7000")], "budget: {wall_ms: 9999}");
    assert_eq!((settings.wall_ms.value, settings.limits.len()), (7000, 0));
}

#[test]
fn invalid_values_are_reported_and_ignored() {
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
fn a22_settings_do_not_clamp_arguments() {
    let settings = resolve(
        &[("CI_AUTO_TOOLS_CI_GRAPH_RAG_DEPTH", "10")],
        "tools: {ci_search: {args: {limit: 4}}}",
    );
    assert_eq!(settings.arguments[&("ci_graph_rag", "depth")], 10);
    assert_eq!(settings.arguments[&("ci_search", "limit")], 4);
}

/// Generates YAML that requests every setting or contains invalid values.
fn hostile_yaml() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    let piece = prop_oneof![
        prop::sample::select(vec![
            "budget:",
            "tools:",
            "mode:",
            "auto_tools:",
            "tier_max:",
            "repo_root:",
            " wall_ms:",
            " max_concurrency:",
            " ci_search:",
            " args:",
            " limit:",
            " command:",
            " timeout_ms:",
            " tier:",
            " enabled:",
            " reason:",
            " [sh, -c, x]",
            " {a: 1}",
            " &a",
            " *a",
            " <<: *a",
            " !!binary aGk=",
            " !x",
            " 18446744073709551615",
            " -1",
            " 1e9",
            " .nan",
            " 0x7f",
            " true",
            " on",
            " plan",
            " |",
            " >-",
            " ?",
            " - ",
            "---",
            "...",
            "%YAML 1.2",
            "#",
            "\t",
            "\n",
            "\n  ",
            " ",
            "\"",
            "'",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "登录",
            "\u{feff}",
            "\u{85}",
            "\u{2028}",
            "\0",
            "\r",
        ])
        .prop_map(str::to_owned),
        "[ -~]{0,8}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest::proptest! {
    #[test]
    fn a54_no_untrusted_yaml_widens_the_settings(yaml in hostile_yaml(), value in "(?s:.){0,24}|[0-9]{1,25}") {
        let file = match ConfigFile::parse(&yaml) {
            Ok(file) => file,
            Err(error) => {
                proptest::prop_assert!(!error.to_string().is_empty());
                return Ok(());
            }
        };
        for trust in [Trust::Never, Trust::Trusted] {
            let asked = Settings::resolve(&|_| Some(value.clone()), &file, trust);
            let unasked = Settings::resolve(&|_| None, &file, trust);
            for limit in asked.limits.iter().chain(&unasked.limits) {
                proptest::prop_assert!(!limit.to_string().is_empty());
            }
            proptest::prop_assert!(unasked.tier_max.value <= 1 && unasked.wall_ms.value <= catalogue::MAX_MS);
            if trust == Trust::Never {
                proptest::prop_assert!(unasked.wall_ms.value <= 5000 && unasked.own_tools.is_empty() && unasked.runners.is_empty());
            }
        }
    }
}

#[test]
fn a_flag_takes_precedence_over_the_environment_and_the_configuration() {
    let lookup = |name: &str| match name {
        "CI_AUTO_TOOLS" => Some("off".to_owned()),
        "CI_AUTO_TOOLS_MODE" => Some("run".to_owned()),
        _ => None,
    };
    let file = ConfigFile::parse("auto_tools: off\nmode: run\n").unwrap();
    let flags = Overrides { switch: Some(Switch::On), mode: Some(BriefingMode::Plan) };
    let settings = Settings::resolve_with(flags, &lookup, &file, Trust::Never);
    assert_eq!(settings.switch, Sourced { value: Switch::On, source: SettingSource::Flag });
    assert_eq!(settings.mode, Sourced { value: BriefingMode::Plan, source: SettingSource::Flag });
    assert!(settings.asks.is_empty(), "a flag needs no trust: {:?}", settings.asks);
    let unset = Settings::resolve_with(Overrides::default(), &lookup, &file, Trust::Never);
    assert_eq!(unset, Settings::resolve(&lookup, &file, Trust::Never));
}
