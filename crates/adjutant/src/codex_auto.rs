//! `codex-auto`: every prompt is briefed and handed to `codex exec`, for codex versions without hooks of their own.

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use clients::Client;
use contract::Limit;
use entry::{BRIEFED, Edge, Format, Invocation};
use process::{Bounds, End, Environment, Program};
use serde_json::Value;

use crate::failure::Failure;
use crate::{edge, output};

/// codex, with a briefing before every prompt.
///
/// With a prompt: one briefed `codex exec`. Without: a loop, one prompt a line, that continues the session.
#[derive(Parser)]
#[command(name = "codex-auto", version)]
struct Arguments {
    /// The prompt; without one, prompts are read line by line
    prompt: Vec<String>,
    /// Print the briefing as JSON 1.0 and start no codex
    #[arg(long)]
    dry_run: bool,
    /// How the loop goes on from one prompt to the next
    #[arg(long, value_enum, value_name = "MODE")]
    session_mode: Option<SessionArgument>,
    /// More arguments for `codex exec`, one each
    #[arg(long = "codex-arg", value_name = "ARG", allow_hyphen_values = true)]
    codex_arguments: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SessionArgument {
    #[value(name = "resume_last", alias = "resume-last")]
    ResumeLast,
    Exec,
}

/// The flags, for completions and man pages.
pub(crate) fn command() -> clap::Command {
    <Arguments as clap::CommandFactory>::command()
}

/// What a loop over prompts keeps.
struct Codex {
    environment: Environment,
    arguments: Vec<String>,
    mode: SessionArgument,
    has_session: bool,
}

#[must_use]
pub fn main() -> ExitCode {
    run(Arguments::parse()).unwrap_or_else(|failure| failure.report())
}

fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let mut environment = edge::environment();
    if arguments.dry_run {
        environment = environment.with("CI_AUTO_TOOLS_DRY_RUN", "1");
    }
    let mode =
        arguments.session_mode.unwrap_or_else(|| match environment.text("CI_CODEX_SESSION_MODE") {
            Some("exec") => SessionArgument::Exec,
            _ => SessionArgument::ResumeLast,
        });
    let word = if mode == SessionArgument::Exec { "exec" } else { "resume_last" };
    environment = environment.with("CI_CODEX_SESSION_MODE", word);
    let is_plan = arguments.dry_run
        || environment.text("CI_AUTO_TOOLS_MODE") == Some("plan")
        || environment.text("CI_AUTO_TOOLS_DRY_RUN") == Some("1");
    let mut codex =
        Codex { environment, arguments: arguments.codex_arguments, mode, has_session: false };
    if !arguments.prompt.is_empty() {
        return codex.prompt(&arguments.prompt.join(" "), is_plan);
    }
    let mut ended = ExitCode::SUCCESS;
    while let Some(prompt) = next_prompt() {
        match prompt.trim() {
            "" => {}
            "/quit" | "/exit" => break,
            text => ended = codex.prompt(text, is_plan)?,
        }
    }
    Ok(ended)
}

fn next_prompt() -> Option<String> {
    if std::io::stdin().is_terminal() {
        let mut stderr = anstream::stderr().lock();
        drop(write!(stderr, "codex-auto> ").and_then(|()| stderr.flush()));
    }
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line),
    }
}

impl Codex {
    fn prompt(&mut self, prompt: &str, is_plan: bool) -> Result<ExitCode, Failure> {
        let (briefing, exit) = self.brief(prompt);
        if is_plan {
            output::data(&serde_json::to_string_pretty(&briefing).unwrap_or_default());
            return Ok(ExitCode::from(exit));
        }
        let text = augmented(prompt, &briefing);
        let resume = self.has_session && self.mode == SessionArgument::ResumeLast;
        let mut end = None;
        if resume && self.can_resume() {
            end = Some(self.start(&["exec", "resume", "--last"], &text)?);
        }
        if resume && end != Some(End::Exited(0)) {
            output::talk(&format!("[Limits] {}", Limit::SessionUnavailable));
            let text = format!("{text}\n[Limits] {}", Limit::SessionUnavailable);
            end = Some(self.start(&["exec"], &text)?);
        }
        let end = match end {
            Some(end) => end,
            None => self.start(&["exec"], &text)?,
        };
        self.has_session = true;
        Ok(match end {
            End::Exited(code) => ExitCode::from(u8::try_from(code).unwrap_or(1)),
            End::Signalled(signal) => ExitCode::from(u8::try_from(128 + signal).unwrap_or(1)),
            End::TimedOut => ExitCode::FAILURE,
        })
    }

    /// Through the entry, like any client: a kernel that fails costs the evidence, not the prompt.
    fn brief(&self, prompt: &str) -> (Value, u8) {
        let invocation = Invocation {
            client: Client::Codex,
            format: Format::Json,
            prompt: Some(prompt.to_owned()),
            file: None,
            line: None,
            function: None,
            with_history: self.has_session,
            analyze_intent: false,
        };
        let edge = Edge {
            environment: self.environment.clone(),
            working_directory: edge::working_directory(),
            program_directory: edge::program_directory(),
            now: edge::now,
            has_hooks: edge::has_hooks,
            trusted_wall_ms: edge::trusted_wall_ms,
            input: Vec::new(),
        };
        let emission = entry::run(&invocation, &edge);
        (serde_json::from_str(&emission.stdout).unwrap_or_default(), emission.exit)
    }

    fn program(&self) -> PathBuf {
        PathBuf::from("codex")
    }

    fn can_resume(&self) -> bool {
        let program = Program::new(self.program(), self.environment.clone())
            .arguments(["exec", "resume", "--help"]);
        let bounds = Bounds {
            deadline: Instant::now() + Duration::from_secs(10),
            stdout_bytes: 64 * 1024,
            stderr_bytes: 1024,
        };
        process::run(&program, &bounds).is_ok_and(|finished| {
            finished.end == End::Exited(0) && finished.stdout.text().contains("--last")
        })
    }

    /// The prompt goes through stdin: an argument may not be longer than 128 KiB, nor look like a flag.
    fn start(&self, command: &[&str], text: &str) -> Result<End, Failure> {
        let environment = self.environment.clone().with(BRIEFED, "1");
        let program = Program::new(self.program(), environment)
            .arguments(command.iter().take(1).copied())
            .arguments(&self.arguments)
            .arguments(command.iter().skip(1).copied())
            .argument("-")
            .stdin(text);
        process::run_attached(&program).map_err(|error| {
            let mut failure =
                Failure::new(format!("{error}: {}", error.source), contract::ExitCode::ToolFailed)
                    .hint("install codex, or see `codex-auto --dry-run` for the briefing alone");
            failure.exit = 127;
            failure
        })
    }
}

/// Evidence first, then the prompt, so that the question is the last thing the model reads.
fn augmented(prompt: &str, briefing: &Value) -> String {
    let text =
        |pointer: &str| briefing.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let context = text("/fused_context/for_model/additional_context");
    let limits = text("/fused_context/for_user/limits_text");
    let mut parts = Vec::new();
    if !context.is_empty() {
        parts.push(context.to_owned());
    } else if !limits.is_empty() {
        parts.push(format!("(Adjutant, run {})\n{limits}", text("/run_id")));
    }
    parts.push(prompt.to_owned());
    parts.join("\n\n")
}
