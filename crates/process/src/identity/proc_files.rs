//! Reads facts about processes from `/proc`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::time::{Duration, Instant};

/// The maximum time to wait for a process that is starting another program.
const EXEC_TIMEOUT: Duration = Duration::from_secs(1);
const POLL_INTERVAL: Duration = Duration::from_millis(1);
const PART: usize = 64 * 1024;
/// The position of `env_start` among the fields of `/proc/PID/stat` that follow the name of the process.
const ENVIRONMENT_START: usize = 47;

/// Returns the start time of a process in clock ticks since boot, or `None` if the process has ended or is a zombie.
pub(super) fn start_time(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The process name in parentheses can contain any character, including `)`.
    let mut fields = stat[stat.rfind(')')? + 1..].split_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

pub(super) fn boot_id() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id")
        .map(|id| id.trim().to_owned())
        .unwrap_or_default()
}

/// Returns the ids of the processes whose environment sets `name` to `value`.
pub(super) fn processes_with(name: &str, value: &str) -> Vec<u32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let wanted = format!("{name}={value}");
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid: &u32| {
        environment(*pid).split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes())
    })
    .collect()
}

/// Reads the environment of a process. Returns an empty list if it cannot be read.
///
/// While a process starts another program, its environment is empty for a short time. The function waits until this time
/// is over.
fn environment(pid: u32) -> Vec<u8> {
    let deadline = Instant::now() + EXEC_TIMEOUT;
    let mut address = None;
    loop {
        let bytes = read_in_large_parts(&format!("/proc/{pid}/environ")).unwrap_or_default();
        // The program of a kernel thread, of an ended process and of another user's process cannot be read.
        if !bytes.is_empty() || fs::read_link(format!("/proc/{pid}/exe")).is_err() {
            return bytes;
        }
        let empty = address_of_empty_environment(pid);
        if (empty.is_some() && empty == address) || Instant::now() > deadline {
            return bytes;
        }
        address = empty;
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Reads a file. If the process starts another program between two reads of its environment, the second read finds
/// nothing, so an environment of the usual size is read with one system call.
fn read_in_large_parts(path: &str) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let (mut bytes, mut part) = (Vec::new(), [0; PART]);
    loop {
        let n_read = file.read(&mut part)?;
        bytes.extend_from_slice(&part[..n_read]);
        if n_read < PART {
            return Ok(bytes);
        }
    }
}

/// Returns the address of the environment of a process without variables. Returns `None` if the process has variables, or
/// has no environment yet because it is starting another program. The kernel sets the end of a new environment last, so
/// the environment may also be incomplete.
fn address_of_empty_environment(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(ENVIRONMENT_START);
    let (start, end) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    (start != 0 && start == end).then_some(start)
}
