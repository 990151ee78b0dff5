//! Starts a session, either in this process or in a supervisor process that outlives it, or describes what would be started.

use std::io;
use std::path::PathBuf;
use std::process::ChildStdout;

use process::{ProcessIdentity, Program, StartError, StopSwitch};
use serde::{Deserialize, Serialize};

use crate::agents::Unsupported;
use crate::checks::{CheckedRun, RunError, check};
use crate::classify::Classification;
use crate::directory::{DirectoryError, DirectoryIdentity};
use crate::files;
use crate::journal::{EventData, Journal, SessionEnd, SessionStart};
use crate::redaction::Redaction;
use crate::run_host::{RunHooks, RunHost};
use crate::session::{Session, sanitised_tag};
use crate::spec::{EffectiveOrders, Spec};
use crate::state::{SessionStatus, SessionSummary};
use crate::supervisor::{Run, RunOutcome, run};
use crate::usage::TotalUse;

/// The data that a supervisor reads from its standard input. It contains instructions that are not redacted, so it is
/// never stored.
#[derive(Serialize, Deserialize)]
struct Handover {
    session: Session,
    spec: Spec,
    directory: DirectoryIdentity,
}

/// A session that was started in a supervisor process.
#[derive(Clone, Debug)]
pub struct Started {
    pub session: Session,
    /// The process id of the supervisor.
    pub supervisor: u32,
    /// Warnings for the user about options whose effect is not known.
    pub warnings: Vec<String>,
}

/// What a run would start. Secrets are removed as in the record of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Preview {
    /// The program and its arguments.
    pub command: Vec<String>,
    pub directory: PathBuf,
    pub effective: EffectiveOrders,
    /// The text that is written to the standard input of the program.
    pub instructions: String,
    pub reasons: Vec<String>,
}

/// Runs a session in this process until it ends. Calls `on_line` with each redacted line of codex's output.
pub fn exec(
    spec: &Spec,
    host: &RunHost,
    switch: &StopSwitch,
    hooks: &dyn RunHooks,
    on_line: &mut dyn FnMut(&str),
) -> Result<RunOutcome, RunError> {
    exec_checked(spec, &check(spec, host)?, host, switch, hooks, on_line)
}

/// Does the same as [`exec`] for a run that [`check`] has checked.
pub fn exec_checked(
    spec: &Spec,
    checked: &CheckedRun,
    host: &RunHost,
    switch: &StopSwitch,
    hooks: &dyn RunHooks,
    on_line: &mut dyn FnMut(&str),
) -> Result<RunOutcome, RunError> {
    let spec = &with_clean_tag(spec, checked);
    let session = create_session(spec, checked, host)?;
    let run_of = Run { spec, checked, session: &session, host, switch, hooks, on_use: &|_| () };
    Ok(run(&run_of, on_line))
}

/// Starts a session in a supervisor process.
pub fn start(spec: &Spec, host: &RunHost) -> Result<Started, RunError> {
    let start = |program: &Program| Ok((process::start_tethered(program)?.identity, ()));
    start_with(spec, host, start).map(|(started, ())| started)
}

/// Does the same as [`start`], and returns a pipe from which the usage of the session can be read: one JSON object of
/// [`TotalUse`] in each line. The pipe ends when the supervisor ends.
pub fn start_followed(spec: &Spec, host: &RunHost) -> Result<(Started, ChildStdout), RunError> {
    start_with(spec, host, process::start_detached_with_output)
}

/// Starts a session in the process that `start` starts, and also returns the second result of `start`.
fn start_with<T>(
    spec: &Spec,
    host: &RunHost,
    start: impl FnOnce(&Program) -> Result<(ProcessIdentity, T), StartError>,
) -> Result<(Started, T), RunError> {
    let checked = check(spec, host)?;
    let spec = &Spec { shares_process: false, ..with_clean_tag(spec, &checked) };
    let program = host.program.clone();
    let program =
        program.ok_or_else(|| RunError::Supervisor("`adjutant` was not found".to_owned()))?;
    let session = create_session(spec, &checked, host)?;
    let directory = checked.directory.identity().clone();
    let handover = Handover { session: session.clone(), spec: spec.clone(), directory };
    let input =
        serde_json::to_vec(&handover).map_err(|error| RunError::Supervisor(error.to_string()))?;
    let program = Program::new(program, host.environment.clone())
        .arguments(["job", "supervise"])
        .directory(checked.directory.path_for_child())
        .stdin(input);
    match start(&program) {
        Ok((supervisor, output)) => {
            let pid = supervisor.pid;
            // Until the supervisor writes its first event, this event prevents the session from being reported as lost.
            Journal::open(&session, host, &checked.redaction)
                .append(EventData::SupervisorSpawned { supervisor })
                .map_err(|source| record_error(&session, source))?;
            Ok((Started { session, supervisor: pid, warnings: checked.warnings }, output))
        }
        Err(error) => {
            let reason = error.to_string();
            let end =
                SessionEnd::new(SessionStatus::Failed, Some(20), Classification::Error, &reason);
            write_end(&session, host, &checked.redaction, end);
            Err(RunError::Supervisor(reason))
        }
    }
}

/// Runs a session in this supervisor process. `input` is the data that [`start`] wrote to standard input. Calls `on_use`
/// with the usage of the session whenever it has increased.
pub fn supervise(
    input: &[u8],
    host: &RunHost,
    switch: &StopSwitch,
    hooks: &dyn RunHooks,
    on_use: &dyn Fn(&TotalUse),
) -> Result<RunOutcome, RunError> {
    let Handover { session, spec, directory } =
        serde_json::from_slice(input).map_err(|error| RunError::Supervisor(error.to_string()))?;
    let checked = check(&spec, host).and_then(|checked| {
        let is_same = *checked.directory.identity() == directory;
        let replaced = || DirectoryError::Replaced(spec.directory.clone()).into();
        if is_same { Ok(checked) } else { Err(replaced()) }
    });
    match checked {
        Ok(checked) => {
            let (spec, checked) = (&spec, &checked);
            let run_of = Run { spec, checked, session: &session, host, switch, hooks, on_use };
            Ok(run(&run_of, &mut |_| ()))
        }
        Err(error) => {
            // `start` checked the same run successfully, so something has changed since then.
            let exit_code = Some(i32::from(error.exit_code()));
            let reason = error.to_string();
            let end = SessionEnd::new(
                SessionStatus::Failed,
                exit_code,
                Classification::ConfigError,
                &reason,
            );
            write_end(&session, host, &Redaction::default(), end);
            Err(error)
        }
    }
}

impl CheckedRun {
    pub fn preview(&self, spec: &Spec) -> Result<Preview, Unsupported> {
        let clean = |text: &str| self.redaction.text(text);
        let mut command = vec![self.program.display().to_string()];
        command.extend(self.redaction.arguments(&self.arguments(spec)?));
        Ok(Preview {
            command,
            directory: spec.directory.clone(),
            effective: self.effective(),
            instructions: clean(&spec.instructions.text),
            reasons: self.reasons().iter().map(|reason| clean(reason)).collect(),
        })
    }
}

/// Redacts and sanitises the tag, because it becomes part of a folder name.
fn with_clean_tag(spec: &Spec, checked: &CheckedRun) -> Spec {
    Spec { tag: sanitised_tag(&checked.redaction.text(&spec.tag)), ..spec.clone() }
}

/// Creates the session and writes its first event.
fn create_session(spec: &Spec, checked: &CheckedRun, host: &RunHost) -> Result<Session, RunError> {
    let session = Session::create(spec, host)
        .map_err(|source| RunError::Record { place: host.sessions.clone(), source })?;
    let start = SessionStart {
        origin: Some(spec.origin),
        agent: spec.agent,
        cwd: spec.directory.clone(),
        resolved_cwd: Some(checked.directory.identity().path().to_owned()),
        tag: spec.tag.clone(),
        log_file: session.log(),
        meta_glob: session.meta_glob(),
        last_message_glob: session.last_message_glob(),
        resumed_from: spec.continues.as_ref().map(|earlier| earlier.session.clone()),
        grace_ms: Some(spec.limits.grace_ms),
        shares_process: spec.shares_process,
        starter: Some(ProcessIdentity::of_this_process()),
        title: spec.instructions.title.clone(),
        args: checked.redaction.arguments(&spec.command_line),
    };
    Journal::open(&session, host, &checked.redaction)
        .append(EventData::Start(start))
        .map_err(|source| record_error(&session, source))?;
    Ok(session)
}

fn record_error(session: &Session, source: io::Error) -> RunError {
    RunError::Record { place: session.folder().to_owned(), source }
}

/// Records the end of a session that has no supervisor. Errors are ignored, because the folder may have been deleted.
pub(crate) fn write_end(session: &Session, host: &RunHost, redaction: &Redaction, end: SessionEnd) {
    let mut journal = Journal::open(session, host, redaction);
    if journal.append(EventData::OrchestrationCompleted(end)).is_ok()
        && let Ok(summary) = SessionSummary::read(session)
        && let Ok(text) = serde_json::to_vec_pretty(&summary.state)
    {
        drop(files::replace(&session.state(), &text));
    }
}
