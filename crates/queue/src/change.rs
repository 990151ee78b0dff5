//! Cancels tasks, puts tasks back into the queue, and deletes tasks.

use runs::TotalUse;

use crate::claim::{Lease, count_use, set_use};
use crate::database::{Access, Database, DatabaseError, values};
use crate::finish::{PREDECESSOR, fail_successors};
use crate::read::{find, task_ids};
use crate::store::{StoreError, TaskStore};
use crate::task::{TaskId, TaskState};

/// What [`TaskStore::cancel`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancelled {
    /// The task was not running. It is cancelled now.
    AtOnce,
    /// The task is running. Its worker stops it at the next heartbeat.
    Requested,
}

impl TaskStore {
    /// Cancels a task that is queued, running or waiting, or that needs an approval.
    pub fn cancel(&mut self, id: &TaskId) -> Result<Cancelled, StoreError> {
        self.transact(Access::Write, |database| {
            let state = find(database, id)?.state;
            if state == TaskState::Running {
                let sql = "UPDATE tasks SET cancel_requested = 1 WHERE id = $1 AND state = 'running'";
                // The task may have ended since its state was read. If it is in the queue again, the next statement
                // cancels it.
                if database.execute(sql, values![id.as_str()])? == 1 {
                    return Ok(Cancelled::Requested);
                }
            }
            let changed = database.execute(
                "UPDATE tasks SET state = 'cancelled', reason = 'cancelled before it started', ended_at = {now} \
                 WHERE id = $1 AND state IN ('queued', 'waiting', 'needs-approval')",
                values![id.as_str()],
            )?;
            if changed == 0 {
                let state = find(database, id)?.state;
                return Err(StoreError::WrongState { id: id.clone(), state });
            }
            fail_successors(database)?;
            Ok(Cancelled::AtOnce)
        })
    }

    /// Puts a task that ended without being finished back into the queue. Also puts back the tasks that failed only
    /// because they depend on it. If `continues` is set, the next attempt continues the conversation of the last
    /// attempt.
    pub fn retry(&mut self, id: &TaskId, continues: bool) -> Result<(), StoreError> {
        self.transact(Access::Write, |database| {
            let task = find(database, id)?;
            let can_retry = task.state.has_ended() && task.state != TaskState::Finished;
            if !can_retry {
                return Err(StoreError::WrongState { id: id.clone(), state: task.state });
            }
            if continues && (task.thread.is_none() || task.session.is_none()) {
                return Err(StoreError::NoThread(id.clone()));
            }
            let session = task.session.filter(|_| continues);
            put_back(database, id, session)?;
            let mut pending = vec![id.clone()];
            while let Some(id) = pending.pop() {
                for successor in failed_successors(database, &id)? {
                    put_back(database, &successor, None)?;
                    pending.push(successor);
                }
            }
            // A successor may also depend on another task that did not finish.
            fail_successors(database)
        })
    }

    /// Puts a task back into the queue before it has finished, for example because this worker is stopping. If the attempt
    /// has a conversation, the next attempt continues it. Returns false if the lease is lost.
    pub fn release(
        &mut self,
        lease: &Lease,
        thread: Option<&str>,
        used: TotalUse,
    ) -> Result<bool, StoreError> {
        self.transact(Access::Write, |database| {
            let changed = database.execute(
                "UPDATE tasks SET state = 'queued', owner = NULL, lease_until = NULL, not_before = 0, \
                 thread = COALESCE($1, thread), \
                 resume_session = CASE WHEN CAST($2 AS BIGINT) = 1 THEN session ELSE resume_session END \
                 WHERE id = $3 AND generation = $4 AND state = 'running'",
                values![
                    thread,
                    i64::from(thread.is_some()),
                    lease.task.as_str(),
                    lease.generation
                ],
            )?;
            set_use(database, lease, used)?;
            let ended = database.execute(
                "UPDATE attempts SET result = 'released', ended_at = {now}, reason = 'the worker stopped' \
                 WHERE task = $1 AND generation = $2 AND ended_at IS NULL",
                values![lease.task.as_str(), lease.generation],
            )?;
            if ended == 1 {
                count_use(database, &lease.task, lease.generation)?;
            }
            Ok(changed == 1)
        })
    }

    /// Makes a queued or waiting task due now, without waiting for its next retry or for the reset of its usage limit.
    pub fn make_due(&mut self, id: &TaskId) -> Result<(), StoreError> {
        self.transact(Access::Write, |database| {
            let state = find(database, id)?.state;
            let sql =
                "UPDATE tasks SET not_before = 0 WHERE id = $1 AND state IN ('queued', 'waiting')";
            match database.execute(sql, values![id.as_str()])? {
                0 => Err(StoreError::WrongState { id: id.clone(), state }),
                _ => Ok(()),
            }
        })
    }

    /// Deletes an ended task and its attempts. Deletes nothing and returns false if another task that may still run
    /// depends on it.
    pub fn delete(&mut self, id: &TaskId) -> Result<bool, StoreError> {
        self.transact(Access::Write, |database| {
            let task = find(database, id)?;
            if !task.state.has_ended() {
                return Err(StoreError::WrongState { id: id.clone(), state: task.state });
            }
            let open = database.query(
                "SELECT 1 FROM dependencies d JOIN tasks t ON t.id = d.task WHERE d.predecessor = $1 \
                 AND t.state IN ('queued', 'running', 'waiting', 'needs-approval')",
                values![id.as_str()],
            )?;
            if !open.is_empty() {
                return Ok(false);
            }
            for sql in [
                "DELETE FROM dependencies WHERE predecessor = $1",
                "DELETE FROM tasks WHERE id = $1",
            ] {
                database.execute(sql, values![id.as_str()])?;
            }
            Ok(true)
        })
    }

    /// Removes the worktree from the record of a task, after the folder was deleted.
    pub fn forget_worktree(&mut self, id: &TaskId) -> Result<(), StoreError> {
        self.transact(Access::Write, |database| {
            let sql = "UPDATE tasks SET worktree = NULL WHERE id = $1 AND state <> 'running'";
            database.execute(sql, values![id.as_str()])?;
            Ok(())
        })
    }
}

fn put_back(
    database: &mut dyn Database,
    id: &TaskId,
    resume_session: Option<String>,
) -> Result<(), DatabaseError> {
    database.execute(
        "UPDATE tasks SET state = 'queued', class = NULL, reason = NULL, waiting_until = NULL, not_before = 0, \
         failures = 0, losses = 0, ended_at = NULL, cancel_requested = 0, resume_session = $1 WHERE id = $2",
        values![resume_session, id.as_str()],
    )?;
    Ok(())
}

fn failed_successors(
    database: &mut dyn Database,
    id: &TaskId,
) -> Result<Vec<TaskId>, DatabaseError> {
    let sql = "SELECT t.id FROM tasks t JOIN dependencies d ON d.task = t.id \
         WHERE d.predecessor = $1 AND t.state = 'failed' AND t.class = $2";
    task_ids(database, sql, values![id.as_str(), PREDECESSOR])
}
