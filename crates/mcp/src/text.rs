//! A result as a model reads it: short, cited, fenced as what it is.

use guard::Fence;
use serde_json::Value;
use toolcall::Outcome;

pub(crate) fn of_question(outcome: &Outcome, fence: &Fence) -> String {
    let mut lines = vec![outcome.result.summary.clone()];
    let items = outcome.result.data.as_ref().and_then(|data| data.get("items"));
    let items = items.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if !items.is_empty() {
        lines.push(fence.open());
        for (rank, item) in items.iter().enumerate() {
            write_item(rank + 1, item, &mut lines);
        }
        lines.push(fence.close());
    }
    lines.extend(outcome.limits.iter().map(|limit| format!("[Limits] {limit}")));
    lines.extend(outcome.record.notes.iter().map(|note| format!("[Hook] {note}")));
    lines.join("\n")
}

fn write_item(number: usize, item: &Value, lines: &mut Vec<String>) {
    let text = |key: &str| item[key].as_str();
    let place = match (text("path"), item["line"].as_u64()) {
        (Some(path), Some(line)) => format!("{path}:{line}"),
        (Some(path), None) => path.to_owned(),
        (None, _) => text("title").unwrap_or_default().to_owned(),
    };
    let symbol = text("symbol").map(|symbol| format!(" `{symbol}`")).unwrap_or_default();
    let sure = item["confidence"].as_f64().map(|sure| format!(" ({sure:.2})")).unwrap_or_default();
    let summary = text("summary").map(|summary| format!(": {summary}")).unwrap_or_default();
    lines.push(format!("{number}. {place}{symbol}{sure}{summary}"));
    lines.extend(text("snippet").into_iter().flat_map(str::lines).map(|line| format!("   {line}")));
}
