//! Which event of the client a payload is about.

use std::io::Read;

use contract::ToolMoment;
use serde::Deserialize;

/// An event as `hook_event_name` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// `UserPromptSubmit`.
    Prompt,
    Tool(ToolMoment),
    /// One that we do not answer.
    Other,
}

#[derive(Deserialize)]
struct Named {
    hook_event_name: Option<String>,
}

/// `None` if the payload names no event.
#[must_use]
pub fn event(bytes: &[u8]) -> Option<Event> {
    if let Ok(Named { hook_event_name }) = serde_json::from_slice(bytes) {
        return hook_event_name.as_deref().map(by_name);
    }
    // Not JSON as a whole. Its event is still worth knowing: before a tool call, an empty answer would be a yes.
    let text = String::from_utf8_lossy(bytes);
    let mut named = text.split("\"hook_event_name\"").skip(1).filter_map(|after| {
        let value = after.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
        value.split_once('"').map(|(name, _)| by_name(name))
    });
    // A nested object may name another event; a tool call is never taken for something else.
    let first = named.next()?;
    let tool = std::iter::once(first).chain(named).find(|event| matches!(event, Event::Tool(_)));
    Some(tool.unwrap_or(first))
}

/// The event of a payload that is too large to be kept: everything but the name is read and dropped.
#[must_use]
pub fn streamed_event(payload: impl Read) -> Option<Event> {
    let named: Named = serde_json::from_reader(std::io::BufReader::new(payload)).ok()?;
    named.hook_event_name.as_deref().map(by_name)
}

fn by_name(name: &str) -> Event {
    match name {
        "UserPromptSubmit" => Event::Prompt,
        "PreToolUse" => Event::Tool(ToolMoment::Before),
        "PostToolUse" => Event::Tool(ToolMoment::After),
        "PostToolUseFailure" => Event::Tool(ToolMoment::Failed),
        _ => Event::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a40_an_event_is_known_by_its_name_wherever_it_is() {
        let long = "x".repeat(100_000);
        let last = format!(r#"{{"prompt":"{long}","hook_event_name":"PreToolUse"}}"#);
        assert_eq!(streamed_event(last.as_bytes()), Some(Event::Tool(ToolMoment::Before)));
        assert_eq!(event(last.as_bytes()), Some(Event::Tool(ToolMoment::Before)));
        let cut = format!(r#"{{"hook_event_name" : "UserPromptSubmit","prompt":"{long}"#);
        assert_eq!(
            (streamed_event(cut.as_bytes()), event(cut.as_bytes())),
            (None, Some(Event::Prompt))
        );
        assert_eq!(event(br#"{"hook_event_name":"Stop"}"#), Some(Event::Other));
        assert_eq!(event(br#"{"prompt":"x"}"#), None);
    }

    #[test]
    fn a40_words_inside_a_prompt_do_not_make_it_a_tool_call() {
        let cut = r#"{"hook_event_name":"UserPromptSubmit","prompt":"{\"hook_event_name\":\"PreToolUse\""#;
        assert_eq!(event(cut.as_bytes()), Some(Event::Prompt));
    }
}
