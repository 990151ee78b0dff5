//! Which definitions of the files found a query is about: signals as for files, one weight each.
//!
//! A signal is a line in [`SYMBOL_SIGNALS`] and a line in `weights.rs`; what it measures is here or under `symbols/`.

mod candidates;
mod named;
mod near;
mod spoken;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use index::SymbolId;
use rustc_hash::FxHashMap;

use super::context::RankContext;
use super::weights::SYMBOL_WEIGHTS;
use super::{Scale, scaled, weight_of};
use crate::query::Zone;
use candidates::Part;
pub(super) use candidates::SymbolCandidates;

/// Measures all definitions of a candidates; one number each, in their order.
type Measure = fn(&RankContext<'_>, &SymbolCandidates<'_>) -> Vec<f32>;

/// One view of what makes a definition the right one.
struct SymbolSignal {
    name: &'static str,
    scale: Scale,
    measure: Measure,
}

const fn of_best(name: &'static str, measure: Measure) -> SymbolSignal {
    SymbolSignal { name, scale: Scale::OfBest, measure }
}

const fn as_is(name: &'static str, measure: Measure) -> SymbolSignal {
    SymbolSignal { name, scale: Scale::AsIs, measure }
}

const SYMBOL_SIGNALS: &[SymbolSignal] = &[
    as_is("file", |_, candidates| candidates.each(|part| part.file.score)),
    as_is("file_place", |_, candidates| candidates.each(|part| (part.file.place as f32).ln_1p())),
    as_is("candidates_in_file", candidates_in_file),
    of_best("passage", |_, candidates| candidates.each(|part| part.passage[0])),
    of_best("passage_prose", |_, candidates| candidates.each(|part| part.passage[2])),
    as_is("best_of_file", best_of_file),
    of_best("name_title", |_, candidates| candidates.each(|part| part.words.title)),
    as_is("name_covered", |_, candidates| {
        candidates.each(|part| part.words.coverage(part.symbol.name))
    }),
    of_best("owner", |_, candidates| candidates.each(|part| part.words.owner)),
    as_is("named_title", |context, candidates| named::own(context, candidates, &[Zone::Title])),
    as_is("named_prose", |context, candidates| {
        named::own(context, candidates, &[Zone::Prose, Zone::Inline, Zone::Error])
    }),
    as_is("owner_named", named::owner),
    as_is("frame", |context, candidates| {
        candidates.each(|part| context.places.of_symbol(&part.symbol))
    }),
    as_is("container", |_, candidates| {
        candidates.each(|part| f32::from(u8::from(!part.symbol.kind.is_callable())))
    }),
    as_is("length", |_, candidates| candidates.each(|part| (n_lines(part) as f32).ln())),
    of_best("complexity", |_, candidates| {
        candidates.each(|part| {
            part.symbol.complexity.as_ref().map_or(0.0, |it| (1.0 + it.cyclomatic as f32).ln())
        })
    }),
    of_best("called", near::called),
];

/// So many are given per file; what follows them is noise.
const KEPT: usize = 10;

/// A definition, and how well it answers.
#[derive(Clone, Debug)]
pub(crate) struct RankedSymbol {
    pub(crate) symbol: SymbolId,
    pub(crate) score: f32,
    /// Of the passage of it that answers best.
    pub(crate) lines: RangeInclusive<u32>,
}

/// The names of the symbols' signals, in their order.
pub fn symbol_signal_names() -> impl Iterator<Item = &'static str> {
    SYMBOL_SIGNALS.iter().map(|signal| signal.name)
}

/// Their learned weights, in the order of [`symbol_signal_names`].
pub fn symbol_signal_weights() -> impl Iterator<Item = f32> {
    symbol_signal_names().map(|name| weight_of(SYMBOL_WEIGHTS, name))
}

/// What the signals say of every definition of a candidates: a column for each signal.
pub(super) fn columns(
    context: &RankContext<'_>,
    candidates: &SymbolCandidates<'_>,
) -> Vec<Vec<f32>> {
    SYMBOL_SIGNALS
        .iter()
        .map(|signal| scaled((signal.measure)(context, candidates), signal.scale))
        .collect()
}

/// The definitions of `files` (candidates with their scores, best first), best first for each file.
pub(super) fn rank(
    context: &RankContext<'_>,
    files: &[(usize, f32)],
) -> FxHashMap<usize, Vec<RankedSymbol>> {
    let candidates = SymbolCandidates::choose(context, files);
    let mut scores = vec![0.0_f32; candidates.parts.len()];
    for (column, weight) in columns(context, &candidates).iter().zip(symbol_signal_weights()) {
        for (score, value) in scores.iter_mut().zip(column) {
            *score += weight * value;
        }
    }
    let mut ranked: FxHashMap<usize, Vec<RankedSymbol>> = FxHashMap::default();
    for (part, score) in candidates.parts.into_iter().zip(scores) {
        ranked.entry(part.file.candidate).or_default().push(RankedSymbol {
            symbol: part.symbol.id,
            score,
            lines: part.lines,
        });
    }
    for symbols in ranked.values_mut() {
        symbols.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.symbol.cmp(&b.symbol)));
        symbols.truncate(KEPT);
    }
    ranked
}

fn n_lines(part: &Part<'_>) -> u32 {
    part.symbol.lines.end().saturating_sub(*part.symbol.lines.start()).saturating_add(1)
}

/// How many definitions of its file may be meant: the belief in a file is shared by them.
fn candidates_in_file(_: &RankContext<'_>, candidates: &SymbolCandidates<'_>) -> Vec<f32> {
    let mut counts: FxHashMap<usize, f32> = FxHashMap::default();
    for part in &candidates.parts {
        *counts.entry(part.file.candidate).or_default() += 1.0;
    }
    candidates.each(|part| counts[&part.file.candidate].ln())
}

/// How near its passage comes to the best one of its file.
fn best_of_file(_: &RankContext<'_>, candidates: &SymbolCandidates<'_>) -> Vec<f32> {
    let mut bests: FxHashMap<usize, f32> = FxHashMap::default();
    for part in &candidates.parts {
        let best = bests.entry(part.file.candidate).or_insert(f32::MIN_POSITIVE);
        *best = best.max(part.passage[0]);
    }
    candidates.each(|part| part.passage[0] / bests[&part.file.candidate])
}
