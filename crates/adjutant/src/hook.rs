//! `adjutant-hook`: flags in, one output out. In hook mode nothing that happens here is worse than an empty
//! briefing: a wrong flag, a panic, an unreadable stdin all end in one JSON object and exit code 0.

use std::panic;
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::error::ErrorKind;
use clap::{Parser, ValueEnum};
use clients::{Client, Envelope, Event};
use contract::{ToolDecision, ToolVerdict};
use entry::{Edge, Emission, Format, Invocation};
use serde_json::Value;

use crate::edge::Payload;
use crate::prompt_claim::Claim;
use crate::{edge, output};

/// Brief a coding agent before it answers.
///
/// Reads the client's payload on stdin and prints what the client expects back. Set it as the command of a
/// `UserPromptSubmit` hook to brief every prompt, and of `PreToolUse` and `PostToolUse` hooks to have your own hooks fire
/// around the client's tool calls; see docs/guide.
#[derive(Parser)]
#[command(name = "adjutant-hook", version)]
struct Arguments {
    /// Whose hook is calling; auto goes by the payload
    #[arg(long, value_enum, default_value_t = ClientArgument::Auto)]
    client: ClientArgument,
    /// Print the client's envelope and always exit with 0 (hook), JSON 1.0 (json), or text for a person (text)
    #[arg(long, value_enum, default_value_t = FormatArgument::Hook)]
    format: FormatArgument,
    /// The prompt, instead of a payload on stdin
    #[arg(long, value_name = "TEXT")]
    prompt: Option<String>,
    /// The file the prompt is about
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// The line in that file
    #[arg(long, value_name = "N")]
    line: Option<u64>,
    /// The function the prompt is about
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// The prompt continues an earlier one
    #[arg(long)]
    with_history: bool,
    /// Print the signals found in the prompt and call nothing
    #[arg(long)]
    analyze_intent: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ClientArgument {
    Auto,
    ClaudeCode,
    #[value(alias = "codex-cli")]
    Codex,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatArgument {
    Hook,
    Json,
    Text,
}

/// The flags, for completions and man pages.
pub(crate) fn command() -> clap::Command {
    <Arguments as clap::CommandFactory>::command()
}

/// What the payload is about, once it was read: stdin cannot be read twice.
static EVENT: OnceLock<Option<Event>> = OnceLock::new();

#[must_use]
pub fn main() -> ExitCode {
    // The default hook prints a backtrace; one line of talk is enough for a log.
    panic::set_hook(Box::new(|panicked| output::talk(&format!("adjutant-hook: {panicked}"))));
    let arguments: Vec<_> = std::env::args_os().collect();
    let for_client = !asks_for_another_format(&arguments);
    let emission = panic::catch_unwind(|| match Arguments::try_parse_from(&arguments) {
        Ok(arguments) => Ok(answer(arguments)),
        Err(error) => Err(error),
    });
    let emission = match emission {
        Ok(Ok(emission)) => emission,
        Ok(Err(error))
            if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) =>
        {
            output::data(&error.render().ansi().to_string());
            return ExitCode::SUCCESS;
        }
        Ok(Err(error)) => {
            output::talk(&error.render().ansi().to_string());
            excuse(for_client, contract::ExitCode::Usage)
        }
        Err(_) => excuse(for_client, contract::ExitCode::KernelUnavailable),
    };
    output::data(&emission.stdout);
    ExitCode::from(emission.exit)
}

fn answer(arguments: Arguments) -> Emission {
    // With a prompt on the command line a stdin that never ends must not be waited for.
    let needs_input =
        arguments.prompt.is_none() && arguments.file.is_none() && arguments.function.is_none();
    let payload = if needs_input { edge::read_payload() } else { Ok(Payload::default()) };
    let payload = payload.unwrap_or_else(|error| {
        output::talk(&format!("adjutant-hook: {error}"));
        Payload { bytes: b"unreadable".to_vec(), incomplete: None }
    });
    // Nobody has set it before: there is one payload.
    let _first = EVENT.set(event(&payload));
    let Payload { bytes: input, incomplete } = payload;
    let invocation = invocation(arguments, &input);
    let edge = Edge {
        environment: edge::environment(),
        working_directory: edge::working_directory(),
        program_directory: edge::program_directory(),
        now: edge::now,
        has_hooks: edge::has_hooks,
        trusted_wall_ms: edge::trusted_wall_ms,
        input,
        incomplete,
    };
    let is_prompt = !matches!(EVENT.get(), Some(Some(Event::Tool(_) | Event::Other)));
    match invocation.format {
        Format::Hook if is_prompt => once(&invocation, &edge),
        Format::Hook | Format::Json | Format::Text => entry::run(&invocation, &edge),
    }
}

fn event(payload: &Payload) -> Option<Event> {
    match &payload.incomplete {
        Some(incomplete) => incomplete.event.or(Some(Event::Other)),
        None => clients::event(&payload.bytes),
    }
}

fn invocation(arguments: Arguments, input: &[u8]) -> Invocation {
    Invocation {
        client: match arguments.client {
            ClientArgument::Auto => clients::caller(input),
            ClientArgument::ClaudeCode => Client::ClaudeCode,
            ClientArgument::Codex => Client::Codex,
        },
        format: match arguments.format {
            FormatArgument::Hook => Format::Hook,
            FormatArgument::Json => Format::Json,
            FormatArgument::Text => Format::Text,
        },
        prompt: arguments.prompt,
        file: arguments.file,
        line: arguments.line,
        function: arguments.function,
        with_history: arguments.with_history,
        analyze_intent: arguments.analyze_intent,
    }
}

/// Briefs a prompt unless another hook of ours does.
fn once(invocation: &Invocation, edge: &Edge) -> Emission {
    let marks = edge::state_directory(&edge.environment).map(|folder| folder.join("prompts"));
    let identity = clients::prompt_identity(&edge.input);
    let Some(claim) = Claim::make(marks.as_deref(), identity.as_deref(), edge::clock()) else {
        let stdout = invocation.client.envelope(&Envelope::default());
        return Emission { stdout, exit: 0 };
    };
    let emission = entry::run(invocation, edge);
    let printed: Value = serde_json::from_str(&emission.stdout).unwrap_or_default();
    let context = printed["hookSpecificOutput"]["additionalContext"].as_str();
    if context.unwrap_or_default().is_empty() {
        claim.give_back();
    }
    emission
}

/// Before the flags are understood: whoever does not name another format is taken for a client.
fn asks_for_another_format(arguments: &[std::ffi::OsString]) -> bool {
    let arguments: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let named = arguments
        .windows(2)
        .any(|pair| pair[0] == "--format" && matches!(pair[1].as_ref(), "json" | "text"));
    named
        || arguments
            .iter()
            .any(|argument| matches!(argument.as_ref(), "--format=json" | "--format=text"))
}

fn excuse(for_client: bool, exit: contract::ExitCode) -> Emission {
    if for_client {
        Emission { stdout: excuse_for_client(), exit: 0 }
    } else {
        Emission { stdout: String::new(), exit: exit.number() }
    }
}

/// A prompt goes on without a briefing. A tool call does not go on without its hooks: the user is asked, or, by the words
/// that both clients understand, it is refused.
fn excuse_for_client() -> String {
    let read = || edge::read_payload().ok().and_then(|payload| event(&payload));
    let reason = "adjutant-hook was started with flags it does not know, or crashed";
    let message = format!("Adjutant: nothing injected · [Limits] {reason}");
    match *EVENT.get_or_init(read) {
        Some(Event::Other) => Client::ClaudeCode.answer_without_event(Some(&message)),
        None | Some(Event::Prompt) => {
            Client::ClaudeCode.envelope(&Envelope { message: Some(message), ..Envelope::default() })
        }
        Some(Event::Tool(moment)) => {
            let mut verdict = ToolVerdict::unknown(moment, reason);
            if verdict.decision == ToolDecision::Ask {
                verdict.decision = ToolDecision::Block;
            }
            Client::Codex.tool_envelope(moment, &Value::Null, &verdict)
        }
    }
}
