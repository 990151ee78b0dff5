//! Who a process is, in a way that survives us: its number, when it started, and in which boot of the machine.
//!
//! A number alone is given to somebody else sooner or later. Read from `/proc`.

use std::fs;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    pub pid: u32,
    /// In ticks since boot; zero if the system did not say.
    pub start_ticks: u64,
    pub boot_id: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// TERM: it may clean up.
    Ask,
    /// KILL.
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

    /// Whether this very process still runs. One that ended and was not yet collected does not.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.boot_id == boot_id()
            && self.start_ticks != 0
            && start_ticks(self.pid) == Some(self.start_ticks)
    }

    /// Signals the process, if it is still the one that was meant.
    pub fn signal(&self, urgency: Urgency) -> bool {
        let pid = self.is_running().then(|| Pid::from_raw(self.pid.cast_signed())).flatten();
        pid.is_some_and(|pid| kill_process(pid, urgency.signal()).is_ok())
    }

    /// Signals every process of the group it leads.
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

/// Every running process that was started with this variable in its environment, at whatever remove.
///
/// A group loses those who leave it; an environment is inherited. Only what we may read is found.
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

/// None for a process that is gone or a zombie.
fn start_ticks(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything, also `)`.
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
