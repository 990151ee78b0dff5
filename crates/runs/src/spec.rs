//! The complete description of an unattended run: instructions, sandbox, approvals, network access, time limits and log
//! options.
//!
//! A supervisor receives the description through a pipe instead of a file, because the instructions are not redacted.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use policy::{Approval, Author, Bypass, Effective, Network, Requested, Sandbox, UnknownWord};
use serde::{Deserialize, Serialize};

use crate::agents::AgentKind;
use crate::agents::codex::arguments::CodexOptions;
use crate::instructions::Instructions;
use crate::redaction::RedactionRules;
use crate::usage::Budget;
use crate::usage_limit::OnUsageLimit;

/// The prompt that continues a conversation if the user wrote none.
pub const CONTINUE_PROMPT: &str = "Continue the task where you stopped.";

#[derive(Clone, Debug, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of one run")]
pub struct Spec {
    pub origin: Origin,
    pub author: Author,
    #[serde(default)]
    pub agent: AgentKind,
    pub tag: String,
    /// The working directory of codex.
    pub directory: PathBuf,
    /// The folder that the working directory and the repository of a commit must be in, if a model requested the run.
    #[serde(default)]
    pub confined_to: Option<PathBuf>,
    pub instructions: Instructions,
    pub orders: OrderWords,
    pub codex: CodexOptions,
    /// The earlier session whose conversation this run continues.
    pub continues: Option<Continues>,
    pub limits: TimeLimitsSpec,
    /// The caps on tokens, turns and cost.
    #[serde(default)]
    pub budget: Budget,
    #[serde(default)]
    pub on_usage_limit: OnUsageLimit,
    /// Codex configuration profiles to try, in this order, when a usage limit has been reached. They are not used with
    /// [`OnUsageLimit::Fail`].
    #[serde(default)]
    pub next_profiles: Vec<String>,
    /// Folders with the login and configuration of the agent's further accounts, to try after the profiles. They
    /// come only from the user's own settings.
    #[serde(default)]
    pub next_homes: Vec<PathBuf>,
    /// The instructions for starting a new conversation. They are needed if the run continues a conversation and
    /// `instructions` does not describe the task.
    #[serde(default)]
    pub new_thread_text: Option<String>,
    pub log: LogSpec,
    pub repeat: Repeat,
    pub redaction: RedactionRules,
    pub patch: Option<PatchSpec>,
    /// Whether Adjutant composed the instructions, with the task's briefing if there is one. If so, Adjutant's hook in
    /// codex adds nothing.
    #[serde(alias = "is_briefed")]
    pub is_composed: bool,
    pub is_dry_run: bool,
    /// Whether the session shares its process with other tasks, as in a server. `stop` does not signal such a process.
    pub shares_process: bool,
    /// The request as the caller wrote it, for the session record.
    pub command_line: Vec<String>,
}

/// The command that created a session. It determines the prefix of the session id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    Run,
    Job,
}

/// The requested sandbox, approval policy and network access, as they are written to the session's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the published fields are booleans")]
pub struct OrderWords {
    pub sandbox: Option<String>,
    pub approval: Option<String>,
    pub network: bool,
    pub bypass: bool,
    pub full_auto: bool,
}

/// The effective sandbox, approval policy and network access, as they are written to the session's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectiveWords {
    pub sandbox: String,
    pub approval: String,
    pub network: bool,
    pub bypass: bool,
    /// The directories that codex can write to, in addition to the working directory.
    #[serde(default)]
    pub writable_roots: Vec<PathBuf>,
}

/// An earlier session that a run continues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Continues {
    pub session: String,
    #[serde(default)]
    pub agent: AgentKind,
    pub thread: String,
    /// The working directory of the earlier session.
    pub directory: PathBuf,
    /// The canonical path of `directory` when the earlier session started, or `None` if it was not recorded.
    #[serde(default)]
    pub resolved_directory: Option<PathBuf>,
    pub effective: EffectiveWords,
    /// The account folder (`CODEX_HOME`) that contains the conversation, or `None` if the environment determines the
    /// folder.
    #[serde(default)]
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
    /// Older workers hand over this field as `gates`.
    #[serde(default, alias = "gates")]
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
    /// Returns the description of a run that continues the conversation of `earlier`, in the same directory and with
    /// the same permissions. The task is not sent again, because the conversation contains it.
    #[must_use]
    pub fn resumed(&self, earlier: Continues) -> Self {
        Self {
            instructions: Instructions {
                title: self.instructions.title.clone(),
                ..Instructions::message(CONTINUE_PROMPT)
            },
            continues: Some(earlier),
            is_composed: true,
            ..self.clone()
        }
    }

    /// Creates the description of a run, with the documented defaults.
    #[must_use]
    pub fn new(origin: Origin, directory: PathBuf, instructions: Instructions) -> Self {
        Self {
            origin,
            author: Author::Person,
            agent: AgentKind::default(),
            tag: String::new(),
            directory,
            confined_to: None,
            instructions,
            orders: OrderWords::default(),
            codex: CodexOptions::default(),
            continues: None,
            limits: TimeLimitsSpec::default(),
            budget: Budget::default(),
            on_usage_limit: OnUsageLimit::default(),
            next_profiles: Vec::new(),
            next_homes: Vec::new(),
            new_thread_text: None,
            log: LogSpec::default(),
            repeat: Repeat::default(),
            redaction: RedactionRules::default(),
            patch: None,
            is_composed: false,
            is_dry_run: false,
            shares_process: false,
            command_line: Vec::new(),
        }
    }
}

impl From<Requested> for OrderWords {
    fn from(requested: Requested) -> Self {
        Self {
            sandbox: requested.sandbox.map(|sandbox| sandbox.to_string()),
            approval: requested.approval.map(|approval| approval.to_string()),
            network: requested.network == Network::Enabled,
            bypass: requested.bypass == Bypass::Yes,
            full_auto: requested.full_auto,
        }
    }
}

impl fmt::Display for OrderWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_unset = |word: &Option<String>| word.clone().unwrap_or_else(|| "not set".to_owned());
        let (approval, sandbox) = (or_unset(&self.approval), or_unset(&self.sandbox));
        let Self { bypass, full_auto, network, .. } = self;
        write!(
            f,
            "approval {approval} · bypass {bypass} · full_auto {full_auto} · network {network} · sandbox {sandbox}"
        )
    }
}

impl fmt::Display for EffectiveWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sandbox, approval, network, bypass, writable_roots } = self;
        write!(
            f,
            "approval {approval} · bypass {bypass} · network {network} · sandbox {sandbox} · writable_roots {writable_roots:?}"
        )
    }
}

impl OrderWords {
    pub fn requested(&self) -> Result<Requested, UnknownWord> {
        Ok(Requested {
            sandbox: self.sandbox.as_deref().map(str::parse::<Sandbox>).transpose()?,
            approval: self.approval.as_deref().map(str::parse::<Approval>).transpose()?,
            network: network(self.network),
            bypass: bypass(self.bypass),
            full_auto: self.full_auto,
        })
    }
}

impl EffectiveWords {
    #[must_use]
    pub fn new(effective: Effective, writable_roots: &[PathBuf]) -> Self {
        Self {
            sandbox: effective.sandbox.to_string(),
            approval: effective.approval.to_string(),
            network: effective.network == Network::Enabled,
            bypass: effective.bypass == Bypass::Yes,
            writable_roots: writable_roots.to_vec(),
        }
    }

    pub(crate) fn network_word(&self) -> &'static str {
        network(self.network).word()
    }

    pub fn effective(&self) -> Result<Effective, UnknownWord> {
        Ok(Effective {
            sandbox: self.sandbox.parse()?,
            approval: self.approval.parse()?,
            network: network(self.network),
            bypass: bypass(self.bypass),
        })
    }
}

fn network(is_enabled: bool) -> Network {
    if is_enabled { Network::Enabled } else { Network::Restricted }
}

fn bypass(is_on: bool) -> Bypass {
    if is_on { Bypass::Yes } else { Bypass::No }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_conditions_of_an_older_worker_are_read() {
        let conditions = Conditions { commit: true, ..Conditions::default() };
        let repeat = Repeat { conditions, ..Repeat::default() };
        let text = serde_json::to_string(&repeat).unwrap();
        let older = text.replace("\"conditions\"", "\"gates\"");
        assert_ne!(older, text);
        assert_eq!(serde_json::from_str::<Repeat>(&older).unwrap(), repeat);
        assert_eq!(serde_json::from_str::<Repeat>(&text).unwrap(), repeat);
    }
}
