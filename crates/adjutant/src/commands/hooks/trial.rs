//! `adjutant hooks test`: runs the hooks for a call, but not the call itself, and shows what they decide.

use std::process::ExitCode as Exit;
use std::time::{Duration, Instant};

use clap::Args;
use contract::{ExitCode, ToolDecision};
use serde_json::{Value, json};
use toolcall::{Caller, CompletedCall, after_client_call, before_client_call};

use super::CallArguments;
use crate::commands::orchestrate::call_context;
use crate::commands::record;
use crate::failure::Failure;
use crate::output;

const HOOKS_TIMEOUT: Duration = Duration::from_secs(120);

#[derive(Args)]
pub(in crate::commands) struct Arguments {
    #[command(flatten)]
    call: CallArguments,
    /// Set the result that the after hooks receive
    #[arg(long, default_value = "null", value_name = "JSON")]
    result: String,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let result = serde_json::from_str(&arguments.result).map_err(|error| {
        Failure::new(format!("`--result` is not JSON: {error}"), ExitCode::Usage)
            .hint("pass a JSON value, for example `--result '{\"stdout\": \"ok\"}'`")
    })?;
    let call = arguments.call.call()?;
    let context = call_context(arguments.call.at.directory(), Caller::Command)
        .map_err(|error| Failure::new(error, ExitCode::Configuration))?;
    let deadline = || Instant::now() + HOOKS_TIMEOUT;
    let before = before_client_call(&context, &call, deadline());
    let is_blocked = before.verdict.decision == ToolDecision::Block;
    let run_after = || after_client_call(&context, &call, Ok(result), deadline());
    let after = (!is_blocked).then(run_after);
    let (after, before) = (after.as_ref().map(answer), answer(&before));
    let printed = output::pretty_json(&json!({ "after": after, "before": before }))?;
    Ok(if is_blocked { Exit::from(ExitCode::ToolFailed.number()) } else { printed })
}

fn answer(completed: &CompletedCall) -> Value {
    let CompletedCall { outcome, verdict } = completed;
    let limits: Vec<String> = outcome.limits.iter().map(ToString::to_string).collect();
    json!({
        "hooks": record::hooks(&outcome.record), "limits": limits, "notes": outcome.record.notes,
        "reason": verdict.reason, "replacement": verdict.replacement,
        "updated_input": verdict.updated_input, "verdict": verdict.decision,
    })
}
