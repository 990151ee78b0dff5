//! The names of the environment variables.

pub(crate) const SWITCH: &str = "CI_AUTO_TOOLS";
pub(crate) const MODE: &str = "CI_AUTO_TOOLS_MODE";
pub(crate) const DRY_RUN: &str = "CI_AUTO_TOOLS_DRY_RUN";
pub(crate) const TIER_MAX: &str = "CI_AUTO_TOOLS_TIER_MAX";
pub(crate) const WALL_MS: &str = "CI_AUTO_TOOLS_BUDGET_WALL_MS";
pub(crate) const MAX_CONCURRENCY: &str = "CI_AUTO_TOOLS_MAX_CONCURRENCY";
pub(crate) const MAX_INJECTED_CHARS: &str = "CI_AUTO_TOOLS_MAX_INJECTED_CHARS";
pub(crate) const REPO_ROOT: &str = "CI_AUTO_TOOLS_REPO_ROOT";
pub(crate) const SESSION_MODE: &str = "CI_CODEX_SESSION_MODE";
pub(crate) const LEGACY: &str = "CI_AUTO_TOOLS_LEGACY";

/// The variable that contains the path of a custom kernel: a program that reads a request and prints JSON 1.0.
pub const OTHER_KERNEL: &str = "CI_AUTO_TOOLS_ORCHESTRATOR_PATH";
pub const RUNNER_PREFIX: &str = "CI_AUTO_TOOLS_RUNNER_";

/// Returns the name of the variable that contains the program to run instead of a tool, such as
/// `CI_AUTO_TOOLS_RUNNER_CI_SEARCH`.
#[must_use]
pub fn runner_variable(tool: &str) -> String {
    format!("{RUNNER_PREFIX}{}", upper(tool))
}

/// Returns the name of the variable that sets an argument of a tool, such as `CI_AUTO_TOOLS_CI_GRAPH_RAG_DEPTH`. The
/// value is clamped like the arguments of a tool call.
#[must_use]
pub fn argument_variable(tool: &str, key: &str) -> String {
    format!("CI_AUTO_TOOLS_{}_{}", upper(tool), upper(key))
}

fn upper(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' })
        .collect()
}
