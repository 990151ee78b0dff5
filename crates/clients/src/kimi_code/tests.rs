use super::*;
use crate::{Event, Input};

/// Payloads of Kimi Code 2.1.0, with shorter paths.
const PROMPT: &str = r#"{"hook_event_name":"UserPromptSubmit","session_id":"session_474388d3","cwd":"/home/me/proj","client_type":"kimi_code_cli","prompt":[{"type":"text","text":"hello there"}],"is_steer":false}"#;
const AFTER: &str = r#"{"hook_event_name":"PostToolUse","session_id":"session_474388d3","cwd":"/home/me/proj","client_type":"kimi_code_cli","tool_name":"Bash","tool_input":{"command":"echo hi"},"tool_call_id":"call_c36c3d24","tool_output":"hi\n"}"#;
const FAILED: &str = r#"{"hook_event_name":"PostToolUseFailure","session_id":"session_645b3290","cwd":"/home/me/proj","client_type":"kimi_code_cli","tool_name":"Bash","tool_input":{"command":"exit 3"},"tool_call_id":"call_72ab1bf2","error":{"code":"internal","message":"Process exited with code 3","retryable":false}}"#;

fn input(text: &str) -> Input {
    Input::read(Some(&KimiCode), text.as_bytes())
}

#[test]
fn a7_the_payloads_of_kimi_code_are_read() {
    let prompt = input(PROMPT);
    assert_eq!(prompt.event, Some(Event::Prompt));
    assert_eq!(prompt.payload.unwrap().into_request().unwrap().prompt, "hello there");
    let event = |text: &str, moment| {
        let payload = input(text).payload.unwrap();
        payload.into_tool_event(NAMES.published.clone(), moment).unwrap()
    };
    let after = event(AFTER, ToolMoment::After);
    assert_eq!(after.response, "hi\n");
    assert_eq!(after.tool_use_id.as_deref(), Some("call_c36c3d24"));
    let failed = event(FAILED, ToolMoment::Failed);
    assert_eq!(failed.error.as_deref(), Some("Process exited with code 3"));
    let broken = input(r#"{"prompt": {"a": 1}}"#);
    assert!(broken.payload.is_err());
}

#[test]
fn a7_the_model_gets_the_text_as_it_is() {
    let envelope = Envelope::new(
        KimiCode.context_limit(),
        "Results\nVec<String>",
        Some("1 finding".to_owned()),
    );
    assert_eq!(KimiCode.prompt_output(&envelope), r#"{"message":"Results\nVec<String>"}"#);
    // Kimi Code would add `{}` to the conversation.
    assert_eq!(KimiCode.prompt_output(&Envelope::default()), "");
    assert_eq!(KimiCode.other_output(Some("x")), "");
}

#[test]
fn b7_kimi_code_can_only_deny_a_call() {
    let verdict = ToolVerdict {
        decision: ToolDecision::Ask,
        reason: "sure?".to_owned(),
        ..ToolVerdict::default()
    };
    let output = |moment| KimiCode.tool_output(moment, None, &verdict);
    assert_eq!(
        output(ToolMoment::Before),
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"sure? (Kimi Code cannot ask you here, so the call does not run)"}}"#
    );
    assert_eq!(output(ToolMoment::After), "{}");
}
