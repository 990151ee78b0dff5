//! `adjutant run`: runs codex unattended in the foreground and exits with its exit code.

mod flags;
mod help;
mod log_place;
mod pieces;
mod preview;
mod run_hooks;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use policy::Sandbox;
use runs::{Continues, Origin, Outcome, RunError, RunHost, SessionState, Sessions, Spec};

use crate::failure::Failure;
use crate::pages::page;
use crate::{edge, output, signals};

pub(super) use flags::RunFlags;
pub(super) use help::{COMPATIBILITY, HelpFlags, short_help};
pub(super) use log_place::{directory, run_host_at, sessions_root};
pub(super) use preview::preview;
pub(super) use run_hooks::RepositoryHooks;

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
    let outcome = carry_out(&spec, &host, arguments.json).map_err(|error| failure(&error))?;
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
    let here = edge::working_directory().unwrap_or_else(|| PathBuf::from("."));
    let spec = flags.request().describe_for_user(origin, earlier, &here, &host);
    let mut spec = spec.map_err(|error| failure(&error))?;
    spec.command_line = edge::command_line();
    for file in &spec.instructions.left_out {
        output::talk(&format!("warning: not read: {file}"));
    }
    Ok((spec, host))
}

fn carry_out(spec: &Spec, host: &RunHost, is_quiet: bool) -> Result<Outcome, RunError> {
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

fn report(outcome: &Outcome, as_json: bool) {
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

pub(super) fn failure(error: &RunError) -> Failure {
    let mut failure = Failure::new(error.to_string(), contract::ExitCode::Usage);
    failure.exit = error.exit_code();
    failure.hint = error.hint();
    failure
}
