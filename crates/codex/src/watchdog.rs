//! Whoever kills a supervisor does not set its codex free: a second process holds the other end of a pipe, and when that
//! closes before the end was written down, it ends codex and writes down what is known.

use std::io::{self, BufRead};
use std::time::Duration;

use process::{Program, Tether};
use serde::{Deserialize, Serialize};

use crate::classify::Classification;
use crate::jobs::stop::{end_processes, has_ended, settle};
use crate::journal;
use crate::run_host::RunHost;
use crate::session::Session;
use crate::start::ending;
use crate::state::{Known, Status};
use crate::supervisor::{Run, end_leftovers};

#[derive(Serialize, Deserialize)]
struct Watched {
    session: Session,
    grace_ms: u64,
}

/// None where `adjutant` itself was not found: then a killed supervisor leaves codex to whoever calls `stop`.
pub(crate) fn start(run: &Run<'_>) -> Option<Tether> {
    let program = run.host.program.clone().filter(|_| !run.spec.is_dry_run)?;
    let watched = Watched { session: run.session.clone(), grace_ms: run.spec.patience.grace_ms };
    let mut line = serde_json::to_vec(&watched).ok()?;
    line.push(b'\n');
    let program = Program::new(program, run.host.environment.clone())
        .arguments(["job", "watch"])
        .directory("/")
        .stdin(line);
    process::start_tethered(&program).ok()
}

/// The watchdog's side: reads whom to watch, waits for the pipe to close, and looks.
pub fn watch(input: &mut dyn BufRead, host: &RunHost) -> io::Result<()> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    let Watched { session, grace_ms } = serde_json::from_str(&line)?;
    // Until the supervisor lets go.
    input.read_to_end(&mut Vec::new())?;
    if has_ended(&session) {
        return Ok(());
    }
    let Ok(events) = journal::read(&session) else {
        // Its folder was deleted: nobody can be told, but nothing stays behind either.
        end_leftovers(&session.id);
        return Ok(());
    };
    let known = Known::from_events(&session.id, &events);
    let grace = Duration::from_millis(grace_ms);
    end_processes(&session, known.codex.as_ref(), false, grace);
    let reason = "Its supervisor was killed; codex was ended, and how far it came is in the log";
    settle(&session, host, &ending(Status::Lost, None, Classification::Error, reason));
    Ok(())
}
