use super::*;

#[test]
fn a10_every_key_is_read() {
    let file = ConfigFile::parse(
        "auto_tools: off\nmode: plan\ntier_max: 1\nrepo_root: services/api\nbudget:\n  wall_ms: 900\n  max_concurrency: 2\n  max_injected_chars: 4000\ntools:\n  ci_search:\n    enabled: true\n    timeout_ms: 300\n    args: {limit: 5}\n",
    )
    .unwrap();
    assert_eq!(
        (file.auto_tools, file.mode, file.tier_max),
        (Some(Switch::Off), Some(BriefingMode::Plan), Some(1))
    );
    assert_eq!((file.budget.wall_ms, file.budget.max_concurrency), (Some(900), Some(2)));
    assert_eq!(file.tools["ci_search"].args["limit"], 5);
    assert_eq!(file.unknown_keys, Vec::<String>::new());
}

#[test]
fn an_empty_file_or_a_comment_sets_nothing() {
    assert_eq!(ConfigFile::parse("").unwrap(), ConfigFile::default());
    assert_eq!(ConfigFile::parse("# nothing yet\n").unwrap(), ConfigFile::default());
}

#[test]
fn unknown_keys_are_reported_by_path() {
    let file =
        ConfigFile::parse("tier: 2\nbudget:\n  wallms: 3\ntools:\n  ci_search:\n    limt: 4\n")
            .unwrap();
    assert_eq!(file.unknown_keys, ["tier", "budget.wallms", "tools.ci_search.limt"]);
}

#[track_caller]
fn check_error(text: &str, place: &str, reason: &str) {
    let error = ConfigFile::parse(text).unwrap_err();
    assert_eq!(error.place, place, "{error}");
    assert!(error.reason.contains(reason), "`{}` does not say `{reason}`", error.reason);
}

#[test]
fn a_bad_file_is_refused_with_line_and_reason() {
    check_error("tier_max: 1\nbudget:\n  wall_ms: fast\n", "config/auto-tools.yaml:3:12", "fast");
    check_error("mode: sprint\n", "config/auto-tools.yaml:1:7", "sprint");
    check_error("tier_max: 1\nbudget: {wall_ms: 3\n", "config/auto-tools.yaml:2:9", "unclosed");
}

#[test]
fn a7_a_command_is_a_program_or_a_list() {
    let file = ConfigFile::parse("tools: {a: {command: bin/a}, b: {command: [sh, b.sh]}}").unwrap();
    assert_eq!(file.tools["a"].command, Some(CommandLine(vec!["bin/a".into()])));
    assert_eq!(file.tools["b"].command, Some(CommandLine(vec!["sh".into(), "b.sh".into()])));
    check_error("tools:\n  a:\n    command: {x: 1}\n", "config/auto-tools.yaml:3:14", "a program");
}

#[test]
fn a_file_with_exponential_aliases_is_refused() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for n in 1..10 {
        let before = n - 1;
        let many = vec![format!("*a{before}"); 10].join(", ");
        text.push_str(&format!("a{n}: &a{n} [{many}]\n"));
    }
    ConfigFile::parse(&text).unwrap_err();
}
