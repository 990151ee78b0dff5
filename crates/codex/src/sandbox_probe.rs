//! Whether codex's own sandbox works on this machine: tried, not assumed, in an empty folder.
//!
//! A kernel without user namespaces or a container without rights makes every command of an unattended run fail.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use process::{Bounds, End, Environment, Program};

const ANSWER_TIME: Duration = Duration::from_secs(15);

/// How one mode fared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tried {
    Works,
    /// It let something through that it must not.
    Leaks,
    /// It cannot run here; what codex said about it.
    Fails(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxProbe {
    pub read_only: Tried,
    pub workspace_write: Tried,
}

/// Starts three small commands in the sandbox. `folder` is empty and ours: no repository's configuration is there.
#[must_use]
pub fn probe_sandbox(program: &Path, environment: &Environment, folder: &Path) -> SandboxProbe {
    let try_out = |mode: &str, words: &[&str]| ask(program, environment, folder, mode, words);
    let read_only = match try_out("read-only", &["true"]) {
        Err(reason) => Tried::Fails(reason),
        Ok(()) => {
            let _refused = try_out("read-only", &["touch", "planted"]);
            if folder.join("planted").exists() { Tried::Leaks } else { Tried::Works }
        }
    };
    let workspace_write = match try_out("workspace-write", &["touch", "written"]) {
        Err(reason) => Tried::Fails(reason),
        Ok(()) if folder.join("written").exists() => Tried::Works,
        Ok(()) => Tried::Fails("what was written is not there".to_owned()),
    };
    for name in ["planted", "written"] {
        let _not_there = fs::remove_file(folder.join(name));
    }
    SandboxProbe { read_only, workspace_write }
}

fn ask(
    program: &Path,
    environment: &Environment,
    folder: &Path,
    mode: &str,
    words: &[&str],
) -> Result<(), String> {
    let mode = format!("sandbox_mode=\"{mode}\"");
    let program = Program::new(program, environment.clone())
        .arguments(["sandbox", "--config", &mode, "--"])
        .arguments(words.iter().copied())
        .directory(folder);
    let bounds = Bounds {
        deadline: Instant::now() + ANSWER_TIME,
        stdout_bytes: 4 * 1024,
        stderr_bytes: 16 * 1024,
    };
    let finished = process::run(&program, &bounds).map_err(|error| error.to_string())?;
    match finished.end {
        End::Exited(0) => Ok(()),
        End::TimedOut => Err(format!("no answer in {} s", ANSWER_TIME.as_secs())),
        End::Exited(code) => Err(reason(&finished.stderr.text(), &format!("exit {code}"))),
        End::Signalled(signal) => {
            Err(reason(&finished.stderr.text(), &format!("killed by signal {signal}")))
        }
    }
}

/// The last line that is not a warning says what went wrong.
fn reason(stderr: &str, otherwise: &str) -> String {
    let mut lines = stderr.lines().map(str::trim);
    let telling = lines.rfind(|line| !line.is_empty() && !line.starts_with("WARNING"));
    telling.map_or_else(|| otherwise.to_owned(), |line| line.chars().take(200).collect())
}

#[cfg(test)]
mod tests;
