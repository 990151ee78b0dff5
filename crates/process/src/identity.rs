//! Identifies a process by its process id, its start time and the system's boot id.
//!
//! These values are read from `/proc` on Linux, and with the crate `sysinfo` on macOS ([`system`]). The system reuses process
//! ids, so a stored process id alone can refer to another process later.

#[cfg(any(target_os = "macos", test))]
mod portable;
#[cfg(target_os = "linux")]
mod proc_files;

#[cfg(target_os = "macos")]
use portable as system;
#[cfg(target_os = "linux")]
use proc_files as system;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessIdentity {
    pub pid: u32,
    /// The start time of the process: clock ticks since boot on Linux, seconds since 1970 on macOS. 0 if it is unknown.
    pub start_ticks: u64,
    /// The boot id of a Linux system, which changes at each boot. Empty on macOS, where the start time is not counted
    /// from boot.
    pub boot_id: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// Sends SIGTERM, so that the process can clean up.
    Ask,
    /// Sends SIGKILL.
    Force,
}

impl ProcessIdentity {
    #[must_use]
    pub fn of(pid: u32) -> Self {
        Self { pid, start_ticks: system::start_time(pid).unwrap_or(0), boot_id: system::boot_id() }
    }

    #[must_use]
    pub fn of_this_process() -> Self {
        Self::of(std::process::id())
    }

    /// Returns whether this process is still running and its id has not been reused. Returns false for a zombie.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.boot_id == system::boot_id()
            && self.start_ticks != 0
            && system::start_time(self.pid) == Some(self.start_ticks)
    }

    /// Sends a signal to the process if it is still running. Returns whether the signal was sent.
    pub fn signal(&self, urgency: Urgency) -> bool {
        self.running_pid().is_some_and(|pid| kill_process(pid, urgency.signal()).is_ok())
    }

    /// Sends a signal to the process group that this process leads, if this process is still running. Returns whether the
    /// signal was sent.
    pub fn signal_group(&self, urgency: Urgency) -> bool {
        self.running_pid().is_some_and(|pid| kill_process_group(pid, urgency.signal()).is_ok())
    }

    fn running_pid(&self) -> Option<Pid> {
        self.is_running().then(|| Pid::from_raw(self.pid.cast_signed())).flatten()
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
pub fn processes_with(name: &str, value: &str) -> Vec<ProcessIdentity> {
    system::processes_with(name, value)
        .into_iter()
        .map(ProcessIdentity::of)
        .filter(|identity| identity.start_ticks != 0)
        .collect()
}

#[cfg(test)]
mod tests;
