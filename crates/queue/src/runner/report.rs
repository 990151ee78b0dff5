//! Converts the record of a session into the result of a task.

use std::time::Duration;

use disk::Links;
use jiff::Timestamp;
use runs::{Classification, RunHost, SessionId, SessionState, SessionStatus, Sessions};

use crate::finish::{RunReport, RunResult};
use crate::task::WorkProduct;

/// The delay before a task is tried again if it is unknown when its usage limit will be reset.
const UNKNOWN_RESET_DELAY: Duration = Duration::from_secs(15 * 60);
const MAX_MESSAGE_BYTES: u64 = 64 * 1024;

/// The classifications for which another attempt would have the same result.
const PERMANENT: [Classification; 5] = [
    Classification::InputError,
    Classification::ConfigError,
    Classification::AuthError,
    Classification::SandboxDenied,
    Classification::BlockedByHook,
];

/// Reports how a session ended. A session without a recorded end is stopped first.
pub(super) fn report_of(sessions: &Sessions, session: &SessionId, host: &RunHost) -> RunReport {
    let mut found = sessions.status(session);
    if found
        .as_ref()
        .is_ok_and(|state| matches!(state.state, SessionStatus::Lost | SessionStatus::Running))
    {
        drop(sessions.stop(session, true, host));
        let stopped = sessions.status(session);
        // The session did not end by itself, so it counts as lost, even if another process has recorded its end.
        found = stopped.map(|state| SessionState { state: SessionStatus::Lost, ..state });
    }
    let state = match found {
        Ok(state) => state,
        Err(error) => {
            let report = RunReport::failed("lost", true, error.to_string());
            return RunReport { session: Some(session.to_string()), ..report };
        }
    };
    RunReport {
        result: result(&state, host),
        reason: state.reason.clone().unwrap_or_default(),
        usage: state.total_use.unwrap_or_default(),
        session: Some(session.to_string()),
        thread: state.thread_id.clone(),
        product: WorkProduct { summary: summary(&state), ..WorkProduct::default() },
    }
}

fn result(state: &SessionState, host: &RunHost) -> RunResult {
    let class = state.classification.clone().unwrap_or_else(|| "error".to_owned());
    match state.state {
        SessionStatus::Completed => RunResult::Finished,
        SessionStatus::Stopped => RunResult::Cancelled,
        SessionStatus::Lost | SessionStatus::Running => {
            RunResult::Failed { class: "lost".to_owned(), can_retry: true }
        }
        SessionStatus::Failed if class == Classification::ApprovalRequired.word() => {
            RunResult::NeedsApproval
        }
        SessionStatus::Failed if class == Classification::Budget.word() => RunResult::Budget,
        SessionStatus::Failed if class == Classification::Waiting.word() => {
            RunResult::Waiting { until: resumes_at(state, host), thread: state.thread_id.clone() }
        }
        SessionStatus::Failed => {
            let can_retry = !PERMANENT.iter().any(|permanent| permanent.word() == class);
            RunResult::Failed { class, can_retry }
        }
    }
}

/// Returns the time at which a session that reached a usage limit can continue, in milliseconds since 1970.
fn resumes_at(state: &SessionState, host: &RunHost) -> i64 {
    let reset = state.limit_resets_at.as_deref().and_then(|time| time.parse::<Timestamp>().ok());
    let later = || Timestamp::try_from((host.clock)() + UNKNOWN_RESET_DELAY).ok();
    // The recorded time has no fraction of a second, so it is rounded up.
    reset.or_else(later).unwrap_or_default().as_millisecond() + 1_000
}

/// Returns the redacted last message of the session, or `None` if there is none.
fn summary(state: &SessionState) -> Option<String> {
    let path = state.log_file.with_file_name(format!("job.r{}.last.txt", state.iteration));
    let bytes = disk::read_start(&path, Links::Refuse, MAX_MESSAGE_BYTES).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (!text.trim().is_empty()).then_some(text)
}
