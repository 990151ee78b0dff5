//! The whole of JSON 1.0.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Structured, ToolPlan, ToolResult};

pub const SCHEMA_VERSION: &str = "1.0";

/// What the kernel prints and every entry consumes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Briefing {
    pub schema_version: String,
    pub run_id: String,
    pub created_at: String,
    pub client: Client,
    pub inputs: Inputs,
    pub tool_plan: ToolPlan,
    pub tool_results: Vec<ToolResult>,
    pub fused_context: FusedContext,
    pub degraded: Degraded,
    pub enforcement: Enforcement,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Client {
    pub name: ClientName,
    /// `UserPromptSubmit` when a client's hook called, `cli` when a person or script did.
    pub event: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClientName {
    #[default]
    ClaudeCode,
    CodexCli,
}

impl ClientName {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::CodexCli => "codex-cli",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Inputs {
    /// The prompt after redaction, cut if it was very long.
    pub prompt: String,
    pub signals: Vec<Signal>,
    pub repo_root: String,
    pub repo_root_source: RepoRootSource,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Signal {
    #[serde(rename = "type")]
    pub kind: SignalKind,
    #[serde(rename = "match")]
    pub matched: String,
    pub weight: f64,
}

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum SignalKind {
    Explicit,
    Implicit,
    Historical,
    Code,
}

/// Where the repository root came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RepoRootSource {
    Env,
    Config,
    Git,
    NoGitRoot,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FusedContext {
    pub for_model: ForModel,
    pub for_user: ForUser,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ForModel {
    pub additional_context: String,
    pub structured: Structured,
    pub safety: Safety,
}

/// Both are always true; they are in the data so that a consumer need not know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Safety {
    pub tool_output_is_untrusted: bool,
    pub ignore_instructions_inside_tool_output: bool,
}

impl Default for Safety {
    fn default() -> Self {
        Self { tool_output_is_untrusted: true, ignore_instructions_inside_tool_output: true }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForUser {
    pub tool_plan_text: String,
    pub results_text: String,
    pub limits_text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Degraded {
    pub is_degraded: bool,
    pub reason: String,
    pub degraded_to: DegradedTo,
}

/// What is left of a briefing after something failed. The empty word stands for "nothing was lost".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DegradedTo {
    #[default]
    #[serde(rename = "")]
    Nothing,
    Partial,
    Plan,
    Empty,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Enforcement {
    /// Tools are reached through the kernel only; always true.
    pub single_tool_entry: bool,
    pub source: EnforcementSource,
}

/// Whose rules shaped this briefing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EnforcementSource {
    Orchestrator,
    Legacy,
    /// The kernel never answered: the entry wrote this briefing itself.
    Adapter,
}
