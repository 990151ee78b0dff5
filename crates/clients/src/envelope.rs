//! What a hook prints, and how much of it a client accepts.

use contract::{ModelText, ToolMoment, ToolVerdict};
use serde::Serialize;
use serde_json::Map;

/// The maximum size of the context, in bytes and in UTF-16 units. Claude Code accepts 10,000 UTF-16 units and Codex 10,000
/// bytes; both drop most of a longer text.
pub const MAX_UNITS: usize = 9_500;
/// The maximum length of a reason, in characters.
pub(crate) const MAX_REASON: usize = 4000;

/// The answer to a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// For the model.
    pub context: String,
    /// For the user, one line.
    pub message: Option<String>,
}

impl Envelope {
    /// Cuts the context between two findings so that every client accepts it.
    #[must_use]
    pub fn new(context: &str, message: Option<String>) -> Self {
        let context = if fits(context) { context.to_owned() } else { shortened(context) };
        Self { context, message: message.map(|message| one_short_line(&message)) }
    }
}

/// The answer to an event around a tool call.
#[derive(Clone, Copy)]
pub struct ToolAnswer<'a> {
    pub moment: ToolMoment,
    /// The result of the tool, as the client reported it.
    pub response: Option<&'a serde_json::Value>,
    pub verdict: &'a ToolVerdict,
}

/// The JSON object that Claude Code and Codex read from a hook. Fields are declared in the order in which they are printed.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HookOutput {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hook_specific_output: Option<EventOutput>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) system_message: Option<String>,
}

/// The fields that belong to one event.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EventOutput {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) additional_context: Option<String>,
    pub(crate) hook_event_name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) permission_decision_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) updated_input: Option<Map<String, serde_json::Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) updated_tool_output: Option<serde_json::Value>,
}

impl HookOutput {
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned())
    }

    /// The answer to a prompt; without a context there are no fields of the event.
    pub(crate) fn prompt(envelope: &Envelope) -> Self {
        let context = Some(envelope.context.clone()).filter(|context| !context.is_empty());
        let event = context.map(|context| EventOutput::prompt(&context));
        Self {
            hook_specific_output: event,
            system_message: envelope.message.clone(),
            ..Self::default()
        }
    }

    /// The answer to a tool event, with what both clients have in common.
    pub(crate) fn tool(answer: &ToolAnswer<'_>, mut event: EventOutput) -> Self {
        let Envelope { context, message } =
            Envelope::new(&answer.verdict.context, answer.verdict.message.clone());
        let extra = event.additional_context.take();
        let contexts = [Some(context), extra].into_iter().flatten().filter(|it| !it.is_empty());
        let context = contexts.collect::<Vec<_>>().join("\n");
        event.additional_context = Some(context).filter(|context| !context.is_empty());
        let is_empty = event.additional_context.is_none()
            && event.permission_decision.is_none()
            && event.updated_input.is_none()
            && event.updated_tool_output.is_none();
        event.hook_event_name = match answer.moment {
            ToolMoment::Before => "PreToolUse",
            ToolMoment::After => "PostToolUse",
            ToolMoment::Failed => "PostToolUseFailure",
        };
        Self {
            // Without an output the client continues as if there were no hook.
            hook_specific_output: (!is_empty).then_some(event),
            system_message: message,
            ..Self::default()
        }
    }
}

impl EventOutput {
    pub(crate) fn prompt(context: &str) -> Self {
        Self {
            additional_context: Some(context.to_owned()),
            hook_event_name: "UserPromptSubmit",
            ..Self::default()
        }
    }

    pub(crate) fn decision(decision: &'static str, reason: &str) -> Self {
        Self {
            permission_decision: Some(decision),
            permission_decision_reason: Some(reason_text(reason)),
            ..Self::default()
        }
    }
}

/// A reason as the clients require it: not empty, and not too long.
pub(crate) fn reason_text(reason: &str) -> String {
    let reason = if reason.trim().is_empty() { "a hook decided so" } else { reason };
    match reason.char_indices().nth(MAX_REASON) {
        Some((end, _)) => format!("{}…", &reason[..end]),
        None => reason.to_owned(),
    }
}

fn fits(text: &str) -> bool {
    text.len() <= MAX_UNITS && text.encode_utf16().count() <= MAX_UNITS
}

fn shortened(context: &str) -> String {
    let fitted = ModelText::parse(context).fit(fits);
    if !fitted.text.is_empty() {
        return fitted.text;
    }
    // Another kernel than `adjutant orchestrate` may use another layout: keep whole lines from the start.
    let mark = "\n[truncated]";
    let ends = context.match_indices('\n').map(|(index, _)| index);
    match ends.take_while(|end| end + mark.len() <= MAX_UNITS).last() {
        None | Some(0) => String::new(),
        Some(end) => format!("{}{mark}", &context[..end]),
    }
}

fn one_short_line(message: &str) -> String {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 300 {
        line
    } else {
        line.chars().take(299).collect::<String>() + "…"
    }
}

#[cfg(test)]
mod tests;
