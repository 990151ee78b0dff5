//! Sessions looked at from outside: status, list, stop, clean, metrics, and what can be gone on with.
//!
//! Looking writes nothing. Everything is read from the events of a session and from the processes themselves.

mod logs;
pub(crate) mod stop;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Serialize;

use crate::journal::{self, Event, names};
use crate::run_host::seconds;
use crate::session::{InvalidId, Session, SessionId};
use crate::spec::{Continues, EffectiveWords};
use crate::state::{Known, SessionState, Status};

pub use logs::{LogPage, LogQuery, LogView, Window};
pub use stop::{StopAction, Stopped};

#[derive(Debug, thiserror::Error)]
pub enum JobError {
    #[error(transparent)]
    Id(#[from] InvalidId),
    #[error("there is no session `{id}` in `{}`", root.display())]
    NotFound { id: String, root: PathBuf },
    #[error("session `{0}` still runs")]
    StillRunning(String),
    #[error("session `{0}` has no codex thread to go on with")]
    NoThread(String),
    #[error("the log of `{0}` is not there")]
    NoLog(String),
    #[error("`{pattern}` is no regular expression: {reason}")]
    Pattern { pattern: String, reason: String },
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
}

/// The folder of sessions.
#[derive(Clone, Debug)]
pub struct Sessions {
    root: PathBuf,
}

#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Empty: all.
    pub states: Vec<Status>,
    pub tag_contains: Option<String>,
    /// Only those that work here or below.
    pub directory: Option<PathBuf>,
    pub limit: Option<usize>,
    pub offset: usize,
}

#[derive(Clone, Debug)]
pub struct CleanRules {
    /// Those that run are never cleaned up, whatever is said here.
    pub states: Vec<Status>,
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
}

impl Sessions {
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    pub fn status(&self, id: &SessionId) -> Result<SessionState, JobError> {
        Ok(self.known(id)?.1.now())
    }

    /// The newest first.
    #[must_use]
    pub fn list(&self, filter: &Filter) -> Vec<SessionState> {
        let mut found: Vec<SessionState> = self
            .ids()
            .iter()
            .filter_map(|id| self.status(id).ok())
            .filter(|state| filter.takes(state))
            .collect();
        found.sort_by(|a, b| (&b.created_at, &b.id).cmp(&(&a.created_at, &a.id)));
        found.into_iter().skip(filter.offset).take(filter.limit.unwrap_or(usize::MAX)).collect()
    }

    #[must_use]
    pub fn metrics(&self, filter: &Filter) -> Metrics {
        let mut metrics = Metrics::default();
        for state in self.list(filter) {
            metrics.total += 1;
            *metrics.by_state.entry(state.state.word()).or_default() += 1;
            if let Some(classification) = state.classification {
                *metrics.by_classification.entry(classification).or_default() += 1;
            }
            metrics.tokens_used =
                metrics.tokens_used.saturating_add(state.tokens_used.unwrap_or(0));
        }
        metrics
    }

    /// Deletes what is over and old enough.
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
        let is_over =
            |state: &SessionState| state.state != Status::Running && state.codex_pid.is_none();
        let mut cleaned = Cleaned { is_dry_run: rules.is_dry_run, ..Cleaned::default() };
        // The oldest go first.
        let over =
            self.list(&filter).into_iter().rev().filter(|state| is_over(state) && is_old(state));
        for state in over.take(rules.limit.unwrap_or(usize::MAX)) {
            let gone = rules.is_dry_run || fs::remove_dir_all(self.root.join(&state.id)).is_ok();
            if gone { cleaned.deleted.push(state.id) } else { cleaned.failed.push(state.id) }
        }
        cleaned
    }

    /// What a new session needs to go on where this one ended.
    pub fn continues(&self, id: &SessionId) -> Result<(Continues, SessionState), JobError> {
        let state = self.status(id)?;
        if state.state == Status::Running || state.codex_pid.is_some() {
            return Err(JobError::StillRunning(state.id));
        }
        let stored =
            match (&state.thread_id, &state.effective_sandbox, &state.effective_approval_policy) {
                (Some(thread), Some(sandbox), Some(approval)) => Continues {
                    session: state.id.clone(),
                    thread: thread.clone(),
                    directory: state.cwd.clone(),
                    effective: EffectiveWords {
                        sandbox: sandbox.clone(),
                        approval: approval.clone(),
                        network: state.effective_network_access.as_deref() == Some("enabled"),
                        bypass: state.sandbox_bypass == Some(1),
                        writable_roots: state.effective_writable_roots.clone(),
                    },
                },
                _ => return Err(JobError::NoThread(state.id)),
            };
        Ok((stored, state))
    }

    fn known(&self, id: &SessionId) -> Result<(Session, Known), JobError> {
        let missing = || JobError::NotFound { id: id.to_string(), root: self.root.clone() };
        let mut session = Session::open(&self.root, id).ok_or_else(missing)?;
        let unreadable = |source| JobError::Unreadable { path: session.events(), source };
        let events = journal::read_all(&session.events()).map_err(unreadable)?;
        session.id = session_in_folder(id, &events);
        let own: Vec<Event> =
            events.into_iter().filter(|event| event.session == session.id).collect();
        let known = Known::from_events(&session.id, &own);
        Ok((session, known))
    }

    fn ids(&self) -> Vec<SessionId> {
        let Ok(entries) = fs::read_dir(&self.root) else { return Vec::new() };
        entries
            .flatten()
            .filter_map(|entry| SessionId::new(entry.file_name().to_str()?).ok())
            .collect()
    }
}

/// A folder that was named with `CODEX_SESSION_DIR` has another name than the sessions in it. Of several, the newest that
/// has not ended is meant, else the newest.
fn session_in_folder(folder: &SessionId, events: &[Event]) -> String {
    let is_of = |id: &str, name: &str| {
        events.iter().any(|event| event.session == id && event.event == name)
    };
    if is_of(folder.as_str(), names::START) {
        return folder.to_string();
    }
    let started = events.iter().rev().filter(|event| event.event == names::START);
    let ids = started.map(|event| event.session.as_str());
    let running = ids.clone().find(|id| !is_of(id, names::COMPLETED));
    running.or_else(|| ids.clone().next()).map_or_else(|| folder.to_string(), str::to_owned)
}

impl Filter {
    fn takes(&self, state: &SessionState) -> bool {
        let tag = self.tag_contains.as_deref().is_none_or(|part| state.tag.contains(part));
        let place =
            self.directory.as_deref().is_none_or(|directory| state.cwd.starts_with(directory));
        (self.states.is_empty() || self.states.contains(&state.state)) && tag && place
    }
}
