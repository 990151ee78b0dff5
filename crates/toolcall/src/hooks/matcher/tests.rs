use serde_json::json;

use super::*;

#[track_caller]
fn check(matcher: &str, names: &[&str], expected: bool) {
    let input = json!({
        "toolName": names[0],
        "sessionId": "abc",
        "args": {"command": "git push --force", "depth": 3},
    });
    let matches =
        Matcher::new(matcher).matches(names, &HookInput::new(input.as_object().unwrap().clone()));
    assert_eq!(matches, expected, "`{matcher}` on {names:?}");
}

#[test]
fn b6_no_matcher_matches_every_call() {
    check("", &["Bash"], true);
    check(" , ", &["Bash"], true);
}

#[test]
fn b6_a_bare_pattern_is_the_whole_name_in_any_case() {
    check("bash", &["Bash"], true);
    check("ba", &["Bash"], false);
    check("ci_*", &["ci_search"], true);
    check("*_search", &["ci_search"], true);
    check("c*s*h", &["ci_search"], true);
    check("c*x*h", &["ci_search"], false);
    check("*", &["anything"], true);
}

#[test]
fn b6_one_pattern_of_a_list_must_match() {
    check("filesystem-*, terminal-execute", &["terminal-execute"], true);
    check("filesystem-*,terminal-execute", &["todo-add"], false);
}

#[test]
fn b6_a_key_is_looked_up_in_the_input_and_then_in_the_arguments() {
    check("toolName:BASH", &["Bash"], true);
    check("sessionId:ab*", &["Bash"], true);
    check("command:*push*", &["Bash"], true);
    check("command:push", &["Bash"], false);
    check("depth:3", &["Bash"], true);
    check("args:*\"depth\":3*", &["Bash"], true);
    check("nothing:*", &["Bash"], false);
}

#[test]
fn b7_an_adjutant_tool_is_matched_by_either_name() {
    let names = ["ci_search", "mcp__adjutant__ci_search"];
    check("ci_search", &names, true);
    check("mcp__*", &names, true);
}

#[test]
fn a_pattern_of_stars_is_matched_quickly() {
    let text = "a".repeat(20_000);
    check(&format!("{}b", "*a".repeat(200)), &[&text], false);
}
