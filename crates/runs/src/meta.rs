//! The content of `meta.json`, which describes one run.

use std::path::PathBuf;

use policy::Requested;
use serde::Serialize;

use crate::patch::PatchArtifact;
use crate::usage::{TotalUse, Usage};

/// The published description of a run. The first twelve keys keep this order; new versions only append keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Meta {
    pub id: String,
    pub timestamp: String,
    pub tag: String,
    pub classification: String,
    pub control_flag: String,
    pub reason: String,
    pub tokens_used: Option<u64>,
    pub cwd: String,
    pub log_file: String,
    pub instructions_file: String,
    pub exit_code: i32,
    pub title: String,
    pub session: String,
    pub iteration: u32,
    pub last_message_file: String,
    pub requested: Requested,
    pub effective_sandbox: String,
    pub effective_approval_policy: String,
    pub effective_network_access: String,
    pub sandbox_bypass: u8,
    /// The directories that codex can write to, in addition to `cwd`.
    pub effective_writable_roots: Vec<PathBuf>,
    pub reasons: Vec<String>,
    pub codex_version: Option<String>,
    pub codex_exit_code: Option<i32>,
    pub signal: Option<i32>,
    pub thread_id: Option<String>,
    pub usage: Option<Usage>,
    pub duration_ms: u64,
    pub patch_artifact: Option<PatchArtifact>,
    /// Errors from writing the session's files, for example on a full disk.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub record_problems: Vec<String>,
    /// The usage of the whole session. `usage` contains the usage of its last process.
    pub total_use: TotalUse,
    /// The time at which the usage limit that ended the run is reset, such as `2026-01-02T03:04:05Z`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_resets_at: Option<String>,
    /// The account folder (`CODEX_HOME`) that contains the conversation, or `None` if the environment determines the
    /// folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub codex_home: Option<PathBuf>,
}
