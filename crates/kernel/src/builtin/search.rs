//! Implements `ci_search`, which finds files and definitions in the index. While there is no index, it searches the
//! files themselves.

use std::ops::RangeInclusive;

use contract::{ErrorCode, Finding, Limit, counted};
use engine::{
    DirectHit, DirectOptions, FileHit, Mode, Query, SearchOptions, Source, SymbolHit, WalkEnd,
    quote, read_lines,
};
use index::View;
use policy::ToolId;
use toolcall::{Answer, Failure};

use super::shared_search::search_limit;
use super::{Call, Shared, rounded, snippet_text};

const MAX_SNIPPETS: usize = 3;
const MAX_SNIPPET_LINES: usize = 20;
/// The maximum number of regions that are quoted from all files together.
const MAX_REGIONS: usize = 5;
/// A region is quoted only if the probability that the prompt is about this region is at least this value.
const MIN_QUOTED: f32 = 0.28;
/// For a file without definitions: the assumed probability that the prompt is about the file's best passage, if it is
/// about the file.
const PASSAGE_PROBABILITY: f32 = 0.5;

pub(super) fn answer(shared: &Shared, call: &Call<'_>) -> Result<Answer, Failure> {
    shared.ask(call, |view| Ok(from_index(shared, view, call)), || search_files(shared, call))
}

/// Returns the files that match the query, best first. Other tools use these files as their starting point.
pub(super) fn hits(shared: &Shared, view: &View, call: &Call<'_>, limit: usize) -> Vec<FileHit> {
    let mode = match call.arguments.text("mode") {
        Some("keyword") => Mode::Keyword,
        Some("symbol") => Mode::Symbol,
        _ => Mode::Hybrid,
    };
    let (session, deadline) = (Some(&shared.session), call.deadline);
    let options = SearchOptions { limit, mode, session, deadline };
    match shared.search_on(view).filter(|_| mode == Mode::Hybrid) {
        Some(search) => search.hits(view, call.searched, &options, &shared.search_limits),
        None => engine::search(view, &call.searched.query, &options),
    }
}

fn from_index(shared: &Shared, view: &View, call: &Call<'_>) -> Answer {
    let hits = hits(shared, view, call, search_limit(call.arguments.number("limit")));
    let regions = regions(&hits);
    let findings: Vec<Finding> = hits
        .iter()
        .zip(&regions)
        .take(n_shown(&hits))
        .map(|(hit, regions)| finding(shared, hit, &call.searched.query, regions))
        .collect();
    let mut limits = behind(view, findings.is_empty());
    limits.extend(unsure(&hits));
    let summary =
        format!("{} of {} answer", findings.len(), counted(view.meta().files as usize, "file"));
    Answer { limits, ..Answer::of_findings(summary, findings) }
}

/// Returns the number of files to list: the best file, and the next ones until the confidence is too low.
fn n_shown(hits: &[FileHit]) -> usize {
    /// Of 569 recorded turns, 0.821 list an edited file with this minimum, and 0.822 without one.
    const MIN_SHOWN: f32 = 0.05;
    /// The minimum confidence of the files after the fifth.
    const MIN_FURTHER: f32 = 0.2;
    let minimum = |at: usize| if at < 5 { MIN_SHOWN } else { MIN_FURTHER };
    let rest = hits.iter().enumerate().skip(1);
    1 + rest.take_while(|(at, hit)| hit.confidence >= minimum(*at)).count()
}

/// Returns a `[Limits]` message if even the best file has a low confidence.
fn unsure(hits: &[FileHit]) -> Option<Limit> {
    const MIN_SURE: f32 = 0.12;
    let best = hits.first().map_or(0.0, |hit| hit.confidence);
    (hits.len() > 1 && best < MIN_SURE).then(|| {
        let tool = ToolId::Search.name();
        Limit::Said(format!("{tool}: unsure, no file stands out (best confidence {best:.2})"))
    })
}

/// Chooses the regions to quote from all files: those that the prompt is most likely about. Returns one list for each
/// file, strongest region first.
fn regions(hits: &[FileHit]) -> Vec<Vec<RangeInclusive<u32>>> {
    let mut all: Vec<(f32, usize, RangeInclusive<u32>)> = Vec::new();
    for (at, hit) in hits.iter().enumerate() {
        for symbol in &hit.symbols {
            all.push((hit.confidence * symbol.probability, at, symbol.lines.clone()));
        }
        if let Some(lines) = hit.lines.as_ref().filter(|_| hit.symbols.is_empty()) {
            all.push((hit.confidence * PASSAGE_PROBABILITY, at, lines.clone()));
        }
    }
    all.retain(|(probability, ..)| *probability >= MIN_QUOTED);
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut regions = vec![Vec::new(); hits.len()];
    for (_, at, lines) in all.into_iter().take(MAX_REGIONS) {
        regions[at].push(lines);
    }
    regions
}

/// Returns a `[Limits]` message if the index may be out of date, otherwise an empty list. The message states how many
/// changed files are not in the index yet or, if nothing was found, that a part of the repository was not compared with
/// the index.
fn behind(view: &View, found_nothing: bool) -> Vec<Limit> {
    let freshness = view.freshness();
    if freshness.left_out > 0 {
        let text = format!(
            "{}: not in the index yet, because they changed since it was built: {}",
            ToolId::Search.name(),
            counted(freshness.left_out as usize, "file")
        );
        return vec![Limit::Said(text)];
    }
    if found_nothing && !freshness.complete {
        let tool = ToolId::Search.name();
        let text = format!("{tool}: not all files could be compared with the index in time");
        return vec![Limit::Said(text)];
    }
    Vec::new()
}

fn finding(
    shared: &Shared,
    hit: &FileHit,
    query: &Query,
    regions: &[RangeInclusive<u32>],
) -> Finding {
    let symbol = hit.symbols.first();
    let cited = match symbol {
        Some(symbol) => cited_definition(shared, hit, symbol),
        None => cited_passage(shared, hit, query),
    };
    let first = hit.lines.as_ref().map_or(1, |lines| *lines.start());
    let (line, summary) = cited
        .unwrap_or_else(|| (symbol.map_or(first, |symbol| symbol.line).into(), hit.why.join(", ")));
    let snippet = shared
        .with_source(|source| quote(source, &hit.path, regions, query, MAX_SNIPPET_LINES))
        .as_ref()
        .map(snippet_text);
    let symbol = symbol.map(|symbol| symbol.name.clone());
    Finding {
        path: Some(hit.path.clone()),
        line: Some(line),
        title: Some(symbol.clone().unwrap_or_else(|| "file".to_owned())),
        summary: Some(summary + &others(hit)),
        confidence: Some(rounded(hit.confidence)),
        source: Some(format!("index: {}", hit.why.join(", "))),
        symbol,
        snippet,
        ..Finding::default()
    }
}

/// Returns the names of other matching definitions in the file, as `name:line`.
fn others(hit: &FileHit) -> String {
    const MAX_OTHERS: usize = 3;
    /// A definition is listed only if the probability that the prompt is about this definition is at least this value.
    const MIN_PROBABILITY: f32 = 0.08;
    let others: Vec<String> = hit
        .symbols
        .iter()
        .skip(1)
        .take(MAX_OTHERS)
        .filter(|symbol| symbol.probability >= MIN_PROBABILITY)
        .map(|symbol| format!("{}:{}", symbol.name, symbol.line))
        .collect();
    if others.is_empty() { String::new() } else { format!("; also {}", others.join(", ")) }
}

/// Returns the number of the line that contains a definition's name, and the definition's signature. This line may be
/// below the first line of the definition, because annotations can precede it. Returns `None` if the file cannot be
/// read.
fn cited_definition(shared: &Shared, hit: &FileHit, symbol: &SymbolHit) -> Option<(u64, String)> {
    const MAX_LINES_BEFORE_NAME: usize = 8;
    let name = symbol.name.rsplit('.').next().unwrap_or_default();
    let read = |source: &Source<'_>| {
        read_lines(source, &hit.path, symbol.line.into(), MAX_LINES_BEFORE_NAME)
    };
    let text = shared.with_source(read)?;
    let is_named =
        |(_, line): &&(u64, String)| !line.trim().starts_with('@') && line.contains(name);
    let (number, line) = text.lines.iter().find(is_named).or_else(|| text.lines.first())?;
    let is_empty = symbol.headline.is_empty();
    let summary = if is_empty { line.trim().to_owned() } else { symbol.headline.clone() };
    Some((*number, summary))
}

/// Finds the first line in the best passage that contains an identifier from the prompt, or otherwise the first line
/// that is not empty. Returns its number and its text, or `None` if there is no such line.
fn cited_passage(shared: &Shared, hit: &FileHit, query: &Query) -> Option<(u64, String)> {
    let lines = hit.lines.as_ref()?;
    let read = |source: &Source<'_>| {
        read_lines(source, &hit.path, (*lines.start()).into(), lines.clone().count())
    };
    let text = shared.with_source(read)?;
    let names: Vec<String> =
        query.identifiers.iter().map(|identifier| identifier.name.to_lowercase()).collect();
    let has_name = |(_, line): &&(u64, String)| {
        let line = line.to_lowercase();
        names.iter().any(|name| line.contains(name))
    };
    let first = || text.lines.iter().find(|(_, line)| !line.trim().is_empty());
    let (number, line) = text.lines.iter().find(has_name).or_else(first)?;
    Some((*number, line.trim().to_owned()))
}

fn search_files(shared: &Shared, call: &Call<'_>) -> Result<Answer, Failure> {
    let options = DirectOptions {
        limit: search_limit(call.arguments.number("limit")),
        max_snippets: MAX_SNIPPETS,
        max_snippet_lines: MAX_SNIPPET_LINES,
        deadline: call.deadline,
    };
    let query = &call.searched.query;
    let answer = shared.with_source(|source| engine::direct_search(source, query, &options));
    let text = if shared.location().is_indexed_automatically() {
        "no index yet: the files were searched directly while an index is built"
    } else {
        "no index: the files were searched directly; `adjutant index` builds an index"
    };
    let mut limits = vec![Limit::Said(text.to_owned())];
    let files = counted(answer.n_files, "file");
    let stopped_by = match answer.end {
        WalkEnd::Complete => None,
        WalkEnd::OutOfTime => Some("the timeout was reached"),
        WalkEnd::TooManyFiles => Some("the repository has more files than the limit"),
    };
    if let Some(reason) = stopped_by {
        if answer.hits.is_empty() {
            let message = format!("found nothing in the {files} that were searched: {reason}");
            return Err(Failure { code: ErrorCode::Timeout, message });
        }
        let tool = ToolId::Search.name();
        limits.push(Limit::Said(format!("{tool}: only {files} were searched, because {reason}")));
    }
    let summary = format!("{} of {files} match", answer.hits.len());
    let findings = answer.hits.iter().map(direct_finding).collect();
    let truncated = stopped_by.is_some();
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
