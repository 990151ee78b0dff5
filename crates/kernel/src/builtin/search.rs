//! `ci_search`: from the index, or live while there is none.

use contract::Limit;
use engine::{
    FileHit, Hit, LiveOptions, Mode, Query, SearchOptions, WalkEnd, live_search, snippet, terms,
};
use index::View;
use serde_json::{Value, json};
use toolcall::{Answer, BuiltinCall, Failure};

use super::item::{SNIPPET_LINES, SNIPPETS, add_snippet, list, rounded};
use super::{Shared, number, out_of_time, query};
use crate::knowledge::Knowledge;

pub(super) fn answer(shared: &Shared, call: &BuiltinCall) -> Result<Answer, Failure> {
    match shared.knowledge(call) {
        Knowledge::Indexed { view, .. } => Ok(from_index(shared, view, call)),
        Knowledge::Files => live(shared, call),
    }
}

/// The files that answer, best first; what every other question starts from.
pub(super) fn hits(view: &View, call: &BuiltinCall, limit: usize) -> Vec<FileHit> {
    let mode = match call.arguments.get("mode").and_then(Value::as_str) {
        Some("keyword") => Mode::Keyword,
        Some("symbol") => Mode::Symbol,
        _ => Mode::Hybrid,
    };
    engine::search(
        view,
        &Query::read(query(call)),
        &SearchOptions { limit, mode, deadline: call.deadline },
    )
}

fn from_index(shared: &Shared, view: &View, call: &BuiltinCall) -> Answer {
    let hits = hits(view, call, number(call, "limit", 10));
    let items: Vec<Value> =
        hits.iter().enumerate().map(|(rank, hit)| item(shared, hit, rank)).collect();
    Answer {
        summary: format!("{} of {} files answer", hits.len(), view.meta().files),
        data: Some(list(items)),
        truncated: false,
        limits: behind(view),
    }
}

/// Files that changed since the snapshot and could not be read again are named by their number.
fn behind(view: &View) -> Vec<Limit> {
    let freshness = view.freshness();
    if freshness.left_out > 0 {
        let text = format!(
            "ci_search: {} files changed since the index was built and are not in it yet",
            freshness.left_out
        );
        return vec![Limit::Said(text)];
    }
    Vec::new()
}

fn item(shared: &Shared, hit: &FileHit, rank: usize) -> Value {
    let symbol = hit.symbols.first();
    let passage = hit.lines.as_ref().map(|lines| *lines.start());
    let line = symbol.map(|symbol| symbol.line).or(passage).unwrap_or(1);
    let first = if rank < SNIPPETS { passage.unwrap_or(line).min(line.max(1)) } else { line };
    let shown = if rank < SNIPPETS { SNIPPET_LINES } else { 1 };
    let text = shared.with_source(|source| snippet(source, &hit.path, first.into(), shown));
    let at_line = |text: &engine::Snippet| -> Option<String> {
        let offset = usize::try_from(u64::from(line).checked_sub(text.first_line)?).ok()?;
        text.lines.get(offset).map(|line| line.trim().to_owned())
    };
    let summary = text
        .as_ref()
        .and_then(at_line)
        .filter(|line| !line.is_empty())
        .unwrap_or_else(|| hit.why.join(", "));
    let mut item = json!({
        "path": hit.path,
        "line": line,
        "title": symbol.map_or("file", |symbol| symbol.name.as_str()),
        "summary": summary,
        "confidence": rounded(hit.confidence),
        "source": format!("index: {}", hit.why.join(", ")),
    });
    if let Some(symbol) = symbol {
        item["symbol"] = symbol.name.as_str().into();
    }
    if rank < SNIPPETS {
        add_snippet(&mut item, text.as_ref());
    }
    item
}

fn live(shared: &Shared, call: &BuiltinCall) -> Result<Answer, Failure> {
    let options = LiveOptions {
        limit: number(call, "limit", 10),
        max_snippets: SNIPPETS,
        max_snippet_lines: SNIPPET_LINES,
        deadline: call.deadline,
    };
    let answer = shared.with_source(|source| live_search(source, &terms(query(call)), &options));
    let mut limits =
        vec![Limit::Said("no index yet: answered by live search while one is built".to_owned())];
    let truncated = match answer.end {
        WalkEnd::Complete => false,
        WalkEnd::OutOfTime | WalkEnd::TooManyFiles if answer.hits.is_empty() => {
            return Err(out_of_time());
        }
        WalkEnd::OutOfTime | WalkEnd::TooManyFiles => {
            let text = format!(
                "ci_search: only {} files were searched in the time there was",
                answer.n_files
            );
            limits.push(Limit::Said(text));
            true
        }
    };
    let summary = format!("{} of {} files match", answer.hits.len(), answer.n_files);
    let items = answer.hits.iter().map(live_item).collect();
    Ok(Answer { summary, data: Some(list(items)), truncated, limits })
}

fn live_item(hit: &Hit) -> Value {
    let summary = if hit.text.is_empty() {
        format!("path has {}", hit.matched.join(", "))
    } else {
        hit.text.clone()
    };
    let mut item = json!({
        "path": hit.path,
        "line": hit.line,
        "title": hit.defines.as_deref().unwrap_or("match"),
        "summary": summary,
        "confidence": hit.confidence,
        "source": "live search",
    });
    if let Some(name) = &hit.defines {
        item["symbol"] = name.as_str().into();
    }
    add_snippet(&mut item, hit.snippet.as_ref());
    item
}
