//! Many tasks with several workers, while workers are killed and the server restarts.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::Duration;

use queue::{NewTask, StoreLocation, TaskFilter, TaskRequest, TaskState, TaskStore};
use runs::RunRequest;
use testkit::{PipedProgram, PostgresServer, eventually};

use super::Queue;

const N_TASKS: usize = 100;
const N_WORKERS: usize = 4;
const SLOTS: usize = 2;
const N_KILLS: usize = 8;

/// The name of the worktree is the id of the task. The sleep gives the test time to kill workers.
const SCENARIO: &str = r#"
task=${PWD##*/}
echo "start $task" >> "$here/log"
thread
echo "$task" > "result.txt"
sleep 0.2
echo "end $task" >> "$here/log"
message "Done with $task."
completed
"#;

#[test]
fn every_task_has_one_result_on_sqlite_when_workers_are_killed() {
    let queue = Queue::doing(SCENARIO);
    let location = StoreLocation::File(queue.state().join("queue/queue.db"));
    run_fleet(&queue, &location, &mut |_| ());
}

#[test]
fn every_task_has_one_result_on_postgresql_when_workers_are_killed_and_the_server_restarts() {
    let mut server = PostgresServer::start();
    let mut queue = Queue::doing(SCENARIO);
    queue.store = Some(server.url());
    let location = StoreLocation::parse(&server.url(), Path::new("/")).unwrap();
    let mut n_restarts = 0;
    run_fleet(&queue, &location, &mut |n_ended| {
        let is_due = n_ended * 3 >= N_TASKS * (n_restarts + 1);
        if is_due && n_restarts < 2 {
            n_restarts += 1;
            server.restart();
        }
    });
    assert_eq!(n_restarts, 2);
}

fn run_fleet(queue: &Queue, location: &StoreLocation, disturb: &mut dyn FnMut(usize)) {
    let mut store = TaskStore::open(location.clone(), Duration::from_secs(60)).unwrap();
    for number in 0..N_TASKS {
        store.add(&new_task(queue, number), &random(number)).unwrap();
    }
    let mut workers: Vec<PipedProgram> =
        (0..N_WORKERS).map(|_| queue.start_worker(SLOTS)).collect();
    let n_ended = |store: &mut TaskStore| {
        let filter = TaskFilter { states: vec![TaskState::Finished], ..TaskFilter::default() };
        store.tasks(&filter).unwrap().len()
    };
    for kill in 0..N_KILLS {
        let wanted = N_TASKS * (kill + 1) / (N_KILLS + 2);
        eventually("more tasks end", || n_ended(&mut store) >= wanted);
        disturb(n_ended(&mut store));
        // Dropping a worker kills it with SIGKILL. Its watchdog and its supervisors have their own process groups.
        let victim = usize::from_str_radix(&random(kill)[..4], 16).unwrap() % N_WORKERS;
        drop(workers.remove(victim));
        workers.push(queue.start_worker(SLOTS));
    }
    for worker in &mut workers {
        let code = worker.exit_code(testkit::TEST_TIMEOUT);
        assert_eq!(code, Some(0), "{}", worker.stderr());
    }
    check_tasks(queue, &mut store);
    check_processes(queue);
    queue.run("clean", &[]).expect_success();
    assert!(queue.worktree_names().is_empty(), "{:?}", queue.worktree_names());
    let known = queue.repository.git(&["worktree", "list"]);
    assert_eq!(known.lines().count(), 1, "{known}");
}

fn new_task(queue: &Queue, number: usize) -> NewTask {
    let repository = queue.repository.path().to_owned();
    let run = RunRequest::task(format!("number {number}")).without_briefing();
    let request = TaskRequest::in_worktree(run, repository.clone());
    NewTask::new(format!("number {number}"), repository, request)
}

fn random(salt: usize) -> String {
    use std::hash::{BuildHasher, Hasher};
    let mut hasher = std::hash::RandomState::new().build_hasher();
    hasher.write_usize(salt);
    format!("{:016x}", hasher.finish())
}

/// Checks that every task has one result, and that no task was started again after its run had completed.
fn check_tasks(queue: &Queue, store: &mut TaskStore) {
    let tasks = store.tasks(&TaskFilter::default()).unwrap();
    assert_eq!(tasks.len(), N_TASKS);
    let mut runs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in queue.codex.note("log").unwrap().lines() {
        let (word, task) = line.split_once(' ').unwrap();
        runs.entry(task.to_owned()).or_default().push(word.to_owned());
    }
    let mut n_lost = 0;
    for task in &tasks {
        assert_eq!(task.state, TaskState::Finished, "{task:#?}");
        let attempts = store.attempts(&task.id).unwrap();
        let results: Vec<&str> =
            attempts.iter().map(|attempt| attempt.result.as_deref().unwrap()).collect();
        let (last, earlier) = results.split_last().unwrap();
        assert_eq!(*last, "finished", "{} {results:?}", task.id);
        assert!(earlier.iter().all(|result| *result == "lost"), "{} {results:?}", task.id);
        n_lost += earlier.len();
        let notices = store.notices(&task.id).unwrap();
        assert_eq!(notices.len(), 1, "{notices:?}");
        assert_eq!(task.product.branch, Some(task.id.branch()), "{task:#?}");
        let starts = runs[task.id.as_str()].iter().filter(|word| *word == "start").count();
        assert!(starts <= attempts.len(), "{} started {starts} times", task.id);
        check_sessions(queue, task.id.as_str());
    }
    assert!(n_lost > 0, "no worker was killed while it ran a task");
}

/// Checks that at most one session of a task has completed, and that it is the last one.
fn check_sessions(queue: &Queue, task: &str) {
    let prefix = format!("queue-{task}-");
    let entries = std::fs::read_dir(queue.state().join("sessions")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut generations: Vec<u32> =
        names.filter_map(|name| name.strip_prefix(&prefix)?.parse().ok()).collect();
    generations.sort_unstable();
    let completed = |generation: &u32| {
        let path = queue.state().join("sessions").join(format!("{prefix}{generation}/state.json"));
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.contains(r#""state": "completed""#)
    };
    let done: Vec<u32> = generations.iter().copied().filter(completed).collect();
    assert_eq!(done, [*generations.last().unwrap()], "{task}: {generations:?}");
}

/// Checks that no process of the test is left: no worker, watchdog, supervisor or codex.
fn check_processes(queue: &Queue) {
    let marker = queue.state().to_string_lossy().into_owned();
    eventually("all processes end", || processes_with(&marker).is_empty());
}

pub(super) fn processes_with(marker: &str) -> HashSet<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().into_string().ok());
    ids.filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()))
        .filter(|id| {
            let variables = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            String::from_utf8_lossy(&variables).contains(marker)
        })
        .collect()
}
