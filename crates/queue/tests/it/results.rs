//! Results, limits and notices.

use queue::{ChangeCount, Claimed, RunReport, RunResult, StoreError, TaskState, WorkProduct};
use runs::{Caps, Cost, TotalUse, Usage};

use crate::{Case, Place, add, claim, claim_for, failed, far_worker, new_task, report};

pub(crate) const CASES: &[Case] = &[
    ("a failure is retried later, then the task fails", a_failure_is_retried_later),
    ("a waiting task continues its thread at its time", a_waiting_task_continues_at_its_time),
    ("a task that needs a person stays until retry", a_task_needs_a_person),
    ("the use of all attempts is added up", the_use_is_added_up),
    ("the use of a running attempt counts at once", the_use_of_a_running_attempt_counts_at_once),
    ("the use of an attempt without a result is kept", the_use_of_a_lost_attempt_is_counted_once),
    ("no task starts after a limit of the day", no_task_starts_after_a_limit_of_the_day),
    ("a notice is delivered once", a_notice_is_delivered_once),
    ("a report lists what needs a person first", a_report_lists_what_needs_a_person_first),
];

fn a_report_lists_what_needs_a_person_first(place: &Place) {
    let mut store = place.open();
    let ids = ["one", "two", "three", "four"].map(|title| add(&mut store, &new_task(title)));
    let finished = RunReport {
        usage: used(5, 2, 0, 0),
        product: WorkProduct {
            changes: Some(ChangeCount { files: 2, added: 12, removed: 3 }),
            ..WorkProduct::default()
        },
        ..report(RunResult::Finished)
    };
    for (id, result) in ids.iter().zip([finished, failed(false), report(RunResult::Budget)]) {
        let claimed = claim(&mut store);
        assert_eq!(claimed.task.id, *id);
        assert!(store.finish(&claimed.lease, &result).unwrap());
    }
    let hour = store.report(3_600_000).unwrap();
    let states: Vec<TaskState> = hour.tasks.iter().map(|task| task.state).collect();
    assert_eq!(
        states,
        [TaskState::Failed, TaskState::Budget, TaskState::Queued, TaskState::Finished]
    );
    assert_eq!(hour.counts, states.iter().map(|state| (*state, 1)).collect::<Vec<_>>());
    assert_eq!(hour.usage.tokens.total(), 7);
    let changes = hour.tasks[3].product.changes.map(|changes| changes.to_string());
    assert_eq!(changes.as_deref(), Some("+12 −3 in 2 files"));
    let nothing_ended = store.report(-3_600_000).unwrap();
    assert_eq!(nothing_ended.tasks.len(), 1, "an open task is always part of the report");
}

fn a_failure_is_retried_later(place: &Place) {
    let mut store = place.open();
    let mut new = new_task("one");
    new.max_retries = 2;
    let id = add(&mut store, &new);
    for failures in 1..=2 {
        let before = store.now().unwrap();
        let lease = claim(&mut store).lease;
        assert!(store.finish(&lease, &failed(true)).unwrap());
        let task = store.task(&id).unwrap();
        assert_eq!((task.state, task.failures), (TaskState::Queued, failures));
        let delay = task.not_before - before;
        assert!(delay >= 60_000 * failures, "{delay} ms after failure {failures}");
        assert!(claim_for(&mut store, 1000).is_none(), "not before its time");
        assert!(store.has_work().unwrap());
        store.make_due(&id).unwrap();
    }
    let lease = claim(&mut store).lease;
    assert!(store.finish(&lease, &failed(true)).unwrap());
    let task = store.task(&id).unwrap();
    assert_eq!((task.state, task.class.as_deref()), (TaskState::Failed, Some("network_error")));
    assert_eq!(task.reason.as_deref(), Some("the reason"));
    assert_eq!(store.notices(&id).unwrap().len(), 1, "a retry sends no notice");
    store.retry(&id, false).unwrap();
    let lease = claim(&mut store).lease;
    assert!(store.finish(&lease, &failed(false)).unwrap());
    let task = store.task(&id).unwrap();
    assert_eq!((task.state, task.failures), (TaskState::Failed, 1), "it cannot succeed");
}

fn a_waiting_task_continues_at_its_time(place: &Place) {
    let mut store = place.open();
    let id = add(&mut store, &new_task("one"));
    let waiting = |until| RunResult::Waiting { until, thread: Some("thread-9".to_owned()) };
    let lease = claim(&mut store).lease;
    let later = store.now().unwrap() + 3_600_000;
    assert!(store.finish(&lease, &report(waiting(later))).unwrap());
    let task = store.task(&id).unwrap();
    assert_eq!((task.state, task.waiting_until), (TaskState::Waiting, Some(later)));
    assert!(claim_for(&mut store, 1000).is_none());
    store.make_due(&id).unwrap();
    let claimed = claim(&mut store);
    assert_eq!(claimed.task.thread.as_deref(), Some("thread-9"));
    assert_eq!(claimed.task.resume_session.as_deref(), Some("queue-session"));
    assert!(claimed.previous.is_empty(), "no worker died");
    // A limit that holds before the conversation starts does not lose the conversation.
    let mut early = report(RunResult::Waiting { until: 0, thread: None });
    (early.thread, early.session) = (None, Some("queue-later".to_owned()));
    assert!(store.finish(&claimed.lease, &early).unwrap());
    let claimed = claim(&mut store);
    assert_eq!(claimed.task.resume_session.as_deref(), Some("queue-session"));
    assert!(store.finish(&claimed.lease, &report(RunResult::Finished)).unwrap());
    let task = store.task(&id).unwrap();
    assert_eq!((task.resume_session, task.waiting_until), (None, None));
    let kinds: Vec<_> = store.notices(&id).unwrap().into_iter().map(|notice| notice.kind).collect();
    assert_eq!(kinds, ["waiting", "waiting", "finished"]);
}

fn a_task_needs_a_person(place: &Place) {
    let mut store = place.open();
    let id = add(&mut store, &new_task("one"));
    let mut after = new_task("after");
    after.after = vec![id.clone()];
    let after = add(&mut store, &after);
    let lease = claim(&mut store).lease;
    assert!(store.finish(&lease, &report(RunResult::NeedsApproval)).unwrap());
    assert_eq!(store.task(&id).unwrap().state, TaskState::NeedsApproval);
    assert_eq!(store.task(&after).unwrap().state, TaskState::Queued, "it may still start");
    assert!(!store.has_work().unwrap());
    store.retry(&id, true).unwrap();
    assert_eq!(claim(&mut store).task.resume_session.as_deref(), Some("queue-session"));

    let other = add(&mut store, &new_task("other"));
    store.cancel(&other).unwrap();
    assert!(matches!(store.retry(&other, true), Err(StoreError::NoThread(_))));
}

fn the_use_is_added_up(place: &Place) {
    let mut store = place.open();
    let mut new = new_task("one");
    new.max_retries = 1;
    new.retry_delay_ms = 0;
    let id = add(&mut store, &new);
    let usage = used(100, 7, 1, 2_500);
    for result in [failed(true), report(RunResult::Budget)] {
        let lease = claim(&mut store).lease;
        let mut result = result;
        result.usage = usage;
        assert!(store.finish(&lease, &result).unwrap());
    }
    let twice = used(200, 14, 2, 5_000);
    let task = store.task(&id).unwrap();
    assert_eq!((task.state, task.usage), (TaskState::Budget, twice));
    assert_eq!(store.day_use().unwrap().used, twice);
    assert!(store.attempts(&id).unwrap().iter().all(|attempt| attempt.usage == usage));
}

fn used(input: u64, output: u64, turns: u64, micros: u64) -> TotalUse {
    let cost = (micros > 0).then(|| Cost::from_millionths(micros));
    TotalUse { tokens: Usage { input, output, cached_input: 0 }, turns, cost }
}

fn one_turn() -> TotalUse {
    used(100, 7, 1, 2_500)
}

fn two_turns() -> TotalUse {
    used(200, 14, 2, 5_000)
}

fn the_use_of_a_running_attempt_counts_at_once(place: &Place) {
    let mut store = place.open();
    let limits = Caps { max_tokens: Some(200), max_turns: Some(9), max_cost: None };
    store.set_day_limits(limits).unwrap();
    let id = add(&mut store, &new_task("one"));
    add(&mut store, &new_task("two"));
    let first = claim(&mut store);
    assert_eq!(first.day_left, limits);
    store.record_use(&first.lease, one_turn()).unwrap();
    assert_eq!(store.day_limit().unwrap(), None);
    let second = claim(&mut store);
    let left = Caps { max_tokens: Some(93), max_turns: Some(8), max_cost: None };
    assert_eq!(second.day_left, left);
    store.record_use(&second.lease, one_turn()).unwrap();
    let reached = store.day_limit().unwrap().expect("the limit is reached");
    assert_eq!(reached.used, "214 of 200 tokens");
    // The result contains the same use, which is not counted twice.
    let mut result = report(RunResult::Budget);
    result.usage = one_turn();
    assert!(store.finish(&first.lease, &result).unwrap());
    assert_eq!(store.day_use().unwrap().used, two_turns());
    assert_eq!(store.task(&id).unwrap().usage, one_turn());
}

fn the_use_of_a_lost_attempt_is_counted_once(place: &Place) {
    let mut store = place.open();
    let id = add(&mut store, &new_task("one"));
    let first = claim_for(&mut store, 0).unwrap();
    store.record_use(&first.lease, one_turn()).unwrap();
    // The worker died. The next worker starts the task again, and is stopped after a turn.
    let second = claim(&mut store);
    assert_eq!(second.task.usage, one_turn(), "the caps of the task count the lost attempt");
    assert!(store.release(&second.lease, Some("thread-1"), one_turn()).unwrap());
    assert_eq!(store.task(&id).unwrap().usage, two_turns());
    // Another worker dies, and the next one finds the session of that worker completed, after two turns.
    let third = claim_for(&mut store, 0).unwrap();
    store.record_use(&third.lease, one_turn()).unwrap();
    let fourth = claim(&mut store);
    let mut recovered = report(RunResult::Finished);
    recovered.session = third.task.session;
    recovered.usage = two_turns();
    assert!(store.finish(&fourth.lease, &recovered).unwrap());
    let turns =
        |usage: TotalUse| (usage.turns, usage.tokens.output, usage.cost.map(Cost::millionths));
    assert_eq!(turns(store.task(&id).unwrap().usage), (4, 28, Some(10_000)));
    assert_eq!(turns(store.day_use().unwrap().used), (4, 28, Some(10_000)));
}

fn no_task_starts_after_a_limit_of_the_day(place: &Place) {
    let mut store = place.open();
    let limits = Caps { max_tokens: Some(100), ..Caps::default() };
    store.set_day_limits(limits).unwrap();
    assert_eq!(store.day_use().unwrap().limits, limits);
    add(&mut store, &new_task("one"));
    add(&mut store, &new_task("two"));
    let lease = claim(&mut store).lease;
    let mut report = report(RunResult::Finished);
    report.usage.tokens.output = 100;
    assert!(store.finish(&lease, &report).unwrap());
    let claimed = store.claim(&far_worker("w"), 1000, &[]).unwrap();
    let now = store.now().unwrap();
    assert!(matches!(claimed, Claimed::DayLimit { until } if until > now), "{claimed:?}");
    store.set_day_limits(Caps::default()).unwrap();
    assert_eq!(claim(&mut store).task.title, "two");
}

fn a_notice_is_delivered_once(place: &Place) {
    let mut store = place.open();
    let id = add(&mut store, &new_task("one"));
    let lease = claim(&mut store).lease;
    assert!(store.claim_notice(1000).unwrap().is_none());
    store.finish(&lease, &report(RunResult::Finished)).unwrap();
    let notice = store.claim_notice(3_600_000).unwrap().unwrap();
    assert_eq!((notice.kind.as_str(), notice.tries, &notice.task), ("finished", 1, &id));
    let content: serde_json::Value = serde_json::from_str(&notice.content).unwrap();
    assert_eq!((&content["event"], &content["task"]), (&"finished".into(), &id.as_str().into()));
    assert!(store.claim_notice(1000).unwrap().is_none(), "a worker is delivering it");
    store.record_delivery(notice.number, &["a".to_owned()], Some("b is down"), Some(0)).unwrap();
    let again = store.claim_notice(1000).unwrap().unwrap();
    assert_eq!((again.tries, again.delivered_to), (2, vec!["a".to_owned()]));
    let both = ["a".to_owned(), "b".to_owned()];
    store.record_delivery(notice.number, &both, None, None).unwrap();
    assert!(store.claim_notice(1000).unwrap().is_none());
    let stored = store.notices(&id).unwrap().remove(0);
    assert!(stored.done_at.is_some() && stored.delivered_to == both && stored.error.is_none());
}
