//! Defines the `[Limits]` messages, which report everything that was truncated, skipped, filtered or degraded.

use std::fmt;
use std::time::Duration;

use crate::counted;

/// The words for text that is left out because it may be an instruction to the model.
pub const NOT_QUOTED: &str = "not quoted (looks like an instruction)";

/// Returns whether a line of [`Limits::text`] says that a setting of the repository was not applied.
#[must_use]
pub fn is_about_settings(line: &str) -> bool {
    line.starts_with("[Limits] config/auto-tools.yaml: ")
}

/// One `[Limits]` message. Other programs may rely on the wording of all variants except [`Limit::Said`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    Tier2ConfigIgnored,
    Tier2Disabled,
    LegacyPolicy,
    OrchestratorUnavailable,
    OrchestratorInvalid,
    SessionUnavailable,
    ToolTimeout {
        tool: String,
    },
    ToolUnavailable {
        tool: String,
    },
    ToolFailed {
        tool: String,
        message: String,
    },
    BudgetExceeded,
    /// The index on disk was not used, because a checksum differs or the index cannot be read.
    IndexDamaged,
    NoGitRoot,
    Clamped {
        tool: String,
        key: String,
        max: u64,
    },
    InvalidArgs {
        tool: String,
        reason: String,
    },
    InjectionFiltered {
        place: Option<String>,
    },
    MoveSettings {
        from: String,
        keys: Vec<String>,
    },
    /// A setting was ignored because the user does not trust the repository's configuration.
    NotTrusted {
        ask: String,
    },
    /// A setting was ignored because the configuration changed after the user trusted it.
    TrustLost {
        ask: String,
    },
    /// A setting was ignored because a repository's configuration may never change it.
    NeverGranted {
        ask: String,
    },
    /// Findings were left out because they are weaker than the others.
    WeakFindings {
        n: usize,
    },
    /// A message whose wording may change.
    Said(String),
}

impl Limit {
    /// The message for a kernel that could not be run.
    #[must_use]
    pub fn no_kernel(why: &str) -> Self {
        Self::Said(format!("{} ({why})", Self::OrchestratorUnavailable))
    }

    /// The message for a kernel that did not answer within `timeout`.
    #[must_use]
    pub fn no_answer(timeout: Duration) -> Self {
        Self::no_kernel(&format!("no answer in {} ms", timeout.as_millis()))
    }

    /// Returns whether the message is shown to the model. Such a message says how complete or reliable the findings
    /// are. Messages about settings are shown only to the user.
    #[must_use]
    pub fn is_for_model(&self) -> bool {
        match self {
            Self::OrchestratorUnavailable
            | Self::OrchestratorInvalid
            | Self::ToolTimeout { .. }
            | Self::ToolUnavailable { .. }
            | Self::ToolFailed { .. }
            | Self::BudgetExceeded
            | Self::IndexDamaged
            | Self::InjectionFiltered { .. }
            | Self::Said(_) => true,
            Self::Tier2ConfigIgnored
            | Self::Tier2Disabled
            | Self::LegacyPolicy
            | Self::SessionUnavailable
            | Self::NoGitRoot
            | Self::Clamped { .. }
            | Self::InvalidArgs { .. }
            | Self::MoveSettings { .. }
            | Self::NotTrusted { .. }
            | Self::TrustLost { .. }
            | Self::NeverGranted { .. }
            | Self::WeakFindings { .. } => false,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tier2ConfigIgnored => {
                f.write_str("tier-2 requires CI_AUTO_TOOLS_TIER_MAX=2 (config ignored)")
            }
            Self::Tier2Disabled => {
                f.write_str("tier-2 disabled by default; set CI_AUTO_TOOLS_TIER_MAX=2 to enable")
            }
            Self::LegacyPolicy => f.write_str("legacy mode enabled; using legacy policy"),
            Self::OrchestratorUnavailable => f.write_str("orchestrator unavailable"),
            Self::OrchestratorInvalid => {
                f.write_str("orchestrator output invalid; fallback to empty context")
            }
            Self::SessionUnavailable => {
                f.write_str("session continuity unavailable; fallback to stateless exec")
            }
            Self::ToolTimeout { tool } => write!(f, "tool timeout; degraded to plan-only ({tool})"),
            Self::ToolUnavailable { tool } => write!(f, "tool unavailable; skipped ({tool})"),
            Self::ToolFailed { tool, message } => {
                write!(f, "tool failed; its results are missing ({tool}: {message})")
            }
            Self::BudgetExceeded => f.write_str("budget exceeded; results truncated"),
            Self::IndexDamaged => f.write_str(
                "the index is damaged and was not used for this answer; it is being rebuilt (if this happens again, run: adjutant index)",
            ),
            Self::NoGitRoot => f.write_str(
                "no-git-root: not inside a git work tree, the working directory is the root",
            ),
            Self::Clamped { tool, key, max } => write!(f, "{tool}: {key} clamped to {max}"),
            Self::InvalidArgs { tool, reason } => {
                write!(f, "{tool}: skipped, E_INVALID_ARGS: {reason}")
            }
            Self::InjectionFiltered { place: None } => {
                f.write_str("filtered potential injection content")
            }
            Self::InjectionFiltered { place: Some(place) } => {
                write!(f, "filtered potential injection content ({place})")
            }
            Self::MoveSettings { from, keys } => write!(
                f,
                "{from} is ignored for these settings: move {} to config/auto-tools.yaml",
                keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
            ),
            Self::NotTrusted { ask } => write!(
                f,
                "config/auto-tools.yaml: {ask}; not applied, not trusted (allow with: adjutant trust config/auto-tools.yaml)"
            ),
            Self::TrustLost { ask } => write!(
                f,
                "config/auto-tools.yaml: {ask}; not applied, changed since it was trusted (review it, then: adjutant trust config/auto-tools.yaml)"
            ),
            Self::NeverGranted { ask } => write!(f, "config/auto-tools.yaml: {ask}; not applied"),
            Self::WeakFindings { n } => {
                write!(f, "results truncated: {} left out", counted(*n, "weaker finding"))
            }
            Self::Said(text) => f.write_str(text),
        }
    }
}

/// The `[Limits]` messages of one run, in the order in which they were added, without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    lines: Vec<Limit>,
}

impl Limits {
    pub fn add(&mut self, limit: Limit) {
        if !self.lines.contains(&limit) {
            self.lines.push(limit);
        }
    }

    pub fn extend(&mut self, limits: impl IntoIterator<Item = Limit>) {
        limits.into_iter().for_each(|limit| self.add(limit));
    }

    pub fn iter(&self) -> impl Iterator<Item = &Limit> {
        self.lines.iter()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns one line for each message. Each line starts with `[Limits]`.
    #[must_use]
    pub fn text(&self) -> String {
        self.lines.iter().map(|limit| format!("[Limits] {limit}")).collect::<Vec<_>>().join("\n")
    }
}
