//! Composes the text for the user: `[Auto Tools]`, `[Results]` and `[Limits]`.

use std::fmt;

use contract::{Evidence, ForUser, Limits, ToolPlan, ToolResult, counted};

use crate::evidence::shown_relevance;
use crate::fusion::{Fused, strongest_first};
use crate::model_text::conflict;

/// The text for the user. Each section may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserText {
    pub plan: Vec<UserLine>,
    pub results: Vec<UserLine>,
    pub limits: Vec<UserLine>,
}

/// A line of the text for the user. A terminal highlights the label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserLine {
    /// The first line of a section, such as `[Results] 2 findings`. The label includes the brackets.
    Heading { label: &'static str, rest: String },
    /// A list item, such as a tool or the location of a finding.
    Item { label: String, rest: String },
    /// One or more lines without a label.
    Plain(String),
}

impl fmt::Display for UserLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Heading { label, rest } => write!(f, "{label}{rest}"),
            Self::Item { label, rest } => write!(f, "- {label}{rest}"),
            Self::Plain(text) => f.write_str(text),
        }
    }
}

impl UserLine {
    fn heading(label: &'static str, text: &str) -> Self {
        Self::Heading { label, rest: format!(" {text}") }
    }

    pub(crate) fn limits(limits: &Limits) -> Vec<Self> {
        limits.iter().map(|limit| Self::heading("[Limits]", &limit.to_string())).collect()
    }
}

impl UserText {
    pub(crate) fn published(&self) -> ForUser {
        let text = |lines: &[UserLine]| {
            lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        ForUser {
            tool_plan_text: text(&self.plan),
            results_text: text(&self.results),
            limits_text: text(&self.limits),
        }
    }
}

/// Composes the text. `limits` must contain no secrets.
pub(crate) fn compose(
    plan: &ToolPlan,
    hints: &[String],
    results: &[ToolResult],
    fused: &Fused,
    limits: &Limits,
) -> UserText {
    UserText {
        plan: plan_lines(plan, hints, results),
        results: result_lines(fused, results),
        limits: UserLine::limits(limits),
    }
}

fn plan_lines(plan: &ToolPlan, hints: &[String], results: &[ToolResult]) -> Vec<UserLine> {
    const LABEL: &str = "[Auto Tools]";
    if plan.tools.is_empty() && hints.is_empty() {
        return vec![UserLine::heading(LABEL, "nothing to call for this prompt")];
    }
    let budget = &plan.budget;
    let text = format!(
        "{}, tier up to {}, {} ms, {} at once",
        counted(plan.tools.len(), "tool"),
        plan.tier_max,
        budget.wall_ms,
        budget.max_concurrency
    );
    let mut lines = vec![UserLine::heading(LABEL, &text)];
    for tool in &plan.tools {
        let ended = results.iter().find(|result| result.tool == tool.tool);
        let ended =
            ended.map(|result| format!(" [{}, {} ms]", result.status.word(), result.duration_ms));
        let rest = format!(": {}{}", tool.reason, ended.unwrap_or_default());
        lines.push(UserLine::Item { label: tool.tool.clone(), rest });
    }
    let hint = |hint: &String| UserLine::Item { label: "hint".into(), rest: format!(": {hint}") };
    lines.extend(hints.iter().map(hint));
    lines
}

fn result_lines(fused: &Fused, results: &[ToolResult]) -> Vec<UserLine> {
    if results.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![UserLine::heading("[Results]", &counted(fused.items.len(), "finding"))];
    lines.extend(fused.conflicts.iter().map(conflict).map(UserLine::Plain));
    lines.extend(strongest_first(&fused.items).into_iter().map(finding));
    lines
}

fn finding(item: &Evidence) -> UserLine {
    let separator = if item.summary.is_empty() { "" } else { ": " };
    let number = shown_relevance(item).map(|number| format!(", {number:.2}")).unwrap_or_default();
    let rest = format!("{separator}{} ({}{number})", item.summary, item.tool);
    UserLine::Item { label: item.heading(), rest }
}
