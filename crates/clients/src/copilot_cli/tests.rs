use contract::ToolDecision;

use super::*;
use crate::{Event, Input};

/// Payloads of Copilot CLI 1.0.102, with shorter paths.
const PROMPT: &str = r#"{"hook_event_name":"UserPromptSubmit","session_id":"27923980-d584","timestamp":"2026-11-16T10:35:09.252Z","cwd":"/home/me/proj","prompt":"hello there"}"#;
const AFTER: &str = r#"{"hook_event_name":"PostToolUse","session_id":"27923980-d584","timestamp":"2026-11-16T10:35:09.513Z","cwd":"/home/me/proj","tool_name":"Bash","tool_input":{"command":"echo hi","description":"x"},"tool_result":{"result_type":"success","text_result_for_llm":"hi\n<shellId: 0 completed with exit code 0>"}}"#;

fn input(text: &str) -> Input {
    Input::read(Some(&CopilotCli), text.as_bytes())
}

#[test]
fn a7_the_payloads_of_copilot_cli_are_read() {
    let prompt = input(PROMPT);
    assert_eq!(prompt.event, Some(Event::Prompt));
    let payload = prompt.payload.unwrap();
    assert!(payload.identity().is_some(), "two hooks must not brief one prompt");
    assert_eq!(payload.into_request().unwrap().prompt, "hello there");
    let after = input(AFTER).payload.unwrap();
    let event = after.into_tool_event(NAMES.published.clone(), ToolMoment::After).unwrap();
    assert_eq!(event.response["result_type"], "success");
}

#[test]
fn a7_copilot_cli_gets_a_flat_object() {
    let envelope = Envelope::new(LIMIT, "Results\nVec<String>", Some("1 finding".to_owned()));
    let expected = r#"{"additionalContext":"Results\nVec<String>"}"#;
    assert_eq!(CopilotCli.prompt_output(&envelope), expected);
    assert_eq!(CopilotCli.prompt_output(&Envelope::default()), "{}");
}

#[test]
fn b7_decisions_are_written_as_copilot_cli_reads_them() {
    let output = |moment, verdict: &ToolVerdict| CopilotCli.tool_output(moment, None, verdict);
    let verdict = ToolVerdict {
        decision: ToolDecision::Block,
        reason: "no".to_owned(),
        ..ToolVerdict::default()
    };
    assert_eq!(
        output(ToolMoment::Before, &verdict),
        r#"{"permissionDecision":"deny","permissionDecisionReason":"no"}"#
    );
    let input = json!({"command": "ls"}).as_object().cloned();
    let verdict = ToolVerdict { updated_input: input, ..ToolVerdict::default() };
    assert_eq!(output(ToolMoment::Before, &verdict), r#"{"modifiedArgs":{"command":"ls"}}"#);
    let verdict = ToolVerdict { replacement: Some("new".into()), ..ToolVerdict::default() };
    assert_eq!(
        output(ToolMoment::After, &verdict),
        r#"{"modifiedResult":{"resultType":"success","textResultForLlm":"new"}}"#
    );
}
