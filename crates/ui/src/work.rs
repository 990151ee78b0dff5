//! The queue and the jobs, as shown on the page.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use queue::{Attempt, ChangeCount, StoreError, StoreLocation, TaskState, TaskStore};
use queue::{SESSION_PREFIX, Task, TaskFilter, TaskId};
use runs::{Activity, Filter, JobError, LogPage, LogQuery, SessionId, SessionState};
use runs::{RunHost, SessionStatus, Sessions, Window};
use serde::Serialize;

const MAX_JOBS: usize = 100;
const MAX_TASKS: usize = 2_000;
const MAX_LOG_LINES: usize = 400;
const MAX_LOG_BYTES: usize = 128 * 1024;
const MAX_WHOLE_LOG_BYTES: usize = 8 * 1024 * 1024;
/// The maximum time that the page waits for a store that cannot be reached.
const STORE_TIMEOUT: Duration = Duration::from_secs(2);

/// The sessions and the queue that the page shows.
pub(crate) struct Work {
    pub(crate) sessions: Sessions,
    pub(crate) host: RunHost,
    location: StoreLocation,
    store: Mutex<Option<TaskStore>>,
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Overview {
    /// The jobs that are not attempts of a task.
    jobs: Vec<Job>,
    tasks: Vec<TaskRow>,
    /// The reason why the queue cannot be read.
    queue_problem: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Job {
    /// Without the arguments, which can be long and are not shown.
    #[serde(flatten)]
    state: SessionState,
    activity: Option<Activity>,
    /// The operations that are possible now. Each is the last segment of a request path, such as `stop`.
    operations: Vec<&'static str>,
}

/// What the overview shows of a task.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TaskRow {
    id: TaskId,
    title: String,
    state: TaskState,
    class: Option<String>,
    reason: Option<String>,
    repository: String,
    tokens: u64,
    cost_micros: u64,
    changes: Option<ChangeCount>,
    branch: Option<String>,
    created_at: i64,
    started_at: Option<i64>,
    ended_at: Option<i64>,
    waiting_until: Option<i64>,
    activity: Option<Activity>,
    /// The attempts, if there is more than one.
    attempts: Vec<Attempt>,
}

#[derive(Serialize)]
pub(crate) struct TaskDetails {
    #[serde(flatten)]
    task: Task,
    attempts: Vec<Attempt>,
    activity: Option<Activity>,
    /// The operations that are possible now. Each is the last segment of a request path, such as `stop`.
    operations: Vec<&'static str>,
}

fn job(state: SessionState, sessions: &Sessions) -> Job {
    let is_running = state.state == SessionStatus::Running || state.codex_pid.is_some();
    let id = SessionId::new(&state.id).ok().filter(|_| is_running);
    Job {
        operations: match (is_running, &state.thread_id) {
            (true, _) => vec!["stop"],
            (false, Some(_)) => vec!["continue"],
            (false, None) => Vec::new(),
        },
        activity: id.and_then(|id| sessions.activity(&id)),
        state: SessionState { args: Vec::new(), ..state },
    }
}

fn operations(task: &Task) -> Vec<&'static str> {
    match task.state {
        TaskState::Queued | TaskState::Running if task.is_cancel_requested => Vec::new(),
        TaskState::Queued | TaskState::Running => vec!["cancel"],
        TaskState::Waiting => vec!["retry", "cancel"],
        TaskState::NeedsApproval => vec!["approve", "cancel"],
        TaskState::Finished => Vec::new(),
        TaskState::Failed | TaskState::Budget | TaskState::Cancelled => vec!["retry"],
    }
}

impl Work {
    pub(crate) fn new(host: RunHost, location: StoreLocation) -> Self {
        let sessions = Sessions::at(&host.sessions);
        Self { sessions, host, location, store: Mutex::default() }
    }

    pub(crate) fn overview(&self) -> Overview {
        let filter =
            Filter { limit: Some(MAX_JOBS), not_prefix: Some(SESSION_PREFIX), ..Filter::default() };
        let jobs = self.sessions.list(&filter).into_iter();
        let jobs = jobs.map(|state| job(state, &self.sessions)).collect();
        match self.rows() {
            Ok(tasks) => Overview { jobs, tasks, queue_problem: None },
            Err(error) => {
                Overview { jobs, queue_problem: Some(error.to_string()), ..Overview::default() }
            }
        }
    }

    /// Returns the tasks in the order of a report: what needs the user comes first.
    fn rows(&self) -> Result<Vec<TaskRow>, StoreError> {
        let filter = TaskFilter { limit: Some(MAX_TASKS), ..TaskFilter::default() };
        let read = |store: &mut TaskStore| {
            let tasks = store.tasks(&filter)?;
            let is_repeated = tasks.iter().any(|task| task.generation > 1);
            let attempts = if is_repeated { store.repeated_attempts()? } else { HashMap::new() };
            Ok((tasks, attempts))
        };
        let Some(read) = self.with_store(read) else { return Ok(Vec::new()) };
        let (mut tasks, mut attempts) = read?;
        queue::sort_for_report(&mut tasks);
        Ok(tasks.into_iter().map(|task| self.row(task, &mut attempts)).collect())
    }

    fn row(&self, task: Task, attempts: &mut HashMap<TaskId, Vec<Attempt>>) -> TaskRow {
        TaskRow {
            activity: self.activity(&task),
            attempts: attempts.remove(&task.id).unwrap_or_default(),
            id: task.id,
            title: task.title,
            state: task.state,
            class: task.class,
            reason: task.reason,
            repository: shown(&task.repository),
            tokens: task.usage.tokens.total(),
            cost_micros: task.usage.cost.unwrap_or_default().millionths(),
            changes: task.product.changes,
            branch: task.product.branch,
            created_at: task.created_at,
            started_at: task.started_at,
            ended_at: task.ended_at,
            waiting_until: task.waiting_until,
        }
    }

    fn activity(&self, task: &Task) -> Option<Activity> {
        if task.state != TaskState::Running {
            return None;
        }
        let id = SessionId::new(&task.id.session(task.generation)).ok()?;
        self.sessions.activity(&id)
    }

    pub(crate) fn job(&self, id: &SessionId) -> Option<Job> {
        self.sessions.status(id).ok().map(|state| job(state, &self.sessions))
    }

    pub(crate) fn task(&self, id: &TaskId) -> Option<TaskDetails> {
        let task = self.with_store(|store| store.task(id))?.ok()?;
        let attempts = self.with_store(|store| store.attempts(id))?.unwrap_or_default();
        let (activity, operations) = (self.activity(&task), operations(&task));
        Some(TaskDetails { task, attempts, activity, operations })
    }

    /// Returns the end of the log of a task's newest attempt.
    pub(crate) fn task_log(&self, id: &TaskId) -> String {
        let generation = self.with_store(|store| store.task(id)).and_then(Result::ok);
        let session = generation.map(|task| id.session(task.generation));
        let session = session.and_then(|session| SessionId::new(&session).ok());
        let log = session.map(|session| self.agent_log(&session));
        log.and_then(Result::ok).unwrap_or_default()
    }

    /// Returns the end of the agent's log, in the form in which `adjutant job logs --result-only` prints it.
    pub(crate) fn agent_log(&self, id: &SessionId) -> Result<String, JobError> {
        self.log(id, true, Window::Tail(MAX_LOG_LINES), MAX_LOG_BYTES)
    }

    /// Returns a job's log with the lines of the wrapper. Only the end of a very large log is returned.
    pub(crate) fn whole_log(&self, id: &SessionId) -> Result<String, JobError> {
        self.log(id, false, Window::All, MAX_WHOLE_LOG_BYTES)
    }

    fn log(
        &self,
        id: &SessionId,
        is_result_only: bool,
        window: Window,
        max_bytes: usize,
    ) -> Result<String, JobError> {
        let query = LogQuery { window, grep: None, is_result_only };
        let text = match self.sessions.logs(id, &query)? {
            LogPage::Lines { lines, .. } => lines.join("\n"),
            LogPage::Bytes { chunk, .. } => chunk,
        };
        let start = text.ceil_char_boundary(text.len().saturating_sub(max_bytes));
        Ok(text[start..].to_owned())
    }

    /// Calls `body` with the queue's store. Returns `None` if no queue exists yet.
    pub(crate) fn with_store<T>(
        &self,
        body: impl FnOnce(&mut TaskStore) -> Result<T, StoreError>,
    ) -> Option<Result<T, StoreError>> {
        // Opening the store would create its file.
        if matches!(&self.location, StoreLocation::File(path) if !path.exists()) {
            return None;
        }
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if store.is_none() {
            match TaskStore::open(self.location.clone(), STORE_TIMEOUT) {
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
