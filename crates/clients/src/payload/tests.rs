use super::*;

#[test]
fn a4_claude_code_and_codex_payloads_are_read() {
    let claude = br#"{"session_id":"9c","transcript_path":"~/x.jsonl","cwd":"/home/me/proj","prompt_id":"c0","permission_mode":"default","hook_event_name":"UserPromptSubmit","prompt":"hello world"}"#;
    let codex = br#"{"session_id":"9c","turn_id":"01","transcript_path":null,"cwd":"/home/me/proj","hook_event_name":"UserPromptSubmit","model":"m","permission_mode":"bypassPermissions","prompt":"hello world"}"#;
    let expected = Request {
        prompt: "hello world".into(),
        cwd: Some("/home/me/proj".into()),
        session_id: Some("9c".into()),
        ..Request::default()
    };
    assert_eq!(read_payload(claude).unwrap(), expected);
    assert_eq!(read_payload(codex).unwrap(), expected);
}

#[test]
fn an_empty_input_is_an_empty_prompt() {
    assert_eq!(read_payload(b" \n").unwrap(), Request::default());
}

#[track_caller]
fn check_error(bytes: &[u8], expected: &str) {
    let error = read_payload(bytes).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn other_inputs_are_refused_with_the_reason() {
    check_error(b"{\"prompt\": \"\xff\"}", "not UTF-8 (byte 12)");
    check_error(b"fix the bug", "expected");
    check_error(b"[1]", "invalid type: integer");
    check_error(b"{\"prompt\": 7}", "expected a string");
    check_error(b"{\"text\": \"x\"}", "there is no `prompt`");
    check_error(b"{\"prompt\": \"x\"", "EOF");
}
