use super::*;

const DIALECTS: [HookDialect; 3] = [HookDialect::Seed, HookDialect::Snow, HookDialect::Claude];
const EXITS: [Exit; 5] = [Exit::Zero, Exit::One, Exit::Two, Exit::More, Exit::Killed];

fn word(effect: Effect) -> &'static str {
    match effect {
        Effect::Go => "go on",
        Effect::Warn => "warn",
        Effect::Allow => "allow",
        Effect::Ask => "ask",
        Effect::Block => "block",
        Effect::Replace => "replace",
        Effect::Tell => "tell the model",
        Effect::Fail => "failed",
    }
}

#[test]
fn b3_the_pages_contain_the_table() {
    let mut expected = String::new();
    for dialect in DIALECTS {
        for (moment, name) in [(ToolMoment::Before, "before"), (ToolMoment::After, "after")] {
            let cells: Vec<&str> =
                EXITS.iter().map(|exit| word(effect(dialect, moment, *exit))).collect();
            expected.push_str(&format!(
                "| `{}` | {name} | {} |\n",
                dialect.word(),
                cells.join(" | ")
            ));
        }
    }
    for page in ["docs/guide/hooks.md", "docs/design/toolcall.md"] {
        let path = format!("{}/../../{page}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(text.contains(&expected), "{page} must have this table:\n{expected}");
    }
}

#[test]
fn b3_exit_codes_have_classes() {
    let exits =
        [Some(End::Exited(0)), Some(End::Exited(1)), Some(End::Exited(2)), Some(End::Exited(127))];
    assert_eq!(exits.map(Exit::of), [Exit::Zero, Exit::One, Exit::Two, Exit::More]);
    let killed = [Some(End::Signalled(9)), Some(End::TimedOut), None];
    assert_eq!(killed.map(Exit::of), [Exit::Killed; 3]);
}

fn output(end: End, stdout: &str, stderr: &str) -> HookOutput {
    let end = Some(end);
    HookOutput { end, stdout: stdout.into(), stderr: stderr.into(), ..HookOutput::default() }
}

#[test]
fn b3_the_message_of_a_hook_is_stderr_or_else_stdout() {
    let said = |stdout, stderr| {
        interpret(HookDialect::Seed, ToolMoment::Before, &output(End::Exited(2), stdout, stderr))
            .reason
    };
    assert_eq!(said("out", "err"), "err");
    assert_eq!(said("out", ""), "out");
    assert_eq!(said("", ""), "exit 2");
}

#[test]
fn b3_snow_replaces_a_result_with_the_message_of_the_hook() {
    let meaning =
        interpret(HookDialect::Snow, ToolMoment::After, &output(End::Exited(1), "better", ""));
    assert_eq!((meaning.effect, meaning.replacement), (Effect::Replace, Some("better".into())));
}

#[test]
fn b3_only_the_claude_dialect_reads_json() {
    let deny =
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}"#;
    let judged = DIALECTS.map(|dialect| {
        interpret(dialect, ToolMoment::Before, &output(End::Exited(0), deny, "")).effect
    });
    assert_eq!(judged, [Effect::Go, Effect::Go, Effect::Block]);
}
