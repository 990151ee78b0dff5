//! Notices that wait for delivery. A notice is written in the transaction that changes the task, so that no notice is lost if
//! a worker dies.

use serde::Serialize;
use serde_json::json;

use crate::database::{Access, Database, DatabaseError, Row, values};
use crate::read::task_id;
use crate::store::{StoreError, TaskStore};
use crate::task::{Task, TaskId};

/// A notice about a task, with the state of its delivery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Notice {
    pub number: i64,
    pub task: TaskId,
    /// The word for the state of the task, such as `finished`.
    pub kind: String,
    /// The notice as a JSON object.
    pub content: String,
    pub created_at: i64,
    pub tries: i64,
    /// The receivers that accepted the notice.
    pub delivered_to: Vec<String>,
    /// The time at which delivery ended, successfully or not.
    pub done_at: Option<i64>,
    /// The error of the last delivery attempt.
    pub error: Option<String>,
}

const COLUMNS: &str = "seq, task, kind, content, created_at, tries, delivered_to, done_at, error";

impl TaskStore {
    /// Takes a notice that is due, or returns `None` if there is none. No other worker can take the notice for the next
    /// `lease_ms` milliseconds.
    pub fn claim_notice(&mut self, lease_ms: i64) -> Result<Option<Notice>, StoreError> {
        self.transact(Access::Write, |database| {
            let sql = "SELECT t.seq FROM notices t WHERE t.done_at IS NULL AND t.next_try_at <= {now} \
                 ORDER BY t.next_try_at LIMIT 1 {skip_locked}";
            let Some(mut row) = database.query(sql, &[])?.pop() else { return Ok(None) };
            let number = row.integer()?;
            let sql = format!(
                "UPDATE notices SET next_try_at = {{now}} + CAST($1 AS BIGINT), tries = tries + 1 \
                 WHERE seq = $2 RETURNING {COLUMNS}"
            );
            let row = database.query(&sql, values![lease_ms, number])?.pop();
            Ok(row.map(notice).transpose()?)
        })
    }

    /// Records a delivery attempt. `again_in_ms` is the delay before the next one, or `None` if delivery has ended.
    pub fn record_delivery(
        &mut self,
        number: i64,
        delivered_to: &[String],
        error: Option<&str>,
        again_in_ms: Option<i64>,
    ) -> Result<(), StoreError> {
        let names = json!(delivered_to).to_string();
        self.transact(Access::Write, |database| {
            database.execute(
                "UPDATE notices SET delivered_to = $1, error = $2, next_try_at = {now} + CAST($3 AS BIGINT), \
                 done_at = CASE WHEN CAST($4 AS BIGINT) = 1 THEN {now} ELSE NULL END WHERE seq = $5",
                values![
                    names.as_str(),
                    error,
                    again_in_ms.unwrap_or(0),
                    i64::from(again_in_ms.is_none()),
                    number
                ],
            )?;
            Ok(())
        })
    }

    /// Returns the notices of a task, oldest first.
    pub fn notices(&mut self, id: &TaskId) -> Result<Vec<Notice>, StoreError> {
        self.transact(Access::Read, |database| {
            let sql = format!("SELECT {COLUMNS} FROM notices WHERE task = $1 ORDER BY seq");
            let rows = database.query(&sql, values![id.as_str()])?;
            Ok(rows.into_iter().map(notice).collect::<Result<_, DatabaseError>>()?)
        })
    }
}

fn notice(mut row: Row) -> Result<Notice, DatabaseError> {
    let row = &mut row;
    Ok(Notice {
        number: row.integer()?,
        task: task_id(row)?,
        kind: row.text()?,
        content: row.text()?,
        created_at: row.integer()?,
        tries: row.integer()?,
        delivered_to: serde_json::from_str(&row.text()?).unwrap_or_default(),
        done_at: row.optional_integer()?,
        error: row.optional_text()?,
    })
}

/// Adds a notice about the current state of a task.
pub(crate) fn put(database: &mut dyn Database, task: &Task) -> Result<(), DatabaseError> {
    let content = json!({
        "event": task.state,
        "task": task.id,
        "title": task.title,
        "repository": task.repository,
        "class": task.class,
        "reason": task.reason,
        "waiting_until": task.waiting_until,
        "session": task.session,
        "thread": task.thread,
        "branch": task.product.branch,
        "patch": task.product.patch,
        "worktree": task.product.worktree,
        "usage": task.usage,
    });
    database.execute(
        "INSERT INTO notices (task, kind, content, created_at, next_try_at) VALUES ($1, $2, $3, {now}, {now})",
        values![task.id.as_str(), task.state.word(), content.to_string()],
    )?;
    Ok(())
}
