//! A queue of unattended runs: tasks in a store, workers that take them under a lease, a git worktree for each task,
//! and notices about tasks that need user action.
//!
//! A [`TaskStore`] is a SQLite file or a PostgreSQL database; both run the same statements. A worker holds a task with a
//! [`Lease`]. Every write by a worker names the lease, so that a worker that has lost it cannot write a result.
//!
//! [`work`] runs tasks with a [`Runner`]. [`AgentRunner`] runs them as unattended runs of the crate `runs`.

mod add;
mod change;
mod claim;
mod columns;
mod database;
mod deliver;
mod finish;
mod limits;
mod location;
mod outbox;
mod owner;
mod postgres;
mod read;
mod runner;
mod schema;
mod spool;
mod sqlite;
mod store;
mod task;
mod worker;
mod worktree;

pub use add::NewTask;
pub use change::Cancelled;
pub use claim::{Beat, Claimed, ClaimedTask, Lease, Previous};
pub use deliver::{InvalidWebhook, Receiver, Receivers, Webhook, deliver_due};
pub use finish::{RunReport, RunResult};
pub use limits::{DayLimitReached, DayUse};
pub use location::{InvalidLocation, StoreLocation};
pub use outbox::Notice;
pub use owner::{Owner, WORKER_VARIABLE, end_processes};
pub use read::{Attempt, Report, TaskFilter, sort_for_report};
pub use runner::{AgentRunner, GRACE_OF_DEAD_WORKERS};
pub use store::{StoreError, TaskStore};
pub use task::{
    ChangeCount, InvalidTaskId, OnLost, SESSION_PREFIX, Task, TaskId, TaskRequest, TaskState,
    WorkProduct,
};
pub use worker::{Progress, Recovered, RunControls, Runner, WorkEvent, WorkOptions, work};
pub use worktree::{
    Fate, Leftover, RepositoryState, Start, WorktreeError, Worktrees, folder_bytes,
};
