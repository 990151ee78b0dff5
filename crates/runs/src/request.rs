//! A request for a run: what the command line, the MCP server and the queue ask for.
//!
//! A request contains what the caller named, without defaults, so that it can be stored and carried out later.
//! [`RunRequest::describe`] applies the defaults, the user's settings and the environment.

mod describe;
mod for_model;
mod words;

use std::path::PathBuf;

use policy::{Approval, Requested, Sandbox};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::agents::AgentKind;
use crate::bounds::TimeLimit;
use crate::instructions::Piece;
use crate::usage::Cost;

pub use describe::{RunPlace, RunWish};

/// The version of the stored form. It increases with each new field, so that a program that does not know the field does
/// not run the request without it.
const VERSION: u32 = 1;

/// The fields have the names of the flags of `adjutant run`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is a field")]
#[serde(default, rename_all = "kebab-case")]
pub struct RunRequest {
    pub version: RequestVersion,
    /// The task, in the order in which the caller named its parts.
    pub pieces: Vec<Piece>,
    /// A file that replaces the base instructions, or `-` for standard input.
    pub file_override: Option<String>,
    pub prepend: Vec<String>,
    pub append: Vec<String>,
    pub prepend_file: Vec<PathBuf>,
    pub append_file: Vec<PathBuf>,
    pub context: BriefingChoice,
    /// The working directory of the agent, if the caller named one.
    pub cwd: Option<PathBuf>,
    pub agent: Option<AgentKind>,
    /// `name`, or `name effort`.
    pub model: Option<String>,
    pub profile: Option<String>,
    pub codex_config: Vec<String>,
    pub codex_arg: Vec<String>,
    pub timeout: Option<TimeLimit>,
    pub idle_timeout: Option<TimeLimit>,
    pub grace: Option<TimeLimit>,
    pub max_tokens: Option<u64>,
    pub max_turns: Option<u64>,
    pub max_cost: Option<Cost>,
    pub wait_for_limit: Option<TimeLimit>,
    pub log_file: Option<PathBuf>,
    pub log_dir: Option<PathBuf>,
    pub log_subdirs: bool,
    pub flat_logs: bool,
    pub tag: Option<String>,
    pub echo_instructions: bool,
    pub no_echo_instructions: bool,
    pub echo_limit: Option<usize>,
    pub no_aggregate: bool,
    pub aggregate_file: Option<PathBuf>,
    pub aggregate_jsonl_file: Option<PathBuf>,
    pub redact_pattern: Vec<String>,
    pub no_redact: bool,
    pub repeat_until: Option<String>,
    pub max_runs: Option<u32>,
    pub sleep_seconds: u64,
    pub require_change_in: Vec<String>,
    pub require_git_commit: bool,
    pub auto_commit_on_done: bool,
    pub auto_commit_message: Option<String>,
    pub no_carry_context: bool,
    pub no_overflow_retry: bool,
    pub overflow_retries: Option<u32>,
    pub patch_mode: bool,
    pub patch_output: Option<PathBuf>,
    pub patch_preview_lines: Option<usize>,
    pub no_patch_preview: bool,
    pub no_patch_artifact: bool,
    pub dry_run: bool,
    pub sandbox: Option<Sandbox>,
    pub ask_for_approval: Option<Approval>,
    pub network: bool,
    pub dangerously_bypass_approvals_and_sandbox: bool,
    pub full_auto: bool,
    pub preset: Option<Preset>,
}

/// The version of a stored request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u32")]
pub struct RequestVersion(u32);

impl From<u32> for RequestVersion {
    /// A request of an older version is read as one of this version without the new fields, so that it equals a request
    /// that this version makes from the same flags.
    fn from(stored: u32) -> Self {
        Self(stored.max(VERSION))
    }
}

impl Default for RequestVersion {
    fn default() -> Self {
        Self(VERSION)
    }
}

/// Whether a briefing about the repository is added to the instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BriefingChoice {
    #[default]
    Auto,
    Off,
}

/// A set of older settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// `--full-auto` and `--timeout 1h`
    Sprint,
    /// `--echo-limit 200`
    Analysis,
    /// `--redact`, which is the default
    Secure,
    /// `--timeout 5m`
    Fast,
}

impl RunRequest {
    /// Creates a request for a run with this task.
    #[must_use]
    pub fn task(text: impl Into<String>) -> Self {
        Self { pieces: vec![Piece::Text(text.into())], ..Self::default() }
    }

    /// Returns the sandbox, the approval policy and the network access that the caller named.
    #[must_use]
    pub fn requested(&self) -> Requested {
        Requested {
            sandbox: self.sandbox,
            approval: self.ask_for_approval,
            network: self.network.into(),
            bypass: self.dangerously_bypass_approvals_and_sandbox.into(),
            full_auto: self.full_auto,
        }
    }

    /// Names the sandbox of an earlier session, unless the session had full access.
    pub fn keep_sandbox(&mut self, sandbox: Option<Sandbox>) {
        self.sandbox = sandbox.filter(|sandbox| *sandbox != Sandbox::DangerFullAccess);
    }

    /// Returns the first given flag that changes the location of the record, or `None` if there is none.
    #[must_use]
    pub fn log_place_flag(&self) -> Option<&'static str> {
        let named = [
            ("--log-file", self.log_file.is_some()),
            ("--log-dir", self.log_dir.is_some()),
            ("--flat-logs", self.flat_logs),
        ];
        named.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }

    /// Returns the fields that differ from their defaults, and the version. This is the stored form.
    #[must_use]
    pub fn given(&self) -> Map<String, Value> {
        let (Value::Object(fields), unset) = (json!(self), json!(Self::default())) else {
            return Map::new();
        };
        let is_given = |name: &str, value: &Value| name == "version" || unset[name] != *value;
        fields.into_iter().filter(|(name, value)| is_given(name, value)).collect()
    }
}

#[cfg(test)]
mod tests;
