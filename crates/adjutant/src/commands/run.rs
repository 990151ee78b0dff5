//! `adjutant run`: runs codex unattended in the foreground and exits with its exit code. The other commands that describe a
//! run share its flags, its folders, its preview and its hooks.

mod flags;
mod pieces;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Arg, ArgAction, Args};
use contract::{ToolDecision, ToolVerdict};
use policy::{Bypass, Effective, Sandbox};
use process::Environment;
use runs::{
    Continues, Meta, Origin, Preview, RunCall, RunError, RunHooks, RunHost, RunOutcome,
    SessionState, Sessions, Spec, TOOL,
};
use serde_json::json;
use toolcall::{
    CallIdentity, Caller, ToolCall, ToolContext, after_client_call, before_client_call,
};

use super::orchestrate::call_context;
use crate::failure::Failure;
use crate::{edge, output, prompt_briefing, signals};

pub(super) use flags::{OrderArguments, RunFlags};

#[derive(Args)]
#[command(
    after_help = AFTER_HELP,
    disable_help_flag = true,
    mut_args(|argument| short_help(argument, &["dry_run", "json"]))
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    flags: RunFlags,
    /// Print only the metadata of the run, as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    help: HelpFlags,
}

const AFTER_HELP: &str = concat!(
    "\
Example:
  adjutant run \"fix parse_amount and its tests\" --sandbox workspace-write --timeout 30m

Exit codes: codex's own · 2 usage · 20 the record cannot be written · 40 blocked by a hook · 124 timeout · 126 codex cannot be used · 127 codex not found · 130/143 stopped.
Orders, files and environment: ",
    page!("guide/unattended.md")
);

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let environment = edge::environment();
    let (spec, host) = described(&arguments.flags, Origin::Run, |_| Ok(None))?;
    if arguments.flags.is_preview(&environment) {
        return preview(&spec, &host, arguments.json);
    }
    let outcome = carry_out(&spec, &host, arguments.json)?;
    report(&outcome, arguments.json);
    Ok(ExitCode::from(u8::try_from(outcome.exit_code).unwrap_or(1)))
}

/// Describes the run that the user asks for on the command line. `earlier` returns the session that it continues.
pub(super) fn described(
    flags: &RunFlags,
    origin: Origin,
    earlier: impl FnOnce(&Sessions) -> Result<Option<(Continues, SessionState)>, Failure>,
) -> Result<(Spec, RunHost), Failure> {
    let environment = edge::environment();
    let sessions = sessions_root(&environment, flags.log_dir.as_deref())?;
    let host = run_host_at(&environment, sessions);
    let earlier = earlier(&Sessions::at(&host.sessions))?;
    let here = edge::directory_or_here(None);
    let mut spec = flags.request().describe_for_user(origin, earlier, &here, &host)?;
    spec.command_line = edge::command_line();
    for file in &spec.instructions.left_out {
        output::talk(&format!("warning: not read: {file}"));
    }
    Ok((spec, host))
}

fn carry_out(spec: &Spec, host: &RunHost, is_quiet: bool) -> Result<RunOutcome, RunError> {
    let switch = signals::stop_on_signals();
    let checked = runs::check(spec, host)?;
    warn(&checked.warnings);
    let is_default = checked.orders.requested.sandbox.is_none();
    if is_default && checked.orders.effective.sandbox == Sandbox::ReadOnly && !is_quiet {
        output::talk(
            "sandbox: read-only, the default; `--sandbox workspace-write` allows changes to files",
        );
    }
    let hooks = RepositoryHooks { directory: Some(spec.directory.clone()) };
    runs::exec_checked(spec, &checked, host, &switch, &hooks, &mut |line| {
        if !is_quiet {
            output::talk(line);
        }
    })
}

pub(super) fn warn(warnings: &[String]) {
    for warning in warnings {
        output::talk(&format!("warning: {warning}"));
    }
}

fn report(outcome: &RunOutcome, as_json: bool) {
    let meta = &outcome.meta;
    if as_json {
        output::data(&serde_json::to_string_pretty(meta).unwrap_or_default());
        return;
    }
    let message = outcome.session.last_message_text(meta.iteration);
    if !message.is_empty() {
        output::data(&message);
    }
    output::talk(&format!(
        "{} · {} · exit code {} · {}",
        meta.session, meta.classification, meta.exit_code, meta.reason
    ));
    output::talk(&format!("log: {}", meta.log_file));
    for problem in &meta.record_problems {
        output::talk(&format!("warning: the record is incomplete: {problem}"));
    }
}

/// Checks the run and prints its command line, its sandbox and the text for the agent.
pub(super) fn preview(spec: &Spec, host: &RunHost, as_json: bool) -> Result<ExitCode, Failure> {
    let checked = runs::check(spec, host)?;
    let preview = checked.preview(spec).map_err(RunError::from)?;
    if as_json {
        return output::json(&preview);
    }
    output::data(&as_text(&preview));
    Ok(ExitCode::SUCCESS)
}

fn as_text(preview: &Preview) -> String {
    let words = preview.command.iter().map(String::as_str);
    let mut lines = vec![
        format!("command    {}", shlex::try_join(words).unwrap_or_default()),
        format!("directory  {}", preview.directory.display()),
        format!("sandbox    {}", order_words(preview.effective.orders)),
    ];
    let roots = preview.effective.writable_roots.iter();
    lines.extend(roots.map(|root| format!("writable   {}", root.display())));
    lines.extend(preview.reasons.iter().map(|reason| format!("because    {reason}")));
    lines.push(format!("\n{}", preview.instructions));
    lines.join("\n")
}

/// Describes the orders of a run after the word `sandbox`.
pub(super) fn order_words(orders: Effective) -> String {
    let Effective { sandbox, approval, network, bypass } = orders;
    let bypass = yes_or_no(bypass);
    format!("{sandbox} · approval {approval} · network {} · bypass {bypass}", network.word())
}

pub(super) fn yes_or_no(bypass: Bypass) -> &'static str {
    match bypass {
        Bypass::No => "no",
        Bypass::Yes => "yes",
    }
}

/// Returns the directory in which codex runs, with symbolic links resolved: `named`, or this process's working
/// directory if `named` is `None`.
pub(super) fn directory(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let directory = edge::directory_or_here(named.map(Path::to_owned));
    directory.canonicalize().map_err(|error| {
        let message = format!("cannot work in `{}`: {error}", directory.display());
        Failure::usage(message)
    })
}

/// Returns the folder that contains all sessions. This is the first of `CODEX_SESSIONS_ROOT`, `--log-dir` and
/// `CODEX_LOG_DIR` that is set, or a folder in the user's state folder if none is set. That folder is outside the
/// repository, so that codex cannot change the record.
pub(super) fn sessions_root(
    environment: &Environment,
    named: Option<&Path>,
) -> Result<PathBuf, Failure> {
    let variable = |name: &str| environment.text(name).map(PathBuf::from);
    let root = variable("CODEX_SESSIONS_ROOT")
        .or_else(|| named.map(Path::to_owned))
        .or_else(|| variable("CODEX_LOG_DIR"))
        .or_else(|| edge::named_state(environment).map(|own| own.join("sessions")));
    let root = root.ok_or_else(|| {
        Failure::configuration("the folder for sessions is not known").hint(
            "set HOME or ADJUTANT_STATE_DIR to an absolute path, or select a folder with --log-dir",
        )
    })?;
    Ok(edge::working_directory().map_or_else(|| root.clone(), |here| here.join(&root)))
}

pub(super) fn run_host_at(environment: &Environment, sessions: PathBuf) -> RunHost {
    RunHost {
        environment: environment.clone(),
        clock: edge::clock,
        entropy: edge::entropy,
        sessions,
        cache: edge::cache_directory(environment),
        program: edge::program_directory().map(|folder| folder.join("adjutant")),
        configuration: edge::hook_folders(environment).configuration,
        stdin: edge::read_stdin,
        brief: prompt_briefing::brief_task,
    }
}

/// The heading of the options that exist only for older callers.
const COMPATIBILITY: &str = "Compatibility";

/// The arguments that `--help` prints for each of these commands.
const COMMON: [&str; 10] =
    ["words", "id", "file", "sandbox", "cwd", "agent", "model", "timeout", "help", "help_all"];

/// The flags `--help`, which prints the common options, and `--help-all`, which prints all of them. They replace clap's
/// `--help`, so a command with these flags needs `disable_help_flag`.
#[derive(Args)]
pub(super) struct HelpFlags {
    /// Print the common options
    #[arg(short, long, action = ArgAction::HelpShort)]
    help: Option<bool>,
    /// Print all options
    #[arg(long, action = ArgAction::HelpLong)]
    help_all: Option<bool>,
}

/// Makes `--help` print an argument only if it is common or one of `more`. The common options have no heading.
pub(super) fn short_help(argument: Arg, more: &[&str]) -> Arg {
    let id = argument.get_id().as_str();
    if COMMON.contains(&id) || more.contains(&id) {
        argument.help_heading(None::<&'static str>)
    } else {
        argument.hide_short_help(true)
    }
}

/// The time limit for all hooks of a run together. It is practically unlimited, because each hook has its own timeout,
/// but small enough that adding it to the current time does not overflow.
const MAX_HOOKS_DURATION: Duration = Duration::from_secs(60 * 24 * 3600);

/// The user's hooks before and after a run, for the repository that contains `directory`.
pub(super) struct RepositoryHooks {
    pub(super) directory: Option<PathBuf>,
}

impl RepositoryHooks {
    fn context(&self) -> Result<ToolContext, String> {
        call_context(self.directory.clone(), Caller::CodexRun)
    }
}

fn tool_call(call: &RunCall<'_>) -> ToolCall {
    let arguments = json!(call).as_object().cloned().unwrap_or_default();
    ToolCall {
        tool: TOOL.to_owned(),
        arguments: arguments.into(),
        timeout: MAX_HOOKS_DURATION,
        identity: CallIdentity::default(),
    }
}

impl RunHooks for RepositoryHooks {
    fn before(&self, call: &RunCall<'_>) -> Result<(), String> {
        let deadline = Instant::now() + MAX_HOOKS_DURATION;
        let completed = before_client_call(&self.context()?, &tool_call(call), deadline);
        let ToolVerdict { decision, reason, updated_input, .. } = completed.verdict;
        match decision {
            ToolDecision::Block => Err(format!("blocked by a hook: {reason}")),
            ToolDecision::Ask => Err(format!(
                "a hook requires the user's approval, and an unattended run has no user: {reason}"
            )),
            ToolDecision::Go | ToolDecision::Allow if updated_input.is_some() => {
                Err("a hook changed the arguments, which a run does not support".to_owned())
            }
            ToolDecision::Go | ToolDecision::Allow => Ok(()),
        }
    }

    fn after(&self, call: &RunCall<'_>, meta: &Meta) {
        let result = json!({ "summary": meta.reason, "data": meta });
        // The run has already ended, so a failed hook has no effect on it.
        if let Ok(context) = self.context() {
            let deadline = Instant::now() + MAX_HOOKS_DURATION;
            drop(after_client_call(&context, &tool_call(call), Ok(result), deadline));
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let failure = Self::usage(&error);
        Self { exit: error.exit_code(), hint: error.hint(), ..failure }
    }
}
