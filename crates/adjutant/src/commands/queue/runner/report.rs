//! Converts the record of a session into the result of a task.

use codex::{Classification, RunHost, SessionId, SessionState, Sessions, Status};
use disk::Links;
use queue::{RunReport, RunResult, Usage, WorkProduct};
use serde::Deserialize;

const MAX_META_BYTES: u64 = 4 * 1024 * 1024;
const MAX_MESSAGE_BYTES: u64 = 64 * 1024;

/// The classifications after which another attempt would end the same way.
const PERMANENT: [Classification; 5] = [
    Classification::InputError,
    Classification::ConfigError,
    Classification::AuthError,
    Classification::SandboxDenied,
    Classification::BlockedByHook,
];

/// The part of `meta.json` that the queue stores.
#[derive(Default, Deserialize)]
struct RecordedMeta {
    usage: Option<RecordedUsage>,
}

#[derive(Deserialize)]
struct RecordedUsage {
    input_tokens: i64,
    output_tokens: i64,
}

pub(super) fn failed(class: &str, can_retry: bool, reason: &str) -> RunReport {
    let class = class.to_owned();
    RunReport::not_started(RunResult::Failed { class, can_retry }, reason)
}

/// Describes how a session ended. A session without a recorded end is stopped first.
pub(super) fn report_of(sessions: &Sessions, session: &SessionId, host: &RunHost) -> RunReport {
    let mut found = sessions.status(session);
    if found.as_ref().is_ok_and(|state| matches!(state.state, Status::Lost | Status::Running)) {
        drop(sessions.stop(session, true, host));
        let stopped = sessions.status(session);
        // The session did not end by itself, whoever recorded its end.
        found = stopped.map(|state| SessionState { state: Status::Lost, ..state });
    }
    let state = match found {
        Ok(state) => state,
        Err(error) => {
            let mut report = failed("lost", true, &error.to_string());
            report.session = Some(session.to_string());
            return report;
        }
    };
    RunReport {
        result: result(&state),
        reason: state.reason.clone().unwrap_or_default(),
        usage: usage(&state),
        session: Some(session.to_string()),
        thread: state.thread_id.clone(),
        product: WorkProduct { summary: summary(&state), ..WorkProduct::default() },
    }
}

fn result(state: &SessionState) -> RunResult {
    let class = state.classification.clone().unwrap_or_else(|| "error".to_owned());
    match state.state {
        Status::Completed => RunResult::Finished,
        Status::Stopped => RunResult::Cancelled,
        Status::Lost | Status::Running => {
            RunResult::Failed { class: "lost".to_owned(), can_retry: true }
        }
        Status::Failed if class == Classification::ApprovalRequired.word() => {
            RunResult::NeedsApproval
        }
        Status::Failed => {
            let can_retry = !PERMANENT.iter().any(|permanent| permanent.word() == class);
            RunResult::Failed { class, can_retry }
        }
    }
}

/// Adds up the use of all codex processes of the session.
fn usage(state: &SessionState) -> Usage {
    let mut usage = Usage { turns: i64::from(state.iteration), ..Usage::default() };
    for iteration in 1..=state.iteration {
        let meta = file_of(state, iteration, "meta.json");
        let bytes = disk::read(&meta, Links::Refuse, MAX_META_BYTES).unwrap_or_default();
        let meta: RecordedMeta = serde_json::from_slice(&bytes).unwrap_or_default();
        if let Some(recorded) = meta.usage {
            usage.tokens_in = usage.tokens_in.saturating_add(recorded.input_tokens);
            usage.tokens_out = usage.tokens_out.saturating_add(recorded.output_tokens);
        }
    }
    usage
}

/// The redacted last message of the session.
fn summary(state: &SessionState) -> Option<String> {
    let path = state.log_file.with_file_name(format!("job.r{}.last.txt", state.iteration));
    let bytes = disk::read_start(&path, Links::Refuse, MAX_MESSAGE_BYTES).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (!text.trim().is_empty()).then_some(text)
}

fn file_of(state: &SessionState, iteration: u32, name: &str) -> std::path::PathBuf {
    let name = match iteration {
        0 | 1 => format!("job.{name}"),
        _ => format!("job.r{iteration}.{name}"),
    };
    state.log_file.with_file_name(name)
}
