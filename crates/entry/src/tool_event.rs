//! A tool call the client makes itself: told to the kernel, answered in the client's words.
//!
//! Before a call, silence would be a yes. Whatever goes wrong here, the call is put to the user.

use std::time::{Duration, Instant};

use clients::read_tool_event;
use contract::{ToolEvent, ToolMoment, ToolVerdict};
use process::{Bounds, End, Program};
use serde_json::Value;

use crate::{Edge, Emission, Format, Invocation};

/// Clients wait for a hook as long as their settings say, and then go on without it: the answer has to come before.
const LONGEST: Duration = Duration::from_secs(55);
const MAX_STDOUT: usize = 16 * 1024 * 1024;
const MAX_STDERR: usize = 64 * 1024;

pub(crate) fn run(invocation: &Invocation, edge: &Edge, moment: ToolMoment) -> Emission {
    let event = match &edge.incomplete {
        Some(incomplete) => Err(incomplete.reason.clone()),
        None => read_tool_event(&edge.input, invocation.client.name(), moment)
            .map_err(|error| error.to_string()),
    };
    let verdict = match &event {
        // Without a hook file there is nothing to ask anybody.
        Ok(event) if !(edge.has_hooks)(event.cwd.as_deref()) => ToolVerdict::default(),
        Ok(event) => ask(event, edge).unwrap_or_else(|reason| {
            ToolVerdict::unknown(moment, &format!("your hooks could not be asked: {reason}"))
        }),
        Err(reason) => ToolVerdict::unknown(moment, reason),
    };
    let response = event.map(|event| event.response).unwrap_or_default();
    let stdout = match invocation.format {
        Format::Hook => invocation.client.tool_envelope(moment, &response, &verdict),
        Format::Json => serde_json::to_string_pretty(&verdict).unwrap_or_default(),
        Format::Text => verdict.reason,
    };
    Emission { stdout, exit: 0 }
}

fn ask(event: &ToolEvent, edge: &Edge) -> Result<ToolVerdict, String> {
    let directory = edge.program_directory.as_ref().ok_or("no program beside adjutant-hook")?;
    let program = Program::new(directory.join("adjutant"), edge.environment.clone())
        .arguments(["tool", "event"])
        .stdin(serde_json::to_vec(event).unwrap_or_default());
    let bounds = Bounds {
        deadline: Instant::now() + LONGEST,
        stdout_bytes: MAX_STDOUT,
        stderr_bytes: MAX_STDERR,
    };
    let finished =
        process::run(&program, &bounds).map_err(|error| format!("{error}: {}", error.source))?;
    match finished.end {
        End::Exited(0) => {}
        End::Exited(code) => return Err(format!("the kernel ended with exit code {code}")),
        End::Signalled(signal) => return Err(format!("the kernel was killed by signal {signal}")),
        End::TimedOut => return Err(format!("no answer in {} s", LONGEST.as_secs())),
    }
    // An answer of another shape is none: a missing `decision` must not count as yes.
    let value: Value = serde_json::from_slice(&finished.stdout.bytes)
        .map_err(|error| format!("the kernel's answer is not JSON: {error}"))?;
    if value.get("decision").is_none() {
        return Err("the kernel's answer has no decision".to_owned());
    }
    serde_json::from_value(value).map_err(|error| format!("the kernel's answer is odd: {error}"))
}
