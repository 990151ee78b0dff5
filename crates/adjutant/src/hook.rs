//! `adjutant-hook`: reads a client's payload and prints the output that the client expects.
//!
//! In hook mode, errors do not fail the hook: after a wrong flag, a panic or unreadable standard input, the hook prints
//! one JSON object and exits with 0.

use std::ffi::OsString;
use std::panic;
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::Parser;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clients::hook::{self, Emission, Format, HookHost, Invocation, SubAgentTask};
use clients::{CLIENTS, Client, Envelope, Event, Input, Payload, PayloadError};
use contract::{ClientName, ToolDecision, ToolMoment, ToolVerdict};
use process::Environment;

use crate::commands::{orchestrate, tool_event};
use crate::prompt_claim::Claim;
use crate::{edge, output};

/// Brief a coding agent before it answers.
///
/// Reads the client's payload on stdin and prints the response that the client expects. Set it as the command of a
/// `UserPromptSubmit` hook to add a briefing to every prompt, and of `PreToolUse` and `PostToolUse` hooks to run your
/// own hooks around the client's tool calls. `adjutant install` does both.
#[derive(Parser)]
#[command(name = "adjutant-hook", version = crate::VERSION)]
#[expect(clippy::struct_excessive_bools, reason = "one field per flag")]
struct Arguments {
    /// Name the client that calls the hook; auto detects the client from the payload
    #[arg(long, value_parser = client_or_auto(), default_value = "auto")]
    client: ClientArgument,
    /// Set the output format: `hook` prints the client's envelope and always exits with 0, `json` prints JSON 1.0, `text` prints human-readable text
    #[arg(long, value_parser = format(), default_value = "hook")]
    format: Format,
    /// Use this prompt instead of a payload on stdin
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,
    /// Name the file that the prompt is about
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// Name the line in the file given with `--file`
    #[arg(long, value_name = "N")]
    line: Option<u64>,
    /// Name the function that the prompt is about
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Treat the prompt as the continuation of an earlier prompt
    #[arg(long)]
    with_history: bool,
    /// Print what was detected in the prompt, without calling a tool
    #[arg(long)]
    analyze_intent: bool,
    /// For a hook before tool calls: brief the tasks of sub-agents, and do not run your own hooks
    #[arg(long)]
    sub_agents: bool,
}

/// The client named on the command line. `None` for `auto`.
#[derive(Clone, Copy)]
struct ClientArgument(Option<&'static dyn Client>);

fn client_or_auto() -> impl TypedValueParser<Value = ClientArgument> {
    let values = std::iter::once(PossibleValue::new("auto")).chain(client_values());
    PossibleValuesParser::new(values).map(|word| ClientArgument(named_client(&word)))
}

pub(crate) fn client_values() -> impl Iterator<Item = PossibleValue> {
    CLIENTS.into_iter().map(|client| {
        let names = client.names();
        PossibleValue::new(names.word).alias(names.published.word())
    })
}

pub(crate) fn named_client(word: &str) -> Option<&'static dyn Client> {
    let is_named = |names: &clients::Names| [names.word, names.published.word()].contains(&word);
    CLIENTS.into_iter().find(|client| is_named(client.names()))
}

fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(["hook", "json", "text"]).map(|word| match word.as_str() {
        "json" => Format::Json,
        "text" => Format::Text,
        _ => Format::Hook,
    })
}

/// Returns the clap command, for completions and manual pages.
pub(crate) fn command() -> clap::Command {
    <Arguments as clap::CommandFactory>::command()
}

/// The payload's event. It is stored because standard input cannot be read again after a panic.
static EVENT: OnceLock<Option<Event>> = OnceLock::new();

#[must_use]
pub fn main() -> ExitCode {
    // The kernel is this same program in another process. The program is small, so the process starts fast, and a
    // failure of the kernel does not affect the client.
    match edge::command_line().iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["orchestrate"] => return orchestrate::run(),
        ["tool", "event"] => return tool_event().unwrap_or_else(|failure| failure.report()),
        _ => {}
    }
    // The default panic hook prints several lines. This one prints a single line for the log.
    panic::set_hook(Box::new(|panicked| output::talk(&format!("adjutant-hook: {panicked}"))));
    let arguments: Vec<_> = std::env::args_os().collect();
    let emission = panic::catch_unwind(|| Arguments::try_parse_from(&arguments).map(answer));
    let formats = values_of(&arguments, "--format");
    let is_for_client = !formats.iter().any(|format| matches!(format.as_str(), "json" | "text"));
    let emission = match emission {
        Ok(Ok(emission)) => emission,
        Ok(Err(error)) if !error.use_stderr() => {
            output::data(&error.render().ansi().to_string());
            return ExitCode::SUCCESS;
        }
        Ok(Err(error)) => {
            output::talk(&error.render().ansi().to_string());
            failure(is_for_client, contract::ExitCode::Usage, &arguments)
        }
        Err(_) => failure(is_for_client, contract::ExitCode::KernelUnavailable, &arguments),
    };
    output::data(&emission.stdout);
    ExitCode::from(emission.exit)
}

fn answer(arguments: Arguments) -> Emission {
    let ClientArgument(client) = arguments.client;
    // Standard input is not read if the command line contains the prompt, because it may stay open.
    let needs_input =
        arguments.prompt.is_none() && arguments.file.is_none() && arguments.function.is_none();
    let environment = edge::environment();
    let input =
        if needs_input { read_input(client, &environment) } else { Input::read(client, b"") };
    let _first = EVENT.set(input.event);
    let host = edge::hook_host(environment);
    let is_for_tasks = arguments.sub_agents;
    let invocation = Invocation {
        format: arguments.format,
        prompt: arguments.prompt,
        file: arguments.file,
        line: arguments.line,
        function: arguments.function,
        with_history: arguments.with_history,
        analyze_intent: arguments.analyze_intent,
    };
    match (input.event, invocation.format) {
        // The payload may be broken. Only the user's hooks, which this hook does not run, could reject the call.
        (_, _) if is_for_tasks && !input.starts_sub_agent() => no_verdict(&input),
        (Some(Event::Tool(moment)), format) => {
            let directory = input.payload.as_ref().ok().and_then(|payload| payload.cwd.as_deref());
            let has_hooks = !is_for_tasks && edge::has_hooks(&host.environment, directory);
            answer_tool_event(format, input, moment, has_hooks, &host)
        }
        (None | Some(Event::Prompt), Format::Hook) => once(&invocation, input, &host),
        (_, _) => hook::run(&invocation, input, &host),
    }
}

fn read_input(client: Option<&'static dyn Client>, environment: &Environment) -> Input {
    edge::read_input(client, environment).unwrap_or_else(|error| {
        output::talk(&format!("adjutant-hook: {error}"));
        let error = PayloadError::NotAPayload(format!("cannot read stdin: {error}"));
        Input { payload: Err(error), ..Input::read(client, b"") }
    })
}

/// Returns the output after which the client runs the tool call as if there were no hook.
fn no_verdict(input: &Input) -> Emission {
    let stdout = input.client.tool_output(ToolMoment::Before, None, &ToolVerdict::default());
    Emission { stdout, exit: 0, has_context: false }
}

/// Runs the user's hooks for a tool call. The task of a sub-agent gets a briefing, unless another Adjutant hook already
/// adds it.
fn answer_tool_event(
    format: Format,
    input: Input,
    moment: ToolMoment,
    has_hooks: bool,
    host: &HookHost,
) -> Emission {
    let claim = input.starts_sub_agent().then(|| claim(&input, host)).flatten();
    let task = if claim.is_some() { SubAgentTask::Brief } else { SubAgentTask::Leave };
    let emission = hook::run_tool_event(format, input, moment, has_hooks, task, host);
    if let Some(claim) = claim.filter(|_| !emission.has_context) {
        claim.release();
    }
    emission
}

/// Claims the prompt or the tool call. Returns `None` if another Adjutant hook is already handling it.
fn claim(input: &Input, host: &HookHost) -> Option<Claim> {
    let folder = edge::state_directory(&host.environment).map(|folder| folder.join("prompts"));
    let identity = input.payload.as_ref().ok().and_then(Payload::identity);
    Claim::make(folder.as_deref(), identity.as_deref(), edge::clock())
}

/// Outputs a briefing for the prompt, or nothing if another Adjutant hook is already handling the same prompt.
fn once(invocation: &Invocation, input: Input, host: &HookHost) -> Emission {
    let Some(claim) = claim(&input, host) else {
        let stdout = input.client.prompt_output(&Envelope::default());
        return Emission { stdout, exit: 0, has_context: false };
    };
    let emission = hook::run(invocation, input, host);
    if !emission.has_context {
        claim.release();
    }
    emission
}

/// Returns the values that the arguments give to a flag. The other arguments may be invalid.
fn values_of(arguments: &[OsString], flag: &str) -> Vec<String> {
    let arguments: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let assigned =
        arguments.iter().filter_map(|argument| argument.strip_prefix(flag)?.strip_prefix('='));
    let next = arguments.windows(2).filter(|pair| pair[0] == flag).map(|pair| &*pair[1]);
    assigned.chain(next).map(str::to_owned).collect()
}

/// Returns the hook's output after invalid flags or a panic.
fn failure(is_for_client: bool, exit: contract::ExitCode, arguments: &[OsString]) -> Emission {
    let client = values_of(arguments, "--client").iter().find_map(|word| named_client(word));
    let is_for_tasks = arguments.iter().any(|argument| argument == "--sub-agents");
    let (stdout, exit) = match is_for_client {
        // The client then starts the sub-agent without a briefing.
        true if is_for_tasks => (client.unwrap_or(CLIENTS[0]).other_output(None), 0),
        true => (failure_output(client), 0),
        false => (String::new(), exit.number()),
    };
    Emission { stdout, exit, has_context: false }
}

/// Returns the output for a hook that failed to start or crashed. A prompt continues without a briefing; a tool call is
/// denied, because the user's hooks did not run. If the client is unknown, the output uses a format that Claude Code
/// and Codex understand.
fn failure_output(client: Option<&'static dyn Client>) -> String {
    let read = || edge::read_input(client, &edge::environment()).ok().and_then(|input| input.event);
    let speaker = client.unwrap_or(CLIENTS[0]);
    let reason = "adjutant-hook was started with unknown flags, or crashed";
    let message = format!("Adjutant: nothing injected · [Limits] {reason}");
    match *EVENT.get_or_init(read) {
        Some(Event::Other) => speaker.other_output(Some(&message)),
        None | Some(Event::Prompt) => {
            let envelope = Envelope { message: Some(message), ..Envelope::default() };
            speaker.prompt_output(&envelope)
        }
        Some(Event::Tool(moment)) => {
            let mut verdict = ToolVerdict::unknown(moment, reason);
            if verdict.decision == ToolDecision::Ask {
                verdict.decision = ToolDecision::Block;
            }
            let codex = || clients::client(&ClientName::CODEX_CLI);
            client.unwrap_or_else(codex).tool_output(moment, None, &verdict)
        }
    }
}
