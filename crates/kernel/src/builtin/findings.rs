//! Converts the answer to a question into the result of a tool.

use contract::{Finding, Limit};
use engine::{Answer, Item, Remainder, Snippet};
use policy::Tool;

use crate::evidence::DIRECT_ANSWER;

/// The confidence of a finding that says that a name has no callers, uses or tests. The statement is certain, but it
/// cites no line.
const ABSENT_CONFIDENCE: f32 = 0.6;
const REST_CONFIDENCE: f32 = 0.91;

/// Converts an answer. Its note, and the reason why it is not complete, become `[Limits]` messages.
pub(super) fn tool_answer(tool: &Tool, answer: &Answer) -> toolcall::ToolOutput {
    let shown = answer.items.iter().filter(|item| !item.is_minor);
    let mut findings: Vec<Finding> = shown.map(finding).collect();
    findings.extend(answer.rest.iter().map(rest_finding));
    findings.extend(answer.absent.iter().map(|title| Finding {
        title: Some(title.clone()),
        summary: Some("the name occurs only in its definition and in comments".to_owned()),
        confidence: Some(rounded(ABSENT_CONFIDENCE)),
        source: Some(DIRECT_ANSWER.to_owned()),
        ..Finding::default()
    }));
    let truncated = !answer.completeness.is_complete();
    let limits = answer.note.clone().into_iter().chain(answer.completeness.reason());
    let limits = limits.map(|text| Limit::Said(format!("{}: {text}", tool.name))).collect();
    let summary = answer.summary.clone();
    toolcall::ToolOutput {
        truncated,
        limits,
        ..toolcall::ToolOutput::of_findings(summary, findings)
    }
}

fn finding(item: &Item) -> Finding {
    let title = item.title.as_ref().or(item.symbol.as_ref());
    Finding {
        path: Some(item.path.clone()),
        line: item.line.map(u64::from),
        title: Some(title.cloned().unwrap_or_else(|| "file".to_owned())),
        summary: Some(item.summary()).filter(|summary| !summary.is_empty()),
        confidence: Some(rounded(item.confidence())),
        source: Some(item.source.clone()),
        symbol: item.symbol.clone(),
        snippet: item.snippet.as_ref().map(snippet_text),
        ..Finding::default()
    }
}

/// Creates a finding that states how many locations are not listed in full, as in "12 more callers".
fn rest_finding(rest: &Remainder) -> Finding {
    let others = if rest.n > rest.citations.len() { " and others" } else { "" };
    Finding {
        title: Some(rest.title.clone()),
        summary: Some(format!("at {}{others}", rest.citations.join(", "))),
        confidence: Some(rounded(REST_CONFIDENCE)),
        source: Some(DIRECT_ANSWER.to_owned()),
        ..Finding::default()
    }
}

/// Formats the lines of a snippet, each with its line number.
pub(super) fn snippet_text(snippet: &Snippet) -> String {
    let lines = snippet.lines.iter();
    lines.map(|(number, line)| format!("{number}| {line}")).collect::<Vec<_>>().join("\n")
}

/// Clamps a confidence to the range from 0 to 1 and rounds it to two decimal places.
fn rounded(confidence: f32) -> f64 {
    (f64::from(confidence).clamp(0.0, 1.0) * 100.0).round() / 100.0
}
