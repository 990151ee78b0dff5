//! Parses the command line of `codex-auto` and combines it with the environment into settings.

use clap::{Parser, ValueEnum};
use process::Environment;

use crate::edge;
use crate::failure::Failure;
use crate::prompt_briefing::read_prompt;

/// Run codex with a briefing before every prompt.
///
/// With a prompt, run `codex exec` once. Without a prompt, read one prompt per line and send them to one conversation. On a
/// terminal, lines can be edited and recalled; /help lists the commands.
#[derive(Parser)]
#[command(name = "codex-auto", version = crate::VERSION, after_help = AFTER_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is a field")]
pub(super) struct Arguments {
    /// The prompt, or `-` for all of stdin; without a prompt, each line of stdin is a prompt
    prompt: Vec<String>,
    /// Print the briefing as JSON 1.0 without starting codex
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object per prompt with the briefing and the answer
    #[arg(long)]
    json: bool,
    /// Start a new session for every prompt; same as `--session-mode exec`
    #[arg(long, conflicts_with = "session_mode")]
    exec: bool,
    /// Continue the most recent session in this directory (resume_last) or start a session for every prompt (exec)
    #[arg(long, value_enum, value_name = "MODE")]
    session_mode: Option<SessionMode>,
    /// Do not store the history of typed lines
    #[arg(long)]
    no_history: bool,
    /// Pass an argument to `codex exec`; can be repeated
    #[arg(long = "codex-arg", value_name = "ARG", allow_hyphen_values = true)]
    codex_arguments: Vec<String>,
    /// Pass the arguments after `--` to `codex exec`
    #[arg(last = true, value_name = "CODEX ARGUMENTS")]
    rest: Vec<String>,
}

const AFTER_HELP: &str = concat!(
    "\
Sandbox: codex uses its own default: read-only in a repository that it does not know, otherwise the sandbox in your config.toml. `codex-auto -- --sandbox workspace-write` widens it, and codex then records the repository as trusted.

Exit codes: codex's own · 1 codex exited with 0 but without an answer · 2 usage · 10, 20, 30 codex answered, but the briefing failed · 127 codex not found · 130 interrupted. With --dry-run, the exit codes of the briefing.

Environment: CI_CODEX_SESSION_MODE, CI_AUTO_TOOLS… as for the hook; ADJUTANT_CODEX selects another codex; ADJUTANT_HISTORY=off stores no history.

More: ",
    page!("guide/codex-auto.md")
);

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SessionMode {
    #[value(name = "resume_last", alias = "resume-last")]
    ResumeLast,
    Exec,
}

/// The codex session to which the prompts are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Continuity {
    /// The first prompt starts a session, and the other prompts continue it.
    Own,
    /// The first prompt continues the most recent session in this directory.
    Last,
    /// Every prompt starts a new session.
    None,
}

#[expect(clippy::struct_excessive_bools, reason = "most flags are a field")]
pub(super) struct Settings {
    pub(super) environment: Environment,
    pub(super) continuity: Continuity,
    /// Whether to only print the plan for the prompts, without starting codex.
    pub(super) is_plan: bool,
    /// Whether standard output gets one JSON object per prompt.
    pub(super) is_json: bool,
    pub(super) keeps_history: bool,
    pub(super) codex_arguments: Vec<String>,
}

impl Arguments {
    pub(super) fn prompt(&self) -> Result<Option<String>, Failure> {
        if self.prompt.is_empty() { Ok(None) } else { read_prompt(&self.prompt).map(Some) }
    }
}

impl Settings {
    pub(super) fn of(arguments: Arguments, mut environment: Environment) -> Result<Self, Failure> {
        let flag = if arguments.exec { Some(SessionMode::Exec) } else { arguments.session_mode };
        // The plan in a briefing shows the session mode (A32). The kernel reads the mode from the environment, so the
        // flag is also set there.
        if let Some(mode) = flag.and_then(|flag| flag.to_possible_value()) {
            environment = environment.with("CI_CODEX_SESSION_MODE", mode.get_name());
        }
        let continuity = match environment.text("CI_CODEX_SESSION_MODE") {
            Some("exec") => Continuity::None,
            Some("resume_last") => Continuity::Last,
            _ => Continuity::Own,
        };
        if arguments.dry_run {
            environment = environment.with("CI_AUTO_TOOLS_DRY_RUN", "1");
        }
        let is_plan = environment.text("CI_AUTO_TOOLS_MODE") == Some("plan")
            || environment.text("CI_AUTO_TOOLS_DRY_RUN") == Some("1");
        let is_off = edge::is_switched_off(&environment, "ADJUTANT_HISTORY");
        let codex_arguments: Vec<String> =
            arguments.codex_arguments.into_iter().chain(arguments.rest).collect();
        if codex_arguments.iter().any(|word| word == "-" || word == "resume") {
            return Err(Failure::usage("codex-auto passes `-` and `resume` to codex itself")
                .hint("use --session-mode to choose the session"));
        }
        Ok(Self {
            environment,
            continuity,
            is_plan,
            is_json: arguments.json,
            keeps_history: !arguments.no_history && !is_off,
            codex_arguments,
        })
    }
}
