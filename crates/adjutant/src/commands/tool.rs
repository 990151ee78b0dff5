//! `adjutant tool`: lists the tools, and calls one of them.

mod event;

use std::process::ExitCode as Exit;
use std::time::Duration;

use clap::{Args, Subcommand};
use contract::ExitCode;
use kernel::RepoTools;
use policy::{Argument, OwnTool, RepositoryConfig, Settings, TOOLS, Tool};
use serde_json::{Value, json};
use toolcall::{CallStatus, Caller, Identity, Outcome, ToolCall};

use super::hooks::parse_arguments;
use super::orchestrate::host;
use super::record;
use super::repository::At;
use super::table::Table;
use crate::failure::Failure;
use crate::{edge, output};

/// Longer than the budget of a prompt, because a person waits for the result.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the tools, their arguments and limits
    List(At),
    /// Call one tool with its hooks, and print the result, the limits and the record as JSON
    Call(CallArguments),
    /// Read the event of a client's hook on stdin and print the verdict
    #[command(hide = true)]
    Event,
}

#[derive(Args)]
pub(crate) struct CallArguments {
    /// Name the tool as `adjutant tool list` shows it
    tool: String,
    /// Set its arguments, a JSON object
    #[arg(long, default_value = "{}", value_name = "JSON")]
    args: String,
    /// Limit the time of the call and its hooks, in milliseconds
    #[arg(long, default_value_t = DEFAULT_TIMEOUT.as_millis() as u64, value_name = "MS")]
    timeout: u64,
    #[command(flatten)]
    at: At,
}

pub(crate) fn run(command: &Command) -> Result<Exit, Failure> {
    match command {
        Command::List(at) => list(at),
        Command::Call(arguments) => call(arguments),
        Command::Event => event::run(),
    }
}

/// Lists the built-in tools and those that a trusted configuration adds.
fn list(at: &At) -> Result<Exit, Failure> {
    let environment = edge::environment();
    let config = RepositoryConfig::read(&at.place()?.root, &edge::trust_store(&environment));
    let config = config.unwrap_or_default();
    let lookup = |name: &str| environment.text(name).map(str::to_owned);
    let own = Settings::resolve(&lookup, &config.file, config.trust).own_tools;
    if at.json {
        let tools = TOOLS.iter().map(as_json).chain(own.iter().map(own_as_json));
        output::data(&Value::from(tools.collect::<Vec<_>>()).to_string());
    } else {
        output::data(&table(&own));
    }
    Ok(Exit::SUCCESS)
}

fn own_as_json(tool: &OwnTool) -> Value {
    json!({
        "tool": tool.name, "tier": tool.tier, "timeout_ms": tool.timeout_ms, "arguments": [],
        "command": tool.command,
    })
}

fn call(arguments: &CallArguments) -> Result<Exit, Failure> {
    let configuration = |error| Failure::new(error, ExitCode::Configuration);
    let tools =
        RepoTools::open(host(arguments.at.directory()), Caller::Command).map_err(configuration)?;
    let timeout = Duration::from_millis(arguments.timeout);
    let call = ToolCall {
        tool: arguments.tool.clone(),
        arguments: parse_arguments(&arguments.args)?,
        timeout,
        identity: Identity::default(),
    };
    let outcome = tools.call(&call, String::new(), timeout).map_err(configuration)?;
    output::data(&serde_json::to_string_pretty(&outcome_json(&outcome)).unwrap_or_default());
    Ok(match outcome.record.status {
        CallStatus::Ok => Exit::SUCCESS,
        CallStatus::Timeout => Exit::from(ExitCode::BudgetExceeded.number()),
        CallStatus::Error | CallStatus::Skipped | CallStatus::Blocked => {
            Exit::from(ExitCode::ToolFailed.number())
        }
    })
}

fn outcome_json(outcome: &Outcome) -> Value {
    json!({
        "result": outcome.result,
        "limits": outcome.limits.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "record": record::record(&outcome.record),
    })
}

fn as_json(tool: &Tool) -> Value {
    let arguments = tool.arguments.iter().map(|argument| match *argument {
        Argument::Number { key, default, max } => {
            json!({ "key": key, "type": "number", "default": default, "max": max })
        }
        Argument::Text { key, .. } => json!({ "key": key, "type": "text" }),
    });
    json!({
        "tool": tool.name, "tier": tool.tier, "timeout_ms": tool.timeout_ms,
        "arguments": arguments.collect::<Vec<_>>(),
    })
}

fn table(own: &[OwnTool]) -> String {
    let mut table = Table::new(["tool", "tier", "ms", "arguments"]);
    for tool in &TOOLS {
        let arguments: Vec<String> = tool
            .arguments
            .iter()
            .map(|argument| match *argument {
                Argument::Number { key, max, .. } => format!("{key} (1 to {max})"),
                Argument::Text { key, .. } => key.to_owned(),
            })
            .collect();
        table.row([
            tool.name.to_owned(),
            tool.tier.to_string(),
            tool.timeout_ms.to_string(),
            arguments.join(", "),
        ]);
    }
    for tool in own {
        let command = format!("runs `{}`", guard::neutralise(&tool.command.join(" ")));
        let numbers = (tool.tier.to_string(), tool.timeout_ms.to_string());
        table.row([tool.name.clone(), numbers.0, numbers.1, command]);
    }
    table.text("")
}
