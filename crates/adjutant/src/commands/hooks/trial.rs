//! `adjutant hooks test`: runs the hooks for a call, but not the call itself, and shows what they decide.

use std::process::ExitCode as Exit;
use std::time::{Duration, Instant};

use clap::Args;
use contract::{ExitCode, ToolDecision};
use serde::Serialize;
use serde_json::{Map, Value};
use toolcall::{Caller, CompletedCall, after_client_call, before_client_call};

use super::CallArguments;
use crate::commands::orchestrate::call_context;
use crate::commands::record::{self, HookRow};
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
    let after = after.as_ref().map(Answer::new);
    let printed = output::pretty_json(&Trial { after, before: Answer::new(&before) })?;
    Ok(if is_blocked { Exit::from(ExitCode::ToolFailed.number()) } else { printed })
}

#[derive(Serialize)]
struct Trial<'a> {
    after: Option<Answer<'a>>,
    before: Answer<'a>,
}

#[derive(Serialize)]
struct Answer<'a> {
    hooks: Vec<HookRow<'a>>,
    limits: Vec<String>,
    notes: &'a [String],
    reason: &'a str,
    replacement: Option<&'a Value>,
    updated_input: Option<&'a Map<String, Value>>,
    verdict: ToolDecision,
}

impl<'a> Answer<'a> {
    fn new(completed: &'a CompletedCall) -> Self {
        let CompletedCall { outcome, verdict } = completed;
        Self {
            hooks: record::hooks(&outcome.record),
            limits: outcome.limits.iter().map(ToString::to_string).collect(),
            notes: &outcome.record.notes,
            reason: &verdict.reason,
            replacement: verdict.replacement.as_ref(),
            updated_input: verdict.updated_input.as_ref(),
            verdict: verdict.decision,
        }
    }
}
