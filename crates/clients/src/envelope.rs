//! Types for the JSON output of a hook, and the maximum lengths that clients accept.

mod escaped;
mod extension;

pub(crate) use escaped::for_escaping_client;
pub use escaped::unescaped;
pub(crate) use extension::ExtensionOutput;

use contract::{ModelText, ToolMoment, ToolVerdict};
use serde::Serialize;
use serde_json::Map;

/// Maximum length of the context, both in bytes and in UTF-16 code units. Claude Code accepts 10,000 UTF-16 code units and
/// Codex accepts 10,000 bytes. Both drop most of a longer context.
pub const MAX_UNITS: usize = 9_500;
/// Maximum length of the message for the user, in characters.
const MAX_MESSAGE: usize = 300;
/// Maximum length of the reason for a decision, in characters.
pub(crate) const MAX_REASON: usize = 4000;

/// What a hook returns for a prompt: context for the model and a message for the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// The text for the model.
    pub context: String,
    /// A line that is shown to the user.
    pub message: Option<String>,
}

impl Envelope {
    /// Creates an envelope. If `context` is too long, it is cut between two findings, so that every client accepts it.
    #[must_use]
    pub fn new(context: &str, message: Option<String>) -> Self {
        let context = if fits(context) { context.to_owned() } else { shortened(context) };
        Self { context, message: message.map(|message| one_short_line(&message)) }
    }
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

/// The event-specific fields of the output.
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

    /// Builds the output for a prompt. If the context is empty, the output has no event-specific fields.
    pub(crate) fn prompt(envelope: &Envelope) -> Self {
        let context = Some(envelope.context.clone()).filter(|context| !context.is_empty());
        let event = context.map(|context| EventOutput::prompt(&context));
        Self {
            hook_specific_output: event,
            system_message: envelope.message.clone(),
            ..Self::default()
        }
    }

    /// Builds the output for a tool event. Adds the fields that are the same for Claude Code and Codex to `event`.
    pub(crate) fn tool(moment: ToolMoment, verdict: &ToolVerdict, mut event: EventOutput) -> Self {
        let Envelope { context, message } =
            Envelope::new(&verdict.context, verdict.message.clone());
        let extra = event.additional_context.take();
        let contexts = [Some(context), extra].into_iter().flatten().filter(|it| !it.is_empty());
        let context = contexts.collect::<Vec<_>>().join("\n");
        event.additional_context = Some(context).filter(|context| !context.is_empty());
        let is_empty = event.additional_context.is_none()
            && event.permission_decision.is_none()
            && event.updated_input.is_none()
            && event.updated_tool_output.is_none();
        event.hook_event_name = match moment {
            ToolMoment::Before => "PreToolUse",
            ToolMoment::After => "PostToolUse",
            ToolMoment::Failed => "PostToolUseFailure",
        };
        Self {
            // If there are no event-specific fields, the client continues as if there were no hook.
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

/// Returns a reason that the clients accept. It is not empty, and not longer than [`MAX_REASON`] plus an ellipsis.
pub(crate) fn reason_text(reason: &str) -> String {
    let reason = if reason.trim().is_empty() { "a hook made this decision" } else { reason };
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
    // A custom kernel may use another layout. In that case, as many whole lines from the start are kept as fit.
    let mark = "\n[truncated]";
    let ends = context.match_indices('\n').map(|(index, _)| index);
    match ends.take_while(|end| end + mark.len() <= MAX_UNITS).last() {
        None | Some(0) => String::new(),
        Some(end) => format!("{}{mark}", &context[..end]),
    }
}

fn one_short_line(message: &str) -> String {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    contract::shortened(&line, MAX_MESSAGE)
}

#[cfg(test)]
mod tests;
