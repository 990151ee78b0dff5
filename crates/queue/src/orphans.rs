//! Stops the processes of a worker that died.

use std::time::{Duration, Instant};

use process::{Urgency, processes_with};

/// The environment variable that a worker sets for all processes that it starts for its tasks. Its value is
/// [`Owner::worker`](crate::Owner::worker).
pub const WORKER_VARIABLE: &str = "ADJUTANT_QUEUE_WORKER";

const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The maximum time to wait for killed processes to end.
const KILL_TIMEOUT: Duration = Duration::from_secs(10);

/// Stops all processes that a worker started for its tasks: sends SIGTERM, waits for `grace`, and then kills the remaining
/// processes. Returns true if no process is left.
#[must_use]
pub fn end_processes(worker: &str, grace: Duration) -> bool {
    let mut processes = processes_with(WORKER_VARIABLE, worker);
    if processes.is_empty() {
        return true;
    }
    // The processes are signalled in the order in which they started, so that a supervisor is signalled before its
    // agent. The supervisor must know that the agent is being stopped before the agent exits.
    processes.sort_by_key(|process| process.start_ticks);
    for process in processes {
        // A process may have ended since it was listed. It cannot be signalled then.
        let _is_running = process.signal(Urgency::Ask);
    }
    wait_for_end(worker, grace) || runs::kill_processes(WORKER_VARIABLE, worker, KILL_TIMEOUT)
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
