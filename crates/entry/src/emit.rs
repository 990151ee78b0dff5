//! One output, in the asked format.

use clients::Envelope;
use contract::{Briefing, Client, ExitCode, Limit, Limits};
use serde_json::json;

use crate::answer::Answer;
use crate::{Edge, Format, Invocation};

/// What the process prints, and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emission {
    pub stdout: String,
    pub exit: u8,
}

impl Emission {
    fn new(invocation: &Invocation, stdout: String, exit: u8) -> Self {
        // To a client any other code means failure, and 2 even blocks the prompt.
        let exit = if invocation.format == Format::Hook { 0 } else { exit };
        Self { stdout, exit }
    }
}

pub(crate) fn answer(invocation: &Invocation, answer: &Answer) -> Emission {
    let stdout = if invocation.analyze_intent {
        signals(invocation, answer)
    } else {
        match invocation.format {
            Format::Hook => {
                invocation.client.envelope(&Envelope::new(answer.context(), answer.message()))
            }
            Format::Json => pretty(&answer.json),
            Format::Text => answer.for_user().join("\n\n"),
        }
    };
    Emission::new(invocation, stdout, answer.exit)
}

/// No briefing: an empty one, with the reason if there is one.
pub(crate) fn nothing(
    invocation: &Invocation,
    edge: &Edge,
    limit: Option<Limit>,
    exit: ExitCode,
) -> Emission {
    let mut limits = Limits::default();
    limits.extend(limit);
    let stdout = match invocation.format {
        Format::Hook => {
            let message = (!limits.is_empty())
                .then(|| format!("Adjutant: nothing injected · {}", limits.text()));
            invocation.client.envelope(&Envelope::new("", message))
        }
        Format::Json => {
            let client = Client {
                name: invocation.client.name(),
                event: "cli".to_owned(),
                session_id: None,
            };
            let briefing = Briefing::empty(client, String::new(), (edge.now)(), &limits);
            pretty(&serde_json::to_value(&briefing).unwrap_or_default())
        }
        Format::Text => limits.text(),
    };
    Emission::new(invocation, stdout, exit.number())
}

/// Nothing is injected and nothing is decided: the client continues as without a hook.
pub(crate) fn without_event(invocation: &Invocation, reason: Option<&str>) -> Emission {
    let message = reason.map(|reason| format!("Adjutant: nothing injected · [Limits] {reason}"));
    let stdout = invocation.client.answer_without_event(message.as_deref());
    Emission::new(invocation, stdout, 0)
}

fn signals(invocation: &Invocation, answer: &Answer) -> String {
    let inputs = &answer.json["inputs"];
    if invocation.format != Format::Text {
        return pretty(&json!({ "prompt": inputs["prompt"], "signals": inputs["signals"] }));
    }
    let signals = inputs["signals"].as_array().map(Vec::as_slice).unwrap_or_default();
    let line = |signal: &serde_json::Value| {
        format!(
            "{}: {} (weight: {})",
            text(&signal["type"]),
            text(&signal["match"]),
            signal["weight"]
        )
    };
    signals.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn text(value: &serde_json::Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
