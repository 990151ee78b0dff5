//! One unattended run, described completely: what to tell codex, how far it may go, for how long, where the record goes.
//!
//! Handed to a supervisor through a pipe, never through a file: the instructions in it are not redacted.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use policy::{Approval, Author, Bypass, Effective, Network, Requested, Sandbox, UnknownWord};
use serde::{Deserialize, Serialize};

use crate::arguments::CodexOptions;
use crate::instructions::Instructions;
use crate::redaction::RedactionRules;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one run")]
pub struct Spec {
    pub origin: Origin,
    pub author: Author,
    pub tag: String,
    /// Where codex works.
    pub directory: PathBuf,
    pub instructions: Instructions,
    pub orders: OrderWords,
    pub codex: CodexOptions,
    /// The thread of an earlier session to go on with.
    pub continues: Option<Continues>,
    pub patience: TimeLimitsSpec,
    pub log: LogSpec,
    pub repeat: Repeat,
    pub redaction: RedactionRules,
    pub patch: Option<PatchSpec>,
    /// The instructions already hold a briefing: codex's own hook stays silent.
    pub is_briefed: bool,
    pub is_dry_run: bool,
    /// The process that runs the session does other things too, such as a server: it is never asked to end.
    pub shares_process: bool,
    /// As it was typed, for the record.
    pub command_line: Vec<String>,
}

/// Who asked; it decides the first letters of the session's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    Run,
    Job,
}

/// Orders in their published words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the published words are yes and no")]
pub struct OrderWords {
    pub sandbox: Option<String>,
    pub approval: Option<String>,
    pub network: bool,
    pub bypass: bool,
    pub full_auto: bool,
}

/// What was or is in force, in its published words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectiveWords {
    pub sandbox: String,
    pub approval: String,
    pub network: bool,
    pub bypass: bool,
    /// Directories that codex may write to beside the working directory.
    #[serde(default)]
    pub writable_roots: Vec<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Continues {
    pub session: String,
    pub thread: String,
    /// Where the session worked.
    pub directory: PathBuf,
    pub effective: EffectiveWords,
}

/// Milliseconds; None is "no limit".
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
    /// A log file is rotated at this size; two older ones are kept.
    pub max_bytes: u64,
    /// One line per run, beside the sessions or where the caller says.
    pub aggregate: Option<Aggregate>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogPlace {
    /// A folder of its own below the root.
    Folder,
    /// Files beside each other in the root.
    Flat,
    /// This folder.
    Named(PathBuf),
    /// This file; the others stand beside it.
    File(PathBuf),
}

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
    /// A regular expression over the last message.
    pub until: Option<String>,
    pub max_runs: u32,
    pub sleep_seconds: u64,
    /// The next run goes on with the thread of the one before.
    pub carries_context: bool,
    pub overflow_retries: u32,
    pub gates: Gates,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gates {
    pub change_in: Vec<String>,
    pub commit: bool,
    /// The message of the commit made when a run is done.
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
    /// What is left of the time for a session that began then; None is "no limit".
    pub(crate) fn left(self, begun: Instant) -> Option<Duration> {
        self.wall_ms.map(|wall| Duration::from_millis(wall).saturating_sub(begun.elapsed()))
    }

    pub(crate) fn patience(self, begun: Instant) -> process::TimeLimits {
        process::TimeLimits {
            wall: self.left(begun),
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
            gates: Gates::default(),
        }
    }
}

impl Default for PatchSpec {
    fn default() -> Self {
        Self { output: None, preview_lines: 40, keeps_artifact: true }
    }
}

impl Spec {
    /// A run with nothing but instructions; everything else as documented.
    #[must_use]
    pub fn new(origin: Origin, directory: PathBuf, instructions: Instructions) -> Self {
        Self {
            origin,
            author: Author::Person,
            tag: String::new(),
            directory,
            instructions,
            orders: OrderWords::default(),
            codex: CodexOptions::default(),
            continues: None,
            patience: TimeLimitsSpec::default(),
            log: LogSpec::default(),
            repeat: Repeat::default(),
            redaction: RedactionRules::default(),
            patch: None,
            is_briefed: false,
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

    pub fn effective(&self) -> Result<Effective, UnknownWord> {
        Ok(Effective {
            sandbox: self.sandbox.parse()?,
            approval: self.approval.parse()?,
            network: network(self.network),
            bypass: bypass(self.bypass),
        })
    }
}

fn network(is_open: bool) -> Network {
    if is_open { Network::Enabled } else { Network::Restricted }
}

fn bypass(is_on: bool) -> Bypass {
    if is_on { Bypass::Yes } else { Bypass::No }
}
