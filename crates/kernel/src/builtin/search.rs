//! `ci_search`: finds files and definitions in the index, or in the files themselves while there is no index.

use contract::{ErrorCode, Finding, Limit};
use engine::{
    DirectHit, DirectOptions, FileHit, Mode, Query, SearchOptions, Snippet, WalkEnd, snippet,
};
use index::View;
use policy::ToolId;
use toolcall::{Answer, BuiltinCall, Failure};

use super::{Shared, number, query, rounded, snippet_text};

const MAX_SNIPPETS: usize = 3;
const MAX_SNIPPET_LINES: usize = 20;

pub(super) fn answer(shared: &Shared, call: &BuiltinCall) -> Result<Answer, Failure> {
    shared.ask(call, |view| Ok(from_index(shared, view, call)), || search_files(shared, call))
}

/// Returns the files that match the query, best first. Other tools use these files as their starting point.
pub(super) fn hits(view: &View, call: &BuiltinCall, limit: usize) -> Vec<FileHit> {
    let mode = match call.arguments.text("mode") {
        Some("keyword") => Mode::Keyword,
        Some("symbol") => Mode::Symbol,
        _ => Mode::Hybrid,
    };
    engine::search(
        view,
        &Query::read(query(call)),
        &SearchOptions { limit, mode, session: None, deadline: call.deadline },
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
    let findings: Vec<Finding> = hits
        .iter()
        .take(shown.n_files)
        .enumerate()
        .map(|(rank, hit)| finding(shared, hit, &names, rank < shown.n_snippets))
        .collect();
    let mut limits = behind(view);
    limits.extend(shown.limit);
    let summary = format!("{} of {} files answer", findings.len(), view.meta().files);
    Answer { limits, ..Answer::of_findings(summary, findings) }
}

/// The number of results and snippets to show. Fewer are shown if the confidence is low.
struct Shown {
    n_files: usize,
    n_snippets: usize,
    limit: Option<Limit>,
}

impl Shown {
    /// The confidence below which the best file counts as a guess.
    const MIN_SURE: f32 = 0.12;
    /// The minimum confidence of files after the first [`Self::N_ALWAYS`]. Files with a lower confidence are not shown.
    const MIN_SHOWN: f32 = 0.02;
    const N_ALWAYS: usize = 5;

    fn of(hits: &[FileHit]) -> Self {
        let best = hits.first().map_or(0.0, |hit| hit.confidence);
        let tail =
            hits.iter().skip(Self::N_ALWAYS).take_while(|hit| hit.confidence >= Self::MIN_SHOWN);
        if hits.len() > 1 && best < Self::MIN_SURE {
            let text = format!(
                "{}: unsure, no file stands out (best confidence {best:.2})",
                ToolId::Search.name()
            );
            return Self { n_files: Self::N_ALWAYS, n_snippets: 1, limit: Some(Limit::Said(text)) };
        }
        Self { n_files: Self::N_ALWAYS + tail.count(), n_snippets: MAX_SNIPPETS, limit: None }
    }
}

/// Returns a `[Limits]` message with the number of files that changed after the snapshot was written and were not read
/// again.
fn behind(view: &View) -> Vec<Limit> {
    let freshness = view.freshness();
    if freshness.left_out > 0 {
        let text = format!(
            "{}: {} files changed since the index was built and are not in it yet",
            ToolId::Search.name(),
            freshness.left_out
        );
        return vec![Limit::Said(text)];
    }
    Vec::new()
}

fn finding(shared: &Shared, hit: &FileHit, names: &[String], with_snippet: bool) -> Finding {
    let symbol = hit.symbols.first();
    let start = symbol.map(|symbol| symbol.line);
    let first = hit.lines.as_ref().map(|lines| *lines.start()).or(start).unwrap_or(1);
    // The snippet ends at the end of the definition, because the next definition is unrelated.
    let defined = hit.lines.as_ref().filter(|_| symbol.is_some());
    let n_lines =
        defined.map_or(MAX_SNIPPET_LINES, |lines| lines.clone().count().min(MAX_SNIPPET_LINES));
    let text = shared.with_source(|source| snippet(source, &hit.path, first.into(), n_lines));
    let cited = text.as_ref().and_then(|text| cited_line(text, names, start));
    let (line, summary) =
        cited.unwrap_or_else(|| (start.unwrap_or(first).into(), hit.why.join(", ")));
    let symbol = symbol.map(|symbol| symbol.name.clone());
    Finding {
        path: Some(hit.path.clone()),
        line: Some(line),
        title: Some(symbol.clone().unwrap_or_else(|| "file".to_owned())),
        summary: Some(summary + &others(hit)),
        confidence: Some(rounded(hit.confidence)),
        source: Some(format!("index: {}", hit.why.join(", "))),
        symbol,
        snippet: text.as_ref().filter(|_| with_snippet).map(snippet_text),
        ..Finding::default()
    }
}

/// Returns the names of other matching definitions in the file, as `name:line`.
fn others(hit: &FileHit) -> String {
    const MAX_OTHERS: usize = 3;
    let others: Vec<String> = hit
        .symbols
        .iter()
        .skip(1)
        .take(MAX_OTHERS)
        .map(|symbol| format!("{}:{}", symbol.name, symbol.line))
        .collect();
    if others.is_empty() { String::new() } else { format!("; also {}", others.join(", ")) }
}

/// Returns the line to cite and its text. Prefers, in this order: the first line of the definition if it contains a name
/// from the prompt, the first line that contains such a name, the first line of the definition, the first line that is not
/// empty.
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

fn search_files(shared: &Shared, call: &BuiltinCall) -> Result<Answer, Failure> {
    let options = DirectOptions {
        limit: number(call, "limit", 10),
        max_snippets: MAX_SNIPPETS,
        max_snippet_lines: MAX_SNIPPET_LINES,
        deadline: call.deadline,
    };
    let answer = shared
        .with_source(|source| engine::direct_search(source, &Query::read(query(call)), &options));
    let text = if shared.location().is_indexed_automatically() {
        "no index yet: answered by live search while one is built"
    } else {
        "no index: answered by live search; `adjutant index` builds one"
    };
    let mut limits = vec![Limit::Said(text.to_owned())];
    let truncated = match answer.end {
        WalkEnd::Complete => false,
        WalkEnd::OutOfTime | WalkEnd::TooManyFiles if answer.hits.is_empty() => {
            let message = "nothing found in time".to_owned();
            return Err(Failure { code: ErrorCode::Timeout, message });
        }
        WalkEnd::OutOfTime | WalkEnd::TooManyFiles => {
            let text = format!(
                "{}: only {} files were searched in the time there was",
                ToolId::Search.name(),
                answer.n_files
            );
            limits.push(Limit::Said(text));
            true
        }
    };
    let summary = format!("{} of {} files match", answer.hits.len(), answer.n_files);
    let findings = answer.hits.iter().map(direct_finding).collect();
    Ok(Answer { truncated, limits, ..Answer::of_findings(summary, findings) })
}

fn direct_finding(hit: &DirectHit) -> Finding {
    let summary = if hit.text.is_empty() {
        format!("path has {}", hit.matched.join(", "))
    } else {
        hit.text.clone()
    };
    Finding {
        path: Some(hit.path.clone()),
        line: Some(hit.line),
        title: Some(hit.defines.clone().unwrap_or_else(|| "match".to_owned())),
        summary: Some(summary),
        confidence: Some(hit.confidence),
        source: Some("live search".to_owned()),
        symbol: hit.defines.clone(),
        snippet: hit.snippet.as_ref().map(snippet_text),
        ..Finding::default()
    }
}
