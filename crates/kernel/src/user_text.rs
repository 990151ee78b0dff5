//! Composes the text for the user: `[Auto Tools]`, `[Results]` and `[Limits]`.

use contract::{Evidence, ForUser, Limits, ToolPlan, ToolResult, counted};

use crate::fusion::{Fused, strongest_first};
use crate::model_text::{conflict, safe_limits};

pub(crate) fn compose(
    plan: &ToolPlan,
    hints: &[String],
    results: &[ToolResult],
    fused: &Fused,
    limits: &Limits,
) -> ForUser {
    ForUser {
        tool_plan_text: plan_text(plan, hints, results),
        results_text: results_text(fused, results),
        limits_text: safe_limits(limits).text(),
    }
}

fn plan_text(plan: &ToolPlan, hints: &[String], results: &[ToolResult]) -> String {
    if plan.tools.is_empty() && hints.is_empty() {
        return "[Auto Tools] nothing to call for this prompt".to_owned();
    }
    let budget = &plan.budget;
    let mut lines = vec![format!(
        "[Auto Tools] {}, tier up to {}, {} ms, {} at once",
        counted(plan.tools.len(), "tool"),
        plan.tier_max,
        budget.wall_ms,
        budget.max_concurrency
    )];
    for tool in &plan.tools {
        let ended = results.iter().find(|result| result.tool == tool.tool);
        let ended =
            ended.map(|result| format!(" [{}, {} ms]", result.status.word(), result.duration_ms));
        lines.push(format!("- {}: {}{}", tool.tool, tool.reason, ended.unwrap_or_default()));
    }
    lines.extend(hints.iter().map(|hint| format!("- hint: {hint}")));
    lines.join("\n")
}

fn results_text(fused: &Fused, results: &[ToolResult]) -> String {
    if results.is_empty() {
        return String::new();
    }
    let mut lines = vec![format!("[Results] {}", counted(fused.items.len(), "finding"))];
    lines.extend(fused.conflicts.iter().map(conflict));
    lines.extend(strongest_first(&fused.items).into_iter().map(finding));
    lines.join("\n")
}

fn finding(item: &Evidence) -> String {
    let separator = if item.summary.is_empty() { "" } else { ": " };
    format!(
        "- {}{separator}{} ({}, {:.2})",
        item.heading(),
        item.summary,
        item.tool,
        item.confidence
    )
}
