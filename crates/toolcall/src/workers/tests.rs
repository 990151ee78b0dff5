use std::collections::HashSet;

use super::*;

/// Runs one job and returns the id of its thread.
fn run(job: impl FnOnce() + Send + 'static) -> Option<thread::ThreadId> {
    let (sender, receiver) = mpsc::channel();
    start(move || {
        job();
        let _unheard = sender.send(thread::current().id());
    })
    .unwrap();
    receiver.recv_timeout(Duration::from_secs(60)).ok()
}

#[test]
fn threads_are_reused() {
    let threads: HashSet<_> = (0..200).map(|_| run(|| ()).unwrap()).collect();
    assert!(threads.len() < 200, "no thread was used twice");
}

#[test]
fn a_panic_ends_only_its_job() {
    for _ in 0..20 {
        assert_eq!(run(|| panic!("oh")), None);
        assert!(run(|| ()).is_some());
    }
}

#[test]
fn more_jobs_than_idle_threads_run_at_the_same_time() {
    let barrier = std::sync::Arc::new(std::sync::Barrier::new(2 * MAX_IDLE));
    let (sender, receiver) = mpsc::channel();
    for _ in 0..2 * MAX_IDLE {
        let (barrier, sender) = (std::sync::Arc::clone(&barrier), sender.clone());
        start(move || {
            barrier.wait();
            let _unheard = sender.send(());
        })
        .unwrap();
    }
    for _ in 0..2 * MAX_IDLE {
        receiver.recv_timeout(Duration::from_secs(60)).unwrap();
    }
}

#[test]
fn a40_jobs_that_never_return_are_bounded() {
    static COUNTER: AtomicUsize = AtomicUsize::new(0);
    let mut stuck: Vec<Counted> = (0..MAX_JOBS).map(|_| Counted::new(&COUNTER).unwrap()).collect();
    assert!(Counted::new(&COUNTER).is_err() && Counted::new(&COUNTER).is_err());
    drop(stuck.pop());
    assert!(Counted::new(&COUNTER).is_ok());
}
