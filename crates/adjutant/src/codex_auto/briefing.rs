//! Creates the briefing for one prompt, the summary for the user and the input for codex.

use std::time::{Duration, Instant};

use contract::{Briefing, counted};
use process::Environment;

use crate::edge;
use crate::prompt_briefing::{self, Prompt, PromptBriefing};

/// The exit codes of a briefing that failed completely (A42).
const FAILED: [u8; 3] = [10, 20, 30];

pub(super) struct Briefed {
    pub(super) briefing: Briefing,
    pub(super) exit: u8,
    duration: Duration,
}

impl Briefed {
    /// Creates the briefing for a prompt. If the kernel fails, the briefing is empty.
    pub(super) fn new(prompt: &Prompt<'_>, environment: &Environment) -> Self {
        let begun = Instant::now();
        let directory = edge::directory_or_here(None);
        let PromptBriefing { briefing, exit } =
            prompt_briefing::brief(prompt, environment, &directory);
        Self { briefing, exit, duration: begun.elapsed() }
    }

    /// Returns the exit code if the briefing failed completely, otherwise `None`.
    pub(super) fn failure(&self) -> Option<u8> {
        FAILED.contains(&self.exit).then_some(self.exit)
    }

    pub(super) fn plan_text(&self) -> &str {
        &self.briefing.fused_context.for_user.tool_plan_text
    }

    /// Returns the part of the briefing that the model reads.
    fn context(&self) -> &str {
        &self.briefing.fused_context.for_model.additional_context
    }

    /// Returns the `[Limits]` messages, one per line.
    pub(super) fn limits_text(&self) -> &str {
        &self.briefing.fused_context.for_user.limits_text
    }

    /// Returns a one-line summary: findings, tools, duration and the number of `[Limits]` messages.
    pub(super) fn summary(&self) -> String {
        let Briefing { tool_results, tool_plan, fused_context, .. } = &self.briefing;
        let mut tools: Vec<&str> = tool_results.iter().map(|result| result.tool.as_str()).collect();
        if tools.is_empty() {
            tools = tool_plan.tools.iter().map(|tool| tool.tool.as_str()).collect();
        }
        let structured = &fused_context.for_model.structured;
        let findings = structured.items.len() + structured.conflicts.len();
        let mut parts = vec![match self.failure() {
            Some(code) => format!("not briefed, code {code}"),
            None if !self.context().is_empty() => {
                format!("briefed: {}", counted(findings, "finding"))
            }
            None if tools.is_empty() => {
                let why = self.plan_text().lines().next().unwrap_or_default();
                let why = why.trim_start_matches("[Auto Tools]").trim();
                if why.is_empty() {
                    "not briefed".to_owned()
                } else {
                    format!("not briefed: {why}")
                }
            }
            None => "not briefed: nothing new".to_owned(),
        }];
        if !tools.is_empty() {
            parts.push(tools.join(", "));
        }
        parts.push(format!("{} ms", self.duration.as_millis()));
        let limits = self.limits_text().lines().count();
        if limits > 0 {
            parts.push(counted(limits, "limit"));
        }
        parts.join(" · ")
    }

    /// Returns the `[Limits]` message that explains why the briefing is degraded or failed, or `None` if the briefing
    /// is complete.
    pub(super) fn warning(&self) -> Option<&str> {
        let degraded = &self.briefing.degraded;
        let reason = degraded.reason.as_str();
        let line =
            self.limits_text().lines().find(|line| !reason.is_empty() && line.contains(reason));
        let line = line.or_else(|| self.limits_text().lines().next());
        line.filter(|_| degraded.is_degraded || self.failure().is_some())
    }

    /// Returns the input for codex: the briefing, the `[Limits]` messages that are not in the briefing, and the prompt.
    pub(super) fn before(&self, prompt: &str) -> String {
        let mut parts = Vec::new();
        if !self.context().is_empty() {
            parts.push(self.context().to_owned());
            let limits = self.limits_text().lines();
            let missing: Vec<&str> = limits.filter(|line| !self.context().contains(line)).collect();
            if !missing.is_empty() {
                parts.push(missing.join("\n"));
            }
        } else if !self.limits_text().is_empty() {
            let run_id = &self.briefing.run_id;
            parts.push(format!("(Adjutant, run {run_id})\n{}", self.limits_text()));
        }
        parts.push(prompt.to_owned());
        parts.join("\n\n")
    }
}

#[cfg(test)]
mod tests;
