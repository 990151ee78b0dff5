//! Ending a session: its supervisor is asked and does it properly; if there is none any more, we do it ourselves.
//! When this returns, nothing of the session runs.

use std::time::{Duration, Instant};

use process::{Identity, Urgency, processes_with};
use serde::Serialize;
use serde_json::{Value, json};

use super::{JobError, Sessions};
use crate::classify::Classification;
use crate::files;
use crate::journal::{self, Journal, names};
use crate::redaction::{Redaction, RedactionRules};
use crate::run_host::RunHost;
use crate::session::{Session, SessionId};
use crate::start::{close, ending};
use crate::state::{Known, Status};
use crate::supervisor::{MARK, end_leftovers};

const POLL: Duration = Duration::from_millis(20);
/// Beyond the grace period of codex: for writing down how it ended.
const FOR_THE_RECORD: Duration = Duration::from_secs(15);
const GRACE: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopAction {
    StopRequested,
    /// It was over already.
    Noop,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stopped {
    pub job_id: String,
    pub previous_state: Status,
    pub new_state: Status,
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
        let (session, known) = self.known(id)?;
        let previous_state = known.clone().now().state;
        let answer = |new_state, action| Stopped {
            job_id: id.to_string(),
            previous_state,
            new_state,
            forced: is_forced,
            signal: if is_forced { "SIGKILL" } else { "SIGTERM" },
            action,
        };
        if known.has_ended {
            end_leftovers(&session.id);
            return Ok(answer(previous_state, StopAction::Noop));
        }
        let redaction = Redaction::new(&RedactionRules::default());
        let mut journal = redaction
            .as_ref()
            .ok()
            .map(|redaction| Journal::open(&session.events(), &session.id, host, redaction));
        if let Some(journal) = &mut journal {
            let asked_by = json!({ "pid": std::process::id(), "forced": is_forced });
            // The wish itself counts, not that it could be written down.
            drop(journal.append(names::STOP, asked_by, json!({})));
        }
        let Beginning { grace, shares_process } = Beginning::of(&session);
        if shares_process {
            ask_codex(&session, &known, is_forced, grace);
        } else {
            ask_supervisor(&session, known.supervisor.as_ref(), is_forced, grace);
        }
        end_processes(&session, known.codex.as_ref(), is_forced, grace);
        let reason =
            "Stopped on request; its supervisor was gone and could not say how codex ended";
        let ending = ending(Status::Stopped, Some(143), Classification::UserCancelled, reason);
        settle(&session, host, &ending);
        let state = self.status(id).map_or(Status::Stopped, |state| state.state);
        Ok(answer(state, StopAction::StopRequested))
    }
}

/// Two who end a session at once find one end: only the first writes it down.
pub(crate) fn settle(session: &Session, host: &RunHost, ending: &Value) {
    let Ok(turn) = files::appended(&session.folder().join(".stop")) else { return };
    if turn.lock().is_err() || has_ended(session) {
        return;
    }
    if let Ok(redaction) = Redaction::new(&RedactionRules::default()) {
        close(session, host, &redaction, ending);
    }
}

pub(crate) fn has_ended(session: &Session) -> bool {
    journal::read(session).is_ok_and(|events| Known::from_events(&session.id, &events).has_ended)
}

/// What was said when the session began.
struct Beginning {
    grace: Duration,
    shares_process: bool,
}

impl Beginning {
    fn of(session: &Session) -> Self {
        let events = journal::read(session).unwrap_or_default();
        let data = events.first().map(|event| &event.data);
        let grace = data.and_then(|data| data["grace_ms"].as_u64());
        Self {
            grace: grace.map_or(GRACE, Duration::from_millis),
            shares_process: data.is_some_and(|data| data["shares_process"] == true),
        }
    }
}

/// A server that runs the session goes on; its codex is ended, and the server finds the request in the events.
fn ask_codex(session: &Session, known: &Known, is_forced: bool, grace: Duration) {
    let serves = |known: &Known| known.supervisor.as_ref().is_some_and(Identity::is_running);
    if !serves(known) {
        return;
    }
    end_processes(session, known.codex.as_ref(), is_forced, grace);
    let deadline = Instant::now() + FOR_THE_RECORD;
    while !has_ended(session) && serves(known) && Instant::now() < deadline {
        std::thread::sleep(POLL);
    }
}

/// Asks, and waits for as long as it has every right to take.
fn ask_supervisor(
    session: &Session,
    supervisor: Option<&Identity>,
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
    let patience = if is_forced { FOR_THE_RECORD } else { grace + FOR_THE_RECORD };
    while supervisor.is_running() {
        if !asked_again && asked.elapsed() > Duration::from_millis(200) {
            // The second request means: no grace.
            supervisor.signal(Urgency::Ask);
            asked_again = true;
        }
        if asked.elapsed() > patience {
            supervisor.signal(Urgency::Force);
        }
        if has_ended(session) && asked.elapsed() > grace {
            break;
        }
        std::thread::sleep(POLL);
    }
}

/// For a session without a supervisor: codex and everything it started.
pub(crate) fn end_processes(
    session: &Session,
    codex: Option<&Identity>,
    is_forced: bool,
    grace: Duration,
) {
    if let Some(codex) = codex {
        codex.signal_group(if is_forced { Urgency::Force } else { Urgency::Ask });
        let asked = Instant::now();
        while codex.is_running() && asked.elapsed() < grace {
            std::thread::sleep(POLL);
        }
        codex.signal_group(Urgency::Force);
    }
    let deadline = Instant::now() + FOR_THE_RECORD;
    while end_leftovers(&session.id) > 0 && Instant::now() < deadline {
        std::thread::sleep(POLL);
        if processes_with(MARK, &session.id).is_empty() {
            break;
        }
    }
}
