//! The same test suite for both kinds of store: a SQLite file and a real PostgreSQL server.
#![expect(clippy::unwrap_used, reason = "tests may panic")]

mod leases;
mod places;
mod results;
mod tasks;
mod tls;
mod work;
mod worktrees;

use std::path::Path;
use std::time::Duration;

use process::ProcessIdentity;
use queue::{
    Claimed, ClaimedTask, NewTask, Owner, RunReport, RunResult, StoreLocation, TaskId, TaskRequest,
    TaskStore,
};
use runs::RunRequest;

/// A separate store for one test case.
pub(crate) struct Place {
    location: StoreLocation,
}

const PATIENCE: Duration = Duration::from_secs(60);
/// Longer than the duration of any test.
pub(crate) const LEASE_MS: i64 = 3_600_000;

impl Place {
    fn at(text: &str) -> Self {
        Self { location: StoreLocation::parse(text, Path::new("/")).unwrap() }
    }

    #[track_caller]
    pub(crate) fn open(&self) -> TaskStore {
        TaskStore::open(self.location.clone(), PATIENCE).unwrap()
    }
}

type Case = (&'static str, fn(&Place));

fn cases() -> Vec<Case> {
    [tasks::CASES, leases::CASES, results::CASES].concat()
}

pub(crate) fn new_task(title: &str) -> NewTask {
    let request = TaskRequest::in_worktree(RunRequest::task(title), "/repository".into());
    let new = NewTask::new(title, "/repository".into(), request);
    NewTask { retry_delay_ms: 60_000, ..new }
}

/// Returns a string that is different for each call.
pub(crate) fn random() -> String {
    use std::hash::{BuildHasher, Hasher};
    format!("{:016x}", std::hash::RandomState::new().build_hasher().finish())
}

#[track_caller]
pub(crate) fn add(store: &mut TaskStore, new: &NewTask) -> TaskId {
    store.add(new, &random()).unwrap().0
}

/// A worker on another machine.
pub(crate) fn far_worker(name: &str) -> Owner {
    let machine = Some("another machine".to_owned());
    Owner { worker: name.to_owned(), machine, process: ProcessIdentity::default() }
}

#[track_caller]
pub(crate) fn claim_for(store: &mut TaskStore, lease_ms: i64) -> Option<ClaimedTask> {
    match store.claim(&far_worker("w"), lease_ms, &[]).unwrap() {
        Claimed::Task(claim) => Some(*claim),
        Claimed::Nothing => None,
        Claimed::DayLimit { until } => panic!("a cap of the day is reached until {until}"),
    }
}

#[track_caller]
pub(crate) fn claim(store: &mut TaskStore) -> ClaimedTask {
    claim_for(store, LEASE_MS).expect("a task can start")
}

pub(crate) fn report(result: RunResult) -> RunReport {
    let mut report = RunReport::not_started(result, "the reason");
    report.session = Some("queue-session".to_owned());
    report.thread = Some("thread-1".to_owned());
    report
}

pub(crate) fn failed(can_retry: bool) -> RunReport {
    report(RunResult::Failed { class: "network_error".to_owned(), can_retry })
}
