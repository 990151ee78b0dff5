//! Ranks the definitions in the best files. A signal is an entry in [`SYMBOL_SIGNALS`].

mod name_matches;
mod symbol_candidates;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use index::{Node, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::RankContext;
use super::{Scale, add_weighted, flag, scaled};
use crate::query::{Identifier, Section};
use symbol_candidates::SymbolCandidate;
pub(super) use symbol_candidates::{SymbolCandidates, outermost_function};

/// Computes one value per candidate.
type Measure = fn(&RankContext<'_>, &SymbolCandidates<'_>) -> Vec<f32>;

struct SymbolSignal {
    name: &'static str,
    weight: f32,
    scale: Scale,
    measure: Measure,
}

const fn relative(name: &'static str, weight: f32, measure: Measure) -> SymbolSignal {
    SymbolSignal { name, weight, scale: Scale::RelativeToBest, measure }
}

const fn absolute(name: &'static str, weight: f32, measure: Measure) -> SymbolSignal {
    SymbolSignal { name, weight, scale: Scale::Absolute, measure }
}

/// All signals with their weights. `cargo xtask bench localise --learn` prints the weights. The weight of `container` is set
/// by hand: the prompts used for learning only ask for functions, but the declaration of a class may have to change too.
const SYMBOL_SIGNALS: &[SymbolSignal] = &[
    absolute("file", 0.24, |_, candidates| candidates.each(|candidate| candidate.file.score)),
    absolute("file_place", -0.74, |_, candidates| {
        candidates.each(|candidate| (candidate.file.position as f32).ln_1p())
    }),
    absolute("candidates_in_file", -0.58, candidates_in_file),
    relative("passage", 0.68, |_, candidates| candidates.each(|candidate| candidate.passage[0])),
    relative("passage_prose", 1.09, |_, candidates| {
        candidates.each(|candidate| candidate.passage[2])
    }),
    absolute("best_of_file", 1.38, best_of_file),
    relative("name_title", 0.21, |_, candidates| candidates.each(|candidate| candidate.name.title)),
    absolute("name_covered", 0.84, |_, candidates| {
        candidates.each(|candidate| candidate.name.coverage(candidate.symbol.name))
    }),
    relative("owner", 0.66, |_, candidates| candidates.each(|candidate| candidate.name.owner)),
    absolute("named_title", 0.85, |context, candidates| {
        named(context, candidates, &[Section::Title])
    }),
    absolute("named_prose", 0.85, |context, candidates| {
        named(context, candidates, &[Section::Prose, Section::Inline, Section::Error])
    }),
    absolute("owner_named", 0.43, owner_named),
    absolute("frame", 2.08, |context, candidates| {
        candidates.each(|candidate| context.trace.symbol_score(&candidate.symbol))
    }),
    absolute("container", -2.00, |_, candidates| {
        candidates.each(|candidate| flag(!candidate.symbol.kind.is_callable()))
    }),
    absolute("length", 0.20, |_, candidates| {
        candidates.each(|candidate| (n_lines(candidate) as f32).ln())
    }),
    relative("complexity", 1.01, |_, candidates| {
        candidates.each(|candidate| {
            let complexity = candidate.symbol.complexity.as_ref();
            complexity.map_or(0.0, |complexity| (1.0 + complexity.cyclomatic as f32).ln())
        })
    }),
    relative("called", 0.71, called),
];

const MAX_SYMBOLS_PER_FILE: usize = 10;

#[derive(Clone, Debug)]
pub(crate) struct RankedSymbol {
    pub(crate) symbol: SymbolId,
    pub(crate) score: f32,
    /// The lines of the definition's best passage, or all its lines if no passage matches.
    pub(crate) lines: RangeInclusive<u32>,
}

/// Returns the names of the symbol signals, each with its weight.
pub fn symbol_signal_weights() -> impl Iterator<Item = (&'static str, f32)> {
    SYMBOL_SIGNALS.iter().map(|signal| (signal.name, signal.weight))
}

/// Computes the scaled values of each signal for all candidates.
pub(super) fn columns(
    context: &RankContext<'_>,
    candidates: &SymbolCandidates<'_>,
) -> Vec<Vec<f32>> {
    SYMBOL_SIGNALS
        .iter()
        .map(|signal| scaled((signal.measure)(context, candidates), signal.scale))
        .collect()
}

/// For each file, returns the best definitions in it, best first. `files` contains the indices of file candidates with
/// their scores, best first. The same indices are the keys of the result.
pub(super) fn rank(
    context: &RankContext<'_>,
    files: &[(usize, f32)],
) -> FxHashMap<usize, Vec<RankedSymbol>> {
    let candidates = SymbolCandidates::choose(context, files);
    let weights: Vec<f32> = SYMBOL_SIGNALS.iter().map(|signal| signal.weight).collect();
    let scores = add_weighted(&columns(context, &candidates), &weights, candidates.list.len());
    let mut ranked: FxHashMap<usize, Vec<RankedSymbol>> = FxHashMap::default();
    for (candidate, score) in candidates.list.into_iter().zip(scores) {
        ranked.entry(candidate.file.candidate).or_default().push(RankedSymbol {
            symbol: candidate.symbol.id,
            score,
            lines: candidate.lines,
        });
    }
    for symbols in ranked.values_mut() {
        symbols.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.symbol.cmp(&b.symbol)));
        symbols.truncate(MAX_SYMBOLS_PER_FILE);
    }
    ranked
}

fn n_lines(candidate: &SymbolCandidate<'_>) -> u32 {
    let lines = &candidate.symbol.lines;
    lines.end().saturating_sub(*lines.start()).saturating_add(1)
}

/// For each candidate, returns the logarithm of the number of candidates in its file. The more candidates a file has,
/// the less likely it is that the prompt is about a given one.
fn candidates_in_file(_: &RankContext<'_>, candidates: &SymbolCandidates<'_>) -> Vec<f32> {
    let mut counts: FxHashMap<usize, f32> = FxHashMap::default();
    for candidate in &candidates.list {
        *counts.entry(candidate.file.candidate).or_default() += 1.0;
    }
    candidates.each(|candidate| counts[&candidate.file.candidate].ln())
}

/// Returns each candidate's passage score relative to the best passage of its file.
fn best_of_file(_: &RankContext<'_>, candidates: &SymbolCandidates<'_>) -> Vec<f32> {
    let mut bests: FxHashMap<usize, f32> = FxHashMap::default();
    for candidate in &candidates.list {
        let best = bests.entry(candidate.file.candidate).or_insert(f32::MIN_POSITIVE);
        *best = best.max(candidate.passage[0]);
    }
    candidates.each(|candidate| candidate.passage[0] / bests[&candidate.file.candidate])
}

/// For each candidate, returns 1 if its name occurs in one of the given `sections` of the prompt, otherwise 0.
fn named(
    context: &RankContext<'_>,
    candidates: &SymbolCandidates<'_>,
    sections: &[Section],
) -> Vec<f32> {
    let names = identifiers(context, |identifier| identifier.sections.occurs_in(sections));
    candidates.each(|candidate| flag(names.contains(candidate.symbol.name)))
}

/// For each candidate, returns 1 if the prompt contains the name of the enclosing class or module, otherwise 0.
fn owner_named(context: &RankContext<'_>, candidates: &SymbolCandidates<'_>) -> Vec<f32> {
    let names = identifiers(context, |_| true);
    candidates.each(|candidate| {
        let owner = candidate.symbol.qualified.rsplit('.').nth(1).unwrap_or_default();
        flag(names.contains(owner))
    })
}

fn identifiers<'a>(
    context: &RankContext<'a>,
    counts: impl Fn(&Identifier) -> bool,
) -> FxHashSet<&'a str> {
    let all = context.query.identifiers.iter();
    all.filter(|identifier| counts(identifier)).map(|identifier| identifier.name.as_str()).collect()
}

/// Scores the definitions that are used by the leaders, which are the candidates with the best passages.
fn called(context: &RankContext<'_>, candidates: &SymbolCandidates<'_>) -> Vec<f32> {
    const MAX_LEADERS: usize = 6;
    /// The weight of the file score, relative to the passage score, when the leaders are chosen.
    const FILE_WEIGHT: f32 = 0.25;
    /// The total edge confidence at which a definition gets half of the maximum score.
    const HALF: f32 = 1.0;
    let passages = candidates.list.iter().map(|candidate| candidate.passage[0]);
    let best = passages.fold(f32::MIN_POSITIVE, f32::max);
    let leader_weights = candidates
        .each(|candidate| candidate.passage[0] / best + FILE_WEIGHT * candidate.file.score);
    let mut leaders: Vec<usize> = (0..leader_weights.len()).collect();
    leaders.sort_by(|a, b| leader_weights[*b].total_cmp(&leader_weights[*a]));
    let mut uses = vec![0.0_f32; leader_weights.len()];
    for leader in leaders.into_iter().take(MAX_LEADERS) {
        for edge in context.view.edges_from(Node::Symbol(candidates.list[leader].symbol.id)) {
            let Node::Symbol(used) = edge.to else { continue };
            if let Some(at) = candidates.position(used).filter(|at| *at != leader) {
                uses[at] += edge.confidence;
            }
        }
    }
    uses.into_iter().map(|sum| sum / (sum + HALF)).collect()
}
