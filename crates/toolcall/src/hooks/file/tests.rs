use std::time::Duration;

use super::*;

fn before(text: &str) -> HookFile {
    HookFile::parse(HookKind::BeforeToolCall, text).unwrap()
}

#[track_caller]
fn check_error(kind: HookKind, text: &str, expected: &str) {
    let error = HookFile::parse(kind, text).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

const RULE: &str = r#"{"matcher": "ci_*", "description": "x", "hooks": [{"type": "command", "command": "true", "enabled": true}]}"#;

#[test]
fn b6_both_shapes_are_read() {
    let list = before(&format!("[{RULE}]"));
    assert_eq!(list, before(&format!(r#"{{"beforeToolCall": [{RULE}]}}"#)));
    assert_eq!(list.rules.len(), 1);
    assert_eq!(list.rules[0].matcher.text(), "ci_*");
    assert_eq!(list.dialect, HookDialect::Seed);
    assert!(list.rules[0].actions[0].enabled);
}

#[test]
fn b6_a_file_chooses_its_dialect() {
    let text = format!(r#"{{"dialect": "snow", "note": "x", "beforeToolCall": [{RULE}]}}"#);
    assert_eq!(before(&text).dialect, HookDialect::Snow);
    check_error(HookKind::BeforeToolCall, r#"{"dialect": "bash"}"#, "unknown variant `bash`");
}

#[test]
fn b6_only_true_is_enabled_and_five_seconds_are_the_default() {
    let action = |more: &str| {
        let text = format!(r#"[{{"hooks": [{{"type": "command", "command": "x"{more}}}]}}]"#);
        before(&text).rules[0].actions[0].clone()
    };
    assert!(action(r#", "enabled": true"#).enabled);
    for off in ["", r#", "enabled": "true""#, r#", "enabled": 1"#, r#", "enabled": null"#] {
        assert!(!action(off).enabled, "{off}");
    }
    assert_eq!(action("").timeout, Duration::from_secs(5));
    assert_eq!(action(r#", "timeout": 0"#).timeout, Duration::from_secs(5));
    assert_eq!(action(r#", "timeout": 250"#).timeout, Duration::from_millis(250));
    assert_eq!(action(r#", "timeout": 1e30"#).timeout, Duration::from_secs(600));
}

#[test]
fn b6_all_nine_types_are_parsed() {
    for kind in HookKind::ALL {
        let text = format!(
            r#"{{"{}": [{{"hooks": [{{"type": "command", "command": "x", "enabled": true}}]}}]}}"#,
            kind.word()
        );
        assert_eq!(HookFile::parse(kind, &text).unwrap().rules.len(), 1, "{}", kind.word());
    }
    let prompt = r#"[{"hooks": [{"type": "prompt", "prompt": "go on?", "enabled": true}]}]"#;
    assert_eq!(HookFile::parse(HookKind::OnStop, prompt).unwrap().rules.len(), 1);
    check_error(HookKind::BeforeToolCall, prompt, "only commands can run in `beforeToolCall`");
}

#[test]
fn b6_an_invalid_file_is_an_error_with_its_line() {
    check_error(
        HookKind::BeforeToolCall,
        "[{\n\"hooks\": [\n{\"type\": \"command\"}]}]",
        "a command needs `command` or `argv` at line 3",
    );
    check_error(HookKind::BeforeToolCall, "{\"afterToolCall\": []}", "`beforeToolCall` is missing");
    check_error(HookKind::BeforeToolCall, "7", "a list of rules");
    check_error(HookKind::BeforeToolCall, "[] []", "trailing characters");
    check_error(HookKind::BeforeToolCall, "", "EOF");
    check_error(HookKind::BeforeToolCall, "[{}]", "missing field `hooks`");
    check_error(HookKind::BeforeToolCall, &"[".repeat(5000), "expected");
}

#[test]
fn b5_a_program_may_be_named_without_a_shell() {
    let text =
        r#"[{"hooks": [{"argv": ["./check", "$HOME"], "enabled": true, "env": ["TOKEN"]}]}]"#;
    let action = &before(text).rules[0].actions[0];
    assert_eq!(action.run, Run::Program(vec!["./check".into(), "$HOME".into()]));
    assert_eq!(action.environment, ["TOKEN"]);
}

proptest::proptest! {
    #[test]
    fn no_hook_file_breaks_the_reader(
        text in "([{}\\[\\],:]|null|true|1e400|-1|\"(beforeToolCall|afterToolCall|dialect|snow|matcher|hooks|type|command|argv|enabled|timeout|env|\\*|ci_)\"|[ \n]|\\PC|\"){0,40}",
    ) {
        for kind in [HookKind::BeforeToolCall, HookKind::AfterToolCall] {
            for text in [text.clone(), format!("[{{\"matcher\": \"*\", \"hooks\": [{text}]}}]"), format!("{{\"beforeToolCall\": [{text}]}}")] {
                if let Err(error) = HookFile::parse(kind, &text) {
                    proptest::prop_assert!(!error.to_string().is_empty());
                }
            }
        }
    }
}
