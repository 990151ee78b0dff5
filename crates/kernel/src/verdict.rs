//! Derives the exit code and the field `degraded` of a briefing from the tool results.

use contract::{Degraded, DegradedTo, ErrorCode, ExitCode, Limit, Status, ToolResult};

pub(crate) fn exit_code(results: &[ToolResult]) -> ExitCode {
    let has = |code: ErrorCode| {
        results
            .iter()
            .any(|result| result.error.as_ref().is_some_and(|error| error.code == Some(code)))
    };
    if has(ErrorCode::Timeout) || has(ErrorCode::BudgetExceeded) {
        ExitCode::BudgetExceeded
    } else if results.iter().any(|result| result.status == Status::Error) {
        ExitCode::ToolFailed
    } else {
        ExitCode::Success
    }
}

pub(crate) fn degraded(results: &[ToolResult], exit: ExitCode, has_context: bool) -> Degraded {
    let mut reasons: Vec<String> = results
        .iter()
        .filter(|result| result.status != Status::Ok)
        .map(|result| {
            format!("{}: {}", result.tool, result.error.as_ref().map_or("", |error| &error.message))
        })
        .collect();
    if reasons.is_empty() && exit == ExitCode::KernelOutputInvalid {
        reasons.push(Limit::OrchestratorInvalid.to_string());
    } else if reasons.is_empty() && exit != ExitCode::Success {
        reasons.push(Limit::BudgetExceeded.to_string());
    }
    let degraded_to = match (reasons.is_empty(), has_context) {
        (true, _) => DegradedTo::Nothing,
        (false, true) => DegradedTo::Partial,
        (false, false) if exit == ExitCode::KernelOutputInvalid => DegradedTo::Empty,
        (false, false) => DegradedTo::Plan,
    };
    Degraded { is_degraded: !reasons.is_empty(), reason: reasons.join("; "), degraded_to }
}
