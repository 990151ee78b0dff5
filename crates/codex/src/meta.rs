//! `meta.json`: one run in twelve published keys, and what was added to them.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Value, json};

use crate::stream::Usage;

/// The first twelve keys are published in this order; the rest are additions.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    pub requested: Value,
    pub effective_sandbox: String,
    pub effective_approval_policy: String,
    pub effective_network_access: String,
    pub sandbox_bypass: u8,
    /// Directories that codex may write to beside `cwd`.
    pub effective_writable_roots: Vec<PathBuf>,
    pub reasons: Vec<String>,
    pub codex_version: Option<String>,
    pub codex_exit_code: Option<i32>,
    pub signal: Option<i32>,
    pub thread_id: Option<String>,
    pub usage: Option<Value>,
    pub duration_ms: u64,
    pub patch_artifact: Option<Value>,
    /// Something could not be written down: a full disk, a deleted folder.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub record_problems: Vec<String>,
}

pub(crate) fn usage_json(usage: Usage) -> Value {
    json!({
        "input_tokens": usage.input,
        "cached_input_tokens": usage.cached_input,
        "output_tokens": usage.output,
    })
}
