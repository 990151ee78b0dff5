//! Formats the output as requested on the command line.

use clients::Envelope;
use contract::{Briefing, Client, ExitCode, Limit, Limits};

use crate::answer::Answer;
use crate::{Format, HookHost, Invocation};

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

pub(crate) fn answer(
    invocation: &Invocation,
    client: &dyn clients::Client,
    answer: &Answer,
) -> Emission {
    let envelope = Envelope::new(answer.context(), answer.message());
    let has_context = !envelope.context.is_empty();
    let stdout = match invocation.format {
        format if invocation.analyze_intent => signals(format, answer),
        Format::Hook => client.prompt_output(&envelope),
        // The output contains all fields that the kernel printed, including fields that are unknown to this version.
        Format::Json => pretty(&serde_json::from_slice(&answer.bytes).unwrap_or_default()),
        Format::Text => answer.for_user().join("\n\n"),
    };
    Emission::new(invocation, stdout, answer.exit, has_context)
}

/// Returns the output for an empty briefing. `limit` is the `[Limits]` message with the reason, if there is one.
pub(crate) fn nothing(
    invocation: &Invocation,
    client: &dyn clients::Client,
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
            client.prompt_output(&Envelope::new("", message))
        }
        Format::Json => {
            let client = Client {
                name: client.names().published.clone(),
                event: "cli".to_owned(),
                session_id: None,
            };
            let briefing = Briefing::empty(client, String::new(), (host.now)(), &limits);
            pretty(&serde_json::to_value(&briefing).unwrap_or_default())
        }
        Format::Text => limits.text(),
    };
    Emission::new(invocation, stdout, exit.number(), false)
}

/// Returns the output for an event that Adjutant does not handle. The client then continues as if there were no hook.
pub(crate) fn other_event(client: &dyn clients::Client, reason: Option<&str>) -> Emission {
    let message = reason.map(|reason| format!("Adjutant: nothing injected · [Limits] {reason}"));
    Emission { stdout: client.other_output(message.as_deref()), exit: 0, has_context: false }
}

fn signals(format: Format, answer: &Answer) -> String {
    let inputs = &answer.briefing.inputs;
    if format != Format::Text {
        return pretty(&serde_json::to_value(inputs).unwrap_or_default());
    }
    let lines = inputs
        .signals
        .iter()
        .map(|signal| format!("{}: {} (weight: {:?})", signal.kind, signal.matched, signal.weight));
    lines.collect::<Vec<_>>().join("\n")
}

/// Formats a value as indented JSON with sorted keys.
fn pretty(json: &serde_json::Value) -> String {
    serde_json::to_string_pretty(json).unwrap_or_default()
}
