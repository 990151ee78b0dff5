//! Manages stored sessions: status, list, metrics, logs, stop, clean and resume.
//!
//! The status is computed from the events and processes of a session. Reading the status writes nothing.

mod logs;
mod stop;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Serialize;

use crate::journal::{self, Event, EventData};
use crate::run_host::seconds;
use crate::session::{InvalidId, Session, SessionId};
use crate::spec::Continues;
use crate::state::{SessionState, SessionStatus, SessionSummary};
use crate::usage::{Cost, TotalUse};

pub use logs::{Activity, LogPage, LogQuery, Window};
pub(crate) use stop::start_watchdog;
pub use stop::{StopAction, Stopped, watch};

#[derive(Debug, thiserror::Error)]
pub enum JobError {
    #[error(transparent)]
    Id(#[from] InvalidId),
    #[error("unknown session `{id}` in `{}`", root.display())]
    NotFound { id: String, root: PathBuf },
    #[error("session `{0}` is still running")]
    StillRunning(String),
    #[error("session `{0}` has no codex thread to continue")]
    NoThread(String),
    #[error("session `{0}` has no log")]
    NoLog(String),
    #[error("`{pattern}` is not a regular expression: {reason}")]
    Pattern { pattern: String, reason: String },
    /// Another user may have written the session. The error names the folder and the command that corrects it.
    #[error(transparent)]
    Folder(io::Error),
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
}

/// A folder that contains sessions.
#[derive(Clone, Debug)]
pub struct Sessions {
    root: PathBuf,
}

#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The states to include. An empty list includes all states.
    pub states: Vec<SessionStatus>,
    pub tag_contains: Option<String>,
    /// Leaves out the sessions whose id begins with this text. Their records are not read.
    pub not_prefix: Option<&'static str>,
    /// Includes only sessions whose working directory is this directory or is inside it.
    pub directory: Option<PathBuf>,
    pub limit: Option<usize>,
    pub offset: usize,
}

#[derive(Clone, Debug)]
pub struct CleanRules {
    /// The states of the sessions to delete. An empty list means all states. Running sessions are never deleted.
    pub states: Vec<SessionStatus>,
    pub older_than_hours: Option<f64>,
    pub limit: Option<usize>,
    pub is_dry_run: bool,
    pub directory: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cleaned {
    pub deleted: Vec<String>,
    pub failed: Vec<String>,
    #[serde(rename = "dryRun")]
    pub is_dry_run: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metrics {
    pub total: usize,
    pub by_state: BTreeMap<&'static str, usize>,
    pub by_classification: BTreeMap<String, usize>,
    pub tokens_used: u64,
    pub input_tokens: u64,
    pub cached_input_tokens: u64,
    pub output_tokens: u64,
    pub turns: u64,
    /// The total cost of the sessions whose cost is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

impl Sessions {
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// Checks that no other user can add a session. A folder that does not exist contains no session.
    ///
    /// # Errors
    /// [`JobError::Folder`] if another user can write to the folder.
    pub fn check_folder(&self) -> Result<(), JobError> {
        match disk::check_private_folder(&self.root) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                Err(JobError::Folder(error))
            }
            // Any other error is reported when a session is read.
            Ok(()) | Err(_) => Ok(()),
        }
    }

    pub fn status(&self, id: &SessionId) -> Result<SessionState, JobError> {
        let state = self.summary(id)?.1.now();
        if state.state != SessionStatus::Lost {
            return Ok(state);
        }
        // The supervisor may have recorded the end and exited after the events were read.
        Ok(self.summary(id)?.1.now())
    }

    /// Returns the matching sessions, newest first, without the sessions that another user may have written.
    #[must_use]
    pub fn list(&self, filter: &Filter) -> Vec<SessionState> {
        let mut found: Vec<SessionState> = self
            .ids()
            .iter()
            .filter(|id| filter.not_prefix.is_none_or(|prefix| !id.as_str().starts_with(prefix)))
            .filter_map(|id| self.status(id).ok())
            .filter(|state| filter.accepts(state))
            .collect();
        found.sort_by(|a, b| (&b.created_at, &b.id).cmp(&(&a.created_at, &a.id)));
        found.into_iter().skip(filter.offset).take(filter.limit.unwrap_or(usize::MAX)).collect()
    }

    #[must_use]
    pub fn metrics(&self, filter: &Filter) -> Metrics {
        let mut metrics = Metrics::default();
        let mut used = TotalUse::default();
        for state in self.list(filter) {
            metrics.total += 1;
            *metrics.by_state.entry(state.state.word()).or_default() += 1;
            if let Some(classification) = state.classification {
                *metrics.by_classification.entry(classification).or_default() += 1;
            }
            metrics.tokens_used =
                metrics.tokens_used.saturating_add(state.tokens_used.unwrap_or(0));
            used.add(state.total_use.unwrap_or_default());
        }
        let TotalUse { tokens, turns, cost } = used;
        Metrics {
            input_tokens: tokens.input,
            cached_input_tokens: tokens.cached_input,
            output_tokens: tokens.output,
            turns,
            cost,
            ..metrics
        }
    }

    /// Deletes the ended sessions that `rules` select, oldest first.
    #[must_use]
    pub fn clean(&self, rules: &CleanRules, now: SystemTime) -> Cleaned {
        let filter = Filter {
            states: rules.states.clone(),
            directory: rules.directory.clone(),
            ..Filter::default()
        };
        let now = seconds(&crate::run_host::rfc3339(now)).unwrap_or(i64::MIN);
        let is_old = |state: &SessionState| {
            let Some(hours) = rules.older_than_hours else { return true };
            seconds(&state.updated_at)
                .is_some_and(|since| now.saturating_sub(since) as f64 >= hours * 3600.0)
        };
        let has_ended = |state: &SessionState| {
            state.state != SessionStatus::Running && state.codex_pid.is_none()
        };
        let mut cleaned = Cleaned { is_dry_run: rules.is_dry_run, ..Cleaned::default() };
        let ended =
            self.list(&filter).into_iter().rev().filter(|state| has_ended(state) && is_old(state));
        for state in ended.take(rules.limit.unwrap_or(usize::MAX)) {
            let is_deleted =
                rules.is_dry_run || fs::remove_dir_all(self.root.join(&state.id)).is_ok();
            if is_deleted { cleaned.deleted.push(state.id) } else { cleaned.failed.push(state.id) }
        }
        cleaned
    }

    /// Returns the data that a new session needs to continue this session's conversation.
    pub fn continues(&self, id: &SessionId) -> Result<(Continues, SessionState), JobError> {
        let state = self.status(id)?;
        if state.state == SessionStatus::Running || state.codex_pid.is_some() {
            return Err(JobError::StillRunning(state.id));
        }
        let (Some(thread), Some(effective)) = (&state.thread_id, &state.effective) else {
            return Err(JobError::NoThread(state.id));
        };
        let stored = Continues {
            session: state.id.clone(),
            agent: state.agent,
            thread: thread.clone(),
            directory: state.cwd.clone(),
            resolved_directory: state.resolved_cwd.clone(),
            effective: effective.clone(),
            codex_home: state.codex_home.clone(),
        };
        Ok((stored, state))
    }

    fn summary(&self, id: &SessionId) -> Result<(Session, SessionSummary), JobError> {
        let missing = || JobError::NotFound { id: id.to_string(), root: self.root.clone() };
        self.check_folder()?;
        let mut session = Session::open(&self.root, id).ok_or_else(missing)?;
        disk::check_private_folder(session.folder()).map_err(JobError::Folder)?;
        let unreadable = |source| JobError::Unreadable { path: session.events(), source };
        let events = journal::read_all(&session.events()).map_err(unreadable)?;
        session.id = session_in_folder(id, &events);
        let summary = SessionSummary::from_events(&session.id, &events);
        Ok((session, summary))
    }

    fn ids(&self) -> Vec<SessionId> {
        let Ok(entries) = fs::read_dir(&self.root) else { return Vec::new() };
        entries
            .flatten()
            .filter_map(|entry| SessionId::new(entry.file_name().to_str()?).ok())
            .collect()
    }
}

/// Returns the id of the session in a folder. A folder set with `CODEX_SESSION_DIR` can contain several sessions, with
/// ids that differ from the folder name. In that case, returns the newest session that has not ended, or the newest
/// session if all have ended.
fn session_in_folder(folder: &SessionId, events: &[Event]) -> String {
    let is_start = |event: &&Event| matches!(event.data, EventData::Start(_));
    let is_end = |event: &&Event| matches!(event.data, EventData::OrchestrationCompleted(_));
    let ids = events.iter().rev().filter(is_start).map(|event| event.session.as_str());
    if ids.clone().any(|id| id == folder.as_str()) {
        return folder.to_string();
    }
    let has_ended = |id: &str| events.iter().filter(is_end).any(|event| event.session == id);
    let running = ids.clone().find(|id| !has_ended(id));
    running.or_else(|| ids.clone().next()).map_or_else(|| folder.to_string(), str::to_owned)
}

impl Filter {
    fn accepts(&self, state: &SessionState) -> bool {
        let tag = self.tag_contains.as_deref().is_none_or(|part| state.tag.contains(part));
        let is_inside =
            self.directory.as_deref().is_none_or(|directory| state.cwd.starts_with(directory));
        (self.states.is_empty() || self.states.contains(&state.state)) && tag && is_inside
    }
}
