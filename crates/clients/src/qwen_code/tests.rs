use crate::envelope::Envelope;
use serde_json::json;

use super::*;
use crate::{Event, Input};

/// Payloads of Qwen Code 0.24.4, with shorter paths.
const PROMPT: &str = r#"{"session_id":"ef060ce3-52d9","transcript_path":"/home/me/s.jsonl","cwd":"/home/me/proj","hook_event_name":"UserPromptSubmit","timestamp":"2026-11-16T10:33:44.974Z","permission_mode":"auto","prompt_id":"ef060ce3-52d9########0","prompt":"hello there","submitted_prompt":"hello there"}"#;
const RESULT: &str = r#"{"session_id":"37201927","transcript_path":"/home/me/s.jsonl","cwd":"/home/me/proj","hook_event_name":"UserPromptSubmit","timestamp":"2026-11-16T10:34:06.271Z","permission_mode":"yolo","prompt_id":"37201927########0","prompt":""}"#;
const AFTER: &str = r#"{"session_id":"37201927","transcript_path":"/home/me/s.jsonl","cwd":"/home/me/proj","hook_event_name":"PostToolUse","timestamp":"2026-11-16T10:34:06.212Z","permission_mode":"yolo","prompt_id":"37201927########0","tool_name":"run_shell_command","tool_input":{"command":"echo hi","description":"x","is_background":false},"tool_response":{"llmContent":"Command: echo hi\nOutput: hi","returnDisplay":"hi"},"tool_use_id":"toolu_1794825246125_0cqqvg464","tool_call_id":"call_67a5fb61","duration_ms":45}"#;

fn input(text: &str) -> Input {
    Input::read(Some(&QwenCode), text.as_bytes())
}

#[test]
fn a7_the_payloads_of_qwen_code_are_read() {
    let prompt = input(PROMPT);
    assert_eq!(prompt.event, Some(Event::Prompt));
    let payload = prompt.payload.unwrap();
    assert!(payload.identity().is_some());
    assert_eq!(payload.into_request().unwrap().prompt, "hello there");
    // Qwen Code also sends the event for the result of a tool, without a prompt.
    assert_eq!(input(RESULT).payload.unwrap().into_request().unwrap().prompt, "");
    let after = input(AFTER).payload.unwrap();
    let event = after.into_tool_event(NAMES.published.clone(), ToolMoment::After).unwrap();
    assert_eq!(event.tool_use_id.as_deref(), Some("toolu_1794825246125_0cqqvg464"));
}

#[test]
fn a7_the_context_is_laid_out_for_a_client_that_escapes() {
    let context = "R\n<untrusted-evidence id=\"e4\">\n\n- a\n\n</untrusted-evidence id=\"e4\">";
    assert_eq!(
        QwenCode.prompt_output(&Envelope::new(ESCAPED_LIMIT, context, None)),
        r#"{"hookSpecificOutput":{"additionalContext":"R\n[untrusted-evidence id=\"e4\"]\n\n- a\n\n[/untrusted-evidence id=\"e4\"]","hookEventName":"UserPromptSubmit"}}"#
    );
    assert_eq!(QwenCode.prompt_output(&Envelope::default()), "{}");
}

#[test]
fn b7_a_change_that_qwen_code_ignores_is_a_refusal() {
    let input = json!({"command": "ls"}).as_object().cloned();
    let verdict = ToolVerdict { updated_input: input, ..ToolVerdict::default() };
    let output = QwenCode.tool_output(ToolMoment::Before, None, &verdict);
    assert!(output.contains(r#""permissionDecision":"deny""#), "{output}");
    assert!(output.contains(r#"to {\"command\":\"ls\"})"#), "{output}");
    let verdict = ToolVerdict { replacement: Some("new".into()), ..ToolVerdict::default() };
    assert_eq!(
        QwenCode.tool_output(ToolMoment::After, None, &verdict),
        r#"{"hookSpecificOutput":{"additionalContext":"A hook replaces the result above with: new","hookEventName":"PostToolUse"}}"#
    );
}
