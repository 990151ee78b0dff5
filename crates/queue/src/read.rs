//! Reads tasks and attempts, and reports about them.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::PathBuf;

use runs::TotalUse;
use serde::Serialize;

use crate::columns::{self, read_caps, read_usage};
use crate::database::{Access, Database, DatabaseError, Row, Value, values};
use crate::owner::Owner;
use crate::store::{StoreError, TaskStore, path_text};
use crate::task::{OnLost, Task, TaskId, TaskState, WorkProduct};

/// The columns that [`task`] reads, in this order.
pub(crate) const TASK_COLUMNS: &str = "t.id, t.idempotency_key, t.title, t.repository, t.request, t.priority, \
    t.max_parallel, t.max_retries, t.retry_delay_ms, t.on_lost, t.max_tokens, t.max_turns, t.max_cost_micros, t.state, \
    t.class, t.reason, t.waiting_until, t.not_before, t.failures, t.losses, t.generation, t.owner, t.lease_until, \
    t.cancel_requested, t.session, t.thread, t.resume_session, t.worktree, t.branch, t.base, t.head, t.patch, t.changes, t.summary, \
    t.tokens_in, t.tokens_out, t.turns, t.cost_micros, t.created_at, t.started_at, t.ended_at";

/// The columns that [`attempt`] reads, in this order.
const ATTEMPT_COLUMNS: &str = "generation, owner, session, started_at, ended_at, result, reason, \
    tokens_in, tokens_out, turns, cost_micros";

/// Selects tasks. The default value selects all tasks.
#[derive(Clone, Debug, Default)]
pub struct TaskFilter {
    /// The states to include. An empty list includes all states.
    pub states: Vec<TaskState>,
    pub repository: Option<PathBuf>,
    /// If set, includes only tasks that have not ended or that ended after this time, in milliseconds since 1970.
    pub since: Option<i64>,
    pub limit: Option<usize>,
}

/// One attempt to run a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Attempt {
    pub generation: i64,
    pub worker: String,
    pub session: Option<String>,
    pub started_at: i64,
    pub ended_at: Option<i64>,
    /// The name of the result, such as `finished`, or `lost` if the worker died.
    pub result: Option<String>,
    pub reason: Option<String>,
    #[serde(serialize_with = "columns::write_usage")]
    pub usage: TotalUse,
}

/// A report about the tasks that have not ended, or that ended after a time.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// In milliseconds since 1970.
    pub since: i64,
    /// The time of the report, according to the clock of the store.
    pub now: i64,
    /// The number of tasks in each state that occurs, in the order of `tasks`.
    pub counts: Vec<(TaskState, usize)>,
    /// The sum over all tasks.
    #[serde(serialize_with = "columns::write_usage")]
    pub usage: TotalUse,
    /// In the order of their states; in each state, the task that changed last comes first.
    pub tasks: Vec<Task>,
}

impl TaskStore {
    pub fn task(&mut self, id: &TaskId) -> Result<Task, StoreError> {
        self.transact(Access::Read, |database| find(database, id))
    }

    /// Returns the selected tasks, newest first.
    pub fn tasks(&mut self, filter: &TaskFilter) -> Result<Vec<Task>, StoreError> {
        self.transact(Access::Read, |database| list(database, filter))
    }

    /// Returns the attempts of a task, oldest first.
    pub fn attempts(&mut self, id: &TaskId) -> Result<Vec<Attempt>, StoreError> {
        self.transact(Access::Read, |database| {
            find(database, id)?;
            let sql = format!(
                "SELECT {ATTEMPT_COLUMNS} FROM attempts WHERE task = $1 ORDER BY generation"
            );
            let mut rows = database.query(&sql, values![id.as_str()])?;
            Ok(rows.iter_mut().map(attempt).collect::<Result<_, DatabaseError>>()?)
        })
    }

    /// Returns the attempts of all tasks that were started more than once, oldest first.
    pub fn repeated_attempts(&mut self) -> Result<HashMap<TaskId, Vec<Attempt>>, StoreError> {
        self.transact(Access::Read, |database| {
            let sql = format!(
                "SELECT task, {ATTEMPT_COLUMNS} FROM attempts WHERE task IN \
                 (SELECT id FROM tasks WHERE generation > 1) ORDER BY generation"
            );
            let mut found: HashMap<TaskId, Vec<Attempt>> = HashMap::new();
            for mut row in database.query(&sql, &[])? {
                found.entry(task_id(&mut row)?).or_default().push(attempt(&mut row)?);
            }
            Ok(found)
        })
    }

    /// Reports about the tasks of the last `milliseconds`.
    pub fn report(&mut self, milliseconds: i64) -> Result<Report, StoreError> {
        let now = self.now()?;
        let since = now.saturating_sub(milliseconds);
        let mut tasks = self.tasks(&TaskFilter { since: Some(since), ..TaskFilter::default() })?;
        sort_for_report(&mut tasks);
        let groups = tasks.chunk_by(|one, next| one.state == next.state);
        let counts = groups.map(|group| (group[0].state, group.len())).collect();
        let mut usage = TotalUse::default();
        tasks.iter().for_each(|task| usage.add(task.usage));
        Ok(Report { since, now, counts, usage, tasks })
    }

    /// Returns the current time according to the store's clock, in milliseconds since 1970.
    pub fn now(&mut self) -> Result<i64, StoreError> {
        self.transact(Access::Read, |database| Ok(crate::limits::now(database)?))
    }
}

/// Sorts tasks by state, those that need the user first. In each state, the task that changed last comes first.
pub fn sort_for_report(tasks: &mut [Task]) {
    tasks.sort_by_key(|task| {
        let changed = task.ended_at.or(task.started_at).unwrap_or(task.created_at);
        (task.state, Reverse(changed))
    });
}

impl Task {
    /// Returns the time between the first start and the end of the task, or `now` if it is running, in milliseconds.
    #[must_use]
    pub fn duration_ms(&self, now: i64) -> Option<i64> {
        let end = self.ended_at.or((self.state == TaskState::Running).then_some(now))?;
        self.started_at.map(|started| end.saturating_sub(started).max(0))
    }
}

pub(crate) fn find(database: &mut dyn Database, id: &TaskId) -> Result<Task, StoreError> {
    let sql = format!("SELECT {TASK_COLUMNS} FROM tasks t WHERE t.id = $1");
    let row = database.query(&sql, values![id.as_str()])?.pop();
    let mut found = task(row.ok_or_else(|| StoreError::UnknownTask(id.clone()))?)?;
    found.after = predecessors(database, id)?;
    Ok(found)
}

fn list(database: &mut dyn Database, filter: &TaskFilter) -> Result<Vec<Task>, StoreError> {
    let mut values: Vec<Value> = filter.states.iter().map(|state| state.word().into()).collect();
    let mut conditions = vec!["1 = 1".to_owned()];
    if !values.is_empty() {
        conditions.push(format!("t.state IN ({})", parameters(1, values.len())));
    }
    if let Some(repository) = &filter.repository {
        values.push(path_text(repository)?.into());
        conditions.push(format!("t.repository = ${}", values.len()));
    }
    if let Some(since) = filter.since {
        values.push(since.into());
        conditions.push(format!("(t.ended_at IS NULL OR t.ended_at > ${})", values.len()));
    }
    let conditions = conditions.join(" AND ");
    let mut after: HashMap<TaskId, Vec<TaskId>> = HashMap::new();
    let sql = format!(
        "SELECT d.task, d.predecessor FROM dependencies d JOIN tasks t ON t.id = d.task WHERE {conditions} \
         ORDER BY d.predecessor"
    );
    for mut row in database.query(&sql, &values)? {
        after.entry(task_id(&mut row)?).or_default().push(task_id(&mut row)?);
    }
    let limit = i64::try_from(filter.limit.unwrap_or(usize::MAX)).unwrap_or(i64::MAX);
    values.push(limit.into());
    let sql = format!(
        "SELECT {TASK_COLUMNS} FROM tasks t WHERE {conditions} ORDER BY t.seq DESC LIMIT ${}",
        values.len()
    );
    let rows = database.query(&sql, &values)?;
    let mut tasks = rows.into_iter().map(task).collect::<Result<Vec<Task>, DatabaseError>>()?;
    for task in &mut tasks {
        task.after = after.remove(&task.id).unwrap_or_default();
    }
    Ok(tasks)
}

/// Returns `count` parameter placeholders, starting with `$first`, for example `$3, $4`.
pub(crate) fn parameters(first: usize, count: usize) -> String {
    let words: Vec<String> = (first..first + count).map(|n| format!("${n}")).collect();
    words.join(", ")
}

pub(crate) fn predecessors(
    database: &mut dyn Database,
    id: &TaskId,
) -> Result<Vec<TaskId>, DatabaseError> {
    let sql = "SELECT predecessor FROM dependencies WHERE task = $1 ORDER BY predecessor";
    task_ids(database, sql, values![id.as_str()])
}

/// Returns the ids in the rows of a query or of an update that returns ids.
pub(crate) fn task_ids(
    database: &mut dyn Database,
    sql: &str,
    values: &[Value],
) -> Result<Vec<TaskId>, DatabaseError> {
    database.query(sql, values)?.iter_mut().map(task_id).collect()
}

pub(crate) fn task_id(row: &mut Row) -> Result<TaskId, DatabaseError> {
    TaskId::new(&row.text()?).map_err(|error| DatabaseError::unexpected(error.to_string()))
}

/// Reads a row with the columns [`TASK_COLUMNS`]. The row does not contain the predecessors.
pub(crate) fn task(mut row: Row) -> Result<Task, DatabaseError> {
    let row = &mut row;
    let unknown = |what: &str| DatabaseError::unexpected(format!("a task has an unknown {what}"));
    Ok(Task {
        id: task_id(row)?,
        key: row.optional_text()?,
        title: row.text()?,
        repository: row.text()?.into(),
        request: serde_json::from_str(&row.text()?)
            .map_err(|error| DatabaseError::unexpected(format!("a request: {error}")))?,
        priority: row.integer()?,
        max_parallel: row.optional_integer()?,
        max_retries: row.integer()?,
        retry_delay_ms: row.integer()?,
        on_lost: OnLost::named(&row.text()?).ok_or_else(|| unknown("policy"))?,
        limits: read_caps(row)?,
        after: Vec::new(),
        state: TaskState::named(&row.text()?).ok_or_else(|| unknown("state"))?,
        class: row.optional_text()?,
        reason: row.optional_text()?,
        waiting_until: row.optional_integer()?,
        not_before: row.integer()?,
        failures: row.integer()?,
        losses: row.integer()?,
        generation: row.integer()?,
        worker: row.optional_text()?.map(|owner| worker(&owner)),
        lease_until: row.optional_integer()?,
        is_cancel_requested: row.integer()? != 0,
        session: row.optional_text()?,
        thread: row.optional_text()?,
        resume_session: row.optional_text()?,
        product: WorkProduct {
            worktree: row.optional_text()?.map(PathBuf::from),
            branch: row.optional_text()?,
            base: row.optional_text()?,
            head: row.optional_text()?,
            patch: row.optional_text()?.map(PathBuf::from),
            changes: row.optional_text()?.and_then(|text| serde_json::from_str(&text).ok()),
            summary: row.optional_text()?,
        },
        usage: read_usage(row)?,
        created_at: row.integer()?,
        started_at: row.optional_integer()?,
        ended_at: row.optional_integer()?,
    })
}

fn attempt(row: &mut Row) -> Result<Attempt, DatabaseError> {
    Ok(Attempt {
        generation: row.integer()?,
        worker: worker(&row.text()?),
        session: row.optional_text()?,
        started_at: row.integer()?,
        ended_at: row.optional_integer()?,
        result: row.optional_text()?,
        reason: row.optional_text()?,
        usage: read_usage(row)?,
    })
}

fn worker(owner: &str) -> String {
    Owner::from_text(owner).map_or_else(String::new, |owner| owner.worker)
}
