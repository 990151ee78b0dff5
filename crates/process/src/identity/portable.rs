//! Reads facts about processes with the crate `sysinfo`, on systems without `/proc`.

use sysinfo::{
    Pid, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System, ThreadKind, UpdateKind,
};

/// Returns the start time of a process in seconds since 1970, or `None` if the process has ended or is a zombie.
///
/// A process id that is reused within the same second has the same start time. macOS assigns process ids in ascending order
/// up to 99,999, so this does not happen in practice.
pub(super) fn start_time(pid: u32) -> Option<u64> {
    let pid = Pid::from_u32(pid);
    let mut system = System::new().ok()?;
    let wanted = ProcessesToUpdate::Some(&[pid]);
    system.refresh_processes_specifics(wanted, true, ProcessRefreshKind::nothing());
    let process = system.process(pid)?;
    let has_ended = matches!(process.status(), ProcessStatus::Zombie | ProcessStatus::Dead);
    (!has_ended).then(|| process.start_time())
}

/// Returns an empty string. A boot id is not needed, because start times are counted from 1970.
#[cfg_attr(test, expect(dead_code, reason = "the tests compare it with nothing"))]
pub(super) fn boot_id() -> String {
    String::new()
}

/// Returns the ids of the processes whose environment sets `name` to `value`. On macOS, the environment of system programs
/// such as `/bin/sleep` cannot be read.
pub(super) fn processes_with(name: &str, value: &str) -> Vec<u32> {
    let wanted = format!("{name}={value}");
    let Ok(mut system) = System::new() else { return Vec::new() };
    let facts = ProcessRefreshKind::nothing().with_environ(UpdateKind::Always);
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, facts);
    let processes = system.processes().values();
    processes
        // On Linux, threads are listed as well.
        .filter(|process| process.thread_kind() != Some(ThreadKind::Userland))
        .filter(|process| process.environ().iter().any(|variable| variable == wanted.as_str()))
        .map(|process| process.pid().as_u32())
        .collect()
}
