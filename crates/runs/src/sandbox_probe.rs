//! Tests whether codex's sandbox works on this machine.
//!
//! The sandbox needs user namespaces. Without them, for example in some containers, every command of an unattended run
//! fails.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use process::{Bounds, End, Environment, Program};

const COMMAND_TIMEOUT: Duration = Duration::from_secs(15);

/// The result of testing one sandbox mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tried {
    Works,
    /// The sandbox allowed a forbidden write.
    Leaks,
    /// A command failed in the sandbox. The field is codex's error message.
    Fails(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxProbe {
    pub read_only: Tried,
    pub workspace_write: Tried,
}

/// Runs three small commands in codex's sandbox, with `folder` as the working directory. `folder` must be empty, so
/// that no repository configuration affects the commands.
#[must_use]
pub fn probe_sandbox(program: &Path, environment: &Environment, folder: &Path) -> SandboxProbe {
    let run_in =
        |mode: &str, words: &[&str]| run_command(program, environment, folder, mode, words);
    let read_only = match run_in("read-only", &["true"]) {
        Err(reason) => Tried::Fails(reason),
        Ok(()) => {
            let _expected_failure = run_in("read-only", &["touch", "planted"]);
            if folder.join("planted").exists() { Tried::Leaks } else { Tried::Works }
        }
    };
    let workspace_write = match run_in("workspace-write", &["touch", "written"]) {
        Err(reason) => Tried::Fails(reason),
        Ok(()) if folder.join("written").exists() => Tried::Works,
        Ok(()) => Tried::Fails("the written file does not exist".to_owned()),
    };
    for name in ["planted", "written"] {
        let _missing = fs::remove_file(folder.join(name));
    }
    SandboxProbe { read_only, workspace_write }
}

fn run_command(
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
    let deadline = Instant::now() + COMMAND_TIMEOUT;
    let bounds = Bounds { deadline, stdout_bytes: 4 * 1024, stderr_bytes: 16 * 1024 };
    let finished = process::run(&program, &bounds).map_err(|error| error.to_string())?;
    match finished.end {
        End::Exited(0) => Ok(()),
        End::TimedOut => Err(format!("no answer in {} s", COMMAND_TIMEOUT.as_secs())),
        End::Exited(code) => Err(reason(&finished.stderr.text(), &format!("exit {code}"))),
        End::Signalled(signal) => {
            Err(reason(&finished.stderr.text(), &format!("killed by signal {signal}")))
        }
    }
}

/// Returns the last non-empty line of `stderr` that is not a warning, or `otherwise` if there is no such line.
fn reason(stderr: &str, otherwise: &str) -> String {
    let mut lines = stderr.lines().map(str::trim);
    let last = lines.rfind(|line| !line.is_empty() && !line.starts_with("WARNING"));
    last.map_or_else(|| otherwise.to_owned(), |line| line.chars().take(200).collect())
}

#[cfg(test)]
mod tests;
