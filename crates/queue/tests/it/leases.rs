//! Taking tasks and losing leases.

use std::sync::atomic::{AtomicUsize, Ordering};

use process::ProcessIdentity;
use queue::{Beat, Claimed, ClaimedTask, Lease, Owner, RunResult, TaskFilter, TaskState};

use crate::{Case, LEASE_MS, Place, add, claim, claim_for, failed, far_worker, new_task, report};

pub(crate) const CASES: &[Case] = &[
    ("the most urgent task is taken first", the_most_urgent_task_is_taken_first),
    ("a worker that lost its lease writes nothing", a_lost_lease_writes_nothing),
    ("all lost attempts are named", all_lost_attempts_are_named),
    ("a result is written once", a_result_is_written_once),
    ("a heartbeat renews a lease", a_heartbeat_renews_a_lease),
    ("the lease of a dead worker ends at once", the_lease_of_a_dead_worker_ends_at_once),
    ("a repository has at most its number of tasks", a_repository_has_its_limit),
    ("workers share the tasks", workers_share_the_tasks),
];

fn the_most_urgent_task_is_taken_first(place: &Place) {
    let mut store = place.open();
    let mut new = new_task("later");
    new.repository = "/else".into();
    let later = add(&mut store, &new);
    new.priority = 5;
    let urgent = add(&mut store, &new);
    new.priority = -5;
    let low = add(&mut store, &new);
    let here = add(&mut store, &new_task("here"));
    let only_here = ["/repository".into()];
    let Claimed::Task(claimed) = store.claim(&far_worker("w"), 1000, &only_here).unwrap() else {
        panic!("the task of the repository can start");
    };
    assert_eq!(claimed.task.id, here);
    let order: Vec<_> = (0..3).map(|_| claim(&mut store).task.id).collect();
    assert_eq!(order, [urgent, later, low]);
    assert!(claim_for(&mut store, 1000).is_none());
}

fn a_lost_lease_writes_nothing(place: &Place) {
    let mut store = place.open();
    let id = add(&mut store, &new_task("one"));
    let first = claim_for(&mut store, 0).unwrap();
    assert!(first.previous.is_empty());
    let second = claim(&mut store);
    assert_eq!((second.task.id.clone(), second.task.losses), (id.clone(), 1));
    let previous = &second.previous[0];
    assert_eq!(previous.session, Some(id.session(first.lease.generation)));
    assert_eq!(previous.owner, Some(far_worker("w")));
    assert!(!store.finish(&first.lease, &report(RunResult::Budget)).unwrap());
    assert_eq!(store.heartbeat(&[first.lease], 1000).unwrap(), [Beat::Lost]);
    assert!(store.finish(&second.lease, &report(RunResult::Finished)).unwrap());
    let results: Vec<_> =
        store.attempts(&id).unwrap().into_iter().map(|attempt| attempt.result.unwrap()).collect();
    assert_eq!(results, ["lost", "finished"]);
}

fn all_lost_attempts_are_named(place: &Place) {
    let mut store = place.open();
    let mut new = new_task("one");
    (new.max_retries, new.retry_delay_ms) = (1, 0);
    let id = add(&mut store, &new);
    let sessions = |claim: &ClaimedTask| {
        let sessions = claim.previous.iter().map(|previous| previous.session.clone().unwrap());
        sessions.collect::<Vec<String>>()
    };
    assert!(sessions(&claim_for(&mut store, 0).unwrap()).is_empty());
    assert_eq!(sessions(&claim_for(&mut store, 0).unwrap()), [id.session(1)]);
    let third = claim(&mut store);
    assert_eq!(sessions(&third), [id.session(2), id.session(1)]);
    assert!(store.finish(&third.lease, &failed(true)).unwrap());
    assert!(sessions(&claim_for(&mut store, 0).unwrap()).is_empty(), "no worker died");
    assert_eq!(sessions(&claim(&mut store)), [id.session(4)], "the third attempt has a result");
}

fn a_result_is_written_once(place: &Place) {
    let mut store = place.open();
    let id = add(&mut store, &new_task("one"));
    let lease = claim(&mut store).lease;
    let n_written = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                if place.open().finish(&lease, &report(RunResult::Finished)).unwrap() {
                    n_written.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(n_written.into_inner(), 1);
    assert_eq!(store.notices(&id).unwrap().len(), 1);
}

fn a_heartbeat_renews_a_lease(place: &Place) {
    let mut store = place.open();
    add(&mut store, &new_task("one"));
    let lease = claim_for(&mut store, 0).unwrap().lease;
    let unknown = Lease { task: lease.task.clone(), generation: 99 };
    let beats = store.heartbeat(&[lease.clone(), unknown], LEASE_MS).unwrap();
    assert_eq!(beats, [Beat::Held, Beat::Lost]);
    assert!(claim_for(&mut store, 0).is_none(), "the lease is held again");
    let now = store.now().unwrap();
    let until = store.task(&lease.task).unwrap().lease_until.unwrap();
    assert!(until > now, "{until} {now}");
}

fn the_lease_of_a_dead_worker_ends_at_once(place: &Place) {
    let mut store = place.open();
    let id = add(&mut store, &new_task("one"));
    let here = Owner::this_process("here".to_owned());
    let claimed = |store: &mut queue::TaskStore, owner: &Owner| {
        matches!(store.claim(owner, LEASE_MS, &[]).unwrap(), Claimed::Task(_))
    };
    // A process that no longer exists: it has the id of this process and another start time.
    let process = ProcessIdentity { start_ticks: 1, ..here.process.clone() };
    let dead = Owner { worker: "dead".to_owned(), process, ..here.clone() };
    assert!(claimed(&mut store, &dead));
    assert_eq!(store.release_dead(&here, &[]).unwrap(), 1);
    assert!(claimed(&mut store, &far_worker("far")));
    assert_eq!(store.release_dead(&here, &[]).unwrap(), 0, "the other machine may be alive");
    let lease = Lease { task: id.clone(), generation: 2 };
    assert!(store.finish(&lease, &report(RunResult::NeedsApproval)).unwrap());
    store.retry(&id, true).unwrap();
    assert!(claimed(&mut store, &here));
    let held = Lease { task: id, generation: 3 };
    assert_eq!(store.release_dead(&here, std::slice::from_ref(&held)).unwrap(), 0);
    // The worker took the task but did not receive the response.
    assert_eq!(store.release_dead(&here, &[]).unwrap(), 1);
}

fn a_repository_has_its_limit(place: &Place) {
    let mut store = place.open();
    let mut new = new_task("limited");
    new.max_parallel = Some(2);
    for _ in 0..8 {
        add(&mut store, &new);
    }
    let mut other = new_task("elsewhere");
    other.repository = "/else".into();
    other.priority = -1;
    add(&mut store, &other);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| claim_for(&mut place.open(), LEASE_MS));
        }
    });
    let running = TaskFilter { states: vec![TaskState::Running], ..TaskFilter::default() };
    let running = store.tasks(&running).unwrap();
    let titles: Vec<&str> = running.iter().map(|task| task.title.as_str()).collect();
    assert_eq!(titles, ["elsewhere", "limited", "limited"]);
}

fn workers_share_the_tasks(place: &Place) {
    const N_TASKS: usize = 60;
    let mut store = place.open();
    for number in 0..N_TASKS {
        add(&mut store, &new_task(&number.to_string()));
    }
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut store = place.open();
                while let Some(claim) = claim_for(&mut store, LEASE_MS) {
                    assert!(store.finish(&claim.lease, &report(RunResult::Finished)).unwrap());
                }
            });
        }
    });
    let tasks = store.tasks(&TaskFilter::default()).unwrap();
    assert_eq!(tasks.len(), N_TASKS);
    assert!(tasks.iter().all(|task| (task.state, task.generation) == (TaskState::Finished, 1)));
}
