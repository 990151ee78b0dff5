//! Settings in the environment and in a file. Their rules are tested in `crates/policy` and `crates/kernel`.

use crate::fixture::{context, fixture_with, limits};

#[test]
fn a10_settings_are_read_and_a_bad_file_is_exit_20_with_line_and_reason() {
    let yaml = "tier_max: 1\nbudget:\n  wall_ms: fast\n";
    let (briefing, code) = fixture_with(yaml).json("explain auth");
    assert_eq!((code, context(&briefing)), (20, ""));
    let expected = "config/auto-tools.yaml:3:12: not a whole number in `wall_ms: fast`";
    assert!(limits(&briefing).contains(expected), "{}", limits(&briefing));
    let environment = fixture_with("tier_max: 2\n").env("CI_AUTO_TOOLS_BUDGET_WALL_MS", "6000");
    let (briefing, _) = environment.plan().json("explain auth");
    assert_eq!(briefing["tool_plan"]["budget"]["wall_ms"], 6000);
    assert!(limits(&briefing).contains("tier-2 requires CI_AUTO_TOOLS_TIER_MAX=2"));
    let text = fixture_with(yaml).arguments(&["--format", "text"]).ask("explain auth");
    assert_eq!(text.exit_code, Some(20));
    let hook = fixture_with(yaml).hook("explain auth");
    assert_eq!(hook["hookSpecificOutput"]["additionalContext"], "");
    assert!(hook["systemMessage"].as_str().unwrap().contains(expected), "{hook}");
}
