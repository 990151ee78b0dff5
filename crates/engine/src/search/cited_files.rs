//! Answers `ci_search`: each file with the line to cite, the lines to quote, and the reasons.

use std::ops::RangeInclusive;

use contract::counted;
use serde_json::json;

use super::{FileHit, SymbolHit};
use crate::ask::{Answer, Asking, Item, UnknownName};
use crate::query::Query;
use crate::quote::quote;
use crate::source::{Source, read_lines};

const MAX_SNIPPET_LINES: usize = 20;
/// The maximum number of regions that are quoted from all files together.
const MAX_REGIONS: usize = 5;
/// A region is quoted only if the probability that the prompt is about this region is at least this value.
const MIN_QUOTED: f32 = 0.28;
/// For a file without definitions: the assumed probability that the prompt is about the file's best passage, if it is
/// about the file.
const PASSAGE_PROBABILITY: f32 = 0.5;

/// Answers `ci_search`. A briefing leaves out the files after the first one with a low confidence.
pub fn ask_search(asking: &Asking<'_>) -> Result<Answer, UnknownName> {
    let hits = (asking.search)();
    let (regions, n_shown) = (regions(&hits), n_shown(&hits));
    let items = hits
        .iter()
        .zip(&regions)
        .enumerate()
        .map(|(at, (hit, regions))| Item { is_minor: at >= n_shown, ..item(asking, hit, regions) });
    let n_files = asking.view.meta().files as usize;
    Ok(Answer {
        items: items.collect(),
        summary: format!("{} of {} answer", n_shown.min(hits.len()), counted(n_files, "file")),
        nothing: "nothing found".to_owned(),
        note: unsure(&hits),
        ..Answer::default()
    })
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

/// Returns a note if even the best file has a low confidence.
fn unsure(hits: &[FileHit]) -> Option<String> {
    const MIN_SURE: f32 = 0.12;
    let best = hits.first().map_or(0.0, |hit| hit.confidence);
    (hits.len() > 1 && best < MIN_SURE)
        .then(|| format!("unsure, no file stands out (best confidence {best:.2})"))
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

fn item(asking: &Asking<'_>, hit: &FileHit, regions: &[RangeInclusive<u32>]) -> Item {
    let (source, query) = (asking.source, &asking.prompt.query);
    let symbol = hit.symbols.first();
    let cited = match symbol {
        Some(symbol) => cited_definition(source, hit, symbol),
        None => cited_passage(source, hit, query),
    };
    let first = hit.lines.as_ref().map_or(1, |lines| *lines.start());
    let (line, text) = cited
        .unwrap_or_else(|| (symbol.map_or(first, |symbol| symbol.line).into(), hit.why.join(", ")));
    let symbols = hit.symbols.iter().map(|symbol| {
        json!({ "line": symbol.line, "name": symbol.name, "score": f64::from(symbol.score) })
    });
    let item = Item {
        path: hit.path.clone(),
        line: u32::try_from(line).ok(),
        symbol: symbol.map(|symbol| symbol.name.clone()),
        quote: text,
        also: others(hit),
        snippet: quote(source, &hit.path, regions, query, MAX_SNIPPET_LINES),
        is_certain: true,
        certainty: 1.0,
        relevance: Some(hit.confidence),
        source: format!("index: {}", hit.why.join(", ")),
        ..Item::default()
    };
    item.with_fields(json!({
        "confidence": f64::from(hit.confidence), "path": hit.path, "score": f64::from(hit.score),
        "lines": hit.lines.as_ref().map(|lines| [*lines.start(), *lines.end()]),
        "symbols": symbols.collect::<Vec<_>>(), "why": hit.why,
    }))
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
fn cited_definition(
    source: &Source<'_>,
    hit: &FileHit,
    symbol: &SymbolHit,
) -> Option<(u64, String)> {
    const MAX_LINES_BEFORE_NAME: usize = 8;
    let name = symbol.name.rsplit('.').next().unwrap_or_default();
    let text = read_lines(source, &hit.path, symbol.line.into(), MAX_LINES_BEFORE_NAME)?;
    let is_named =
        |(_, line): &&(u64, String)| !line.trim().starts_with('@') && line.contains(name);
    let (number, line) = text.lines.iter().find(is_named).or_else(|| text.lines.first())?;
    let is_empty = symbol.headline.is_empty();
    let summary = if is_empty { line.trim().to_owned() } else { symbol.headline.clone() };
    Some((*number, summary))
}

/// Finds the first line in the best passage that contains an identifier from the prompt, or otherwise the first line
/// that is not empty. Returns its number and its text, or `None` if there is no such line.
fn cited_passage(source: &Source<'_>, hit: &FileHit, query: &Query) -> Option<(u64, String)> {
    let lines = hit.lines.as_ref()?;
    let text = read_lines(source, &hit.path, (*lines.start()).into(), lines.clone().count())?;
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
