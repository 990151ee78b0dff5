//! The beginning of a session: in this process and to its end, or handed to a supervisor that outlives it.

use std::io;

use process::{Identity, Program, StopSwitch};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::classify::Classification;
use crate::files;
use crate::journal::{self, Journal, names};
use crate::lifecycle::Lifecycle;
use crate::ready::{Ready, RunError, check};
use crate::redaction::{Redaction, RedactionRules};
use crate::run_host::RunHost;
use crate::session::{Session, sanitised_tag};
use crate::spec::Spec;
use crate::state::{Known, SessionState, Status, identity_json};
use crate::supervisor::{Outcome, Run, run};

/// What a supervisor gets on its stdin. Holds the instructions as they are: it is never a file.
#[derive(Serialize, Deserialize)]
struct Handover {
    session: Session,
    spec: Spec,
}

/// A job that was started.
#[derive(Clone, Debug)]
pub struct Started {
    pub session: Session,
    pub supervisor: u32,
}

/// Runs a session here and now. `said` hears codex, redacted.
pub fn exec(
    spec: &Spec,
    host: &RunHost,
    switch: &StopSwitch,
    lifecycle: &dyn Lifecycle,
    said: &mut dyn FnMut(&str),
) -> Result<Outcome, RunError> {
    let ready = check(spec, host)?;
    let spec = &with_clean_tag(spec, &ready);
    let session = begin(spec, &ready, host)?;
    Ok(run(&Run { spec, ready: &ready, session: &session, host, switch, lifecycle }, said))
}

/// Starts a session that goes on after us.
pub fn start(spec: &Spec, host: &RunHost) -> Result<Started, RunError> {
    let ready = check(spec, host)?;
    let spec = &Spec { shares_process: false, ..with_clean_tag(spec, &ready) };
    let program = host.program.clone();
    let program =
        program.ok_or_else(|| RunError::Supervisor("`adjutant` was not found".to_owned()))?;
    let session = begin(spec, &ready, host)?;
    let handover = Handover { session: session.clone(), spec: spec.clone() };
    let input =
        serde_json::to_vec(&handover).map_err(|error| RunError::Supervisor(error.to_string()))?;
    let program = Program::new(program, host.environment.clone())
        .arguments(["job", "supervise"])
        .directory(&spec.directory)
        .stdin(input);
    let mut journal = Journal::open(&session.events(), &session.id, host, &ready.redaction);
    match process::start_detached_with_input(&program) {
        Ok(supervisor) => {
            // Who it is must be known before we go, or the session would look lost until it speaks.
            let spawned = json!({ "supervisor": identity_json(&supervisor) });
            journal
                .append(names::SPAWNED, spawned, json!({}))
                .map_err(|source| record(&session, source))?;
            Ok(Started { session, supervisor: supervisor.pid })
        }
        Err(error) => {
            let reason = format!("{error}: {}", error.source);
            close(
                &session,
                host,
                &ready.redaction,
                &ending(Status::Failed, Some(20), Classification::Error, &reason),
            );
            Err(RunError::Supervisor(reason))
        }
    }
}

/// The supervisor's side: everything it needs came through stdin.
pub fn supervise(
    input: &[u8],
    host: &RunHost,
    switch: &StopSwitch,
    lifecycle: &dyn Lifecycle,
) -> Result<Outcome, RunError> {
    let Handover { session, spec } =
        serde_json::from_slice(input).map_err(|error| RunError::Supervisor(error.to_string()))?;
    match check(&spec, host) {
        Ok(ready) => {
            let run_of =
                Run { spec: &spec, ready: &ready, session: &session, host, switch, lifecycle };
            Ok(run(&run_of, &mut |_| ()))
        }
        Err(error) => {
            // It was checked before it was handed over: something changed in between, and that is how it ended.
            let redaction = Redaction::new(&RedactionRules::default())?;
            let exit_code = Some(i32::from(error.exit_code()));
            let ending =
                ending(Status::Failed, exit_code, Classification::ConfigError, &error.to_string());
            close(&session, host, &redaction, &ending);
            Err(error)
        }
    }
}

/// The tag becomes part of a folder's name: no place for a secret.
fn with_clean_tag(spec: &Spec, ready: &Ready) -> Spec {
    Spec { tag: sanitised_tag(&ready.redaction.text(&spec.tag)), ..spec.clone() }
}

/// Makes the session and writes its first event.
fn begin(spec: &Spec, ready: &Ready, host: &RunHost) -> Result<Session, RunError> {
    let session = Session::create(spec, host)
        .map_err(|source| RunError::Record { place: host.sessions.clone(), source })?;
    let facts = json!({
        "origin": spec.origin,
        "cwd": spec.directory,
        "tag": spec.tag,
        "log_file": session.log(),
        "meta_glob": session.meta_glob(),
        "last_message_glob": session.last_message_glob(),
        "resumed_from": spec.continues.as_ref().map(|earlier| &earlier.session),
        "grace_ms": spec.patience.grace_ms,
        "shares_process": spec.shares_process,
        "starter": identity_json(&Identity::of_this_process()),
    });
    let words = json!({
        "title": spec.instructions.title,
        "args": ready.redaction.arguments(&spec.command_line),
    });
    Journal::open(&session.events(), &session.id, host, &ready.redaction)
        .append(names::START, facts, words)
        .map_err(|source| record(&session, source))?;
    Ok(session)
}

fn record(session: &Session, source: io::Error) -> RunError {
    RunError::Record { place: session.folder().to_owned(), source }
}

pub(crate) fn ending(
    state: Status,
    exit_code: Option<i32>,
    classification: Classification,
    reason: &str,
) -> Value {
    json!({
        "state": state.word(),
        "exit_code": exit_code,
        "classification": classification.word(),
        "reason": reason,
    })
}

/// Writes the end of a session that has no supervisor to do it.
pub(crate) fn close(session: &Session, host: &RunHost, redaction: &Redaction, ending: &Value) {
    let mut journal = Journal::open(&session.events(), &session.id, host, redaction);
    // A folder that is gone has nobody left who could ask.
    let mut facts = ending.clone();
    let words = json!({ "reason": facts["reason"].take() });
    if let Some(facts) = facts.as_object_mut() {
        facts.remove("reason");
    }
    if journal.append(names::COMPLETED, facts, words).is_ok() {
        drop(project(session));
    }
}

/// Writes `state.json` anew.
pub(crate) fn project(session: &Session) -> io::Result<SessionState> {
    let events = journal::read(session)?;
    let state = Known::from_events(&session.id, &events).state;
    files::replace(&session.state(), &serde_json::to_vec_pretty(&state)?)?;
    Ok(state)
}
