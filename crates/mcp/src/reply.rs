//! Converts the outcome of a call into an MCP result with structured content and text. A failed call is converted into an
//! error result with a hint.

use contract::{ErrorCode, Finding};
use guard::Fence;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use toolcall::{CallOutcome, CallStatus};

use crate::call::CallContext;
use crate::problem::Problem;

/// Builds the reply to a call of a `ci_*` tool or of `brief`.
pub(crate) fn of_findings(
    outcome: &CallOutcome,
    context: &CallContext,
    fence: &Fence,
) -> CallToolResult {
    if outcome.record.status != CallStatus::Ok {
        return failed(&problem(outcome, context), outcome);
    }
    // If a hook replaced the briefing, its original text no longer matches the result and is not used.
    let data = outcome.result.data.as_ref();
    let is_briefing = data.and_then(|data| data.field("run_id")).is_some_and(Value::is_string);
    let text = context.text.get().filter(|_| is_briefing).cloned();
    let text = text.unwrap_or_else(|| findings_text(outcome, fence));
    let mut structured = json!(outcome.result);
    structured["limits"] = limits(outcome);
    structured["notes"] = json!(outcome.record.notes);
    reply(structured, text, false)
}

/// Formats the findings as text for a model, with citations, between the delimiter lines of `fence`.
fn findings_text(outcome: &CallOutcome, fence: &Fence) -> String {
    let mut lines = vec![outcome.result.summary.clone()];
    let data = outcome.result.data.as_ref();
    let findings = data.and_then(|data| data.findings()).unwrap_or_default();
    if !findings.is_empty() {
        lines.push(fence.open());
        for (rank, finding) in findings.iter().enumerate() {
            write_finding(rank + 1, finding, &mut lines);
        }
        lines.push(fence.close());
    }
    lines.extend(outcome.limits.iter().map(|limit| format!("[Limits] {limit}")));
    lines.extend(outcome.record.notes.iter().map(|note| format!("[Hook] {note}")));
    lines.join("\n")
}

fn write_finding(number: usize, finding: &Finding, lines: &mut Vec<String>) {
    let Finding { confidence, summary, snippet, .. } = finding;
    let heading = finding.heading();
    let source = finding.source.as_deref().unwrap_or_default();
    let relevance = confidence.filter(|_| kernel::states_relevance(source));
    let confidence = relevance.map(|number| format!(" ({number:.2})")).unwrap_or_default();
    let summary = summary.as_ref().map(|summary| format!(": {summary}")).unwrap_or_default();
    lines.push(format!("{number}. {heading}{confidence}{summary}"));
    lines.extend(
        snippet.iter().flat_map(|snippet| snippet.lines()).map(|line| format!("   {line}")),
    );
}

/// Builds the reply to a call of a `codex.*` tool: the data, and the same data as text.
pub(crate) fn of_run(outcome: &CallOutcome, context: &CallContext) -> CallToolResult {
    if outcome.record.status != CallStatus::Ok {
        return failed(&problem(outcome, context), outcome);
    }
    let mut structured = match &outcome.result.data {
        Some(data) => json!(data),
        // A hook replaced the result with text.
        None => json!({ "replaced": outcome.result.summary }),
    };
    if !structured.is_object() {
        structured = json!({ "result": structured });
    }
    let has_failed = structured.get("error").is_some();
    if !outcome.limits.is_empty() {
        structured["limits"] = limits(outcome);
    }
    if !outcome.record.notes.is_empty() {
        structured["notes"] = json!(outcome.record.notes);
    }
    let text = match context.text.get() {
        Some(text) if !has_failed => text.clone(),
        _ => structured.to_string(),
    };
    reply(structured, text, has_failed)
}

/// Builds the reply to a call that was refused before its lifecycle started.
pub(crate) fn refused(problem: &Problem) -> CallToolResult {
    let structured = json!({ "error": error(problem) });
    reply(structured, error_text(problem), true)
}

fn failed(problem: &Problem, outcome: &CallOutcome) -> CallToolResult {
    // Leaves out the `[Limits]` message that repeats the error message.
    let limits = outcome.limits.iter().map(ToString::to_string);
    let limits: Vec<String> = limits.filter(|limit| !limit.contains(&problem.message)).collect();
    let mut lines = vec![error_text(problem)];
    lines.extend(limits.iter().map(|limit| format!("[Limits] {limit}")));
    lines.extend(outcome.record.notes.iter().map(|note| format!("[Hook] {note}")));
    let structured = json!({
        "error": error(problem),
        "limits": limits,
        "notes": outcome.record.notes,
    });
    reply(structured, lines.join("\n"), true)
}

fn reply(structured: Value, text: String, is_error: bool) -> CallToolResult {
    let content = vec![ContentBlock::text(text)];
    let mut result =
        if is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = Some(structured);
    result
}

fn error(problem: &Problem) -> Value {
    json!({ "code": problem.code, "message": problem.message, "hint": problem.hint })
}

fn error_text(problem: &Problem) -> String {
    let hint = problem.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    format!("ERROR: {}{hint}", problem.message)
}

fn limits(outcome: &CallOutcome) -> Value {
    outcome.limits.iter().map(ToString::to_string).collect()
}

/// Returns the problem that the tool reported, or a problem derived from the call status. The message comes from the
/// lifecycle and is already redacted.
fn problem(outcome: &CallOutcome, context: &CallContext) -> Problem {
    let error = outcome.result.error.as_ref();
    let message =
        error.map_or_else(|| outcome.result.summary.clone(), |error| error.message.clone());
    if let (Some(own), CallStatus::Error | CallStatus::Skipped) =
        (context.problem.get(), outcome.record.status)
    {
        return Problem { message, ..own.clone() };
    }
    let (code, hint) = match (outcome.record.status, error.and_then(|error| error.code)) {
        (CallStatus::Blocked, _) => (
            "BLOCKED_BY_HOOK",
            "one of the user's hooks blocked the call: `adjutant hooks match` shows which hook",
        ),
        (CallStatus::Timeout, _) => {
            ("E_TIMEOUT", "narrow the query, or try again: the index may be loaded by then")
        }
        (_, Some(ErrorCode::InvalidArgs)) => {
            ("INVALID_ARGUMENT", "`tools/list` lists the arguments of the tool")
        }
        (_, Some(ErrorCode::ToolUnavailable)) => (
            "E_TOOL_UNAVAILABLE",
            "the index is being built: try again later; `ci_search` works without an index",
        ),
        (_, Some(ErrorCode::BudgetExceeded)) => {
            ("E_BUDGET_EXCEEDED", "try again with a narrower query")
        }
        _ => ("INTERNAL", "run `adjutant status` in this repository for details"),
    };
    Problem { code, message, hint: Some(hint.to_owned()) }
}
