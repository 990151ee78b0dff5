//! The queue and the jobs, as shown on the page.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use codex::{Filter, JobError, LogPage, LogQuery, LogView, SessionId, SessionState, Sessions};
use codex::{RunHost, Status, TotalUse, Window};
use queue::{Attempt, State, Store, StoreError, StoreLocation, Task, TaskFilter, TaskId};
use serde::Serialize;

const MAX_JOBS: usize = 100;
const MAX_TASKS: usize = 200;
const MAX_LOG_LINES: usize = 400;
const MAX_LOG_BYTES: usize = 128 * 1024;
/// The maximum time that the page waits for a store that cannot be reached.
const STORE_TIMEOUT: Duration = Duration::from_secs(2);

/// The sessions and the queue that the page shows.
pub(crate) struct Work {
    pub(crate) sessions: Sessions,
    pub(crate) host: RunHost,
    location: StoreLocation,
    store: Mutex<Option<Store>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Overview {
    jobs: Vec<Job>,
    tasks: Vec<ShownTask>,
    /// The reason why the queue cannot be read.
    queue_problem: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Job {
    id: String,
    title: String,
    state: &'static str,
    tag: String,
    directory: String,
    created_at: String,
    updated_at: String,
    classification: Option<String>,
    reason: Option<String>,
    note: Option<String>,
    tokens: Option<u64>,
    usage: Option<TotalUse>,
    sandbox: Option<String>,
    approval: Option<String>,
    network: Option<String>,
    resumed_from: Option<String>,
    /// The operations that are possible now. Each is the last segment of a request path, such as `stop`.
    operations: Vec<&'static str>,
}

#[derive(Serialize)]
pub(crate) struct ShownTask {
    #[serde(flatten)]
    task: Task,
    /// The operations that are possible now. Each is the last segment of a request path, such as `stop`.
    operations: Vec<&'static str>,
}

#[derive(Serialize)]
pub(crate) struct TaskDetails {
    #[serde(flatten)]
    task: ShownTask,
    attempts: Vec<Attempt>,
}

impl From<SessionState> for Job {
    fn from(state: SessionState) -> Self {
        let is_running = state.state == Status::Running || state.codex_pid.is_some();
        let named = [&state.title, &state.tag, &state.id].into_iter().find(|name| !name.is_empty());
        Self {
            title: named.cloned().unwrap_or_default(),
            state: state.state.word(),
            operations: match (is_running, &state.thread_id) {
                (true, _) => vec!["stop"],
                (false, Some(_)) => vec!["continue"],
                (false, None) => Vec::new(),
            },
            directory: shown(&state.cwd),
            id: state.id,
            tag: state.tag,
            created_at: state.created_at,
            updated_at: state.updated_at,
            classification: state.classification,
            reason: state.reason,
            note: state.note,
            tokens: state.tokens_used,
            usage: state.total_use,
            sandbox: state.effective_sandbox,
            approval: state.effective_approval_policy,
            network: state.effective_network_access,
            resumed_from: state.resumed_from,
        }
    }
}

impl From<Task> for ShownTask {
    fn from(task: Task) -> Self {
        let operations = match task.state {
            State::Queued | State::Running if task.is_cancel_requested => Vec::new(),
            State::Queued | State::Running => vec!["cancel"],
            State::Waiting => vec!["retry", "cancel"],
            State::NeedsApproval => vec!["approve", "cancel"],
            State::Finished => Vec::new(),
            State::Failed | State::Budget | State::Cancelled => vec!["retry"],
        };
        Self { task, operations }
    }
}

impl Work {
    pub(crate) fn new(host: RunHost, location: StoreLocation) -> Self {
        let sessions = Sessions::at(&host.sessions);
        Self { sessions, host, location, store: Mutex::default() }
    }

    pub(crate) fn overview(&self) -> Overview {
        let jobs = self.sessions.list(&Filter { limit: Some(MAX_JOBS), ..Filter::default() });
        let filter = TaskFilter { limit: Some(MAX_TASKS), ..TaskFilter::default() };
        let (tasks, queue_problem) = match self.with_store(|store| store.tasks(&filter)) {
            None => (Vec::new(), None),
            Some(Ok(tasks)) => (tasks, None),
            Some(Err(error)) => (Vec::new(), Some(error.to_string())),
        };
        Overview {
            jobs: jobs.into_iter().map(Job::from).collect(),
            tasks: tasks.into_iter().map(ShownTask::from).collect(),
            queue_problem,
        }
    }

    pub(crate) fn job(&self, id: &SessionId) -> Option<Job> {
        self.sessions.status(id).ok().map(Job::from)
    }

    pub(crate) fn task(&self, id: &TaskId) -> Option<TaskDetails> {
        let task = self.with_store(|store| store.task(id))?.ok()?;
        let attempts = self.with_store(|store| store.attempts(id))?.unwrap_or_default();
        Some(TaskDetails { task: task.into(), attempts })
    }

    /// Returns the end of a job's log, in the form in which `adjutant job logs` prints it.
    pub(crate) fn log(&self, id: &SessionId) -> Result<String, JobError> {
        let window = Window::Tail(MAX_LOG_LINES);
        let query = LogQuery { window, grep: None, view: LogView::Default };
        let text = match self.sessions.logs(id, &query)? {
            LogPage::Lines { lines, .. } => lines.join("\n"),
            LogPage::Bytes { chunk, .. } => chunk,
        };
        let start = text.ceil_char_boundary(text.len().saturating_sub(MAX_LOG_BYTES));
        Ok(text[start..].to_owned())
    }

    /// Calls `body` with the queue's store. Returns `None` if no queue exists yet.
    pub(crate) fn with_store<T>(
        &self,
        body: impl FnOnce(&mut Store) -> Result<T, StoreError>,
    ) -> Option<Result<T, StoreError>> {
        // Opening the store would create its file.
        if matches!(&self.location, StoreLocation::File(path) if !path.exists()) {
            return None;
        }
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if store.is_none() {
            match Store::open(self.location.clone(), STORE_TIMEOUT) {
                Ok(opened) => *store = Some(opened),
                Err(error) => return Some(Err(error)),
            }
        }
        store.as_mut().map(body)
    }
}

pub(crate) fn shown(path: &Path) -> String {
    path.display().to_string()
}
