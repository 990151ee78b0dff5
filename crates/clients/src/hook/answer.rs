//! The kernel's output, and the line about it that the user sees.

use contract::{Briefing, Evidence, ForUser, Structured, is_about_settings};
use serde_json::Value;

/// The output of a kernel that answered.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelAnswer {
    pub briefing: Briefing,
    /// The output with all its fields, including fields that are unknown to this version.
    pub(super) json: Value,
    pub exit: u8,
}

impl KernelAnswer {
    /// Parses the kernel's output. Returns `None` if it is not a briefing.
    pub(super) fn parse(bytes: &[u8], exit: i32) -> Option<Self> {
        let json = serde_json::from_slice(bytes).ok()?;
        let briefing = Briefing::read_tolerantly(&json)?;
        Some(Self { briefing, json, exit: u8::try_from(exit).unwrap_or(u8::MAX) })
    }

    pub(super) fn context(&self) -> &str {
        &self.briefing.fused_context.for_model.additional_context
    }

    /// Returns the non-empty messages for the user.
    pub(super) fn for_user(&self) -> Vec<&str> {
        let ForUser { tool_plan_text, results_text, limits_text } =
            &self.briefing.fused_context.for_user;
        let parts = [tool_plan_text, results_text, limits_text].into_iter();
        parts.filter(|text| !text.is_empty()).map(String::as_str).collect()
    }

    /// Returns one line for the user: the place of the strongest finding and the number of other findings. The first
    /// `[Limits]` message follows if nothing was injected, if the briefing is degraded, or if a setting of the
    /// repository was not applied. Returns `None` if no tool was planned and the briefing is not degraded.
    pub(super) fn message(&self) -> Option<String> {
        let Briefing { tool_plan, fused_context, degraded, .. } = &self.briefing;
        if tool_plan.tools.is_empty() && !degraded.is_degraded {
            return None;
        }
        let Structured { items, conflicts, .. } = &fused_context.for_model.structured;
        let shows_all = self.context().is_empty() || degraded.is_degraded;
        let is_shown = |line: &&str| {
            is_about_settings(line) || shows_all && !line.ends_with(contract::NOT_QUOTED)
        };
        let mut limits = fused_context.for_user.limits_text.lines().filter(is_shown);
        let limits = match (limits.next(), limits.count()) {
            (None, _) => String::new(),
            (Some(first), 0) => format!(" · {first}"),
            (Some(first), more) => format!(" · {first} (+{more} more)"),
        };
        let by_confidence = |a: &&Evidence, b: &&Evidence| a.confidence.total_cmp(&b.confidence);
        let strongest = items.iter().rev().max_by(by_confidence).and_then(place);
        let findings = match (strongest, items.len() + conflicts.len()) {
            _ if self.context().is_empty() => "nothing injected".to_owned(),
            (Some(place), 1) => place,
            (Some(place), n) => format!("{place} (+{})", n - 1),
            (None, n) => contract::counted(n, "finding"),
        };
        Some(format!("Adjutant: {findings}{limits}"))
    }
}

/// Returns the name of a finding's file, followed by the line if it is known. Returns `None` if there is no path.
fn place(item: &Evidence) -> Option<String> {
    let name = item.path.as_deref()?.rsplit('/').next()?;
    Some(item.line.map_or_else(|| name.to_owned(), |line| format!("{name}:{line}")))
}

#[cfg(test)]
mod tests;
