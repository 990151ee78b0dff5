//! Finds processes and temporary files that runs leave behind. Processes are found by the run's marker.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::fault::Fault;
use super::setup::{CAMPAIGN, MARKER, Setup, as_user, files_below};
use super::templates::{Templates, command};

/// The maximum time for processes to end after a run. An index build in the background may continue after the hook has
/// exited, and pauses for up to two minutes while other programs use the processors.
const LEFTOVER_TIMEOUT: Duration = Duration::from_secs(300);

/// The timeout of the refresh that removes the files of a killed writer.
const REFRESH_SECONDS: &str = "60";

struct Process {
    pid: Pid,
    command: String,
}

/// Waits until no process of the campaign's runs remains. After a timeout, kills the remaining processes with one of these
/// markers and returns their command lines by marker.
pub(super) fn processes_left(markers: &[String]) -> BTreeMap<String, Vec<String>> {
    let deadline = Instant::now() + LEFTOVER_TIMEOUT;
    let mut wait = Duration::from_millis(5);
    while is_any_running() {
        if Instant::now() > deadline {
            let found = marked_processes(markers);
            return found.into_iter().map(|(marker, left)| (marker, end_all(&left))).collect();
        }
        std::thread::sleep(wait);
        wait = (wait * 2).min(Duration::from_millis(200));
    }
    BTreeMap::new()
}

/// Returns whether a process of this campaign runs. An index build in the background starts its own program again. A
/// process that is starting a program has no environment for a short time, and `processes_with` waits until it has one.
fn is_any_running() -> bool {
    !process::processes_with(CAMPAIGN, &std::process::id().to_string()).is_empty()
}

fn end_all(processes: &[Process]) -> Vec<String> {
    for process in processes {
        // The process may have ended in the meantime.
        let _result = kill_process(process.pid, Signal::KILL);
    }
    processes.iter().map(|process| process.command.clone()).collect()
}

fn marked_processes(markers: &[String]) -> BTreeMap<String, Vec<Process>> {
    let mut found: BTreeMap<String, Vec<Process>> = BTreeMap::new();
    let prefix = format!("{MARKER}=");
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
        let Some(pid) = pid else { continue };
        // The environment of an ended process, or of another user's process, cannot be read.
        let Ok(environment) = fs::read(entry.path().join("environ")) else { continue };
        let value = environment
            .split(|byte| *byte == 0)
            .find_map(|variable| variable.strip_prefix(prefix.as_bytes()));
        let marker = value.map(|value| String::from_utf8_lossy(value).into_owned());
        let Some(marker) = marker.filter(|marker| markers.contains(marker)) else { continue };
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&line).replace('\0', " ").trim().to_owned();
        found.entry(marker).or_default().push(Process { pid, command });
    }
    found
}

/// Returns the temporary files that remain in the folders of one run.
///
/// The hook kills a kernel after a timeout, and a killed writer leaves a temporary file, which the next writer must
/// remove. Therefore, the index is refreshed before the remaining files are reported. The refresh has the user of the
/// run, because the programs do not use the folders of another user.
pub(super) fn files_left(templates: &Templates, setup: &Setup) -> Vec<String> {
    let folder = match &templates.full_disk {
        Some(disk) if setup.fault == Fault::FullDisk => disk,
        _ => &setup.folder,
    };
    if temporary_files(folder).is_empty() {
        return Vec::new();
    }
    let status = command("timeout")
        .arg(REFRESH_SECONDS)
        .args(setup.user.map(as_user).unwrap_or_default())
        .arg(templates.programs.join("adjutant"))
        .args(["index", "--quiet", "-C"])
        .arg(templates.repository(setup.fault))
        .env("ADJUTANT_CACHE_DIR", folder.join("cache"))
        .env("ADJUTANT_STATE_DIR", folder.join("state"))
        .env("HOME", folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    // If the refresh fails, the files still exist and are reported.
    drop(status);
    temporary_files(folder)
}

fn temporary_files(folder: &Path) -> Vec<String> {
    let is_temporary = |name: &str| name.ends_with(".tmp") || name.starts_with(".tmp");
    let files = files_below(folder).into_iter().filter_map(|path| {
        let name = path.file_name()?.to_str()?;
        is_temporary(name).then(|| path.display().to_string())
    });
    files.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_starts_other_programs_all_the_time_is_found_by_every_look() {
        let script = "exec sh -c \"$SCRIPT\"";
        let mut child = command("sh")
            .args(["-c", script])
            .env("SCRIPT", script)
            .env(CAMPAIGN, std::process::id().to_string())
            .spawn()
            .unwrap();
        let n_missed = (0..500).filter(|_| !is_any_running()).count();
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(n_missed, 0);
        assert!(!is_any_running());
    }
}
