use std::path::PathBuf;

use contract::ToolDecision;
use serde_json::json;

use super::*;
use crate::{Event, Input};

/// Payloads that the generated plugin sends.
const PROMPT: &str = r#"{"hook_event_name":"UserPromptSubmit","session_id":"ses_e1c1","prompt_id":"msg_1e3e","cwd":"/home/me/proj","prompt":"hello there"}"#;
const AFTER: &str = r#"{"session_id":"ses_e1c1","tool_use_id":"call_3e01","cwd":"/home/me/proj","tool_name":"bash","tool_input":{"command":"echo hi"},"tool_response":"hi\n","hook_event_name":"PostToolUse"}"#;

fn setup(with_tool_hooks: bool) -> Setup {
    Setup {
        programs: PathBuf::from("/opt/it's \"here\""),
        folder: PathBuf::from("/home/me/.config/opencode"),
        servers: None,
        with_tool_hooks,
        trust: None,
    }
}

#[test]
fn a7_the_payloads_of_the_plugin_are_read() {
    let input = Input::read(Some(&Opencode), PROMPT.as_bytes());
    assert_eq!(input.event, Some(Event::Prompt));
    let payload = input.payload.unwrap();
    assert!(payload.identity().is_some(), "two plugin files must not brief one prompt");
    assert_eq!(payload.into_request().unwrap().prompt, "hello there");
    let after = Input::read(Some(&Opencode), AFTER.as_bytes());
    assert_eq!(after.event, Some(Event::Tool(ToolMoment::After)));
}

#[test]
fn a7_the_plugin_names_the_program_and_only_the_hooks_that_are_wanted() {
    let text = |with_tool_hooks| {
        let targets = Opencode.targets(&setup(with_tool_hooks));
        let crate::settings::Content::Whole { text, mode: 0o644, .. } = &targets[0].content else {
            panic!("the plugin is a whole file");
        };
        text.clone()
    };
    let (small, large) = (text(false), text(true));
    assert!(small.contains(r#"const program = "/opt/it's \"here\"/adjutant-hook""#), "{small}");
    assert!(small.contains("chat.message") && !small.contains("tool.execute"), "{small}");
    assert!(large.contains("tool.execute.before") && large.contains("refusal"), "{large}");
}

#[test]
fn b7_the_plugin_reads_one_object() {
    let output = |moment, verdict: &ToolVerdict| Opencode.tool_output(moment, None, verdict);
    let verdict = ToolVerdict {
        decision: ToolDecision::Ask,
        reason: "sure?".to_owned(),
        ..ToolVerdict::default()
    };
    assert_eq!(
        output(ToolMoment::Before, &verdict),
        r#"{"block":"sure? (opencode cannot ask you here, so the call does not run)"}"#
    );
    let input = json!({"command": "ls"}).as_object().cloned();
    let verdict = ToolVerdict { updated_input: input, ..ToolVerdict::default() };
    assert_eq!(output(ToolMoment::Before, &verdict), r#"{"input":{"command":"ls"}}"#);
    let verdict = ToolVerdict {
        replacement: Some("new".into()),
        context: "note".to_owned(),
        ..ToolVerdict::default()
    };
    assert_eq!(output(ToolMoment::After, &verdict), r#"{"context":"note","result":"new"}"#);
    let envelope =
        Envelope::new(Opencode.context_limit(), "Vec<String>", Some("1 finding".to_owned()));
    assert_eq!(Opencode.prompt_output(&envelope), r#"{"context":"Vec<String>"}"#);
}

#[test]
fn a60_the_server_is_added_and_removed_without_a_trace() {
    let text = "{\n  // mine\n  \"model\": \"a/b\",\n}\n";
    let put = put_server(Some(text), Path::new("/opt")).unwrap();
    assert_eq!(Opencode.registered_server(&put).unwrap().as_deref(), Some("/opt/adjutant"));
    assert!(put.contains("// mine"), "{put}");
    let taken = servers::take_from(&put, SERVERS).unwrap();
    assert_eq!(Opencode.registered_server(&taken).unwrap(), None);
    put_server(Some(r#"{"mcp": 1}"#), Path::new("/opt")).unwrap_err();
}
