//! Starts and runs the watchdog process. If the supervisor dies, the watchdog stops codex and records the end of the
//! session.
//!
//! The watchdog reads from a pipe whose other end the supervisor keeps open. If the pipe closes and the session has not
//! ended, the supervisor has died.

use std::io::{self, BufRead};
use std::time::Duration;

use process::{Program, Tether};
use serde::{Deserialize, Serialize};

use crate::classify::Classification;
use crate::jobs::stop::{end_processes, write_end_once};
use crate::journal::SessionEnd;
use crate::run_host::RunHost;
use crate::session::Session;
use crate::state::{SessionSummary, Status};
use crate::supervisor::{Run, end_leftovers};

/// The content of the first line that the watchdog reads.
#[derive(Serialize, Deserialize)]
struct Watched {
    session: Session,
    grace_ms: u64,
}

/// Starts the watchdog of a run. Returns `None` if the watchdog cannot be started. In that case, only `stop` can stop
/// codex if the supervisor is killed.
pub(crate) fn start(run: &Run<'_>) -> Option<Tether> {
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
    let end = SessionEnd::new(Status::Lost, None, Classification::Error, reason);
    write_end_once(&session, host, end);
    Ok(())
}
