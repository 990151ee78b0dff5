//! Claims tasks, renews their leases, and ends the leases of dead workers.

use std::path::PathBuf;

use runs::{Caps, TotalUse};
use serde::{Deserialize, Serialize};

use crate::columns::UsageColumns;
use crate::database::{Access, Database, DatabaseError, Row, Value, values};
use crate::limits;
use crate::owner::Owner;
use crate::read::{TASK_COLUMNS, find, parameters, predecessors, task, task_id};
use crate::store::{StoreError, TaskStore, path_text};
use crate::task::{Task, TaskId, TaskState};

/// A worker's right to write the result of a task.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Lease {
    pub task: TaskId,
    pub generation: i64,
}

/// A task that a worker has taken.
#[derive(Clone, Debug)]
pub struct ClaimedTask {
    pub lease: Lease,
    /// The task with the new lease.
    pub task: Task,
    /// The predecessors of the task. All of them have finished.
    pub predecessors: Vec<Task>,
    /// The attempts since the last result whose workers died, newest first. There can be several, because a worker can
    /// die while it recovers the attempt of another dead worker. `Runner::recover` must check all of them before the
    /// task runs again.
    pub previous: Vec<Previous>,
    /// What the daily caps still allow.
    pub day_left: Caps,
}

/// An attempt whose worker lost its lease.
#[derive(Clone, Debug)]
pub struct Previous {
    pub owner: Option<Owner>,
    pub session: Option<String>,
}

#[derive(Debug)]
pub enum Claimed {
    Task(Box<ClaimedTask>),
    /// No task can start now.
    Nothing,
    /// A daily cap has been reached. No task starts before `until`, in milliseconds since 1970.
    DayLimit {
        until: i64,
    },
}

/// The result of a heartbeat for one lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    Held,
    /// The lease is valid, and a user has requested that the task be cancelled.
    CancelRequested,
    /// Another worker holds the task, or the task has ended.
    Lost,
}

impl TaskStore {
    /// Takes the task with the highest priority among those that can start now. If `repositories` is not empty, only
    /// tasks of these repositories are considered.
    pub fn claim(
        &mut self,
        owner: &Owner,
        lease_ms: i64,
        repositories: &[PathBuf],
    ) -> Result<Claimed, StoreError> {
        let named = repositories.iter().map(|path| path_text(path).map(str::to_owned));
        let named = named.collect::<Result<Vec<String>, StoreError>>()?;
        self.transact(Access::Write, |database| {
            let day_left = match limits::day(database)? {
                Ok(left) => left,
                Err(reached) => return Ok(Claimed::DayLimit { until: reached.until }),
            };
            let mut full: Vec<String> = Vec::new();
            while let Some(candidate) = candidate(database, &named, &full)? {
                if has_room(database, &candidate)? {
                    let claim = take(database, candidate, owner, lease_ms, day_left)?;
                    return Ok(Claimed::Task(Box::new(claim)));
                }
                full.push(candidate.repository.to_string_lossy().into_owned());
            }
            Ok(Claimed::Nothing)
        })
    }

    /// Renews leases. Returns one result for each lease, in the same order.
    pub fn heartbeat(&mut self, leases: &[Lease], lease_ms: i64) -> Result<Vec<Beat>, StoreError> {
        self.transact(Access::Write, |database| {
            let beat = |lease: &Lease| {
                let rows = database.query(
                    "UPDATE tasks SET lease_until = {now} + CAST($1 AS BIGINT) \
                     WHERE id = $2 AND generation = $3 AND state = 'running' RETURNING cancel_requested",
                    values![lease_ms, lease.task.as_str(), lease.generation],
                )?;
                Ok(match rows.into_iter().next().map(|mut row| row.integer()).transpose()? {
                    None => Beat::Lost,
                    Some(0) => Beat::Held,
                    Some(_) => Beat::CancelRequested,
                })
            };
            leases.iter().map(beat).collect()
        })
    }

    /// Records the worktree of a task, so that `clean` finds it if the worker dies. Does nothing if the lease is lost.
    pub fn record_worktree(
        &mut self,
        lease: &Lease,
        product: &crate::task::WorkProduct,
    ) -> Result<(), StoreError> {
        let worktree = product.worktree.as_ref().map(|path| path.to_string_lossy().into_owned());
        self.transact(Access::Write, |database| {
            database.execute(
                "UPDATE tasks SET worktree = $1, branch = $2, base = $3 \
                 WHERE id = $4 AND generation = $5 AND state = 'running'",
                values![
                    worktree.clone(),
                    product.branch.clone(),
                    product.base.clone(),
                    lease.task.as_str(),
                    lease.generation
                ],
            )?;
            Ok(())
        })
    }

    /// Records what a running attempt has used so far, so that it counts toward the daily caps.
    pub fn record_use(&mut self, lease: &Lease, used: TotalUse) -> Result<(), StoreError> {
        self.transact(Access::Write, |database| Ok(set_use(database, lease, used)?))
    }

    /// Ends leases whose worker no longer runs the task: the leases of exited workers on this machine, and the leases
    /// of this worker that are not in `held`. Returns the number of leases ended.
    pub fn release_dead(&mut self, owner: &Owner, held: &[Lease]) -> Result<u64, StoreError> {
        let running: Vec<_> = self.transact(Access::Read, |database| {
            let sql = "SELECT id, generation, owner FROM tasks WHERE state = 'running' AND lease_until > {now}";
            let running = |mut row: Row| {
                let lease = Lease { task: task_id(&mut row)?, generation: row.integer()? };
                Ok((lease, row.optional_text()?.and_then(|owner| Owner::from_text(&owner))))
            };
            database.query(sql, &[])?.into_iter().map(running).collect()
        })?;
        let is_dead = |(lease, holder): &(Lease, Option<Owner>)| match holder {
            Some(holder) if holder.worker == owner.worker => !held.contains(lease),
            Some(holder) => owner.knows_death_of(holder),
            None => false,
        };
        let dead: Vec<Lease> =
            running.into_iter().filter(is_dead).map(|(lease, _)| lease).collect();
        if dead.is_empty() {
            return Ok(0);
        }
        self.transact(Access::Write, |database| {
            let mut n_ended = 0;
            for lease in &dead {
                n_ended += database.execute(
                    "UPDATE tasks SET lease_until = 0 WHERE id = $1 AND generation = $2 AND state = 'running'",
                    values![lease.task.as_str(), lease.generation],
                )?;
            }
            Ok(n_ended)
        })
    }

    /// Returns whether a task is running, is waiting, or can start now or later without user action.
    pub fn has_work(&mut self) -> Result<bool, StoreError> {
        self.transact(Access::Read, |database| {
            let sql = "SELECT count(*) FROM tasks t WHERE t.state IN ('running', 'waiting') OR (t.state = 'queued' \
                 AND NOT EXISTS (SELECT 1 FROM dependencies d JOIN tasks p ON p.id = d.predecessor \
                 WHERE d.task = t.id AND p.state <> 'finished'))";
            Ok(database.number(sql, &[])? > 0)
        })
    }
}

/// Finds the task with the highest priority that can start, and locks its row. Skips the repositories in `full`. If
/// `repositories` is not empty, considers only tasks of these repositories.
fn candidate(
    database: &mut dyn Database,
    repositories: &[String],
    full: &[String],
) -> Result<Option<Task>, DatabaseError> {
    let words = repositories.iter().chain(full);
    let values: Vec<Value> = words.map(|word| word.as_str().into()).collect();
    let mut conditions = String::new();
    if !repositories.is_empty() {
        let list = parameters(1, repositories.len());
        conditions.push_str(&format!(" AND t.repository IN ({list})"));
    }
    if !full.is_empty() {
        let list = parameters(1 + repositories.len(), full.len());
        conditions.push_str(&format!(" AND t.repository NOT IN ({list})"));
    }
    let sql = format!(
        "SELECT {TASK_COLUMNS} FROM tasks t WHERE \
         ((t.state IN ('queued', 'waiting') AND t.not_before <= {{now}}) \
          OR (t.state = 'running' AND t.lease_until <= {{now}})) \
         AND NOT EXISTS (SELECT 1 FROM dependencies d JOIN tasks p ON p.id = d.predecessor \
             WHERE d.task = t.id AND p.state <> 'finished') \
         AND (t.max_parallel IS NULL OR (SELECT count(*) FROM tasks r WHERE r.repository = t.repository \
             AND r.state = 'running' AND r.id <> t.id) < t.max_parallel){conditions} \
         ORDER BY t.priority DESC, t.seq LIMIT 1 {{skip_locked}}"
    );
    let row = database.query(&sql, &values)?.pop();
    row.map(task).transpose()
}

/// Returns whether the repository of `task` has fewer running tasks than `task.max_parallel`. The running tasks are
/// counted again under a lock. Without the lock, two PostgreSQL workers that count at the same time could both start a
/// task and exceed the limit.
fn has_room(database: &mut dyn Database, task: &Task) -> Result<bool, DatabaseError> {
    let Some(max_parallel) = task.max_parallel else { return Ok(true) };
    let repository = task.repository.to_string_lossy().into_owned();
    database.lock(&repository)?;
    let n_running = database.number(
        "SELECT count(*) FROM tasks WHERE repository = $1 AND state = 'running' AND id <> $2",
        values![repository, task.id.as_str()],
    )?;
    Ok(n_running < max_parallel)
}

fn take(
    database: &mut dyn Database,
    mut task: Task,
    owner: &Owner,
    lease_ms: i64,
    day_left: Caps,
) -> Result<ClaimedTask, StoreError> {
    let was_running = task.state == TaskState::Running;
    let previous = if was_running { lose(database, &task)? } else { Vec::new() };
    if was_running {
        count_use(database, &task.id, task.generation)?;
        task.usage = find(database, &task.id)?.usage;
    }
    let lease = Lease { task: task.id.clone(), generation: task.generation + 1 };
    let session = task.id.session(lease.generation);
    let id = task.id.as_str();
    database.execute(
        "UPDATE tasks SET state = 'running', generation = $1, owner = $2, lease_until = {now} + CAST($3 AS BIGINT), \
         session = $4, losses = losses + CAST($5 AS BIGINT), class = NULL, reason = NULL, waiting_until = NULL, \
         started_at = COALESCE(started_at, {now}) WHERE id = $6",
        values![
            lease.generation,
            owner.to_text(),
            lease_ms,
            session.as_str(),
            i64::from(was_running),
            id
        ],
    )?;
    database.execute(
        "INSERT INTO attempts (task, generation, owner, session, started_at) VALUES ($1, $2, $3, $4, {now})",
        values![id, lease.generation, owner.to_text(), session.as_str()],
    )?;
    task.after = predecessors(database, &task.id)?;
    let before = task.after.iter().map(|id| find(database, id));
    let before = before.collect::<Result<Vec<Task>, StoreError>>()?;
    task.losses += i64::from(was_running);
    (task.state, task.generation, task.session) =
        (TaskState::Running, lease.generation, Some(session));
    task.worker = Some(owner.worker.clone());
    Ok(ClaimedTask { lease, task, predecessors: before, previous, day_left })
}

/// Records the usage of an attempt that has not ended.
pub(crate) fn set_use(
    database: &mut dyn Database,
    lease: &Lease,
    used: TotalUse,
) -> Result<(), DatabaseError> {
    let usage = UsageColumns::from(used);
    database.execute(
        "UPDATE attempts SET tokens_in = $1, tokens_out = $2, turns = $3, cost_micros = $4 \
         WHERE task = $5 AND generation = $6 AND ended_at IS NULL",
        values![
            usage.tokens_in,
            usage.tokens_out,
            usage.turns,
            usage.cost_micros,
            lease.task.as_str(),
            lease.generation
        ],
    )?;
    Ok(())
}

/// Adds the usage that was recorded for an attempt to the usage of its task. Used for an attempt that ended without a
/// report.
pub(crate) fn count_use(
    database: &mut dyn Database,
    task: &TaskId,
    generation: i64,
) -> Result<(), DatabaseError> {
    let column = |name: &str| {
        format!(
            "{name} = {name} + COALESCE((SELECT a.{name} FROM attempts a WHERE a.task = tasks.id AND a.generation = $1), 0)"
        )
    };
    let columns = ["tokens_in", "tokens_out", "turns", "cost_micros"].map(column).join(", ");
    let sql = format!("UPDATE tasks SET {columns} WHERE id = $2");
    database.execute(&sql, values![generation, task.as_str()])?;
    Ok(())
}

/// Records that the task's worker died. Returns all attempts that were lost since the last attempt with a result.
fn lose(database: &mut dyn Database, task: &Task) -> Result<Vec<Previous>, DatabaseError> {
    database.execute(
        "UPDATE attempts SET result = 'lost', ended_at = {now}, reason = 'the worker lost its lease' \
         WHERE task = $1 AND generation = $2 AND ended_at IS NULL",
        values![task.id.as_str(), task.generation],
    )?;
    let rows = database.query(
        "SELECT owner, session FROM attempts WHERE task = $1 AND generation > (SELECT COALESCE(MAX(generation), 0) \
         FROM attempts WHERE task = $1 AND COALESCE(result, '') <> 'lost') ORDER BY generation DESC",
        values![task.id.as_str()],
    )?;
    let previous = |mut row: Row| {
        let owner = Owner::from_text(&row.text()?);
        Ok(Previous { owner, session: row.optional_text()? })
    };
    rows.into_iter().map(previous).collect()
}
