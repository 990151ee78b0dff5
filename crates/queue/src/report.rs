//! A report about the tasks that ended or are still open: what needs the user first, then the results.

use std::cmp::Reverse;

use runs::TotalUse;
use serde::Serialize;

use crate::columns;
use crate::read::TaskFilter;
use crate::store::{Store, StoreError};
use crate::task::{State, Task};

/// The states in the order of the report: first those that need the user.
const ORDER: [State; 8] = [
    State::Failed,
    State::Budget,
    State::NeedsApproval,
    State::Waiting,
    State::Running,
    State::Queued,
    State::Finished,
    State::Cancelled,
];

/// The tasks that have not ended, or that ended after a time.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// In milliseconds since 1970.
    pub since: i64,
    /// The time of the report, according to the clock of the store.
    pub now: i64,
    /// The number of tasks in each state that occurs, in the order of `tasks`.
    pub counts: Vec<(State, usize)>,
    /// The sum over all tasks.
    #[serde(with = "columns::usage")]
    pub usage: TotalUse,
    /// In the order of their states; in each state, the task that changed last comes first.
    pub tasks: Vec<Task>,
}

impl Store {
    /// Reports about the tasks of the last `milliseconds`.
    pub fn report(&mut self, milliseconds: i64) -> Result<Report, StoreError> {
        let now = self.now()?;
        let since = now.saturating_sub(milliseconds);
        let mut tasks = self.tasks(&TaskFilter { since: Some(since), ..TaskFilter::default() })?;
        sort_for_report(&mut tasks);
        let count = |state| tasks.iter().filter(|task| task.state == state).count();
        let counts = ORDER.map(|state| (state, count(state)));
        let mut usage = TotalUse::default();
        tasks.iter().for_each(|task| usage.add(task.usage));
        let counts = counts.into_iter().filter(|(_, count)| *count > 0).collect();
        Ok(Report { since, now, counts, usage, tasks })
    }
}

/// Sorts tasks by state, those that need the user first. In each state, the task that changed last comes first.
pub fn sort_for_report(tasks: &mut [Task]) {
    tasks.sort_by_key(|task| {
        let changed = task.ended_at.or(task.started_at).unwrap_or(task.created_at);
        (task.state.rank(), Reverse(changed))
    });
}

impl State {
    /// Returns the position of the state in a report. States that need the user come first.
    #[must_use]
    pub fn rank(self) -> usize {
        ORDER.iter().position(|state| *state == self).unwrap_or(ORDER.len())
    }
}

impl Task {
    /// Returns the time between the first start and the end of the task, or `now` if it is running, in milliseconds.
    #[must_use]
    pub fn duration_ms(&self, now: i64) -> Option<i64> {
        let end = self.ended_at.or((self.state == State::Running).then_some(now))?;
        self.started_at.map(|started| end.saturating_sub(started).max(0))
    }
}
