//! What a run reports to the queue, and how the store records it.

use runs::TotalUse;
use serde::{Deserialize, Serialize};

use crate::claim::Lease;
use crate::columns::{self, UsageColumns, read_usage};
use crate::database::{Access, Database, DatabaseError, values};
use crate::outbox;
use crate::read::{find, task_ids};
use crate::store::{StoreError, TaskStore};
use crate::task::{Task, TaskState, WorkProduct};

const MAX_RETRY_DELAY_MS: i64 = 60 * 60 * 1000;
const MAX_REASON_CHARACTERS: usize = 2_000;
const MAX_SUMMARY_CHARACTERS: usize = 8_000;
/// The failure class of a task whose predecessor did not finish.
pub(crate) const PREDECESSOR: &str = "predecessor";

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum RunResult {
    Finished,
    Failed {
        /// The kind of failure, such as `network_error`.
        class: String,
        /// Whether another attempt may succeed. For example, it may succeed after a network error, but not after a wrong
        /// flag.
        can_retry: bool,
    },
    /// A usage limit ended the turn. The task continues later in the same thread and worktree.
    Waiting {
        /// The time at which the task continues, in milliseconds since 1970.
        until: i64,
        /// The agent's id for the conversation. `None` if the run ended before the conversation started.
        thread: Option<String>,
    },
    /// The run exceeded a cap on tokens, turns or cost.
    Budget,
    NeedsApproval,
    Cancelled,
}

impl RunResult {
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Failed { .. } => "failed",
            Self::Waiting { .. } => "waiting",
            Self::Budget => "budget",
            Self::NeedsApproval => "needs-approval",
            Self::Cancelled => "cancelled",
        }
    }
}

/// The result of one attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunReport {
    pub result: RunResult,
    pub reason: String,
    #[serde(serialize_with = "columns::write_usage", deserialize_with = "columns::parse_usage")]
    pub usage: TotalUse,
    /// The id of the run's session, or `None` if no session was created.
    pub session: Option<String>,
    pub thread: Option<String>,
    pub product: WorkProduct,
}

impl RunReport {
    /// Creates the report of a run that failed and has no session.
    pub(crate) fn failed(class: &str, can_retry: bool, reason: impl Into<String>) -> Self {
        let class = class.to_owned();
        Self::not_started(RunResult::Failed { class, can_retry }, reason)
    }

    /// Creates the report of a run that did not start.
    #[must_use]
    pub fn not_started(result: RunResult, reason: impl Into<String>) -> Self {
        Self {
            result,
            reason: reason.into(),
            usage: TotalUse::default(),
            session: None,
            thread: None,
            product: WorkProduct::default(),
        }
    }
}

/// The new values of a task after an attempt has ended.
struct Transition {
    state: TaskState,
    class: Option<String>,
    /// The time at which the task can be taken again, or `None` if it has ended.
    again_at: Option<i64>,
    failures: i64,
}

impl TaskStore {
    /// Writes the result of an attempt. If the lease is lost, writes nothing and returns false, because another worker may have
    /// taken the task.
    pub fn finish(&mut self, lease: &Lease, report: &RunReport) -> Result<bool, StoreError> {
        self.transact(Access::Write, |database| {
            let held = database.query(
                "SELECT t.id FROM tasks t WHERE t.id = $1 AND t.generation = $2 AND t.state = 'running' {lock}",
                values![lease.task.as_str(), lease.generation],
            )?;
            if held.is_empty() {
                return Ok(false);
            }
            let now = crate::limits::now(database)?;
            let task = find(database, &lease.task)?;
            let report = &RunReport { usage: not_counted(database, lease, report)?, ..report.clone() };
            let transition = transition(&task, report, now);
            write(database, &task, report, &transition, now)?;
            end_attempt(database, lease, report, now)?;
            if !matches!(transition.state, TaskState::Queued | TaskState::Cancelled) {
                let task = find(database, &lease.task)?;
                outbox::put(database, &task)?;
            }
            if transition.state.fails_successors() {
                fail_successors(database)?;
            }
            Ok(true)
        })
    }
}

/// Returns the usage in `report` that has not been added to the task yet. After a worker died, `report` can describe
/// the session of the lost attempt. The usage recorded for that attempt was added when the task was taken again.
fn not_counted(
    database: &mut dyn Database,
    lease: &Lease,
    report: &RunReport,
) -> Result<TotalUse, DatabaseError> {
    let mut rows = database.query(
        "SELECT tokens_in, tokens_out, turns, cost_micros FROM attempts \
         WHERE task = $1 AND generation <> $2 AND session = $3 AND result = 'lost'",
        values![lease.task.as_str(), lease.generation, report.session.clone()],
    )?;
    let counted = rows.first_mut().map_or(Ok(TotalUse::default()), read_usage)?;
    Ok(report.usage.minus(counted))
}

fn transition(task: &Task, report: &RunReport, now: i64) -> Transition {
    let failures = task.failures;
    let ended = |state| Transition { state, class: None, again_at: None, failures };
    match &report.result {
        RunResult::Finished => ended(TaskState::Finished),
        RunResult::Budget => ended(TaskState::Budget),
        RunResult::NeedsApproval => ended(TaskState::NeedsApproval),
        RunResult::Cancelled => ended(TaskState::Cancelled),
        _ if task.is_cancel_requested => ended(TaskState::Cancelled),
        RunResult::Waiting { until, .. } => {
            Transition { again_at: Some(*until), ..ended(TaskState::Waiting) }
        }
        RunResult::Failed { class, can_retry } => {
            let (class, failures) = (Some(class.clone()), failures + 1);
            let failed = Transition { class, failures, ..ended(TaskState::Failed) };
            if !can_retry || task.failures >= task.max_retries {
                return failed;
            }
            let doubled = 1_i64.checked_shl(u32::try_from(task.failures).unwrap_or(63));
            let delay = task.retry_delay_ms.saturating_mul(doubled.unwrap_or(i64::MAX));
            let again_at = Some(now.saturating_add(delay.clamp(0, MAX_RETRY_DELAY_MS)));
            Transition { state: TaskState::Queued, again_at, ..failed }
        }
    }
}

fn write(
    database: &mut dyn Database,
    task: &Task,
    report: &RunReport,
    transition: &Transition,
    now: i64,
) -> Result<(), DatabaseError> {
    let is_waiting = transition.state == TaskState::Waiting;
    let session = report.session.clone().or_else(|| task.session.clone());
    let mut thread = report.thread.clone().or_else(|| task.thread.clone());
    let mut resume_session = None;
    if let RunResult::Waiting { thread: known, .. } = &report.result {
        // If there is no thread, the run ended before its conversation was started or resumed.
        resume_session = match known {
            Some(_) => report.session.clone(),
            None => task.resume_session.clone(),
        };
        thread = known.clone().or(thread);
    }
    let text = |path: &Option<std::path::PathBuf>| {
        path.as_ref().map(|path| path.to_string_lossy().into_owned())
    };
    let product = &report.product;
    // If the run did not start, the task keeps the worktree of an earlier attempt. A run without changes has no worktree.
    let (worktree, branch) = match &report.session {
        Some(_) => (product.worktree.clone(), product.branch.clone()),
        None => (task.product.worktree.clone(), task.product.branch.clone()),
    };
    let usage = UsageColumns::from(report.usage);
    database.execute(
        "UPDATE tasks SET state = $1, class = $2, reason = $3, waiting_until = $4, not_before = $5, failures = $6, \
         owner = NULL, lease_until = NULL, cancel_requested = 0, session = $7, thread = $8, resume_session = $9, \
         worktree = $10, branch = $11, base = COALESCE($12, base), head = COALESCE($13, head), \
         patch = COALESCE($14, patch), changes = COALESCE($15, changes), summary = COALESCE($16, summary), \
         tokens_in = tokens_in + CAST($17 AS BIGINT), tokens_out = tokens_out + CAST($18 AS BIGINT), \
         turns = turns + CAST($19 AS BIGINT), cost_micros = cost_micros + CAST($20 AS BIGINT), ended_at = $21 \
         WHERE id = $22",
        values![
            transition.state.word(),
            transition.class.clone(),
            shortened(&report.reason, MAX_REASON_CHARACTERS),
            transition.again_at.filter(|_| is_waiting),
            transition.again_at.unwrap_or(0),
            transition.failures,
            session,
            thread,
            resume_session,
            text(&worktree),
            branch,
            product.base.clone(),
            product.head.clone(),
            text(&product.patch),
            product.changes.and_then(|changes| serde_json::to_string(&changes).ok()),
            product.summary.as_ref().map(|text| shortened(text, MAX_SUMMARY_CHARACTERS)),
            usage.tokens_in,
            usage.tokens_out,
            usage.turns,
            usage.cost_micros,
            transition.state.has_ended().then_some(now),
            task.id.as_str(),
        ],
    )?;
    Ok(())
}

fn end_attempt(
    database: &mut dyn Database,
    lease: &Lease,
    report: &RunReport,
    now: i64,
) -> Result<(), DatabaseError> {
    let usage = UsageColumns::from(report.usage);
    database.execute(
        "UPDATE attempts SET result = $1, reason = $2, ended_at = $3, session = COALESCE($4, session), \
         tokens_in = $5, tokens_out = $6, turns = $7, cost_micros = $8 WHERE task = $9 AND generation = $10",
        values![
            report.result.word(),
            shortened(&report.reason, MAX_REASON_CHARACTERS),
            now,
            report.session.clone(),
            usage.tokens_in,
            usage.tokens_out,
            usage.turns,
            usage.cost_micros,
            lease.task.as_str(),
            lease.generation,
        ],
    )?;
    Ok(())
}

/// Marks every queued task as failed that depends, directly or indirectly, on a task that failed, exceeded a cap or was
/// cancelled.
pub(crate) fn fail_successors(database: &mut dyn Database) -> Result<(), StoreError> {
    loop {
        let ids = task_ids(
            database,
            "UPDATE tasks SET state = 'failed', class = $1, ended_at = {now}, \
             reason = 'a predecessor did not finish' \
             WHERE state = 'queued' AND EXISTS (SELECT 1 FROM dependencies d JOIN tasks p ON p.id = d.predecessor \
             WHERE d.task = tasks.id AND p.state IN ('failed', 'budget', 'cancelled')) RETURNING id",
            values![PREDECESSOR],
        )?;
        if ids.is_empty() {
            return Ok(());
        }
        for id in ids {
            let task = find(database, &id)?;
            outbox::put(database, &task)?;
        }
    }
}

fn shortened(text: &str, max_characters: usize) -> String {
    text.chars().take(max_characters).collect()
}
