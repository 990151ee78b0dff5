//! Implements `job start`, `job resume`, and the supervisor and watchdog processes.

use std::process::ExitCode;

use clap::Args;
use runs::{Origin, RunHost, Spec, Started, TotalUse};
use serde_json::json;

use super::{failure, id};
use crate::commands::run::{self, HelpFlags, RepositoryHooks, RunFlags, preview, short_help};
use crate::failure::Failure;
use crate::{edge, output, signals};

#[derive(Args)]
#[command(
    after_help = START_EXAMPLE,
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
#[command(
    after_help = RESUME_EXAMPLE,
    disable_help_flag = true,
    mut_args(|argument| short_help(argument, &["dry_run", "json"]))
)]
pub(crate) struct Resume {
    /// Continue this job
    id: String,
    #[command(flatten)]
    flags: RunFlags,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    help: HelpFlags,
}

const START_EXAMPLE: &str = "\
Example:
  adjutant job start \"fix parse_amount and its tests\" --sandbox workspace-write --timeout 30m";

const RESUME_EXAMPLE: &str = "\
Example:
  adjutant job resume ID \"also update the changelog\"";

pub(super) fn start(arguments: &Start) -> Result<ExitCode, Failure> {
    let (spec, host) = run::described(&arguments.flags, Origin::Job, |_| Ok(None))?;
    start_or_preview(&arguments.flags, &spec, &host, arguments.json)
}

pub(super) fn resume(arguments: &Resume) -> Result<ExitCode, Failure> {
    let earlier = id(&arguments.id)?;
    let (spec, host) = run::described(&arguments.flags, Origin::Job, |sessions| {
        sessions.continues(&earlier).map(Some).map_err(|error| failure(&error))
    })?;
    start_or_preview(&arguments.flags, &spec, &host, arguments.json)
}

fn start_or_preview(
    flags: &RunFlags,
    spec: &Spec,
    host: &RunHost,
    as_json: bool,
) -> Result<ExitCode, Failure> {
    if flags.is_preview(&host.environment) {
        return preview(spec, host, as_json);
    }
    let started = runs::start(spec, host).map_err(|error| run::failure(&error))?;
    report(&started, spec, as_json);
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
    if let (Some(earlier), Some(fields)) = (&spec.continues, answer.as_object_mut()) {
        fields.insert("resumedFrom".to_owned(), json!(earlier.session));
    }
    output::data(&answer.to_string());
}

/// Runs the supervisor process. It reads the description of the run from standard input.
pub(super) fn supervise() -> Result<ExitCode, Failure> {
    let switch = signals::stop_on_signals();
    let input = edge::read_stdin()
        .map_err(|error| Failure::new(format!("stdin: {error}"), contract::ExitCode::Usage))?;
    let environment = edge::environment();
    let host = run::run_host_at(&environment, std::path::PathBuf::new());
    // `runs::start` starts this process in codex's working directory.
    let hooks = RepositoryHooks { directory: edge::working_directory() };
    // The process that started this one may read the usage.
    let on_use = |used: &TotalUse| output::data(&serde_json::to_string(used).unwrap_or_default());
    let outcome = runs::supervise(&input, &host, &switch, &hooks, &on_use)
        .map_err(|error| run::failure(&error))?;
    Ok(ExitCode::from(u8::try_from(outcome.exit_code).unwrap_or(1)))
}

/// Runs the watchdog process.
pub(super) fn watch() -> Result<ExitCode, Failure> {
    let host = run::run_host_at(&edge::environment(), std::path::PathBuf::new());
    let ended = runs::watch(&mut std::io::stdin().lock(), &host);
    ended.map_err(|error| Failure::new(error.to_string(), contract::ExitCode::Usage))?;
    Ok(ExitCode::SUCCESS)
}
