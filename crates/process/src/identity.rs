//! Identifies a process by its process id, its start time and the system's boot id, which are read from `/proc`.
//!
//! The system reuses process ids, so a stored process id alone can refer to another process later.

use std::fs;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    pub pid: u32,
    /// The start time of the process in clock ticks since boot, or 0 if it is unknown.
    pub start_ticks: u64,
    pub boot_id: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// Sends SIGTERM, so that the process can clean up.
    Ask,
    /// Sends SIGKILL.
    Force,
}

impl Identity {
    #[must_use]
    pub fn of(pid: u32) -> Self {
        Self { pid, start_ticks: start_ticks(pid).unwrap_or(0), boot_id: boot_id() }
    }

    #[must_use]
    pub fn of_this_process() -> Self {
        Self::of(std::process::id())
    }

    /// Whether this process is still running and its id has not been reused. Returns false for a zombie.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.boot_id == boot_id()
            && self.start_ticks != 0
            && start_ticks(self.pid) == Some(self.start_ticks)
    }

    /// Sends a signal to the process if it is still running. Returns whether the signal was sent.
    pub fn signal(&self, urgency: Urgency) -> bool {
        let pid = self.is_running().then(|| Pid::from_raw(self.pid.cast_signed())).flatten();
        pid.is_some_and(|pid| kill_process(pid, urgency.signal()).is_ok())
    }

    /// Sends a signal to the process group that this process leads, if this process is still running. Returns whether the
    /// signal was sent.
    pub fn signal_group(&self, urgency: Urgency) -> bool {
        let pid = self.is_running().then(|| Pid::from_raw(self.pid.cast_signed())).flatten();
        pid.is_some_and(|pid| kill_process_group(pid, urgency.signal()).is_ok())
    }
}

impl Urgency {
    fn signal(self) -> Signal {
        match self {
            Self::Ask => Signal::TERM,
            Self::Force => Signal::KILL,
        }
    }
}

/// Returns all running processes that were started with the environment variable `name` set to `value`.
///
/// This also finds descendants that have left the process group, unless they were started without the variable. Processes
/// whose environment cannot be read are not found.
#[must_use]
pub fn processes_with(name: &str, value: &str) -> Vec<Identity> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let wanted = format!("{name}={value}");
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes())
    })
    .map(Identity::of)
    .filter(|identity| identity.start_ticks != 0)
    .collect()
}

/// Reads the start time of a process. Returns `None` if the process has ended or is a zombie.
fn start_ticks(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The process name in parentheses can contain any character, including `)`.
    let mut fields = stat[stat.rfind(')')? + 1..].split_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

fn boot_id() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id")
        .map(|id| id.trim().to_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
