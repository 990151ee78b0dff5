//! Passes a client's tool event to the kernel and formats the verdict for the client.
//!
//! If the hook outputs nothing before a tool call, the client runs the call. Therefore, if the kernel returns no
//! verdict, the output tells the client to ask the user.

use std::time::{Duration, Instant};

use clients::{Input, PayloadError, ToolAnswer};
use contract::{ToolEvent, ToolMoment, ToolVerdict};
use process::{Bounds, End, Program};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::{Emission, Format, HookHost, Invocation};

/// The maximum time to wait for the kernel. It is shorter than the hook timeout of 60 s that `adjutant install` sets.
/// After that timeout, a client runs the call without a verdict.
const KERNEL_TIMEOUT: Duration = Duration::from_secs(55);
const MAX_STDOUT: usize = 16 * 1024 * 1024;
const MAX_STDERR: usize = 64 * 1024;

pub(crate) fn run(
    invocation: &Invocation,
    input: &Input,
    host: &HookHost,
    moment: ToolMoment,
) -> Emission {
    let event = match &input.payload {
        Ok(payload) => payload.tool_event(input.client.names().published.clone(), moment),
        Err(PayloadError::NotAPayload(reason)) => Err(PayloadError::NotAToolEvent(reason.clone())),
        Err(error) => Err(error.clone()),
    };
    let verdict = match &event {
        Ok(event) if !(host.has_hooks)(event.cwd.as_deref()) => ToolVerdict::default(),
        Ok(event) => ask(event, host).unwrap_or_else(|reason| {
            ToolVerdict::unknown(moment, &format!("your hooks could not run: {reason}"))
        }),
        Err(error) => ToolVerdict::unknown(moment, &error.to_string()),
    };
    let response = event.as_ref().ok().map(|event| &event.response);
    let stdout = match invocation.format {
        Format::Hook => {
            input.client.tool_output(&ToolAnswer { moment, response, verdict: &verdict })
        }
        Format::Json => serde_json::to_string_pretty(&verdict).unwrap_or_default(),
        Format::Text => verdict.reason,
    };
    Emission { stdout, exit: 0, has_context: false }
}

fn ask(event: &ToolEvent, host: &HookHost) -> Result<ToolVerdict, String> {
    /// A type that deserializes only if the field `decision` is present. It prevents a verdict without a decision from being
    /// treated as permission.
    #[derive(Deserialize)]
    struct Decided {
        #[serde(rename = "decision")]
        _decision: IgnoredAny,
    }
    let directory = host.program_directory.as_ref().ok_or("its folder is not known")?;
    let program = Program::new(directory.join("adjutant-hook"), host.environment.clone())
        .arguments(["tool", "event"])
        .stdin(serde_json::to_vec(event).unwrap_or_default());
    let bounds = Bounds {
        deadline: Instant::now() + KERNEL_TIMEOUT,
        stdout_bytes: MAX_STDOUT,
        stderr_bytes: MAX_STDERR,
    };
    let finished =
        process::run(&program, &bounds).map_err(|error| format!("{error}: {}", error.source))?;
    match finished.end {
        End::Exited(0) => {}
        End::Exited(code) => return Err(format!("the kernel exited with {code}")),
        End::Signalled(signal) => return Err(format!("the kernel was killed by signal {signal}")),
        End::TimedOut => return Err(format!("no answer in {} s", KERNEL_TIMEOUT.as_secs())),
    }
    let answer = &finished.stdout.bytes;
    serde_json::from_slice::<Decided>(answer)
        .and_then(|_| serde_json::from_slice(answer))
        .map_err(|error| format!("the kernel's answer is not a verdict: {error}"))
}
