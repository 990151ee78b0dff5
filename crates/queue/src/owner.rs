//! Identifies the worker that holds a lease, and stops the processes of a worker that died.

use std::time::{Duration, Instant};

use process::{ProcessIdentity, Urgency, processes_with};
use serde::{Deserialize, Serialize};

/// The environment variable that a worker sets for all processes that it starts for its tasks. Its value is
/// [`Owner::worker`].
pub const WORKER_VARIABLE: &str = "ADJUTANT_QUEUE_WORKER";

const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// The maximum time to wait for killed processes to end.
const KILL_TIMEOUT: Duration = Duration::from_secs(10);

/// A worker process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// A string that is unique to this worker. The processes that the worker starts have it in their environment.
    pub worker: String,
    /// The boot id of the machine and the worker's process id namespace. Workers with the same value see each other's
    /// processes. `None` if one of the two cannot be read.
    pub machine: Option<String>,
    pub process: ProcessIdentity,
}

impl Owner {
    /// Returns an owner that identifies the current process.
    #[must_use]
    pub fn this_process(worker: String) -> Self {
        let process = ProcessIdentity::of_this_process();
        // Containers share the boot id of their host, but each has its own process ids.
        let table = std::fs::read_link("/proc/self/ns/pid").ok();
        let table = table.and_then(|table| table.to_str().map(str::to_owned));
        let boot = (!process.boot_id.is_empty()).then(|| process.boot_id.clone());
        let machine = boot.zip(table).map(|(boot, table)| format!("{boot} {table}"));
        Self { worker, machine, process }
    }

    /// Returns whether the worker `other` ran on this machine and has ended.
    #[must_use]
    pub fn knows_death_of(&self, other: &Self) -> bool {
        self.is_on_machine_of(other) && !other.process.is_running()
    }

    #[must_use]
    pub fn is_on_machine_of(&self, other: &Self) -> bool {
        self.machine.is_some() && self.machine == other.machine
    }

    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub(crate) fn from_text(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

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
