//! `ci_search`: from the index, or live while there is none.

use contract::Limit;
use engine::{
    DirectHit, DirectOptions, FileHit, Mode, Query, SearchOptions, Snippet, WalkEnd, direct_search,
    snippet,
};
use index::View;
use serde_json::{Value, json};
use toolcall::{Answer, BuiltinCall, Failure};

use super::item::{SNIPPET_LINES, SNIPPETS, add_snippet, list, rounded};
use super::{Shared, number, out_of_time, query};

pub(super) fn answer(shared: &Shared, call: &BuiltinCall) -> Result<Answer, Failure> {
    shared.ask(call, |view| Ok(from_index(shared, view, call)), || live(shared, call))
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
    let names: Vec<String> = Query::read(query(call))
        .identifiers
        .iter()
        .map(|identifier| identifier.name.to_lowercase())
        .collect();
    let shown = Shown::of(&hits);
    let items: Vec<Value> = hits
        .iter()
        .take(shown.n_files)
        .enumerate()
        .map(|(rank, hit)| item(shared, hit, &names, rank < shown.n_snippets))
        .collect();
    let mut limits = behind(view);
    limits.extend(shown.limit);
    Answer {
        summary: format!("{} of {} files answer", items.len(), view.meta().files),
        data: Some(list(items)),
        truncated: false,
        limits,
    }
}

/// How much of an answer is worth a model's attention: the less sure, the shorter.
struct Shown {
    n_files: usize,
    n_snippets: usize,
    limit: Option<Limit>,
}

impl Shown {
    /// Below this the best file is a guess.
    const UNSURE: f32 = 0.12;
    /// A file this unlikely is noise, unless it is among the first.
    const NOISE: f32 = 0.02;
    const FIRST: usize = 5;

    fn of(hits: &[FileHit]) -> Self {
        let best = hits.first().map_or(0.0, |hit| hit.confidence);
        let tail = hits.iter().skip(Self::FIRST).take_while(|hit| hit.confidence >= Self::NOISE);
        if hits.len() > 1 && best < Self::UNSURE {
            let text = format!("ci_search: unsure, no file stands out (best confidence {best:.2})");
            return Self { n_files: Self::FIRST, n_snippets: 1, limit: Some(Limit::Said(text)) };
        }
        Self { n_files: Self::FIRST + tail.count(), n_snippets: SNIPPETS, limit: None }
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

fn item(shared: &Shared, hit: &FileHit, names: &[String], with_snippet: bool) -> Value {
    let symbol = hit.symbols.first();
    let start = symbol.map(|symbol| symbol.line);
    let first = hit.lines.as_ref().map(|lines| *lines.start()).or(start).unwrap_or(1);
    // No further than the definition that answers: the next one is another thing.
    let defined = hit.lines.as_ref().filter(|_| symbol.is_some());
    let n_lines = defined.map_or(SNIPPET_LINES, |lines| lines.clone().count().min(SNIPPET_LINES));
    let text = shared.with_source(|source| snippet(source, &hit.path, first.into(), n_lines));
    let cited = text.as_ref().and_then(|text| cited_line(text, names, start));
    let (line, summary) =
        cited.unwrap_or_else(|| (start.unwrap_or(first).into(), hit.why.join(", ")));
    let mut item = json!({
        "path": hit.path,
        "line": line,
        "title": symbol.map_or("file", |symbol| symbol.name.as_str()),
        "summary": summary + &others(hit),
        "confidence": rounded(hit.confidence),
        "source": format!("index: {}", hit.why.join(", ")),
    });
    if let Some(symbol) = symbol {
        item["symbol"] = symbol.name.as_str().into();
    }
    if with_snippet {
        add_snippet(&mut item, text.as_ref());
    }
    item
}

/// What else in the file answers, as `name:line`.
fn others(hit: &FileHit) -> String {
    const OTHERS: usize = 3;
    let others: Vec<String> = hit
        .symbols
        .iter()
        .skip(1)
        .take(OTHERS)
        .map(|symbol| format!("{}:{}", symbol.name, symbol.line))
        .collect();
    if others.is_empty() { String::new() } else { format!("; also {}", others.join(", ")) }
}

/// The line to cite: where the definition starts if it has a name from the prompt, else the first line
/// that has one, else the first that says anything.
fn cited_line(text: &Snippet, names: &[String], start: Option<u32>) -> Option<(u64, String)> {
    let numbered = || (text.first_line..).zip(&text.lines);
    let has_name = |line: &str| {
        let line = line.to_lowercase();
        names.iter().any(|name| line.contains(name))
    };
    let started = || numbered().find(|(number, _)| Some(*number) == start.map(u64::from));
    let named = || numbered().find(|(_, line)| has_name(line));
    let first = || numbered().find(|(_, line)| !line.trim().is_empty());
    let (number, line) = started()
        .filter(|(_, line)| has_name(line))
        .or_else(named)
        .or_else(started)
        .or_else(first)?;
    Some((number, line.trim().to_owned()))
}

fn live(shared: &Shared, call: &BuiltinCall) -> Result<Answer, Failure> {
    let options = DirectOptions {
        limit: number(call, "limit", 10),
        max_snippets: SNIPPETS,
        max_snippet_lines: SNIPPET_LINES,
        deadline: call.deadline,
    };
    let answer =
        shared.with_source(|source| direct_search(source, &Query::read(query(call)), &options));
    let text = if shared.place().is_indexed_unasked() {
        "no index yet: answered by live search while one is built"
    } else {
        "no index: answered by live search; `adjutant index` builds one"
    };
    let mut limits = vec![Limit::Said(text.to_owned())];
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

fn live_item(hit: &DirectHit) -> Value {
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
