//! `adjutant hooks test`: runs the hooks of a call without the call, and shows what they decide.

use std::process::ExitCode as Exit;
use std::time::Duration;

use clap::Args;
use contract::{ExitCode, ToolDecision};
use kernel::{ClientMoment, client_call};
use serde_json::{Value, json};
use toolcall::{Caller, ClientAnswer};

use super::CallArguments;
use crate::commands::orchestrate::host;
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
    let result: Value = serde_json::from_str(&arguments.result).map_err(|error| {
        Failure::new(format!("`--result` is not JSON: {error}"), ExitCode::Usage)
    })?;
    let call = arguments.call.call()?;
    let host = host(arguments.call.at.directory());
    let ask = |moment| {
        client_call(&host, Caller::Command, &call, moment, HOOKS_TIMEOUT)
            .map_err(|error| Failure::new(error, ExitCode::Configuration))
    };
    let before = ask(ClientMoment::Before)?;
    let is_blocked = before.verdict == ToolDecision::Block;
    let after = if is_blocked { None } else { Some(ask(ClientMoment::After(Ok(result)))?) };
    let shown = json!({ "before": as_json(&before), "after": after.as_ref().map(as_json) });
    output::data(&serde_json::to_string_pretty(&shown).unwrap_or_default());
    Ok(if is_blocked { Exit::from(ExitCode::ToolFailed.number()) } else { Exit::SUCCESS })
}

fn as_json(answer: &ClientAnswer) -> Value {
    json!({
        "verdict": answer.verdict,
        "reason": answer.reason,
        "updated_input": answer.updated_input,
        "replacement": answer.replacement,
        "notes": answer.record.notes,
        "limits": answer.limits.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "hooks": record::hooks(&answer.record),
    })
}
