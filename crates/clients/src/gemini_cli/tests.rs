use super::*;
use crate::Input;

/// Payloads of Gemini CLI 0.61.0, with shorter paths.
const PROMPT: &str = r#"{"session_id":"0620a7e1-731e-467a-903d-ab5729c88ffc","transcript_path":"/home/me/.gemini/tmp/proj/chats/session-2026-11-16T10-27-0620a7e1.jsonl","cwd":"/home/me/proj","hook_event_name":"BeforeAgent","timestamp":"2026-11-16T10:27:49.893Z","prompt":"hello there"}"#;
const BEFORE: &str = r#"{"session_id":"0620a7e1-731e-467a-903d-ab5729c88ffc","transcript_path":"/home/me/s.jsonl","cwd":"/home/me/proj","hook_event_name":"BeforeTool","timestamp":"2026-11-16T10:29:23.169Z","tool_name":"list_directory","tool_input":{"dir_path":"."}}"#;
const AFTER: &str = r#"{"session_id":"0620a7e1-731e-467a-903d-ab5729c88ffc","transcript_path":"/home/me/s.jsonl","cwd":"/home/me/proj","hook_event_name":"AfterTool","timestamp":"2026-11-16T10:29:23.218Z","tool_name":"list_directory","tool_input":{"dir_path":"."},"tool_response":{"llmContent":"Directory listing for /home/me/proj:\nlib.rs (50 bytes)\n\n(1 ignored)","returnDisplay":{"summary":"Found 1 item(s). (1 ignored)","files":["lib.rs"]}}}"#;

fn input(text: &str) -> Input {
    Input::read(Some(&GeminiCli), text.as_bytes())
}

#[test]
fn a7_the_payloads_of_gemini_cli_are_read() {
    let prompt = input(PROMPT);
    assert_eq!(prompt.event, Some(Event::Prompt));
    let payload = prompt.payload.unwrap();
    assert!(payload.identity().is_some(), "two hooks must not brief one prompt");
    assert_eq!(payload.into_request().unwrap().prompt, "hello there");
    let before = input(BEFORE);
    assert_eq!(before.event, Some(Event::Tool(ToolMoment::Before)));
    let after = input(AFTER);
    assert_eq!(after.event, Some(Event::Tool(ToolMoment::After)));
    let event = after.payload.unwrap().into_tool_event(NAMES.published.clone(), ToolMoment::After);
    assert_eq!(event.unwrap().tool, "list_directory");
}

#[test]
fn a7_the_context_is_laid_out_for_a_client_that_escapes() {
    let context = "Results\n<untrusted-evidence id=\"e4\">\n\n- Vec<String>\n\n</untrusted-evidence id=\"e4\">";
    let output = GeminiCli.prompt_output(&Envelope::new(
        ESCAPED_LIMIT,
        context,
        Some("1 finding".to_owned()),
    ));
    assert_eq!(
        output,
        r#"{"hookSpecificOutput":{"additionalContext":"Results\nIn this block, &lt; and &gt; stand for the less-than and greater-than signs, as in Vec&lt;String&gt;.\n[untrusted-evidence id=\"e4\"]\n\n- Vec<String>\n\n[/untrusted-evidence id=\"e4\"]","hookEventName":"BeforeAgent"},"systemMessage":"1 finding"}"#
    );
    assert_eq!(GeminiCli.prompt_output(&Envelope::default()), "{}");
}

fn answer(moment: ToolMoment, verdict: &ToolVerdict) -> String {
    GeminiCli.tool_output(moment, None, verdict)
}

#[test]
fn b7_decisions_are_written_as_gemini_cli_reads_them() {
    let verdict = |decision| ToolVerdict { decision, reason: "no".into(), ..Default::default() };
    let before = |decision| answer(ToolMoment::Before, &verdict(decision));
    assert_eq!(before(ToolDecision::Block), r#"{"decision":"deny","reason":"no"}"#);
    assert_eq!(before(ToolDecision::Ask), r#"{"decision":"ask","systemMessage":"no"}"#);
    assert_eq!(before(ToolDecision::Allow), "{}");
    let input = json!({"dir_path": "src"}).as_object().cloned();
    assert_eq!(
        answer(ToolMoment::Before, &ToolVerdict { updated_input: input, ..Default::default() }),
        r#"{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"dir_path":"src"}}}"#
    );
    let new = ToolVerdict { replacement: Some("new".into()), ..Default::default() };
    assert_eq!(answer(ToolMoment::After, &new), r#"{"decision":"deny","reason":"new"}"#);
}
