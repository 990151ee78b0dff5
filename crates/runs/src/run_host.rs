//! What this crate needs from its caller: the environment, the clock, random strings, folders, and the user's hooks before
//! and after a run. Hooks receive a run as a call of the tool `codex.exec`.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use policy::Requested;
use process::Environment;
use serde::Serialize;

use crate::checks::RunError;
use crate::settings::UnattendedSettings;
use crate::spec::EffectiveOrders;
use crate::state::Meta;

#[derive(Clone, Debug)]
pub struct RunHost {
    pub environment: Environment,
    pub clock: fn() -> SystemTime,
    /// A function that returns a different string on each call.
    pub entropy: fn() -> String,
    /// The folder that contains the sessions.
    pub sessions: PathBuf,
    /// The folder in which the abilities of the installed codex are cached.
    pub cache: Option<PathBuf>,
    /// The path of the program `adjutant`, which is started as supervisor and watchdog.
    pub program: Option<PathBuf>,
    /// The user's configuration folder, if it is known.
    pub configuration: Option<PathBuf>,
    /// A function that reads standard input.
    pub stdin: fn() -> io::Result<Vec<u8>>,
    pub brief: Brief,
}

/// A function that returns a briefing for a task about the repository that contains the directory, or `None` if there is
/// nothing to add to the task.
pub type Brief = fn(task: &str, directory: &Path, environment: &Environment) -> Option<String>;

/// The tool name of a run in hook events.
pub const TOOL: &str = "codex.exec";

/// The arguments of the tool call, as hooks receive them.
///
/// All strings are redacted with the guard's rules only. The caller's patterns are not applied, because they could hide
/// text that a hook has to check.
#[derive(Clone, Debug, Serialize)]
pub struct RunCall<'a> {
    pub session: &'a str,
    pub prompt: String,
    pub title: String,
    pub cwd: &'a Path,
    pub tag: &'a str,
    pub requested: Requested,
    pub effective: EffectiveOrders,
    pub model: Option<String>,
}

pub trait RunHooks {
    /// Runs the before hooks. An error blocks the run and contains the reason.
    fn before(&self, call: &RunCall<'_>) -> Result<(), String>;

    /// Runs the after hooks of a run that was not blocked.
    fn after(&self, call: &RunCall<'_>, meta: &Meta);
}

impl RunHost {
    /// Returns the current time, such as `2026-01-02T03:04:05Z`.
    pub(crate) fn timestamp(&self) -> String {
        rfc3339((self.clock)())
    }

    /// Reads the user's settings for unattended runs.
    pub fn settings(&self) -> Result<UnattendedSettings, RunError> {
        let settings = self.configuration.as_deref().map(UnattendedSettings::read).transpose()?;
        Ok(settings.unwrap_or_default())
    }

    /// Reads standard input as text.
    pub fn stdin_text(&self) -> Result<String, RunError> {
        let bytes = (self.stdin)().map_err(|error| RunError::Stdin(error.to_string()))?;
        String::from_utf8(bytes).map_err(|_| RunError::Stdin("it is not UTF-8".to_owned()))
    }

    /// Returns the current time, such as `20260102_030405`.
    pub(crate) fn compact_time(&self) -> String {
        formatted((self.clock)(), "%Y%m%d_%H%M%S")
    }
}

pub(crate) fn rfc3339(time: SystemTime) -> String {
    formatted(time, "%Y-%m-%dT%H:%M:%SZ")
}

fn formatted(time: SystemTime, pattern: &str) -> String {
    jiff::Timestamp::try_from(time)
        .map(|time| time.strftime(pattern).to_string())
        .unwrap_or_default()
}

/// Returns the seconds since the epoch, or `None` if the string is not a timestamp.
pub(crate) fn seconds(timestamp: &str) -> Option<i64> {
    timestamp.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second)
}
