//! What a tool result says, as findings with their source.

use contract::{Evidence, Status, ToolResult};
use serde_json::Value;

/// A claim about one subject; two claims about the same subject may contradict each other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claim {
    pub(crate) key: String,
    pub(crate) polarity: String,
    pub(crate) evidence: Evidence,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Gathered {
    pub(crate) findings: Vec<Evidence>,
    pub(crate) claims: Vec<Claim>,
}

const UNSAID_CONFIDENCE: f64 = 0.5;

/// Results that failed say nothing; a result without items or claims says its summary.
pub(crate) fn gather(results: &[ToolResult]) -> Gathered {
    let mut gathered = Gathered::default();
    for result in results.iter().filter(|result| result.status == Status::Ok) {
        let data = result.data.as_ref();
        let list = |key: &str| data.and_then(|data| data.get(key)).and_then(Value::as_array);
        if let Some(claims) = list("claims") {
            gathered.claims.extend(claims.iter().filter_map(|claim| read_claim(result, claim)));
        }
        if let Some(items) = list("items") {
            gathered.findings.extend(items.iter().filter_map(|item| read_item(result, item)));
        } else if !result.summary.trim().is_empty() && result.summary != Status::Ok.word() {
            gathered.findings.push(finding(result, &result.tool, &result.summary, "output"));
        }
    }
    gathered
}

fn finding(result: &ToolResult, title: &str, summary: &str, source: &str) -> Evidence {
    Evidence {
        tool: result.tool.clone(),
        path: None,
        line: None,
        symbol: None,
        title: title.to_owned(),
        summary: one_line(summary),
        confidence: UNSAID_CONFIDENCE,
        source: source.to_owned(),
        time: result.started_at.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        snippet: None,
        truncated: false,
    }
}

fn read_item(result: &ToolResult, item: &Value) -> Option<Evidence> {
    let text = |key: &str| item.get(key).and_then(Value::as_str).map(str::to_owned);
    let path = text("path").map(|path| one_line(&path));
    let summary =
        text("summary").or_else(|| text("text")).or_else(|| text("message")).unwrap_or_default();
    let title = text("title")
        .or_else(|| text("symbol"))
        .or_else(|| path.clone())
        .unwrap_or_else(|| result.tool.clone());
    if path.is_none() && summary.trim().is_empty() {
        return None;
    }
    let source = text("source").unwrap_or_else(|| "output".to_owned());
    Some(Evidence {
        path,
        line: item.get("line").and_then(Value::as_u64),
        symbol: text("symbol").map(|symbol| one_line(&symbol)),
        confidence: item
            .get("confidence")
            .and_then(Value::as_f64)
            .unwrap_or(UNSAID_CONFIDENCE)
            .clamp(0.0, 1.0),
        snippet: text("snippet"),
        ..finding(result, &one_line(&title), &summary, &source)
    })
}

fn read_claim(result: &ToolResult, claim: &Value) -> Option<Claim> {
    let text = |key: &str| claim.get(key).and_then(Value::as_str).map(one_line);
    let key = text("claim_key")?;
    let evidence = finding(result, &key, &text("claim").unwrap_or_default(), "claim");
    Some(Claim { polarity: text("polarity").unwrap_or_default(), evidence, key })
}

/// Findings are shown one to a line; an empty line would break the layout of the model's text.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
