use serde_json::json;

use super::*;

/// As Claude Code 2.1.325 and Codex 0.166.0 sent them, shortened.
const CLAUDE: &str = r#"{"session_id":"7f","transcript_path":"x.jsonl","cwd":"/home/me/proj","prompt_id":"24","permission_mode":"default","agent_id":"a3","agent_type":"general-purpose","effort":{"level":"medium"},"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"toolu_1"}"#;
const CODEX: &str = r#"{"session_id":"01","turn_id":"02","transcript_path":null,"cwd":"/home/me/proj","hook_event_name":"PostToolUse","model":"m","permission_mode":"bypassPermissions","tool_name":"mcp__adjutant__ci_search","tool_input":{"query":"x"},"tool_response":{"content":[{"type":"text","text":"FOUND"}]},"tool_use_id":"call_1"}"#;

fn read(text: &str) -> ToolEvent {
    let moment = tool_moment(text.as_bytes()).unwrap();
    read_tool_event(text.as_bytes(), ClientName::ClaudeCode, moment).unwrap()
}

#[test]
fn b7_both_clients_tell_of_their_calls() {
    let before = read(CLAUDE);
    assert_eq!((before.moment, before.tool.as_str()), (ToolMoment::Before, "Bash"));
    assert_eq!(before.agent_id.as_deref(), Some("a3"));
    assert_eq!(before.input, json!({"command": "ls"}));
    let after = read(CODEX);
    assert_eq!((after.moment, after.tool_use_id.as_deref()), (ToolMoment::After, Some("call_1")));
    assert_eq!(after.response["content"][0]["text"], "FOUND");
    let failed = CLAUDE
        .replace("PreToolUse", "PostToolUseFailure")
        .replace("\"tool_use_id\"", "\"error\":\"Exit code 3\",\"tool_use_id\"");
    assert_eq!(
        (read(&failed).moment, read(&failed).error.as_deref()),
        (ToolMoment::Failed, Some("Exit code 3"))
    );
}

#[test]
fn other_payloads_are_none_of_this() {
    for text in [
        r#"{"hook_event_name":"UserPromptSubmit","prompt":"\"PreToolUse\""}"#,
        r#"{"prompt":"x"}"#,
        "",
        "PreToolUse",
    ] {
        assert_eq!(tool_moment(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn b7_a_broken_payload_is_known_for_what_it_was_about() {
    let cut = &CLAUDE[..CLAUDE.len() - 20];
    assert_eq!(tool_moment(cut.as_bytes()), Some(ToolMoment::Before));
    let error = read_tool_event(cut.as_bytes(), ClientName::ClaudeCode, ToolMoment::Before);
    assert!(error.unwrap_err().to_string().contains("EOF"));
    let half = CLAUDE.replace("\"ls\"", "\"\\ud800\"");
    assert_eq!(tool_moment(half.as_bytes()), Some(ToolMoment::Before));
}

/// Payloads cut and mixed at random.
fn hostile() -> impl proptest::strategy::Strategy<Value = Vec<u8>> {
    use proptest::prelude::*;
    let piece = prop_oneof![
        prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "null", "1e999", "-0", "\"hook_event_name\"", "\"PreToolUse\"", "\"PostToolUse\"",
            "\"tool_name\":\"Bash\"", "\"tool_input\":{\"command\":\"ls\"}", "\"prompt\":\"hi\"", "\"session_id\":\"a\"",
            "\"turn_id\":\"1\"", "\"prompt_id\":\"2\"", "\"agent_id\":7", "\"cwd\":\"/\"", "\\ud800", "\u{feff}", "\"",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..6),
        Just(b"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"session_id\":\"s\",\"turn_id\":\"t\",\"prompt\":\"p\"}".to_vec()),
    ];
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

proptest::proptest! {
    #[test]
    fn no_payload_breaks_a_reader(bytes in hostile()) {
        let moment = tool_moment(&bytes);
        for moment in [ToolMoment::Before, ToolMoment::After, ToolMoment::Failed] {
            if let Err(error) = read_tool_event(&bytes, ClientName::ClaudeCode, moment) {
                proptest::prop_assert!(!error.to_string().is_empty());
            }
        }
        // Before a call silence is a yes: what names the event and its moment is never taken for something else.
        let text = String::from_utf8_lossy(&bytes);
        if text.contains("\"hook_event_name\":\"PreToolUse\"") && serde_json::from_slice::<Value>(&bytes).is_err() {
            proptest::prop_assert!(moment.is_some());
        }
        if let Ok(request) = crate::read_payload(&bytes) {
            proptest::prop_assert!(request.prompt.len() <= bytes.len() * 3);
        }
        std::hint::black_box(crate::caller(&bytes));
        if let Some(name) = crate::prompt_identity(&bytes) {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
            proptest::prop_assert!(name.len() <= 3 * 64 + 19 && name.chars().all(is_plain), "{}", name);
        }
    }
}
