//! Ends the processes of a worker that died.

use std::time::{Duration, Instant};

use process::{Identity, Urgency, processes_with};

/// The environment variable that the processes of a worker's tasks have. Its value is [`Owner::worker`](crate::Owner::worker).
pub const WORKER_VARIABLE: &str = "ADJUTANT_QUEUE_WORKER";

const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long killed processes are waited for.
const KILL_TIMEOUT: Duration = Duration::from_secs(10);

/// Ends all processes of the tasks of a worker: asks them to stop, waits for `grace`, and kills them. Returns whether none is
/// left.
#[must_use]
pub fn end_processes(worker: &str, grace: Duration) -> bool {
    let mut processes = processes_with(WORKER_VARIABLE, worker);
    if processes.is_empty() {
        return true;
    }
    // A supervisor is older than its agent. It must know that the agent is stopped before the agent ends.
    processes.sort_by_key(|process| process.start_ticks);
    signal(&processes, Urgency::Ask);
    if wait_for_end(worker, grace) {
        return true;
    }
    let deadline = Instant::now() + KILL_TIMEOUT;
    while Instant::now() < deadline {
        let processes = processes_with(WORKER_VARIABLE, worker);
        if processes.is_empty() {
            return true;
        }
        signal(&processes, Urgency::Force);
        std::thread::sleep(POLL_INTERVAL);
    }
    false
}

fn signal(processes: &[Identity], urgency: Urgency) {
    for process in processes {
        // A process that ended in the meantime cannot be signalled.
        let _is_running = process.signal(urgency);
    }
}

fn wait_for_end(worker: &str, grace: Duration) -> bool {
    let deadline = Instant::now() + grace;
    while Instant::now() < deadline {
        if processes_with(WORKER_VARIABLE, worker).is_empty() {
            return true;
        }
        std::thread::sleep(POLL_INTERVAL);
    }
    false
}
