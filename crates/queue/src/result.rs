//! What a run reports to the queue.

use runs::TotalUse;
use serde::{Deserialize, Serialize};

use crate::columns;
use crate::task::WorkProduct;

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

/// The result of one attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunReport {
    pub result: RunResult,
    pub reason: String,
    #[serde(with = "columns::usage")]
    pub usage: TotalUse,
    /// The id of the run's session, or `None` if no session was created.
    pub session: Option<String>,
    pub thread: Option<String>,
    pub product: WorkProduct,
}

impl RunReport {
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
