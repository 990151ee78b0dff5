//! Adds tasks.

use std::path::PathBuf;

use runs::Caps;

use crate::columns::CapColumns;
use crate::database::{Access, Database, values};
use crate::read::{find, predecessors, task_ids};
use crate::store::{StoreError, TaskStore, path_text};
use crate::task::{OnLost, Task, TaskId, TaskRequest, TaskState};

const MAX_TITLE_CHARACTERS: usize = 200;
const HOUR_MS: i64 = 60 * 60 * 1000;

/// A task to add.
#[derive(Clone, Debug)]
pub struct NewTask {
    /// A key that identifies the task. If a task with this key exists, [`TaskStore::add`] returns its id and adds nothing.
    pub key: Option<String>,
    pub title: String,
    pub repository: PathBuf,
    pub request: TaskRequest,
    pub priority: i64,
    pub max_parallel: Option<i64>,
    pub max_retries: i64,
    pub retry_delay_ms: i64,
    pub on_lost: OnLost,
    pub limits: Caps,
    pub after: Vec<TaskId>,
    /// The task is added only if the repository has fewer tasks than this that have not ended or were added in the last
    /// hour.
    pub max_recent: Option<i64>,
}

impl NewTask {
    /// Creates a task without a key, predecessors, retries or caps.
    #[must_use]
    pub fn new(title: impl Into<String>, repository: PathBuf, request: TaskRequest) -> Self {
        Self {
            key: None,
            title: title.into(),
            repository,
            request,
            priority: 0,
            max_parallel: None,
            max_retries: 0,
            retry_delay_ms: 0,
            on_lost: OnLost::Again,
            limits: Caps::default(),
            after: Vec::new(),
            max_recent: None,
        }
    }
}

impl TaskStore {
    /// Adds a task and returns its id. If a task with the same key already existed, nothing was added, and the returned
    /// id is its id and the flag is true. `random` is the random part of the id and must be different for each call.
    ///
    /// # Errors
    /// [`StoreError::UnknownTask`] if a predecessor does not exist. If a task with the same key exists:
    /// [`StoreError::KeyTakenElsewhere`] if it is a task of another repository, [`StoreError::Cycle`] if a predecessor of
    /// the new task depends on it, or [`StoreError::KeyTaken`] if it describes a different run. [`StoreError::TooMany`]
    /// if the repository has too many tasks.
    pub fn add(&mut self, new: &NewTask, random: &str) -> Result<(TaskId, bool), StoreError> {
        let id = TaskId::from_random(random);
        let found = self.transact(Access::Write, |database| {
            for predecessor in &new.after {
                find(database, predecessor)?;
            }
            if let Some(existing) = with_key(database, new.key.as_deref())? {
                return same_task(database, existing, new);
            }
            // If the connection was lost after the commit, this is a repeated attempt and the task already exists.
            if matches!(find(database, &id), Ok(task) if task.request == new.request) {
                return Ok(id.clone());
            }
            check_number(database, new)?;
            insert(database, &id, new)?;
            Ok(id.clone())
        })?;
        let existed = found != id;
        Ok((found, existed))
    }
}

fn with_key(database: &mut dyn Database, key: Option<&str>) -> Result<Option<Task>, StoreError> {
    let Some(key) = key else { return Ok(None) };
    // Without this lock, two PostgreSQL clients could both conclude that no task has the key.
    database.lock(key)?;
    let sql = "SELECT id FROM tasks WHERE idempotency_key = $1";
    let id = task_ids(database, sql, values![key])?.pop();
    id.map(|id| find(database, &id)).transpose()
}

fn same_task(
    database: &mut dyn Database,
    existing: Task,
    new: &NewTask,
) -> Result<TaskId, StoreError> {
    if existing.repository != new.repository {
        // The caller may not be allowed to see tasks of other repositories, so the error does not name the task.
        return Err(StoreError::KeyTakenElsewhere(existing.key.unwrap_or_default()));
    }
    let mut pending = new.after.clone();
    let mut seen = Vec::new();
    while let Some(id) = pending.pop() {
        if id == existing.id {
            return Err(StoreError::Cycle(existing.id));
        }
        if !seen.contains(&id) {
            pending.extend(predecessors(database, &id)?);
            seen.push(id);
        }
    }
    let mut after = new.after.clone();
    after.sort();
    after.dedup();
    if existing.request == new.request && existing.after == after {
        return Ok(existing.id);
    }
    let key = existing.key.unwrap_or_default();
    Err(StoreError::KeyTaken { key, id: existing.id })
}

/// Checks the maximum number of recent tasks.
fn check_number(database: &mut dyn Database, new: &NewTask) -> Result<(), StoreError> {
    let Some(max) = new.max_recent else { return Ok(()) };
    let repository = path_text(&new.repository)?;
    // Without this lock, two PostgreSQL clients could both add the last allowed task.
    database.lock(repository)?;
    let [queued, running, waiting] =
        [TaskState::Queued, TaskState::Running, TaskState::Waiting].map(TaskState::word);
    let found = database.number(
        "SELECT count(*) FROM tasks WHERE repository = $1 \
         AND (state IN ($2, $3, $4) OR created_at > {now} - $5)",
        values![repository, queued, running, waiting, HOUR_MS],
    )?;
    if found < max { Ok(()) } else { Err(StoreError::TooMany(found)) }
}

fn insert(database: &mut dyn Database, id: &TaskId, new: &NewTask) -> Result<(), StoreError> {
    let request = serde_json::to_string(&new.request)
        .map_err(|_| StoreError::NotText(new.request.directory.clone()))?;
    let caps = CapColumns::from(new.limits);
    let title: String = new.title.chars().take(MAX_TITLE_CHARACTERS).collect();
    database.execute(
        "INSERT INTO tasks (id, idempotency_key, title, repository, request, priority, max_parallel, max_retries, \
         retry_delay_ms, on_lost, max_tokens, max_turns, max_cost_micros, state, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, {now})",
        values![
            id.as_str(),
            new.key.clone(),
            title,
            path_text(&new.repository)?,
            request,
            new.priority,
            new.max_parallel,
            new.max_retries,
            new.retry_delay_ms,
            new.on_lost.word(),
            caps.max_tokens,
            caps.max_turns,
            caps.max_cost_micros,
            TaskState::Queued.word(),
        ],
    )?;
    for predecessor in &new.after {
        database.execute(
            "INSERT INTO dependencies (task, predecessor) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            values![id.as_str(), predecessor.as_str()],
        )?;
    }
    // A predecessor may already have failed. The check is skipped if there are no predecessors, so that a database role
    // that may only insert rows can add such a task.
    if new.after.is_empty() { Ok(()) } else { crate::finish::fail_successors(database) }
}
