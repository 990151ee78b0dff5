//! `adjutant tool`: lists the tools, and calls one of them.

use std::path::PathBuf;
use std::process::ExitCode as Exit;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use contract::{Arguments, ExitCode, ToolEvent, ToolMoment};
use kernel::RepoTools;
use policy::{Argument, OwnTool, RepositoryConfig, Settings, TOOLS, Tool};
use serde_json::{Value, json};
use strsim::levenshtein;
use toolcall::{
    CallIdentity, CallStatus, Caller, HookRun, Record, ToolCall, after_client_call,
    before_client_call,
};

use super::hooks::parse_arguments;
use super::orchestrate::{call_context, host};
use super::repository::At;
use super::table::Table;
use crate::failure::Failure;
use crate::{edge, output};

/// The default timeout of a call. It is longer than the budget of a prompt, because a user waits for the result.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// The timeout for the user's hooks. It is shorter than the time that `adjutant-hook` waits for the verdict.
const HOOKS_TIMEOUT: Duration = Duration::from_secs(50);

/// The maximum number of letters by which a suggested name may differ from the unknown name.
const MAX_DISTANCE: usize = 3;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the tools, their arguments and limits
    List(At),
    /// Call one tool with its hooks, and print the result, the `[Limits]` messages and the record as JSON
    ///
    /// An unknown tool is an error; with `--json`, it is a result with the status `skipped`.
    #[command(verbatim_doc_comment)]
    Call(CallArguments),
    /// Read the event of a client's hook from stdin and print the verdict
    #[command(hide = true)]
    Event,
}

#[derive(Args)]
pub(crate) struct CallArguments {
    /// Name the tool as `adjutant tool list` shows it
    tool: String,
    /// Set the arguments of the call, as a JSON object
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
        Command::Event => event(),
    }
}

/// Lists the built-in tools and the tools that a trusted configuration defines.
fn list(at: &At) -> Result<Exit, Failure> {
    let own = own_tools(at)?;
    if at.json {
        let tools = TOOLS.iter().map(tool_row).chain(own.iter().map(own_tool_row));
        return output::json(&tools.collect::<Vec<_>>());
    }
    table(&own).print_rows();
    Ok(Exit::SUCCESS)
}

/// Returns the tools that a trusted configuration defines.
fn own_tools(at: &At) -> Result<Vec<OwnTool>, Failure> {
    let environment = edge::environment();
    let config = RepositoryConfig::read(&at.place()?.root, &edge::trust_store(&environment));
    let config = config.unwrap_or_default();
    let lookup = |name: &str| environment.text(name).map(str::to_owned);
    Ok(Settings::resolve(&lookup, &config.file, config.trust).own_tools)
}

/// Returns an error if there is no tool with this name.
fn check_name(name: &str, at: &At) -> Result<(), Failure> {
    let own = own_tools(at)?;
    let own = own.iter().map(|tool| tool.name.as_str());
    let known: Vec<&str> = TOOLS.iter().map(|tool| tool.name).chain(own).collect();
    if known.contains(&name) {
        return Ok(());
    }
    let nearest = known.iter().map(|known| (levenshtein(name, known), *known)).min();
    let suggestion = match nearest {
        Some((apart, near)) if apart <= MAX_DISTANCE => format!("did you mean `{near}`? "),
        _ => String::new(),
    };
    let failure = Failure::not_found(format!("unknown tool `{name}`"));
    Err(failure.hint(format!("{suggestion}`adjutant tool list` lists the tools")))
}

fn call(arguments: &CallArguments) -> Result<Exit, Failure> {
    let tools = RepoTools::open(host(arguments.at.directory()), Caller::Command)
        .map_err(Failure::configuration)?;
    if !arguments.at.json {
        check_name(&arguments.tool, &arguments.at)?;
    }
    let timeout = Duration::from_millis(arguments.timeout);
    let call = ToolCall {
        tool: arguments.tool.clone(),
        arguments: parse_arguments(&arguments.args)?,
        timeout,
        identity: CallIdentity::default(),
    };
    let outcome = tools.call(&call, String::new(), timeout).map_err(Failure::configuration)?;
    let limits: Vec<String> = outcome.limits.iter().map(ToString::to_string).collect();
    let record = record_as_json(&outcome.record);
    let printed = output::pretty_json(
        &json!({ "limits": limits, "record": record, "result": outcome.result }),
    )?;
    Ok(match outcome.record.status {
        CallStatus::Ok => printed,
        CallStatus::Timeout => Exit::from(ExitCode::BudgetExceeded.number()),
        CallStatus::Error | CallStatus::Skipped | CallStatus::Blocked => {
            Exit::from(ExitCode::ToolFailed.number())
        }
    })
}

fn record_as_json(record: &Record) -> Value {
    let Record { status, arguments, notes, .. } = record;
    json!({
        "arguments": arguments, "hooks": hook_runs(record), "notes": notes, "status": status.word(),
    })
}

/// Describes the hooks that ran for a call.
pub(super) fn hook_runs(record: &Record) -> Value {
    let rows = record.hooks.iter().map(|HookRun { hook, exit, duration_ms, bytes, cut }| {
        json!({
            "bytes": bytes, "cut": cut, "duration_ms": duration_ms, "exit": exit, "hook": hook,
        })
    });
    rows.collect()
}

/// Runs the user's hooks for a client's tool call. Reads the event from stdin and prints the verdict.
pub(crate) fn event() -> Result<Exit, Failure> {
    let input =
        edge::read_stdin().map_err(|error| Failure::configuration(format!("stdin: {error}")))?;
    let event: ToolEvent = serde_json::from_slice(&input)
        .map_err(|error| Failure::configuration(format!("stdin is not a tool event: {error}")))?;
    let identity = CallIdentity {
        tool_use_id: event.tool_use_id,
        session_id: event.session_id,
        agent_id: event.agent_id,
        client_tool_name: None,
    };
    let call =
        ToolCall::of_client(&event.tool, Arguments::from_client_input(event.input), identity);
    let caller = Caller::Client(event.client);
    let context =
        call_context(event.cwd.map(PathBuf::from), caller).map_err(Failure::configuration)?;
    let deadline = Instant::now() + HOOKS_TIMEOUT;
    let after = |result| after_client_call(&context, &call, result, deadline);
    let completed = match event.moment {
        ToolMoment::Before => before_client_call(&context, &call, deadline),
        ToolMoment::After => after(Ok(event.response)),
        ToolMoment::Failed => after(Err(event.error.unwrap_or_default())),
    };
    output::data(&serde_json::to_string(&completed.verdict).unwrap_or_default());
    Ok(Exit::SUCCESS)
}

fn tool_row(tool: &Tool) -> Value {
    let argument = |argument: &Argument| match *argument {
        Argument::Number { key, default, max } => {
            json!({ "default": default, "key": key, "max": max, "type": "number" })
        }
        Argument::Text { key, .. } => json!({ "key": key, "type": "text" }),
    };
    let arguments: Vec<Value> = tool.arguments.iter().map(argument).collect();
    let Tool { name, tier, timeout_ms, .. } = tool;
    json!({ "arguments": arguments, "tier": tier, "timeout_ms": timeout_ms, "tool": name })
}

fn own_tool_row(tool: &OwnTool) -> Value {
    let OwnTool { name, tier, timeout_ms, command, .. } = tool;
    json!({
        "arguments": [], "command": command, "tier": tier, "timeout_ms": timeout_ms, "tool": name,
    })
}

fn table(own: &[OwnTool]) -> Table {
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
    table
}
