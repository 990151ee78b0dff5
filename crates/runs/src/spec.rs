//! The complete description of an unattended run: instructions, sandbox, approvals, network access, time limits and log
//! options.
//!
//! A supervisor receives the description through a pipe instead of a file, because the instructions are not redacted.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use policy::{Author, Effective, Requested};
use serde::{Deserialize, Serialize};

use crate::agents::AgentKind;
use crate::agents::codex::arguments::CodexOptions;
use crate::instructions::Instructions;
use crate::redaction::RedactionRules;
use crate::usage::SessionBudget;
use crate::usage_limit::OnUsageLimit;

/// The prompt that continues a conversation if the user wrote none.
pub const CONTINUE_PROMPT: &str = "Continue the task where you stopped.";

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of one run")]
pub struct Spec {
    pub origin: Origin,
    pub author: Author,
    pub agent: AgentKind,
    pub tag: String,
    /// The working directory of codex.
    pub directory: PathBuf,
    /// The folder that the working directory and the repository of a commit must be in, if a model requested the run.
    pub confined_to: Option<PathBuf>,
    pub instructions: Instructions,
    pub orders: Requested,
    pub codex: CodexOptions,
    pub continues: Option<Continues>,
    pub limits: TimeLimitsSpec,
    /// The caps on tokens, turns and cost.
    pub budget: SessionBudget,
    pub on_usage_limit: OnUsageLimit,
    /// Codex configuration profiles to try, in this order, when a usage limit has been reached. They are not used with
    /// [`OnUsageLimit::Fail`].
    pub next_profiles: Vec<String>,
    /// Folders with the login and configuration of the agent's further accounts, to try after the profiles. They
    /// come only from the user's own settings.
    pub next_homes: Vec<PathBuf>,
    /// The instructions for starting a new conversation. They are needed if the run continues a conversation and
    /// `instructions` does not describe the task.
    pub new_thread_text: Option<String>,
    pub log: LogSpec,
    pub repeat: Repeat,
    pub redaction: RedactionRules,
    pub patch: Option<PatchSpec>,
    /// Whether Adjutant composed the instructions, with the task's briefing if there is one. If so, Adjutant's hook in
    /// codex adds nothing.
    pub is_composed: bool,
    pub is_dry_run: bool,
    /// Whether the session shares its process with other tasks, as in a server. `stop` does not signal such a process.
    pub shares_process: bool,
    /// The request as the caller wrote it, for the session record.
    pub command_line: Vec<String>,
}

/// The command that created a session. It determines the prefix of the session id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    #[default]
    Run,
    Job,
}

/// The options that apply while the agent runs, as they are written to the session's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectiveOrders {
    #[serde(flatten)]
    pub orders: Effective,
    /// The directories that codex can write to, in addition to the working directory.
    #[serde(default)]
    pub writable_roots: Vec<PathBuf>,
}

/// An earlier session that a run continues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Continues {
    pub session: String,
    pub agent: AgentKind,
    pub thread: String,
    /// The working directory of the earlier session.
    pub directory: PathBuf,
    /// The canonical path of `directory` when the earlier session started, or `None` if it was not recorded.
    pub resolved_directory: Option<PathBuf>,
    pub effective: EffectiveOrders,
    /// The account folder (`CODEX_HOME`) that contains the conversation, or `None` if the environment determines the
    /// folder.
    pub codex_home: Option<PathBuf>,
}

/// Time limits in milliseconds. `None` means no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeLimitsSpec {
    pub wall_ms: Option<u64>,
    pub idle_ms: Option<u64>,
    pub grace_ms: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogSpec {
    pub place: LogPlace,
    pub echo: Echo,
    /// The maximum size of a log file in bytes. A full log file is rotated; two older files are kept.
    pub max_bytes: u64,
    /// The files to which each run appends one line. If this is `None`, nothing is appended.
    pub aggregate: Option<Aggregate>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogPlace {
    /// A new folder below the sessions folder.
    Folder,
    /// A new folder below the sessions folder, for a session with this id. Creating the session fails if the folder
    /// already exists.
    Session(String),
    /// Files in the sessions folder itself, without a subfolder.
    Flat,
    /// This folder, which is created if it does not exist.
    Named(PathBuf),
    /// This log file. The other files of the session are created next to it.
    File(PathBuf),
}

/// How many lines of the instructions are written to the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Echo {
    Off,
    All,
    Lines(usize),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aggregate {
    pub text: Option<PathBuf>,
    pub jsonl: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeat {
    /// If set, runs are repeated until the last message matches this regular expression.
    pub until: Option<String>,
    pub max_runs: u32,
    pub sleep_seconds: u64,
    /// Whether a repeated run continues the thread of the previous run.
    pub carries_context: bool,
    pub overflow_retries: u32,
    pub conditions: Conditions,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    pub change_in: Vec<String>,
    pub commit: bool,
    /// If set, all changes are committed with this message when the task is done.
    pub auto_commit: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PatchSpec {
    pub output: Option<PathBuf>,
    pub preview_lines: usize,
    pub keeps_artifact: bool,
}

impl Default for TimeLimitsSpec {
    fn default() -> Self {
        Self { wall_ms: Some(4 * 3_600_000), idle_ms: Some(30 * 60_000), grace_ms: 10_000 }
    }
}

impl TimeLimitsSpec {
    /// Returns how much wall time is left for a session that started at `begun`, or `None` if there is no limit.
    pub(crate) fn remaining(self, begun: Instant) -> Option<Duration> {
        self.wall_ms.map(|wall| Duration::from_millis(wall).saturating_sub(begun.elapsed()))
    }

    pub(crate) fn time_limits(self, begun: Instant) -> process::TimeLimits {
        process::TimeLimits {
            wall: self.remaining(begun),
            idle: self.idle_ms.map(Duration::from_millis),
            grace: Duration::from_millis(self.grace_ms),
        }
    }
}

impl Default for LogSpec {
    fn default() -> Self {
        Self {
            place: LogPlace::Folder,
            echo: Echo::Lines(120),
            max_bytes: 16 * 1024 * 1024,
            aggregate: Some(Aggregate::default()),
        }
    }
}

impl Default for Repeat {
    fn default() -> Self {
        Self {
            until: None,
            max_runs: 1,
            sleep_seconds: 0,
            carries_context: true,
            overflow_retries: 2,
            conditions: Conditions::default(),
        }
    }
}

impl Default for PatchSpec {
    fn default() -> Self {
        Self { output: None, preview_lines: 40, keeps_artifact: true }
    }
}

impl Spec {
    /// Creates the description of a run, with the documented defaults.
    #[must_use]
    pub fn new(origin: Origin, directory: PathBuf, instructions: Instructions) -> Self {
        Self { origin, directory, instructions, ..Self::default() }
    }
}

impl fmt::Display for EffectiveOrders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { orders: Effective { sandbox, approval, network, bypass }, writable_roots } =
            self;
        let (network, bypass) = (bool::from(*network), bool::from(*bypass));
        write!(
            f,
            "approval {approval} · bypass {bypass} · network {network} · sandbox {sandbox} · writable_roots {writable_roots:?}"
        )
    }
}
