//! Formats the output as requested on the command line.

use contract::{Briefing, ExitCode, Limit, Limits};
use serde_json::{Value, json};

use super::{Format, HookHost, Invocation, KernelAnswer};
use crate::{Client, Envelope};

/// The standard output and the exit code of the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emission {
    pub stdout: String,
    pub exit: u8,
    /// Whether the output contains text for the model.
    pub has_context: bool,
}

impl Emission {
    fn new(invocation: &Invocation, stdout: String, exit: u8, has_context: bool) -> Self {
        // Clients treat any exit code other than 0 as a failure, and exit code 2 blocks the prompt.
        let exit = if invocation.format == Format::Hook { 0 } else { exit };
        Self { stdout, exit, has_context }
    }
}

pub(super) fn answer(
    invocation: &Invocation,
    client: &dyn Client,
    answer: &KernelAnswer,
) -> Emission {
    let envelope = Envelope::new(client.context_limit(), answer.context(), answer.message());
    let has_context = !envelope.context.is_empty();
    let stdout = match invocation.format {
        format if invocation.analyze_intent => signals(format, &answer.json["inputs"]),
        Format::Hook => client.prompt_output(&envelope),
        Format::Json => pretty(&answer.json),
        Format::Text => answer.for_user().join("\n\n"),
    };
    Emission::new(invocation, stdout, answer.exit, has_context)
}

/// Returns the output for an empty briefing. `limit` is the `[Limits]` message with the reason, if there is one.
pub(super) fn nothing(
    invocation: &Invocation,
    client: &dyn Client,
    host: &HookHost,
    limit: Option<Limit>,
    exit: ExitCode,
) -> Emission {
    let mut limits = Limits::default();
    limits.extend(limit);
    let stdout = match invocation.format {
        Format::Hook => {
            let message = (!limits.is_empty())
                .then(|| format!("Adjutant: nothing injected · {}", limits.text()));
            client.prompt_output(&Envelope::new(client.context_limit(), "", message))
        }
        Format::Json => {
            let client = contract::RequestingClient {
                name: client.names().published.clone(),
                event: "cli".to_owned(),
                session_id: None,
            };
            let briefing = Briefing::empty(client, String::new(), host.now.clone(), &limits);
            pretty(&json!(briefing))
        }
        Format::Text => limits.text(),
    };
    Emission::new(invocation, stdout, exit.number(), false)
}

/// Returns the output for an event that Adjutant does not handle. The client then continues as if there were no hook.
pub(super) fn other_event(client: &dyn Client, reason: Option<&str>) -> Emission {
    let message = reason.map(|reason| format!("Adjutant: nothing injected · [Limits] {reason}"));
    Emission { stdout: client.other_output(message.as_deref()), exit: 0, has_context: false }
}

fn signals(format: Format, inputs: &Value) -> String {
    if format != Format::Text {
        return pretty(&json!({ "prompt": inputs["prompt"], "signals": inputs["signals"] }));
    }
    let text = |signal: &Value, key: &str| signal[key].as_str().unwrap_or_default().to_owned();
    let line = |signal: &Value| {
        let weight = signal["weight"].as_f64().unwrap_or_default();
        format!("{}: {} (weight: {weight:?})", text(signal, "type"), text(signal, "match"))
    };
    let signals = inputs["signals"].as_array().into_iter().flatten();
    signals.map(line).collect::<Vec<_>>().join("\n")
}

/// Formats a value as indented JSON with sorted keys.
fn pretty(json: &Value) -> String {
    serde_json::to_string_pretty(json).unwrap_or_default()
}
