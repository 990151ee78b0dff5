//! How a call ended, as MCP says it: structured content and text; failures are results too, with the way out.

use contract::ErrorCode;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};
use toolcall::{CallStatus, Outcome};

use crate::context::CallContext;
use crate::problem::Problem;

/// The published result of a question.
pub(crate) fn of_question(
    outcome: &Outcome,
    context: &CallContext,
    text: String,
) -> CallToolResult {
    if outcome.record.status != CallStatus::Ok {
        return failed(&problem(outcome, context), outcome);
    }
    let mut structured = serde_json::to_value(&outcome.result).unwrap_or_default();
    if let Some(fields) = structured.as_object_mut() {
        fields.insert("limits".to_owned(), limits(outcome));
        fields.insert("notes".to_owned(), json!(outcome.record.notes));
    }
    reply(structured, text, false)
}

/// What a `codex.*` tool returns, as it is, and as text.
pub(crate) fn of_run(outcome: &Outcome, context: &CallContext) -> CallToolResult {
    if outcome.record.status != CallStatus::Ok {
        return failed(&problem(outcome, context), outcome);
    }
    let mut fields = match outcome.result.data.clone() {
        Some(Value::Object(fields)) => fields,
        Some(other) => Map::from_iter([("result".to_owned(), other)]),
        // A hook put a text in its place.
        None => Map::from_iter([("replaced".to_owned(), json!(outcome.result.summary))]),
    };
    let has_failed = fields.contains_key("error");
    if !outcome.limits.is_empty() {
        fields.insert("limits".to_owned(), limits(outcome));
    }
    if !outcome.record.notes.is_empty() {
        fields.insert("notes".to_owned(), json!(outcome.record.notes));
    }
    let structured = Value::Object(fields);
    let text = match context.text.get() {
        Some(text) if !has_failed => text.clone(),
        _ => structured.to_string(),
    };
    reply(structured, text, has_failed)
}

/// Before the call could begin its life.
pub(crate) fn refused(problem: &Problem) -> CallToolResult {
    let structured = json!({ "error": error(problem) });
    reply(structured, error_text(problem), true)
}

fn failed(problem: &Problem, outcome: &Outcome) -> CallToolResult {
    // One of them says again that it failed.
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

fn limits(outcome: &Outcome) -> Value {
    outcome.limits.iter().map(ToString::to_string).collect()
}

/// In the tool's own words if it has them; the message as the lifecycle cleaned it.
fn problem(outcome: &Outcome, context: &CallContext) -> Problem {
    let error = outcome.result.error.as_ref();
    let message =
        error.map_or_else(|| outcome.result.summary.clone(), |error| error.message.clone());
    if let (Some(own), CallStatus::Error | CallStatus::Skipped) =
        (context.problem.get(), outcome.record.status)
    {
        return Problem { message, ..own.clone() };
    }
    let (code, hint) = match (outcome.record.status, error.and_then(|error| error.code)) {
        (CallStatus::Blocked, _) => {
            ("BLOCKED_BY_HOOK", "a hook of the user forbids it: `adjutant hooks match` shows which")
        }
        (CallStatus::Timeout, _) => {
            ("E_TIMEOUT", "ask for less, or ask again: the index may be warm by then")
        }
        (_, Some(ErrorCode::InvalidArgs)) => {
            ("INVALID_ARGUMENT", "`tools/list` shows what the tool takes")
        }
        (_, Some(ErrorCode::ToolUnavailable)) => (
            "E_TOOL_UNAVAILABLE",
            "an index is being built: ask again shortly; `ci_search` answers without one",
        ),
        (_, Some(ErrorCode::BudgetExceeded)) => ("E_BUDGET_EXCEEDED", "ask again, for less"),
        _ => ("INTERNAL", "`adjutant status` in this repository says more"),
    };
    Problem { code, message, hint: Some(hint.to_owned()) }
}
