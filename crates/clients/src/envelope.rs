//! Types for the JSON output of a hook, and the maximum lengths that clients accept.

use contract::{ContextLimit, ToolDecision, ToolMoment, ToolVerdict};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::Names;

/// The limit of most clients. Claude Code accepts 10,000 UTF-16 code units and Codex accepts 10,000 bytes. Both drop most
/// of a longer context.
pub(crate) const LIMIT: ContextLimit = ContextLimit { max_bytes: 9_500, escapes_brackets: false };
/// The limit of a client that escapes angle brackets.
pub(crate) const ESCAPED_LIMIT: ContextLimit = ContextLimit { escapes_brackets: true, ..LIMIT };
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
    /// Creates an envelope for a client with this limit.
    #[must_use]
    pub fn new(limit: ContextLimit, context: &str, message: Option<String>) -> Self {
        let context = context_text(limit, context);
        Self { context, message: message.map(|message| one_short_line(&message)) }
    }
}

/// The JSON object that Claude Code and Codex read from a hook. Fields are declared in the order in which they are printed.
/// Gemini CLI has other event-specific fields.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HookOutput<E = EventOutput> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hook_specific_output: Option<E>,
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
    pub(crate) updated_input: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) updated_tool_output: Option<Value>,
}

impl HookOutput {
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
            Envelope::new(LIMIT, &verdict.context, verdict.message.clone());
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

    /// Builds the output with a decision before a tool call. [`ToolDecision::Go`] has no output.
    pub(crate) fn decision(decision: ToolDecision, reason: &str) -> Self {
        let word = decision_word(decision);
        Self {
            permission_decision: word,
            permission_decision_reason: word.map(|_| reason_text(reason)),
            ..Self::default()
        }
    }
}

/// The output for the plugin files that Adjutant generates (opencode, pi). It is read by the plugin file, not by the client.
#[derive(Default, Serialize)]
pub(crate) struct ExtensionOutput {
    /// The reason why the call is blocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<String>,
    /// The text for the model.
    #[serde(skip_serializing_if = "String::is_empty")]
    context: String,
    /// The new arguments of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Map<String, Value>>,
    /// The new result of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
}

impl ExtensionOutput {
    pub(crate) fn prompt(envelope: &Envelope) -> Self {
        Self { context: envelope.context.clone(), ..Self::default() }
    }

    pub(crate) fn tool(moment: ToolMoment, verdict: &ToolVerdict, names: &Names) -> Self {
        let verdict = names.tool_support.restrict(names.title, verdict);
        let context = context_text(LIMIT, &verdict.context);
        match moment {
            ToolMoment::Before => Self {
                block: (verdict.decision == ToolDecision::Block)
                    .then(|| reason_text(&verdict.reason)),
                input: verdict.updated_input,
                ..Self::default()
            },
            ToolMoment::After | ToolMoment::Failed => {
                let result = verdict.replacement.as_ref().map(plain_text);
                Self { context, result, ..Self::default() }
            }
        }
    }
}

/// Returns the word for a decision before a tool call, or `None` if the client continues as if there were no hook.
pub(crate) fn decision_word(decision: ToolDecision) -> Option<&'static str> {
    match decision {
        ToolDecision::Go => None,
        ToolDecision::Allow => Some("allow"),
        ToolDecision::Ask => Some("ask"),
        ToolDecision::Block => Some("deny"),
    }
}

/// Formats the output of a hook.
pub(crate) fn json_line(output: &impl Serialize) -> String {
    serde_json::to_string(output).unwrap_or_else(|_| "{}".to_owned())
}

/// Returns a string as it is, and any other value as JSON.
pub(crate) fn plain_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns a reason that the clients accept. It is not empty, and not longer than [`MAX_REASON`] plus an ellipsis.
pub(crate) fn reason_text(reason: &str) -> String {
    let reason = if reason.trim().is_empty() { "a hook made this decision" } else { reason };
    match reason.char_indices().nth(MAX_REASON) {
        Some((end, _)) => format!("{}…", &reason[..end]),
        None => reason.to_owned(),
    }
}

/// Returns the text for the model in the form that the client expects. The kernel keeps to the limit. A longer text of
/// another kernel or of a user's hook is cut after a line.
pub(crate) fn context_text(limit: ContextLimit, text: &str) -> String {
    let text = if limit.fits(text) { text.to_owned() } else { first_lines(limit, text) };
    if limit.escapes_brackets { contract::escaped(&text) } else { text }
}

/// Returns as many whole lines from the start of the text as fit, or an empty string if there are none.
fn first_lines(limit: ContextLimit, text: &str) -> String {
    let ends: Vec<usize> = text.match_indices('\n').map(|(end, _)| end).collect();
    let cut = |end: usize| format!("{}\n[truncated]", &text[..end]);
    let n_lines = ends.partition_point(|end| *end <= limit.max_bytes && limit.fits(&cut(*end)));
    match ends[..n_lines].last() {
        None | Some(0) => String::new(),
        Some(end) => cut(*end),
    }
}

fn one_short_line(message: &str) -> String {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    contract::shortened(&line, MAX_MESSAGE)
}

#[cfg(test)]
mod tests;
