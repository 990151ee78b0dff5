//! Findings of the engine as items of a tool result.

use engine::{Location, Snippet};
use serde_json::{Value, json};

pub(super) const SNIPPETS: usize = 3;
pub(super) const SNIPPET_LINES: usize = 20;

pub(super) fn list(items: Vec<Value>) -> Value {
    json!({ "items": items })
}

/// A place with what is to be said about it.
pub(super) fn at(
    location: &Location,
    line: u32,
    summary: &str,
    confidence: f32,
    source: &str,
) -> Value {
    let line = if line > 0 { line } else { *location.lines.start() };
    let mut item = json!({
        "path": location.path,
        "line": line,
        "title": location.symbol.as_deref().unwrap_or("file"),
        "summary": summary,
        "confidence": rounded(confidence),
        "source": source,
    });
    if let Some(symbol) = &location.symbol {
        item["symbol"] = symbol.as_str().into();
    }
    item
}

pub(super) fn add_snippet(item: &mut Value, snippet: Option<&Snippet>) {
    if let Some(snippet) = snippet {
        let lines = (snippet.first_line..).zip(&snippet.lines);
        let text: Vec<String> = lines.map(|(number, line)| format!("{number}| {line}")).collect();
        item["snippet"] = text.join("\n").into();
    }
}

/// Two digits: more would only make equal things look different.
pub(super) fn rounded(confidence: f32) -> f64 {
    (f64::from(confidence).clamp(0.0, 1.0) * 100.0).round() / 100.0
}
