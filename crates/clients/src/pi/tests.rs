use std::path::PathBuf;

use super::*;
use crate::settings::Content;
use crate::{Event, Input};

/// A payload that the generated extension sends.
const PROMPT: &str = r#"{"hook_event_name":"UserPromptSubmit","session_id":"01a1e3ee","cwd":"/home/me/proj","prompt":"hello there"}"#;

#[test]
fn a7_the_payloads_of_the_extension_are_read() {
    let input = Input::read(Some(&Pi), PROMPT.as_bytes());
    assert_eq!(input.event, Some(Event::Prompt));
    assert_eq!(input.payload.unwrap().into_request().unwrap().prompt, "hello there");
    let envelope = Envelope::new(Pi.context_limit(), "Vec<String>", None);
    assert_eq!(Pi.prompt_output(&envelope), r#"{"context":"Vec<String>"}"#);
}

#[test]
fn a7_the_extension_has_only_the_handlers_that_are_wanted() {
    let folder = PathBuf::from("/home/me/.pi/agent");
    let programs = PathBuf::from("/opt");
    let setup = Setup { programs, folder, servers: None, with_tool_hooks: false, trust: None };
    let targets = Pi.targets(&setup);
    assert_eq!(targets[0].path, Path::new("/home/me/.pi/agent/extensions/adjutant.ts"));
    let Content::Whole { text, .. } = &targets[0].content else { panic!("a whole file") };
    assert!(text.contains("before_agent_start") && !text.contains("tool_call"), "{text}");
}
