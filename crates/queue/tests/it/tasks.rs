//! Adding, listing and cancelling tasks, and putting them back into the queue.

use queue::{Cancelled, NewTask, RunResult, StoreError, TaskFilter, TaskId, TaskState};

use crate::{Case, Place, add, claim, claim_for, failed, new_task, random, report};

pub(crate) const CASES: &[Case] = &[
    ("a task is stored as it was added", a_task_is_stored_as_it_was_added),
    ("a key gives the same task", a_key_gives_the_same_task),
    (
        "a key of another repository does not reveal its task",
        a_key_of_another_repository_does_not_reveal_its_task,
    ),
    (
        "the number of recent tasks is bounded for each repository",
        the_number_of_recent_tasks_is_bounded_for_each_repository,
    ),
    ("unknown predecessors and cycles are errors", unknown_predecessors_and_cycles_are_errors),
    ("a task starts after its predecessors", a_task_starts_after_its_predecessors),
    ("successors of a failed task fail, and are put back with it", successors_fail_with_a_task),
    ("a task can be cancelled until it has ended", a_task_can_be_cancelled),
    ("an ended task can be deleted", an_ended_task_can_be_deleted),
];

fn a_task_is_stored_as_it_was_added(place: &Place) {
    let mut store = place.open();
    let mut new = new_task("one");
    new.priority = 7;
    new.max_parallel = Some(2);
    new.limits.max_tokens = Some(9_000_000_000);
    new.request.run.append.push("长 $1 ?1 {now} 'quoted'".to_owned());
    let id = add(&mut store, &new);
    // A second connection reads the same values.
    let task = place.open().task(&id).unwrap();
    assert_eq!((task.title.as_str(), task.priority), ("one", 7));
    assert_eq!((task.request, task.limits), (new.request.clone(), new.limits));
    assert_eq!((task.state, task.generation), (TaskState::Queued, 0));
    assert!(task.created_at > 1_700_000_000_000, "{}", task.created_at);
    let other = add(&mut store, &new_task("two"));
    let ids = |filter: &TaskFilter, store: &mut queue::TaskStore| -> Vec<TaskId> {
        store.tasks(filter).unwrap().into_iter().map(|task| task.id).collect()
    };
    assert_eq!(ids(&TaskFilter::default(), &mut store), [other.clone(), id]);
    let newest = TaskFilter { limit: Some(1), ..TaskFilter::default() };
    assert_eq!(ids(&newest, &mut store), [other]);
    let running = TaskFilter { states: vec![TaskState::Running], ..TaskFilter::default() };
    assert_eq!(ids(&running, &mut store), []);
    let elsewhere = TaskFilter { repository: Some("/else".into()), ..TaskFilter::default() };
    assert_eq!(ids(&elsewhere, &mut store), []);
    let unknown = TaskId::new("t-0").unwrap();
    assert!(matches!(store.task(&unknown), Err(StoreError::UnknownTask(_))));
}

fn a_key_gives_the_same_task(place: &Place) {
    let mut new = new_task("one");
    new.key = Some("nightly 2026-11-16".to_owned());
    let mut ids: Vec<TaskId> = std::thread::scope(|scope| {
        let adders: Vec<_> = (0..4).map(|_| scope.spawn(|| add(&mut place.open(), &new))).collect();
        adders.into_iter().map(|adder| adder.join().unwrap()).collect()
    });
    ids.dedup();
    assert_eq!(ids.len(), 1, "{ids:?}");
    let mut other = new_task("another");
    other.key.clone_from(&new.key);
    let error = place.open().add(&other, &random()).unwrap_err();
    assert!(matches!(error, StoreError::KeyTaken { .. }), "{error}");
}

fn a_key_of_another_repository_does_not_reveal_its_task(place: &Place) {
    let mut new = new_task("one");
    new.key = Some("nightly".to_owned());
    let id = add(&mut place.open(), &new);
    new.repository = "/other".into();
    new.after = vec![id.clone()];
    let error = place.open().add(&new, &random()).unwrap_err();
    assert!(matches!(&error, StoreError::KeyTakenElsewhere(key) if key == "nightly"), "{error}");
    assert!(!error.to_string().contains(id.as_str()), "{error}");
}

fn the_number_of_recent_tasks_is_bounded_for_each_repository(place: &Place) {
    let mut new = new_task("one");
    new.max_recent = Some(3);
    let added: Vec<_> = std::thread::scope(|scope| {
        let adders: Vec<_> =
            (0..6).map(|_| scope.spawn(|| place.open().add(&new, &random()))).collect();
        adders.into_iter().map(|adder| adder.join().unwrap()).collect()
    });
    let refused =
        |added: &&Result<(TaskId, bool), StoreError>| matches!(added, Err(StoreError::TooMany(3)));
    assert_eq!(added.iter().filter(refused).count(), 3, "{added:?}");
    let mut store = place.open();
    let (id, _) = added.into_iter().find_map(Result::ok).unwrap();
    store.cancel(&id).unwrap();
    // A task that has ended counts for an hour, because a successor of a failed task ends at once.
    assert!(matches!(store.add(&new, &random()), Err(StoreError::TooMany(3))));
    let elsewhere = NewTask { repository: "/other".into(), ..new.clone() };
    add(&mut store, &elsewhere);
    add(&mut store, &NewTask { max_recent: None, ..new });
}

fn unknown_predecessors_and_cycles_are_errors(place: &Place) {
    let mut store = place.open();
    let mut new = new_task("lonely");
    new.after = vec![TaskId::new("t-none").unwrap()];
    assert!(matches!(store.add(&new, &random()), Err(StoreError::UnknownTask(_))));
    assert!(store.tasks(&TaskFilter::default()).unwrap().is_empty());

    let mut first = new_task("first");
    first.key = Some("first".to_owned());
    let first_id = add(&mut store, &first);
    let mut second = new_task("second");
    second.after = vec![first_id.clone()];
    let second_id = add(&mut store, &second);
    first.after = vec![second_id];
    let error = store.add(&first, &random()).unwrap_err();
    assert!(matches!(&error, StoreError::Cycle(id) if *id == first_id), "{error}");
}

fn a_task_starts_after_its_predecessors(place: &Place) {
    let mut store = place.open();
    let first = add(&mut store, &new_task("first"));
    let mut second = new_task("second");
    second.after = vec![first.clone()];
    second.priority = 100;
    let second = add(&mut store, &second);
    let listed: Vec<_> =
        store.tasks(&TaskFilter::default()).unwrap().into_iter().map(|task| task.after).collect();
    assert_eq!(listed, [vec![first.clone()], vec![]]);
    let claimed = claim(&mut store);
    assert_eq!(claimed.task.id, first);
    assert!(claim_for(&mut store, 1000).is_none());
    assert!(store.finish(&claimed.lease, &report(RunResult::Finished)).unwrap());
    let claimed = claim(&mut store);
    assert_eq!((claimed.task.id, claimed.task.after), (second, vec![first]));
}

fn successors_fail_with_a_task(place: &Place) {
    let mut store = place.open();
    let first = add(&mut store, &new_task("first"));
    let mut second = new_task("second");
    second.after = vec![first.clone()];
    let second = add(&mut store, &second);
    let mut third = new_task("third");
    third.after = vec![second.clone()];
    let third = add(&mut store, &third);
    let lease = claim(&mut store).lease;
    assert!(store.finish(&lease, &failed(false)).unwrap());
    for id in [&second, &third] {
        let task = store.task(id).unwrap();
        assert_eq!((task.state, task.class.as_deref()), (TaskState::Failed, Some("predecessor")));
    }
    assert!(!store.has_work().unwrap());
    store.retry(&first, false).unwrap();
    for id in [&first, &second, &third] {
        assert_eq!(store.task(id).unwrap().state, TaskState::Queued);
    }
    assert!(store.has_work().unwrap());
    assert_eq!(claim(&mut store).task.id, first);
    let error = store.retry(&first, false).unwrap_err();
    assert_eq!(error.to_string(), format!("task `{first}` is running"));
}

fn a_task_can_be_cancelled(place: &Place) {
    let mut store = place.open();
    let queued = add(&mut store, &new_task("queued"));
    assert_eq!(store.cancel(&queued).unwrap(), Cancelled::AtOnce);
    assert_eq!(store.task(&queued).unwrap().state, TaskState::Cancelled);
    assert!(matches!(store.cancel(&queued), Err(StoreError::WrongState { .. })));

    let running = add(&mut store, &new_task("running"));
    let lease = claim(&mut store).lease;
    assert_eq!(store.cancel(&running).unwrap(), Cancelled::Requested);
    let beats = store.heartbeat(std::slice::from_ref(&lease), 1000).unwrap();
    assert_eq!(beats, [queue::Beat::CancelRequested]);
    // A cancelled task is not retried, even if its failure is retryable.
    assert!(store.finish(&lease, &failed(true)).unwrap());
    assert_eq!(store.task(&running).unwrap().state, TaskState::Cancelled);
}

fn an_ended_task_can_be_deleted(place: &Place) {
    let mut store = place.open();
    let first = add(&mut store, &new_task("first"));
    assert!(matches!(store.delete(&first), Err(StoreError::WrongState { .. })));
    let mut second = new_task("second");
    second.after = vec![first.clone()];
    let second = add(&mut store, &second);
    let lease = claim(&mut store).lease;
    store.finish(&lease, &report(RunResult::Finished)).unwrap();
    assert!(!store.delete(&first).unwrap(), "the second task comes after it");
    let lease = claim(&mut store).lease;
    store.finish(&lease, &report(RunResult::Finished)).unwrap();
    assert!(store.delete(&first).unwrap());
    assert!(store.delete(&second).unwrap());
    assert!(store.tasks(&TaskFilter::default()).unwrap().is_empty());
}
