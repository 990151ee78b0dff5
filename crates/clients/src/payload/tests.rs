use serde_json::json;

use super::*;

// Shortened payloads that Claude Code 2.1.325 and Codex 0.166.0 sent.
const CLAUDE: &str = r#"{"session_id":"9cca733c-4a37","transcript_path":"~/x.jsonl","cwd":"/home/me/proj","prompt_id":"c01a7b41","permission_mode":"default","hook_event_name":"UserPromptSubmit","prompt":"hello"}"#;
const CODEX: &str = r#"{"session_id":"01a1dde0","turn_id":"01a1dde1","transcript_path":null,"cwd":"/home/me/proj","hook_event_name":"UserPromptSubmit","model":"m","permission_mode":"bypassPermissions","prompt":"hello"}"#;
const CLAUDE_TOOL: &str = r#"{"session_id":"7f","transcript_path":"x.jsonl","cwd":"/home/me/proj","prompt_id":"24","permission_mode":"default","agent_id":"a3","agent_type":"general-purpose","effort":{"level":"medium"},"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"toolu_1"}"#;
const CODEX_TOOL: &str = r#"{"session_id":"01","turn_id":"02","transcript_path":null,"cwd":"/home/me/proj","hook_event_name":"PostToolUse","model":"m","permission_mode":"bypassPermissions","tool_name":"mcp__adjutant__ci_search","tool_input":{"query":"x"},"tool_response":{"content":[{"type":"text","text":"FOUND"}]},"tool_use_id":"call_1"}"#;

fn input(text: &str) -> Input {
    Input::read(None, text.as_bytes())
}

fn event_of(text: &str) -> Option<Event> {
    input(text).event
}

fn tool_event(text: &str) -> ToolEvent {
    let input = input(text);
    let Some(Event::Tool(moment)) = input.event else { panic!("{:?}", input.event) };
    input.payload.unwrap().into_tool_event(input.client.names().published.clone(), moment).unwrap()
}

#[test]
fn a4_prompts_of_both_clients_are_read() {
    for (text, session) in [(CLAUDE, "9cca733c-4a37"), (CODEX, "01a1dde0")] {
        let expected = Request {
            prompt: "hello".into(),
            cwd: Some("/home/me/proj".into()),
            session_id: Some(session.into()),
            ..Request::default()
        };
        let input = input(text);
        assert_eq!(input.event, Some(Event::Prompt));
        assert_eq!(input.payload.unwrap().into_request().unwrap(), expected);
    }
}

#[test]
fn a7_the_payload_shows_which_client_sent_it() {
    let name = |text: &str| input(text).client.names().published.clone();
    assert_eq!(name(CLAUDE), ClientName::CLAUDE_CODE);
    assert_eq!(name(CODEX), ClientName::CODEX_CLI);
    assert_eq!(name(&CODEX.replace("\"01a1dde1\"", "7")), ClientName::CODEX_CLI);
    assert_eq!(name("not JSON"), ClientName::CLAUDE_CODE);
    let named = Input::read(Some(crate::client(&ClientName::CODEX_CLI)), CLAUDE.as_bytes());
    assert_eq!(named.client.names().published, ClientName::CODEX_CLI);
}

#[test]
fn an_empty_input_is_an_empty_prompt() {
    assert_eq!(input(" \n").payload.unwrap().into_request().unwrap(), Request::default());
}

#[test]
fn other_inputs_are_refused_with_the_reason() {
    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        let payload = Input::read(None, bytes).payload;
        let error = payload.and_then(|payload| payload.into_request()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    check(b"{\"prompt\": \"\xff\"}", "not UTF-8 (byte 12)");
    check(b"fix the bug", "expected");
    check(b"[1]", "invalid type: integer");
    check(b"{\"prompt\": 7}", "expected a string");
    check(b"{\"text\": \"x\"}", "`prompt` is missing");
    check(b"{\"prompt\": \"x\"", "EOF");
}

#[test]
fn b7_tool_calls_of_both_clients_are_read() {
    let before = tool_event(CLAUDE_TOOL);
    assert_eq!((before.moment, before.tool.as_str()), (ToolMoment::Before, "Bash"));
    assert_eq!(before.agent_id.as_deref(), Some("a3"));
    assert_eq!(before.input, json!({"command": "ls"}));
    let after = tool_event(CODEX_TOOL);
    assert_eq!((after.moment, after.tool_use_id.as_deref()), (ToolMoment::After, Some("call_1")));
    assert_eq!(after.response["content"][0]["text"], "FOUND");
    let failed = CLAUDE_TOOL
        .replace("PreToolUse", "PostToolUseFailure")
        .replace("\"tool_use_id\"", "\"error\":\"Exit code 3\",\"tool_use_id\"");
    let failed = tool_event(&failed);
    assert_eq!((failed.moment, failed.error.as_deref()), (ToolMoment::Failed, Some("Exit code 3")));
}

#[test]
fn b7_the_event_of_a_broken_payload_is_known() {
    let before = Some(Event::Tool(ToolMoment::Before));
    let cut = &CLAUDE_TOOL[..CLAUDE_TOOL.len() - 20];
    assert_eq!(event_of(cut), before);
    assert!(input(cut).payload.unwrap_err().to_string().contains("EOF"));
    assert_eq!(event_of(&CLAUDE_TOOL.replace("\"ls\"", "\"\\ud800\"")), before);
    assert_eq!(event_of(&CLAUDE_TOOL.replace("\"a3\"", "3")), before);
    for text in [r#"{"prompt":"x"}"#, "", "PreToolUse"] {
        assert_eq!(event_of(text), None, "{text}");
    }
}

#[test]
fn a40_the_event_is_found_anywhere_in_an_incomplete_payload() {
    let long = "x".repeat(100_000);
    let last = format!(r#"{{"prompt":"{long}","hook_event_name":"PreToolUse"}}"#);
    let before = Some(Event::Tool(ToolMoment::Before));
    assert_eq!(event_of(&last), before);
    let (start, rest) = last.as_bytes().split_at(1000);
    assert_eq!(Input::incomplete(None, start, rest, String::new()).event, before);
    let cut = format!(r#"{{"hook_event_name" : "UserPromptSubmit","prompt":"{long}"#);
    let incomplete = |text: &str| Input::incomplete(None, text.as_bytes(), &[][..], String::new());
    assert_eq!(
        (event_of(&cut), incomplete(&cut).event),
        (Some(Event::Prompt), Some(Event::Prompt))
    );
    assert_eq!(incomplete("").event, Some(Event::Other));
    assert_eq!(event_of(r#"{"hook_event_name":"Stop"}"#), Some(Event::Other));
}

#[test]
fn a40_of_several_event_names_the_one_that_can_block_a_call_is_used() {
    let before = Some(Event::Tool(ToolMoment::Before));
    let long = "x".repeat(100_000);
    for names in [
        ["UserPromptSubmit", "PreToolUse"],
        ["PreToolUse", "UserPromptSubmit"],
        ["PostToolUse", "PreToolUse"],
        ["Stop", "PreToolUse"],
    ] {
        let [first, second] = names;
        for (key, end) in [
            ("hook_event_name", "}"),
            ("hook\\u005fevent_name", "}"),
            ("hook_event_name", ""),
            ("hook_event_name", "]"),
        ] {
            let text = format!(
                r#"{{"hook_event_name":"{first}","prompt":"{long}","{key}" : "{second}"{end}"#
            );
            let (start, rest) = text.as_bytes().split_at(1000);
            assert_eq!(
                Input::incomplete(None, start, rest, String::new()).event,
                before,
                "{names:?}"
            );
            assert_eq!(event_of(&text), before, "{names:?} {key} {end}");
        }
    }
    let broken = format!(r#"{{"prompt":"{long}" oops "hook_event_name":"PreToolUse"}}"#);
    let (start, rest) = broken.as_bytes().split_at(1000);
    assert_eq!(Input::incomplete(None, start, rest, String::new()).event, before);
    let nested = format!(
        r#"{{"tool_input":{{"hook_event_name":"PreToolUse"}},"prompt":"{long}","hook_event_name":"Stop"}}"#
    );
    let (start, rest) = nested.as_bytes().split_at(1000);
    assert_eq!(Input::incomplete(None, start, rest, String::new()).event, Some(Event::Other));
}

#[test]
fn a40_words_inside_a_prompt_do_not_make_it_a_tool_call() {
    let cut =
        r#"{"hook_event_name":"UserPromptSubmit","prompt":"{\"hook_event_name\":\"PreToolUse\""#;
    assert_eq!(event_of(cut), Some(Event::Prompt));
    assert_eq!(event_of(&format!("{cut}\"}}")), Some(Event::Prompt));
}

#[test]
fn each_prompt_has_one_identity() {
    let identity = |text: &str| input(text).payload.unwrap().identity();
    for payload in [CLAUDE, CODEX] {
        let first = identity(payload);
        assert!(first.is_some());
        assert_eq!(first, identity(payload));
        for (old, new) in [
            ("\"hello\"", "\"hello again\""),
            ("c01a7b41", "c01a7b42"),
            ("01a1dde1", "01a1dde2"),
            ("\"cwd\"", "\"agent_id\":\"x\",\"cwd\""),
        ] {
            if payload.contains(old) {
                assert_ne!(first, identity(&payload.replace(old, new)), "{old} → {new}");
            }
        }
    }
    assert_eq!(identity(r#"{"session_id":"a","prompt":"hello"}"#), None);
    assert_eq!(identity(r#"{"prompt_id":"a","prompt":"hello"}"#), None);
    let odd = CLAUDE.replace("c01a7b41", "../../etc/passwd").replace("9cca733c", &"x".repeat(500));
    let name = identity(&odd).unwrap();
    assert!(!name.contains('/') && name.len() < 255, "{name}");
}

/// Generates payloads that are truncated and mixed at random.
fn hostile() -> proptest::strategy::BoxedStrategy<Vec<u8>> {
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
    prop::collection::vec(piece, 0..20).prop_map(|pieces| pieces.concat()).boxed()
}

proptest::proptest! {
    #[test]
    fn no_payload_breaks_the_reader(bytes in hostile()) {
        let input = Input::read(None, &bytes);
        // An input that names a tool event and is not valid JSON must not be treated as another event.
        let text = String::from_utf8_lossy(&bytes);
        let is_json = serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).is_ok();
        let is_readable = is_json || input.payload.is_ok();
        if text.contains("\"hook_event_name\":\"PreToolUse\"") && !is_readable {
            proptest::prop_assert!(matches!(input.event, Some(Event::Tool(_))));
        }
        let Ok(payload) = input.payload else { return Ok(()) };
        if let Ok(request) = payload.clone().into_request() {
            proptest::prop_assert!(request.prompt.len() <= bytes.len() * 3);
        }
        for moment in [ToolMoment::Before, ToolMoment::After, ToolMoment::Failed] {
            let event = payload.clone().into_tool_event(input.client.names().published.clone(), moment);
            if let Err(error) = event {
                proptest::prop_assert!(!error.to_string().is_empty());
            }
        }
        if let Some(name) = payload.identity() {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
            proptest::prop_assert!(name.len() <= 3 * 64 + 19 && name.chars().all(is_plain), "{}", name);
        }
    }
}
