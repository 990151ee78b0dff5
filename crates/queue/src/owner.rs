//! Identifies the worker that holds a lease.

use process::Identity;
use serde::{Deserialize, Serialize};

/// A worker process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// A string that is unique to this worker. The processes that the worker starts have it in their environment.
    pub worker: String,
    /// The boot id of the machine and the worker's process id namespace. Workers with the same value see each other's
    /// processes. `None` if one of the two cannot be read.
    pub machine: Option<String>,
    pub process: Identity,
}

impl Owner {
    /// Returns an owner that identifies the current process.
    #[must_use]
    pub fn this_process(worker: String) -> Self {
        let process = Identity::of_this_process();
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
