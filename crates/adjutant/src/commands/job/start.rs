//! Implements `job start`, `job resume`, and the supervisor and watchdog processes.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use runs::{Continues, Origin, SessionState, Sessions, Spec, Started, TotalUse};
use serde_json::json;

use super::id;
use crate::commands::run::{self, HelpFlags, RepositoryHooks, RunFlags, preview, short_help};
use crate::failure::Failure;
use crate::{edge, output, signals};

#[derive(Args)]
#[command(
    disable_help_flag = true,
    mut_args(|argument| short_help(argument, &["dry_run", "json"]))
)]
pub(crate) struct Start {
    #[command(flatten)]
    flags: RunFlags,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    help: HelpFlags,
}

#[derive(Args)]
pub(crate) struct Resume {
    /// Continue this job
    id: String,
    #[command(flatten)]
    new: Start,
}

pub(super) const START_EXAMPLE: &str = "\
Example:
  adjutant job start \"fix parse_amount and its tests\" --sandbox workspace-write --timeout 30m";

pub(super) const RESUME_EXAMPLE: &str = "\
Example:
  adjutant job resume ID \"also update the changelog\"";

pub(super) fn start(arguments: &Start) -> Result<ExitCode, Failure> {
    start_after(arguments, |_| Ok(None))
}

pub(super) fn resume(arguments: &Resume) -> Result<ExitCode, Failure> {
    let earlier = id(&arguments.id)?;
    start_after(&arguments.new, |sessions| Ok(Some(sessions.continues(&earlier)?)))
}

/// Starts a job, or previews it. `earlier` returns the session that it continues.
fn start_after(
    arguments: &Start,
    earlier: impl FnOnce(&Sessions) -> Result<Option<(Continues, SessionState)>, Failure>,
) -> Result<ExitCode, Failure> {
    let (spec, host) = run::described(&arguments.flags, Origin::Job, earlier)?;
    if arguments.flags.is_preview(&host.environment) {
        return preview(&spec, &host, arguments.json);
    }
    report(&runs::start(&spec, &host)?, &spec, arguments.json);
    Ok(ExitCode::SUCCESS)
}

fn report(started: &Started, spec: &Spec, as_json: bool) {
    run::warn(&started.warnings);
    let session = &started.session;
    if !as_json {
        output::data(&session.id);
        output::talk(&format!("log: {}", session.log().display()));
        return;
    }
    let mut answer = json!({
        "jobId": session.id,
        "pid": started.supervisor,
        "cwd": spec.directory,
        "logFile": session.log(),
        "metaGlob": session.meta_glob(),
        "lastMessageGlob": session.last_message_glob(),
        "tag": spec.tag,
    });
    if let Some(earlier) = &spec.continues {
        answer["resumedFrom"] = json!(earlier.session);
    }
    output::data(&answer.to_string());
}

/// Runs the supervisor process. It reads the description of the run from standard input.
pub(super) fn supervise() -> Result<ExitCode, Failure> {
    let switch = signals::stop_on_signals();
    let input = edge::read_stdin().map_err(|error| Failure::usage(format!("stdin: {error}")))?;
    let environment = edge::environment();
    let host = run::run_host_at(&environment, PathBuf::new());
    // `runs::start` starts this process in codex's working directory.
    let hooks = RepositoryHooks { directory: edge::working_directory() };
    // The process that started this one may read the usage.
    let on_use = |used: &TotalUse| output::data(&serde_json::to_string(used).unwrap_or_default());
    let outcome = runs::supervise(&input, &host, &switch, &hooks, &on_use)?;
    Ok(ExitCode::from(u8::try_from(outcome.exit_code).unwrap_or(1)))
}

/// Runs the watchdog process.
pub(super) fn watch() -> Result<ExitCode, Failure> {
    let host = run::run_host_at(&edge::environment(), PathBuf::new());
    let ended = runs::watch(&mut std::io::stdin().lock(), &host);
    ended.map_err(Failure::usage)?;
    Ok(ExitCode::SUCCESS)
}
