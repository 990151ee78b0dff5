//! Implements `job start`, `job resume`, and the supervisor and watchdog processes.

use std::process::ExitCode;

use clap::Args;
use codex::{CONTINUE_PROMPT, Instructions, Origin, RunHost, Spec, Started, TotalUse};
use serde_json::json;

use super::{failure, id};
use crate::commands::run::{
    self, HelpFlags, RepositoryHooks, RunFlags, directory, host, preview, short_help,
};
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
    let environment = edge::environment();
    let flags = &arguments.flags;
    let directory = directory(flags.cwd.as_deref())?;
    let (host, place) = host(&environment, &flags.log, &directory)?;
    let mut spec = flags.spec(Origin::Job, &directory, &environment, None)?;
    spec.log.place = place;
    if flags.is_preview(&environment) {
        return preview(&spec, &host, arguments.json);
    }
    let started = codex::start(&spec, &host).map_err(|error| run::failure(&error))?;
    report(&started, &spec, arguments.json);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn resume(arguments: &Resume) -> Result<ExitCode, Failure> {
    let (spec, host) = resumed(&arguments.id, &arguments.flags)?;
    if arguments.flags.is_preview(&edge::environment()) {
        return preview(&spec, &host, arguments.json);
    }
    let started = codex::start(&spec, &host).map_err(|error| run::failure(&error))?;
    report(&started, &spec, arguments.json);
    Ok(ExitCode::SUCCESS)
}

/// Starts a job that continues the conversation of an ended job.
pub(in crate::commands) fn resume_job(earlier: &str, flags: &RunFlags) -> Result<Started, Failure> {
    let (spec, host) = resumed(earlier, flags)?;
    codex::start(&spec, &host).map_err(|error| run::failure(&error))
}

/// Describes the job that continues the conversation of an ended job.
fn resumed(earlier: &str, flags: &RunFlags) -> Result<(Spec, RunHost), Failure> {
    let environment = edge::environment();
    let earlier = id(earlier)?;
    let (host, place) = host(&environment, &flags.log, std::path::Path::new("."))?;
    let sessions = codex::Sessions::at(&host.sessions);
    let (continues, state) = sessions.continues(&earlier).map_err(|error| failure(&error))?;
    let directory = directory(Some(flags.cwd.as_deref().unwrap_or(&state.cwd)))?;
    let mut spec = flags.spec(Origin::Job, &directory, &environment, Some(continues))?;
    if !flags.have_a_task() {
        spec.instructions = Instructions::message(CONTINUE_PROMPT);
    }
    if spec.tag.is_empty() {
        spec.tag = state.tag;
    }
    spec.log.place = place;
    Ok((spec, host))
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
    // `codex::start` starts this process in codex's working directory.
    let hooks = RepositoryHooks { directory: edge::working_directory() };
    // The process that started this one may read the usage.
    let on_use = |used: &TotalUse| output::data(&serde_json::to_string(used).unwrap_or_default());
    let outcome = codex::supervise(&input, &host, &switch, &hooks, &on_use)
        .map_err(|error| run::failure(&error))?;
    Ok(ExitCode::from(u8::try_from(outcome.exit_code).unwrap_or(1)))
}

/// Runs the watchdog process.
pub(super) fn watch() -> Result<ExitCode, Failure> {
    let host = run::run_host_at(&edge::environment(), std::path::PathBuf::new());
    let ended = codex::watch(&mut std::io::stdin().lock(), &host);
    ended.map_err(|error| Failure::new(error.to_string(), contract::ExitCode::Usage))?;
    Ok(ExitCode::SUCCESS)
}
