//! The loop of a worker, with a runner that returns at once.

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use process::{ProcessIdentity, StopSwitch};
use queue::{
    Claimed, ClaimedTask, Owner, Progress, Recovered, RunControls, RunReport, RunResult, Runner,
    TaskState, TaskStore, WorkEvent, WorkOptions, WorkProduct, work,
};
use runs::{Caps, TotalUse};
use serde_json::{Value, json};

use crate::{LEASE_MS, Place, add, new_task, report};

/// Calls a function for each run.
struct Scripted<F>(F);

impl<F: Fn(&ClaimedTask, &StopSwitch) -> RunReport + Sync> Runner for Scripted<F> {
    fn recover(&self, _claim: &ClaimedTask) -> Recovered {
        Recovered::Ended
    }

    fn run(
        &self,
        claim: &ClaimedTask,
        controls: &RunControls,
        progress: &dyn Fn(Progress),
    ) -> RunReport {
        progress(Progress::Started(WorkProduct::default()));
        (self.0)(claim, &controls.stop)
    }
}

struct Setup {
    folder: tempfile::TempDir,
    place: Place,
}

impl Setup {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::at(folder.path().join("state/queue.db").to_str().unwrap());
        Self { folder, place }
    }

    fn options(&self) -> WorkOptions {
        WorkOptions {
            slots: 3,
            lease: Duration::from_secs(3600),
            is_until_empty: true,
            repositories: Vec::new(),
            spool: self.folder.path().join("results"),
        }
    }

    /// Runs the worker loop with a runner. Returns the events as strings.
    fn work(
        &self,
        options: &WorkOptions,
        stop: &StopSwitch,
        run: impl Fn(&ClaimedTask, &StopSwitch) -> RunReport + Sync,
    ) -> Vec<String> {
        let mut store = self.place.open();
        let owner = Owner::this_process("worker".to_owned());
        let mut events = Vec::new();
        let mut log = |event: WorkEvent<'_>| events.push(format!("{event:?}"));
        work(&mut store, &owner, &Scripted(run), options, stop, &mut log).unwrap();
        events
    }
}

/// The owner of a lease on this machine whose process has ended.
fn dead_owner() -> Owner {
    let here = Owner::this_process("dead".to_owned());
    let process = ProcessIdentity { start_ticks: 1, ..here.process.clone() };
    Owner { process, ..here }
}

#[track_caller]
fn claim_as(store: &mut TaskStore, owner: &Owner) -> ClaimedTask {
    match store.claim(owner, LEASE_MS, &[]).unwrap() {
        Claimed::Task(claim) => *claim,
        other @ (Claimed::Nothing | Claimed::DayLimit { .. }) => panic!("{other:?}"),
    }
}

/// Takes the next task as a dead worker, and writes the result that this worker left on disk. Returns its JSON.
fn leave_result(store: &mut TaskStore, spool: &Path, result: RunResult) -> Value {
    let lease = claim_as(store, &dead_owner()).lease;
    std::fs::create_dir(spool).unwrap();
    let entry = json!({
        "store": store.location().to_string(),
        "owner": dead_owner(),
        "lease": { "task": lease.task, "generation": lease.generation },
        "report": report(result),
    });
    let name = format!("{}-{}.json", lease.task, lease.generation);
    std::fs::write(spool.join(name), entry.to_string()).unwrap();
    entry
}

#[test]
fn a_worker_runs_all_tasks_and_ends() {
    let setup = Setup::new();
    let mut store = setup.place.open();
    let ids: Vec<_> = (0..7).map(|n| add(&mut store, &new_task(&n.to_string()))).collect();
    let titles = Mutex::new(Vec::new());
    setup.work(&setup.options(), &StopSwitch::default(), |claim, _| {
        titles.lock().unwrap().push(claim.task.title.clone());
        report(RunResult::Finished)
    });
    assert_eq!(titles.into_inner().unwrap().len(), 7);
    for id in ids {
        assert_eq!(store.task(&id).unwrap().state, TaskState::Finished);
    }
    assert_eq!(std::fs::read_dir(setup.folder.path().join("results")).unwrap().count(), 0);
}

#[test]
fn the_result_that_a_dead_worker_left_on_disk_is_stored_and_the_task_is_not_run_again() {
    let setup = Setup::new();
    let mut store = setup.place.open();
    let id = add(&mut store, &new_task("one"));
    let spool = setup.options().spool;
    let entry = leave_result(&mut store, &spool, RunResult::Finished);
    // A result for another store is not touched.
    let mut other = entry;
    other["store"] = json!("postgres://db.example/queue");
    std::fs::write(spool.join("t-other-1.json"), other.to_string()).unwrap();
    setup.work(&setup.options(), &StopSwitch::default(), |_, _| panic!("the task has ended"));
    assert_eq!(store.task(&id).unwrap().state, TaskState::Finished);
    let left = std::fs::read_dir(&spool).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["t-other-1.json"]);
}

#[test]
fn a_run_that_ended_with_the_shutdown_of_its_worker_is_put_back_by_the_next_worker() {
    let setup = Setup::new();
    let mut store = setup.place.open();
    let id = add(&mut store, &new_task("one"));
    leave_result(&mut store, &setup.options().spool, RunResult::Cancelled);
    setup.work(&setup.options(), &StopSwitch::default(), |_, _| report(RunResult::Finished));
    let task = store.task(&id).unwrap();
    assert_eq!((task.state, task.generation), (TaskState::Finished, 2));
}

#[test]
fn a_cancelled_run_of_a_dead_worker_stays_cancelled() {
    let setup = Setup::new();
    let mut store = setup.place.open();
    let id = add(&mut store, &new_task("one"));
    leave_result(&mut store, &setup.options().spool, RunResult::Cancelled);
    store.cancel(&id).unwrap();
    setup.work(&setup.options(), &StopSwitch::default(), |_, _| panic!("the task is cancelled"));
    assert_eq!(store.task(&id).unwrap().state, TaskState::Cancelled);
}

#[test]
fn the_task_of_a_dead_worker_is_run_again() {
    let setup = Setup::new();
    let mut store = setup.place.open();
    let id = add(&mut store, &new_task("one"));
    claim_as(&mut store, &dead_owner());
    setup.work(&setup.options(), &StopSwitch::default(), |claim, _| {
        assert_eq!(claim.previous.first().unwrap().owner, Some(dead_owner()));
        report(RunResult::Finished)
    });
    let task = store.task(&id).unwrap();
    assert_eq!((task.state, task.losses, task.generation), (TaskState::Finished, 1, 2));
}

#[test]
fn a_stopped_worker_puts_its_tasks_back() {
    let setup = Setup::new();
    let mut store = setup.place.open();
    let id = add(&mut store, &new_task("one"));
    let stop = StopSwitch::default();
    let events = setup.work(&setup.options(), &stop, |_, own| {
        stop.stop();
        assert!(own.wait(Duration::from_secs(300)), "the run is stopped");
        report(RunResult::Cancelled)
    });
    assert!(events.iter().any(|event| event.starts_with("Released")), "{events:?}");
    let task = store.task(&id).unwrap();
    assert_eq!((task.state, task.failures, task.losses), (TaskState::Queued, 0, 0));
    assert_eq!(task.resume_session, Some(id.session(1)), "the conversation continues");
}

#[test]
fn a_worker_that_lost_its_lease_stops_the_run_and_writes_nothing() {
    let setup = Setup::new();
    let mut store = setup.place.open();
    let id = add(&mut store, &new_task("one"));
    let stop = StopSwitch::default();
    let other = Owner { machine: Some("far".to_owned()), ..dead_owner() };
    let events = setup.work(&setup.options(), &stop, |_, own| {
        // Another worker takes the task, as if the lease of this worker had expired.
        let mut store = setup.place.open();
        let lease = queue::Lease { task: id.clone(), generation: 1 };
        store.heartbeat(&[lease], 0).unwrap();
        claim_as(&mut store, &other);
        assert!(own.wait(Duration::from_secs(300)), "the run is stopped");
        stop.stop();
        report(RunResult::Cancelled)
    });
    assert!(events.iter().any(|event| event.starts_with("LeaseLost")), "{events:?}");
    let task = store.task(&id).unwrap();
    assert_eq!((task.state, task.generation), (TaskState::Running, 2));
}

/// Reports one turn, and then runs until the worker ends the run after its turn.
struct Endless;

impl Runner for Endless {
    fn recover(&self, _claim: &ClaimedTask) -> Recovered {
        Recovered::Ended
    }

    fn run(
        &self,
        claim: &ClaimedTask,
        controls: &RunControls,
        progress: &dyn Fn(Progress),
    ) -> RunReport {
        assert_eq!(claim.day_left.max_turns, Some(2));
        let usage = TotalUse { turns: 1, ..TotalUse::default() };
        progress(Progress::Used(usage));
        testkit::eventually("the run is to end", || controls.last_turn_reason().is_some());
        let mut report = report(RunResult::Budget);
        report.usage = usage;
        controls.last_turn_reason().unwrap_or_default().clone_into(&mut report.reason);
        report
    }
}

#[test]
fn running_tasks_end_after_their_turn_when_a_limit_of_the_day_is_reached() {
    let setup = Setup::new();
    let mut store = setup.place.open();
    let limits = Caps { max_turns: Some(2), ..Caps::default() };
    store.set_day_limits(limits).unwrap();
    let ids = ["one", "two"].map(|title| add(&mut store, &new_task(title)));
    let owner = Owner::this_process("worker".to_owned());
    let stop = StopSwitch::default();
    work(&mut store, &owner, &Endless, &setup.options(), &stop, &mut |_| ()).unwrap();
    for id in ids {
        let task = store.task(&id).unwrap();
        assert_eq!(task.state, TaskState::Budget);
        let reason = "a limit of the day is reached: 2 of 2 turns (adjutant queue limits)";
        assert_eq!(task.reason.as_deref(), Some(reason));
    }
}
