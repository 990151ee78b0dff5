//! `ci_search`: files that answer a prompt, with the symbols and lines to look at first, and why.

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;
use std::time::Instant;

use index::View;

use crate::query::Query;
use crate::rank::{Ranked, RankedSymbol, rank};

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
    ranked
        .into_iter()
        .enumerate()
        .map(|(place, ranked)| FileHit {
            path: view.path(ranked.file).to_owned(),
            score: ranked.score,
            confidence: confidence(&scores, place),
            symbols: ranked.symbols.iter().map(|symbol| symbol_hit(view, symbol)).collect(),
            lines: lines(view, &ranked),
            why: ranked.reasons,
        })
        .collect()
}

/// The share of the belief that a file has among all found, as the weights were learned: a softmax.
fn confidence(scores: &[f32], place: usize) -> f32 {
    let best = scores.first().copied().unwrap_or(0.0);
    let total: f32 = scores.iter().map(|score| (score - best).exp()).sum();
    (scores[place] - best).exp() / total.max(1.0)
}

fn symbol_hit(view: &View, ranked: &RankedSymbol) -> SymbolHit {
    let symbol = view.symbol(ranked.symbol);
    let name = symbol.qualified.to_owned();
    SymbolHit { name, line: *symbol.lines.start(), score: ranked.score }
}

/// The lines to show: of the best symbol from its best passage on, else of the best passage.
fn lines(view: &View, ranked: &Ranked) -> Option<RangeInclusive<u32>> {
    let of_symbol = ranked.symbols.first().map(|best| {
        let end = *view.symbol(best.symbol).lines.end();
        *best.lines.start()..=end.max(*best.lines.end())
    });
    of_symbol.or_else(|| Some(ranked.passage.as_ref()?.lines.clone())).as_ref().map(shorten)
}

fn shorten(lines: &RangeInclusive<u32>) -> RangeInclusive<u32> {
    *lines.start()..=(*lines.end()).min(lines.start().saturating_add(MAX_SNIPPET_LINES - 1))
}
