//! `adjutant hooks`: lists hooks, shows which hooks match a call, and runs them as a test.

use std::path::Path;
use std::process::ExitCode as Exit;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use contract::{ExitCode, ToolDecision};
use serde::Serialize;
use serde_json::{Value, json};
use toolcall::{
    CallIdentity, Caller, CompletedCall, Found, HookAction, HookKind, HookPreview, Rule, ToolCall,
    after_client_call, before_client_call, find_hook_files, preview,
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
        let call = ToolCall::of_client(&self.tool, arguments, CallIdentity::default());
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
        Command::List(at) => list(at),
        Command::Match(arguments) => show_matching(arguments),
        Command::Test(arguments) => test(arguments),
        Command::Trust(arguments) => trust::run(arguments),
    }
}

fn list(at: &At) -> Result<Exit, Failure> {
    let top = at.top()?;
    let found = find_hook_files(&edge::hook_folders(&edge::environment()), &top, &HookKind::ALL);
    if at.json {
        return output::json(&found.iter().map(FileRow::new).collect::<Vec<_>>());
    }
    file_table(&found, &top).print("no hook files");
    Ok(Exit::SUCCESS)
}

/// Returns the state of a hook's action for display. Adjutant runs only hooks for tool calls; a hook file can also
/// contain hooks that only other programs run.
fn state(found: &Found, enabled: bool) -> &'static str {
    match (found.kind.runs_here(), enabled) {
        (false, _) => "not run here",
        (true, false) => "off",
        (true, true) => found.trust.word(),
    }
}

#[derive(Serialize)]
struct FileRow<'a> {
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dialect: Option<&'static str>,
    path: &'a Path,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<Value>>,
    scope: &'static str,
    trust: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
}

impl<'a> FileRow<'a> {
    fn new(found: &'a Found) -> Self {
        let file = found.file.as_ref();
        Self {
            content: found.content.as_ref().map(|content| content.text()),
            dialect: file.ok().map(|file| file.dialect.word()),
            path: &found.path,
            problem: file.err().map(ToString::to_string),
            rules: file.ok().map(|file| file.rules.iter().map(rule_row).collect()),
            scope: found.scope.word(),
            trust: found.trust.word(),
            kind: found.kind.word(),
        }
    }
}

fn rule_row(rule: &Rule) -> Value {
    let action = |action: &HookAction| {
        let timeout_ms = u64::try_from(action.timeout.as_millis()).unwrap_or(u64::MAX);
        json!({
            "command": action.run.text(), "enabled": action.enabled, "timeout_ms": timeout_ms,
        })
    };
    let actions: Vec<Value> = rule.actions.iter().map(action).collect();
    json!({ "actions": actions, "description": rule.description, "matcher": rule.matcher.text() })
}

fn file_table(found: &[Found], top: &Path) -> Table {
    let mut table = Table::new(["type", "scope", "state", "dialect", "matcher", "command", "file"])
        .optional(&["dialect", "scope"]);
    for found in found {
        let mut row = |state: &str, dialect: &str, matcher: &str, command: &str| {
            table.row([
                found.kind.word().to_owned(),
                found.scope.word().to_owned(),
                state.to_owned(),
                dialect.to_owned(),
                visible(matcher),
                visible(command),
                relative(&found.path, top),
            ]);
        };
        let file = match &found.file {
            Ok(file) => file,
            Err(problem) => {
                row("unreadable", "-", "-", &problem.reason);
                continue;
            }
        };
        for rule in &file.rules {
            let matcher = shown_matcher(rule.matcher.text());
            for action in &rule.actions {
                let state = state(found, action.enabled);
                row(state, file.dialect.word(), matcher, &action.run.text());
            }
        }
    }
    table
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
