//! `adjutant hooks test`: runs the hooks for a call, but not the call itself, and shows what they decide.

use std::process::ExitCode as Exit;
use std::time::Duration;

use clap::Args;
use contract::{ExitCode, ToolDecision};
use kernel::{ClientMoment, client_call};
use serde::Serialize;
use toolcall::{Caller, ClientAnswer};

use super::CallArguments;
use crate::commands::orchestrate::host;
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
    let host = host(arguments.call.at.directory());
    let ask = |moment| {
        client_call(&host, Caller::Command, &call, moment, HOOKS_TIMEOUT)
            .map_err(|error| Failure::new(error, ExitCode::Configuration))
    };
    let before = ask(ClientMoment::Before)?;
    let is_blocked = before.verdict == ToolDecision::Block;
    let after = if is_blocked { None } else { Some(ask(ClientMoment::After(Ok(result)))?) };
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
    replacement: Option<&'a serde_json::Value>,
    updated_input: Option<&'a contract::Arguments>,
    verdict: ToolDecision,
}

impl<'a> Answer<'a> {
    fn new(answer: &'a ClientAnswer) -> Self {
        Self {
            hooks: record::hooks(&answer.record),
            limits: answer.limits.iter().map(ToString::to_string).collect(),
            notes: &answer.record.notes,
            reason: &answer.reason,
            replacement: answer.replacement.as_ref(),
            updated_input: answer.updated_input.as_ref(),
            verdict: answer.verdict,
        }
    }
}
