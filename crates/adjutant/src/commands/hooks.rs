//! `adjutant hooks`: lists hooks, shows which hooks match a call, and runs them as a test.

mod list;

use std::path::Path;
use std::process::ExitCode as Exit;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use contract::{ExitCode, ToolDecision};
use serde::Serialize;
use serde_json::{Value, json};
use toolcall::{
    Caller, CompletedCall, HookKind, HookPreview, Identity, ToolCall, after_client_call,
    before_client_call, find_hook_files, preview,
};

use super::orchestrate::call_context;
use super::repository::{At, relative};
use super::table::{Column, Table};
use super::{tool, trust};
use crate::failure::Failure;
use crate::output::visible;
use crate::{edge, output};

const HOOKS_TIMEOUT: Duration = Duration::from_secs(120);

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List all hook files of this repository, in the order in which the hooks run
    List(At),
    /// Show which hooks a call would run, without running them
    Match(CallArguments),
    /// Run the hooks for a call, but not the call itself, and show what they decide
    Test(TestArguments),
    /// Same as `adjutant trust`
    Trust(trust::Arguments),
}

#[derive(Args)]
pub(super) struct CallArguments {
    /// Name the tool as hooks see it: `ci_search`, `Bash`, `mcp__server__tool`
    tool: String,
    /// Set the arguments of the call, as a JSON object
    #[arg(long, default_value = "{}", value_name = "JSON")]
    args: String,
    #[command(flatten)]
    at: At,
}

#[derive(Args)]
pub(crate) struct TestArguments {
    #[command(flatten)]
    call: CallArguments,
    /// Set the result that the after hooks receive
    #[arg(long, default_value = "null", value_name = "JSON")]
    result: String,
}

impl CallArguments {
    fn call(&self) -> Result<ToolCall, Failure> {
        let arguments = parse_arguments(&self.args)?;
        let call = ToolCall::of_client(&self.tool, arguments, Identity::default());
        Ok(ToolCall { timeout: Duration::from_secs(60), ..call })
    }
}

/// Parses the arguments of a tool call.
pub(super) fn parse_arguments(text: &str) -> Result<contract::Arguments, Failure> {
    toolcall::parse_arguments(text).map_err(|error| {
        Failure::usage(error).hint("pass one object, for example `--args '{\"query\": \"retry\"}'`")
    })
}

pub(crate) fn run(command: &Command) -> Result<Exit, Failure> {
    match command {
        Command::List(at) => list::run(at),
        Command::Match(arguments) => show_matching(arguments),
        Command::Test(arguments) => test(arguments),
        Command::Trust(arguments) => trust::run(arguments),
    }
}

fn show_matching(arguments: &CallArguments) -> Result<Exit, Failure> {
    let top = arguments.at.top()?;
    let folders = edge::hook_folders(&edge::environment());
    let found = find_hook_files(&folders, &top, &HookKind::OF_TOOLS);
    let previews = preview(&found, &top, &arguments.call()?);
    let problems = found.iter().filter_map(|found| found.file.as_ref().err());
    let problems: Vec<String> = problems.map(ToString::to_string).collect();
    let hooks: Vec<HookRow<'_>> = previews.iter().map(HookRow::new).collect();
    if arguments.at.json {
        return output::json(&Matches { hooks, problems });
    }
    let columns: &[Column<'_, HookRow<'_>>] = &[
        ("type", true, &|hook| hook.kind.to_owned()),
        ("state", true, &|hook| hook.state.to_owned()),
        ("dialect", true, &|hook| hook.dialect.to_owned()),
        ("matcher", true, &|hook| visible(shown_matcher(hook.matcher))),
        ("command", true, &|hook| visible(hook.command)),
        ("hook", true, &|hook| format!("{} rule {}", relative(hook.path, &top), hook.rule)),
    ];
    Table::of(&hooks, columns).optional(&["dialect"]).print("this call runs no hook");
    problems.iter().for_each(|problem| output::error(&visible(problem)));
    Ok(Exit::SUCCESS)
}

#[derive(Serialize)]
struct Matches<'a> {
    hooks: Vec<HookRow<'a>>,
    problems: Vec<String>,
}

#[derive(Serialize)]
struct HookRow<'a> {
    command: &'a str,
    dialect: &'static str,
    matcher: &'a str,
    path: &'a Path,
    rule: usize,
    scope: &'static str,
    state: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
}

impl<'a> HookRow<'a> {
    fn new(preview: &'a HookPreview) -> Self {
        Self {
            command: &preview.command,
            dialect: preview.dialect.word(),
            matcher: &preview.matcher,
            path: &preview.path,
            rule: preview.rule,
            scope: preview.scope.word(),
            state: preview.fires.word(),
            kind: preview.kind.word(),
        }
    }
}

/// An empty matcher matches every tool.
fn shown_matcher(matcher: &str) -> &str {
    if matcher.is_empty() { "*" } else { matcher }
}

fn test(arguments: &TestArguments) -> Result<Exit, Failure> {
    let result = serde_json::from_str(&arguments.result).map_err(|error| {
        Failure::usage(format!("`--result` is not JSON: {error}"))
            .hint("pass a JSON value, for example `--result '{\"stdout\": \"ok\"}'`")
    })?;
    let call = arguments.call.call()?;
    let context = call_context(arguments.call.at.directory(), Caller::Command)
        .map_err(Failure::configuration)?;
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
        "hooks": tool::hook_runs(&outcome.record), "limits": limits, "notes": outcome.record.notes,
        "reason": verdict.reason, "replacement": verdict.replacement,
        "updated_input": verdict.updated_input, "verdict": verdict.decision,
    })
}
