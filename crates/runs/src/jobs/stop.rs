//! Stops a session. If the supervisor is running, asks it to stop the session. Otherwise, this process stops codex and
//! records the end. Afterwards, no process of the session is running.
//!
//! The watchdog process does the same if the supervisor dies. It reads from a pipe whose other end the supervisor keeps
//! open. If the pipe closes and the session has not ended, the supervisor has died.

use std::io::{self, BufRead};
use std::time::{Duration, Instant};

use process::{ProcessIdentity, Program, Tether, Urgency};
use serde::{Deserialize, Serialize};

use super::{JobError, Sessions};
use crate::classify::Classification;
use crate::files;
use crate::journal::{EventData, Journal, SessionEnd};
use crate::redaction::Redaction;
use crate::run_host::RunHost;
use crate::session::{Session, SessionId};
use crate::start::write_end;
use crate::state::{SessionStatus, SessionSummary};
use crate::supervisor::{Run, SESSION_VARIABLE, end_leftovers, kill_processes};

/// The interval for polling processes that are not children of this process.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The time that a supervisor or server gets, in addition to codex's grace period, to record the end of the session.
const RECORD_TIMEOUT: Duration = Duration::from_secs(15);
const DEFAULT_GRACE_PERIOD: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopAction {
    StopRequested,
    /// The session had already ended.
    Noop,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stopped {
    pub job_id: String,
    pub previous_state: SessionStatus,
    pub new_state: SessionStatus,
    pub forced: bool,
    pub signal: &'static str,
    pub action: StopAction,
}

impl Sessions {
    pub fn stop(
        &self,
        id: &SessionId,
        is_forced: bool,
        host: &RunHost,
    ) -> Result<Stopped, JobError> {
        let (session, summary) = self.summary(id)?;
        let previous_state = summary.clone().now().state;
        let answer = |new_state, action| Stopped {
            job_id: id.to_string(),
            previous_state,
            new_state,
            forced: is_forced,
            signal: if is_forced { "SIGKILL" } else { "SIGTERM" },
            action,
        };
        if summary.has_ended {
            end_leftovers(&session.id);
            return Ok(answer(previous_state, StopAction::Noop));
        }
        let request = EventData::StopRequested { pid: std::process::id(), forced: is_forced };
        // The session is stopped even if the request cannot be recorded.
        drop(Journal::open(&session, host, &Redaction::default()).append(request));
        let grace = summary.grace_ms.map_or(DEFAULT_GRACE_PERIOD, Duration::from_millis);
        if summary.shares_process {
            stop_in_server(&session, &summary, is_forced, grace);
        } else {
            ask_supervisor(&session, summary.supervisor.as_ref(), is_forced, grace);
        }
        end_processes(&session, summary.codex.as_ref(), is_forced, grace);
        let reason = "Stopped on request; the supervisor had died, so the end of codex is unknown";
        let cancelled = Classification::UserCancelled;
        let end = SessionEnd::new(SessionStatus::Stopped, Some(143), cancelled, reason);
        write_end_once(&session, host, end);
        let state = self.status(id).map_or(SessionStatus::Stopped, |state| state.state);
        Ok(answer(state, StopAction::StopRequested))
    }

    /// Requests that a session end after its current turn. The session is then classified as over budget, and `reason`
    /// is recorded.
    pub fn end_after_turn(
        &self,
        id: &SessionId,
        reason: &str,
        host: &RunHost,
    ) -> Result<(), JobError> {
        let (session, _) = self.summary(id)?;
        let event = EventData::LastTurn { reason: reason.to_owned() };
        let written = Journal::open(&session, host, &Redaction::default()).append(event);
        written.map_err(|source| JobError::Unreadable { path: session.events(), source })
    }
}

/// Records the end of a session. If two processes stop the same session, only the first end is recorded.
fn write_end_once(session: &Session, host: &RunHost, end: SessionEnd) {
    let Ok(lock) = files::open_for_appending(&session.folder().join(".stop")) else { return };
    if lock.lock().is_ok() && !has_ended(session) {
        write_end(session, host, &Redaction::default(), end);
    }
}

fn has_ended(session: &Session) -> bool {
    SessionSummary::read(session).is_ok_and(|summary| summary.has_ended)
}

/// Stops a session that runs inside a server: stops its codex process and waits until the server has recorded the end.
/// The server reads the stop request from the session's events.
fn stop_in_server(session: &Session, summary: &SessionSummary, is_forced: bool, grace: Duration) {
    let is_served = || summary.supervisor.as_ref().is_some_and(ProcessIdentity::is_running);
    if !is_served() {
        return;
    }
    end_processes(session, summary.codex.as_ref(), is_forced, grace);
    let deadline = Instant::now() + RECORD_TIMEOUT;
    while !has_ended(session) && is_served() && Instant::now() < deadline {
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Sends SIGTERM to the supervisor and waits until it exits. Stops waiting earlier if the grace period is over and the
/// end of the session has been recorded. If the supervisor does not exit in time, kills it.
fn ask_supervisor(
    session: &Session,
    supervisor: Option<&ProcessIdentity>,
    is_forced: bool,
    grace: Duration,
) {
    let Some(supervisor) = supervisor.filter(|supervisor| supervisor.pid != std::process::id())
    else {
        return;
    };
    if !supervisor.signal(Urgency::Ask) {
        return;
    }
    let asked = Instant::now();
    let mut asked_again = !is_forced;
    let timeout = if is_forced { RECORD_TIMEOUT } else { grace + RECORD_TIMEOUT };
    while supervisor.is_running() {
        if !asked_again && asked.elapsed() > Duration::from_millis(200) {
            // On the second signal, the supervisor skips the grace period.
            supervisor.signal(Urgency::Ask);
            asked_again = true;
        }
        if asked.elapsed() > timeout {
            supervisor.signal(Urgency::Force);
        }
        if has_ended(session) && asked.elapsed() > grace {
            break;
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Stops codex and all processes that it started, without the help of a supervisor.
fn end_processes(
    session: &Session,
    codex: Option<&ProcessIdentity>,
    is_forced: bool,
    grace: Duration,
) {
    if let Some(codex) = codex {
        codex.signal_group(if is_forced { Urgency::Force } else { Urgency::Ask });
        let asked = Instant::now();
        while codex.is_running() && asked.elapsed() < grace {
            std::thread::sleep(POLL_INTERVAL);
        }
        codex.signal_group(Urgency::Force);
    }
    kill_processes(SESSION_VARIABLE, &session.id, RECORD_TIMEOUT);
}

/// The content of the first line that the watchdog reads.
#[derive(Serialize, Deserialize)]
struct Watched {
    session: Session,
    grace_ms: u64,
}

/// Starts the watchdog of a run. Returns `None` if the watchdog cannot be started. In that case, only `stop` can stop
/// codex if the supervisor is killed.
pub(crate) fn start_watchdog(run: &Run<'_>) -> Option<Tether> {
    let program = run.host.program.clone().filter(|_| !run.spec.is_dry_run)?;
    let watched = Watched { session: run.session.clone(), grace_ms: run.spec.limits.grace_ms };
    let mut line = serde_json::to_vec(&watched).ok()?;
    line.push(b'\n');
    let program = Program::new(program, run.host.environment.clone())
        .arguments(["job", "watch"])
        .directory("/")
        .stdin(line);
    process::start_tethered(&program).ok()
}

/// Runs in the watchdog process. Waits until the supervisor closes the pipe or dies. If the session has not ended by
/// then, stops codex and records the end.
pub fn watch(input: &mut dyn BufRead, host: &RunHost) -> io::Result<()> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    let Watched { session, grace_ms } = serde_json::from_str(&line)?;
    // Blocks until the supervisor closes the pipe or dies.
    input.read_to_end(&mut Vec::new())?;
    let Ok(summary) = SessionSummary::read(&session) else {
        // The session folder was deleted, so the end cannot be recorded.
        end_leftovers(&session.id);
        return Ok(());
    };
    if summary.has_ended {
        return Ok(());
    }
    end_processes(&session, summary.codex.as_ref(), false, Duration::from_millis(grace_ms));
    let reason =
        "The supervisor was killed; the watchdog stopped codex. The log shows its last output";
    let end = SessionEnd::new(SessionStatus::Lost, None, Classification::Error, reason);
    write_end_once(&session, host, end);
    Ok(())
}
