//! `ci_search`: files that answer a prompt, with the symbols and lines to look at first, and why.

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;
use std::time::Instant;

use index::{SymbolId, View};
use rustc_hash::FxHashSet;

use crate::query::Query;
use crate::rank::{Best, Ranked, rank};

/// What is matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Words in files.
    Keyword,
    /// Names of definitions.
    Symbol,
    /// Everything that is known.
    #[default]
    Hybrid,
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// At most so many files.
    pub limit: usize,
    /// What is matched.
    pub mode: Mode,
    /// What is not looked at by then is left out.
    pub deadline: Instant,
}

/// A file that answers.
#[derive(Clone, Debug, PartialEq)]
pub struct FileHit {
    /// Relative to the root.
    pub path: String,
    /// Comparable within one answer.
    pub score: f32,
    /// From 0 to 1: how sure it is that this file is meant.
    pub confidence: f32,
    /// What to look at in it, best first.
    pub symbols: Vec<SymbolHit>,
    /// The lines that answer best: of the first symbol, if there is one.
    pub lines: Option<RangeInclusive<u32>>,
    /// The strongest reasons, best first.
    pub why: Vec<&'static str>,
}

/// A definition that answers.
#[derive(Clone, Debug, PartialEq)]
pub struct SymbolHit {
    /// With what it stands in, joined by dots.
    pub name: String,
    /// Where it starts, counted from 1.
    pub line: u32,
    /// Comparable within one answer.
    pub score: f32,
}

/// A snippet is no longer than this.
const MAX_SNIPPET_LINES: u32 = 20;

/// Files by how well they answer, best first.
pub fn search(view: &View, query: &Query, options: &SearchOptions) -> Vec<FileHit> {
    let ranked = rank(view, query, options.mode, options.limit, options.deadline);
    let scores: Vec<f32> = ranked.iter().map(|ranked| ranked.score).collect();
    let best_passage = ranked
        .iter()
        .flat_map(|ranked| &ranked.passages)
        .map(|best| best.score)
        .fold(0.0, f32::max);
    ranked
        .into_iter()
        .enumerate()
        .map(|(place, ranked)| {
            let (symbols, lines) = symbols(view, query, &ranked, best_passage);
            FileHit {
                path: view.path(ranked.file).to_owned(),
                score: ranked.score,
                confidence: confidence(&scores, place),
                symbols,
                lines,
                why: ranked.reasons,
            }
        })
        .collect()
}

/// The share of the belief that a file has among all found, as the weights were learned: a softmax.
fn confidence(scores: &[f32], place: usize) -> f32 {
    let best = scores.first().copied().unwrap_or(0.0);
    let total: f32 = scores.iter().map(|score| (score - best).exp()).sum();
    (scores[place] - best).exp() / total.max(1.0)
}

/// How much the passage counts beside the file it stands in.
const PASSAGE: f32 = 4.0;
/// A container repeats the words of what it contains; what is changed is mostly inside.
const CONTAINER: f32 = 0.3;
/// The prompt says the name.
const NAMED: f32 = 1.5;

/// A symbol is as good as its passage and its file, and better when the prompt says its name. With them the lines to show:
/// those of the best symbol.
fn symbols(
    view: &View,
    query: &Query,
    ranked: &Ranked,
    best_passage: f32,
) -> (Vec<SymbolHit>, Option<RangeInclusive<u32>>) {
    let mut seen: FxHashSet<SymbolId> = FxHashSet::default();
    let hit = |best: &Best| {
        let id = best.symbol.filter(|id| seen.insert(*id))?;
        let symbol = view.symbol(id);
        let share = if best_passage > 0.0 { best.score / best_passage } else { 0.0 };
        let kind = if symbol.kind.is_callable() { 1.0 } else { CONTAINER };
        let said = query.identifiers.iter().any(|identifier| identifier.name == symbol.name);
        let named = if said { NAMED } else { 0.0 };
        let score = ranked.score + PASSAGE * share * kind + named;
        let name = symbol.qualified.to_owned();
        Some((SymbolHit { name, line: *symbol.lines.start(), score }, best.lines.clone()))
    };
    let mut hits: Vec<(SymbolHit, RangeInclusive<u32>)> =
        ranked.passages.iter().filter_map(hit).collect();
    hits.sort_by(|a, b| b.0.score.total_cmp(&a.0.score));
    let lines = hits.first().map(|(_, lines)| lines);
    let lines = lines.or(ranked.passages.first().map(|best| &best.lines)).map(shorten);
    (hits.into_iter().map(|(hit, _)| hit).collect(), lines)
}

fn shorten(lines: &RangeInclusive<u32>) -> RangeInclusive<u32> {
    *lines.start()..=(*lines.end()).min(lines.start().saturating_add(MAX_SNIPPET_LINES - 1))
}
