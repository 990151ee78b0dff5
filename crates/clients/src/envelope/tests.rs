use serde_json::{from_str, json};

use super::*;
use contract::ToolDecision;

use crate::{CLIENTS, Client};

const CLAUDE: &dyn Client = &crate::claude_code::ClaudeCode;
const CODEX: &dyn Client = &crate::codex::Codex;

#[test]
fn a4_the_envelope_has_known_fields_only() {
    let envelope = Envelope::new(LIMIT, "evidence", Some("two\nlines".into()));
    let expected = r#"{"hookSpecificOutput":{"additionalContext":"evidence","hookEventName":"UserPromptSubmit"},"systemMessage":"two lines"}"#;
    for client in [CLAUDE, CODEX] {
        assert_eq!(client.prompt_output(&envelope), expected);
    }
}

#[test]
fn an_empty_answer_is_one_object() {
    let empty = Envelope::default();
    let expected =
        r#"{"hookSpecificOutput":{"additionalContext":"","hookEventName":"UserPromptSubmit"}}"#;
    assert_eq!(CLAUDE.prompt_output(&empty), expected);
    assert_eq!(CODEX.prompt_output(&empty), "{}");
    for client in [CLAUDE, CODEX] {
        assert_eq!(client.other_output(None), "{}");
        assert_eq!(client.other_output(Some("x")), r#"{"systemMessage":"x"}"#);
    }
}

#[test]
fn a_text_of_another_kernel_is_cut_after_a_line() {
    for line in ["a line of another kernel\n", "长 Vec<String>\n", "🦀 &lt;\n"] {
        for limit in [LIMIT, ESCAPED_LIMIT] {
            let text = line.repeat(1000);
            let context = context_text(limit, &text);
            let lines: Vec<&str> = context.lines().collect();
            assert_eq!(lines.last(), Some(&"[truncated]"));
            assert!(context.len() > limit.max_bytes / 3 && context.len() <= limit.max_bytes);
        }
    }
    assert_eq!(context_text(LIMIT, &"x".repeat(20_000)), "");
}

proptest::proptest! {
    #[test]
    fn every_client_accepts_the_output_for_any_text(
        pieces in proptest::collection::vec("(\\PC{0,40}|\n|\n\n|[\r\t\u{0}\u{1b}\u{2028}]|登录|😀){0,8}", 0..40),
        times in 1..60_usize,
        message in proptest::option::of("(?s:.){0,400}"),
    ) {
        let context = pieces.concat().repeat(times);
        for client in CLIENTS {
            let limit = client.context_limit();
            let envelope = Envelope::new(limit, &context, message.clone());
            proptest::prop_assert!(envelope.context.len() <= limit.max_bytes);
            let is_same = envelope.context == context || limit.escapes_brackets;
            proptest::prop_assert!(!limit.fits(&context) || is_same);
            let output = client.prompt_output(&envelope);
            let is_object = from_str::<Map<String, _>>(&output).is_ok();
            // Kimi Code passes every object to the model, so an empty context has no output there.
            proptest::prop_assert!(is_object || (output.is_empty() && envelope.context.is_empty()));
            proptest::prop_assert!(!output.contains('\n'));
        }
    }
}

fn verdict(decision: ToolDecision) -> ToolVerdict {
    ToolVerdict { decision, reason: "because".into(), ..ToolVerdict::default() }
}

fn before(client: &dyn Client, verdict: &ToolVerdict) -> String {
    client.tool_output(ToolMoment::Before, None, verdict)
}

/// Returns the output that replaces a result. `response` is the old result as JSON.
fn after(client: &dyn Client, response: &str, replacement: &str) -> String {
    let verdict = ToolVerdict { replacement: Some(replacement.into()), ..ToolVerdict::default() };
    let response = Some(&from_str(response).unwrap());
    client.tool_output(ToolMoment::After, response, &verdict)
}

#[test]
fn b7_an_empty_verdict_has_an_empty_output() {
    let verdict = &ToolVerdict::default();
    for client in CLIENTS {
        for moment in [ToolMoment::Before, ToolMoment::After, ToolMoment::Failed] {
            assert_eq!(client.tool_output(moment, None, verdict), "{}");
        }
    }
}

#[test]
fn b7_each_client_gets_the_decisions_it_knows() {
    let check = |client, decision, expected: &str| {
        let output = before(client, &verdict(decision));
        let expected = format!(r#""permissionDecision":"{expected}""#);
        assert!(output.contains(&expected), "{output}");
    };
    check(CLAUDE, ToolDecision::Block, "deny");
    check(CLAUDE, ToolDecision::Ask, "ask");
    check(CLAUDE, ToolDecision::Allow, "allow");
    check(CODEX, ToolDecision::Block, "deny");
    // Codex would ignore `ask` and run the call.
    check(CODEX, ToolDecision::Ask, "deny");
    assert_eq!(before(CODEX, &verdict(ToolDecision::Allow)), "{}");
}

#[test]
fn b7_codex_takes_a_new_input_only_with_allow() {
    let input = json!({"command": "ls"}).as_object().cloned();
    let verdict = ToolVerdict { updated_input: input, ..ToolVerdict::default() };
    assert_eq!(
        before(CODEX, &verdict),
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls"}}}"#
    );
    assert_eq!(
        before(CLAUDE, &verdict),
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls"}}}"#,
        "Claude Code still asks the user for permission"
    );
}

#[test]
fn b7_a_refusal_always_has_a_reason() {
    let silent = ToolVerdict { decision: ToolDecision::Block, ..ToolVerdict::default() };
    let output = before(CODEX, &silent);
    assert!(
        output.contains(r#""permissionDecisionReason":"a hook made this decision""#),
        "{output}"
    );
    let long = ToolVerdict { reason: "长".repeat(10_000), ..silent };
    assert!(before(CODEX, &long).chars().count() < MAX_REASON + 150);
}

#[test]
fn b7_a_result_is_replaced_in_the_shape_that_the_client_accepts() {
    let bash = r#"{"stdout": "old", "stderr": "x", "interrupted": false}"#;
    let replaced = r#""updatedToolOutput":{"interrupted":false,"stderr":"","stdout":"new"}"#;
    assert!(after(CLAUDE, bash, "new").contains(replaced));
    let mcp = after(CLAUDE, r#"[{"type": "text", "text": "old"}]"#, "new");
    assert!(mcp.contains(r#""updatedToolOutput":"new""#), "{mcp}");
    let read = after(CLAUDE, r#"{"type": "text", "file": {}}"#, "new");
    assert!(read.contains(": new\",\"hookEventName\"") && !read.contains("updated"), "{read}");
    assert_eq!(after(CODEX, "\"old\"", "new"), r#"{"decision":"block","reason":"new"}"#);
    assert_eq!(after(CODEX, "\"old\"", " "), r#"{"decision":"block","reason":"(empty)"}"#);
}

#[test]
fn b7_a_message_is_for_the_user_and_context_for_the_model() {
    let verdict = ToolVerdict {
        context: "note".into(),
        message: Some("warned".into()),
        ..ToolVerdict::default()
    };
    assert_eq!(
        before(CODEX, &verdict),
        r#"{"hookSpecificOutput":{"additionalContext":"note","hookEventName":"PreToolUse"},"systemMessage":"warned"}"#
    );
}
