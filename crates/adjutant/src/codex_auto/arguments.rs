//! The command line, and what follows from it and the environment.

use clap::{Parser, ValueEnum};
use process::Environment;

use crate::commands::prompt;
use crate::failure::Failure;

/// Run codex with a briefing before every prompt.
///
/// With a prompt: one briefed `codex exec`. Without: a loop, one prompt a line, in one conversation. On a terminal lines can be
/// edited and recalled; /help lists what else can be typed.
#[derive(Parser)]
#[command(name = "codex-auto", version, after_help = AFTER_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "flags are the vocabulary of a command line")]
pub(super) struct Arguments {
    /// The prompt, or `-` for all of stdin; without one, prompts are read line by line
    prompt: Vec<String>,
    /// Print the briefing as JSON 1.0 and start no codex
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object a prompt: the briefing, and what codex answered
    #[arg(long)]
    json: bool,
    /// Every prompt is a session of its own: `--session-mode exec`
    #[arg(long, conflicts_with = "session_mode")]
    exec: bool,
    /// Continue the last session of this directory (resume_last) or start a session for every prompt (exec)
    #[arg(long, value_enum, value_name = "MODE")]
    session_mode: Option<SessionMode>,
    /// Keep no history of what is typed
    #[arg(long)]
    no_history: bool,
    /// One more argument for `codex exec`; can be given several times
    #[arg(long = "codex-arg", value_name = "ARG", allow_hyphen_values = true)]
    codex_arguments: Vec<String>,
    /// Arguments for `codex exec`
    #[arg(last = true, value_name = "CODEX ARGUMENTS")]
    rest: Vec<String>,
}

const AFTER_HELP: &str = "\
Sandbox: nothing is said to codex about it, so that it does what it does for you anyway: read-only in a repository it does not know, elsewhere what your config.toml says. `codex-auto -- --sandbox workspace-write` widens it, and codex then remembers the repository as trusted.

Exit codes: codex's own · 1 codex ended well but without an answer · 2 usage · 10, 20, 30 codex answered, but there was no briefing · 127 no codex · 130 interrupted. With --dry-run those of the briefing.

Environment: CI_CODEX_SESSION_MODE, CI_AUTO_TOOLS… as for the hook; ADJUTANT_CODEX names another codex; ADJUTANT_HISTORY=off keeps no history.

More: docs/guide/codex-auto.md";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SessionMode {
    #[value(name = "resume_last", alias = "resume-last")]
    ResumeLast,
    Exec,
}

/// How one prompt follows another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Continuity {
    /// The first one begins a session, the others keep to it.
    Own,
    /// The first one goes on with what was last here.
    Last,
    None,
}

/// Who reads stdout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Audience {
    Person,
    Program,
}

/// What was asked for.
pub(super) struct Settings {
    pub(super) environment: Environment,
    pub(super) continuity: Continuity,
    /// Nothing is to be run.
    pub(super) is_plan: bool,
    pub(super) audience: Audience,
    pub(super) keeps_history: bool,
    pub(super) codex_arguments: Vec<String>,
}

impl Arguments {
    pub(super) fn prompt(&self) -> Result<Option<String>, Failure> {
        if self.prompt.is_empty() { Ok(None) } else { prompt(&self.prompt).map(Some) }
    }
}

impl Settings {
    pub(super) fn of(arguments: Arguments, environment: Environment) -> Result<Self, Failure> {
        let flag = if arguments.exec { Some(SessionMode::Exec) } else { arguments.session_mode };
        let continuity = match (flag, environment.text("CI_CODEX_SESSION_MODE")) {
            (Some(SessionMode::Exec), _) | (None, Some("exec")) => Continuity::None,
            (Some(SessionMode::ResumeLast), _) | (None, Some("resume_last")) => Continuity::Last,
            (None, _) => Continuity::Own,
        };
        // What the plan of a briefing says about codex (A32).
        let mut environment = match flag {
            None => environment,
            Some(SessionMode::Exec) => environment.with("CI_CODEX_SESSION_MODE", "exec"),
            Some(SessionMode::ResumeLast) => {
                environment.with("CI_CODEX_SESSION_MODE", "resume_last")
            }
        };
        if arguments.dry_run {
            environment = environment.with("CI_AUTO_TOOLS_DRY_RUN", "1");
        }
        let is_plan = environment.text("CI_AUTO_TOOLS_MODE") == Some("plan")
            || environment.text("CI_AUTO_TOOLS_DRY_RUN") == Some("1");
        let is_off =
            matches!(environment.text("ADJUTANT_HISTORY"), Some("off" | "0" | "false" | "no"));
        let codex_arguments: Vec<String> =
            arguments.codex_arguments.into_iter().chain(arguments.rest).collect();
        if codex_arguments.iter().any(|word| word == "-" || word == "resume") {
            return Err(Failure::new(
                "`-` and `resume` are said to codex by codex-auto itself",
                contract::ExitCode::Usage,
            )
            .hint("use --session-mode to choose the session"));
        }
        Ok(Self {
            environment,
            continuity,
            is_plan,
            audience: if arguments.json { Audience::Program } else { Audience::Person },
            keeps_history: !arguments.no_history && !is_off,
            codex_arguments,
        })
    }
}
