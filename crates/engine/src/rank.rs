//! Which files a query is about: many small signals, one weight each.
//!
//! A signal is a file under `rank/` that measures every candidate, a line in [`SIGNALS`] and a line in `weights.rs`.
//! Adding one touches no other. The weights are learned; `docs/design/ranking.md` has the command.

mod activity;
mod candidates;
mod centrality;
mod cochange;
mod context;
mod defines;
mod frames;
mod mentions;
mod modules;
mod near;
mod passages;
mod roles;
mod size;
mod symbols;
mod terms;
mod tested;
#[cfg(test)]
mod tests;
mod text;
mod weights;

use std::time::Instant;

use index::{FileId, SymbolId, View};

use crate::query::Query;
use crate::search::Mode;
use context::{Part, RankContext};
pub(crate) use passages::Best;
pub(crate) use symbols::RankedSymbol;
pub use symbols::{symbol_signal_names, symbol_signal_weights};
use weights::WEIGHTS;

/// Measures all candidates; one number each, in their order.
type Measure = fn(&RankContext<'_>) -> Vec<f32>;

/// What a measure is worth as it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scale {
    /// Only how near a file comes to the best one counts.
    OfBest,
    /// The number has a meaning of its own.
    AsIs,
}

/// One view of what makes a file the right one.
struct Signal {
    name: &'static str,
    /// For people: why a file was found.
    reason: &'static str,
    scale: Scale,
    measure: Measure,
}

const fn of_best(name: &'static str, reason: &'static str, measure: Measure) -> Signal {
    Signal { name, reason, scale: Scale::OfBest, measure }
}

const fn as_is(name: &'static str, reason: &'static str, measure: Measure) -> Signal {
    Signal { name, reason, scale: Scale::AsIs, measure }
}

/// All signals. A reason that is empty is never given: it tells files apart without explaining one.
const SIGNALS: &[Signal] = &[
    of_best("text", "has the words of the prompt", |context| context.text_of(Part::Whole)),
    of_best("text_title", "has the words of the title", |context| context.text_of(Part::Title)),
    of_best("text_prose", "has the words of the description", |context| {
        context.text_of(Part::Prose)
    }),
    of_best("text_code", "has the words of the quoted code", |context| context.text_of(Part::Code)),
    of_best("names", "defines what the prompt speaks of", |context| context.text_of(Part::Names)),
    of_best("path_words", "the path has words of the prompt", |context| {
        context.text_of(Part::Paths)
    }),
    of_best("docs", "", |context| context.text_of(Part::Docs)),
    of_best("history", "changed in commits about this", |context| context.text_of(Part::History)),
    of_best("history_title", "changed in commits about this", |context| {
        context.text_of(Part::HistoryOfTitle)
    }),
    of_best("passage", "one passage has most of the words", |context| {
        passages::best(context, passages::Reading::Whole)
    }),
    of_best("passages_title", "some passages have the words of the title", |context| {
        passages::best_three(context, passages::Reading::Title)
    }),
    of_best("passage_prose", "one passage has the words of the description", |context| {
        passages::best(context, passages::Reading::Prose)
    }),
    as_is("mentioned", "the prompt names the file", mentions::measure),
    as_is("frame", "stands in the stack trace", frames::any),
    as_is("frame_innermost", "is where the stack trace ends", frames::innermost),
    of_best("defines_title", "defines a name of the title", |context| {
        defines::measure(context, defines::Part::Title)
    }),
    of_best("defines_prose", "defines a name of the description", |context| {
        defines::measure(context, defines::Part::Prose)
    }),
    of_best("defines_code", "defines a name the quoted code uses", |context| {
        defines::measure(context, defines::Part::Code)
    }),
    as_is("module", "is the module a qualified name stands for", modules::measure),
    as_is("role_test", "", roles::test),
    as_is("role_example", "", roles::example),
    as_is("role_generated", "", roles::generated),
    as_is("role_vendored", "", roles::vendored),
    as_is("role_prose", "", roles::prose),
    as_is("role_stub", "", roles::stub),
    as_is("role_locale", "", roles::locale),
    as_is("role_barrel", "", roles::barrel),
    of_best("size", "", size::measure),
    of_best("centrality", "", centrality::measure),
    of_best("recent", "", activity::recent),
    of_best("commits", "", activity::all),
    of_best("cochange", "changes together with files found", cochange::measure),
    of_best("tested", "is tested by tests about this", tested::measure),
    of_best("near_out", "is used by files found", near::used),
    of_best("near_in", "uses files found", near::users),
];

/// A file, and how well it answers.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub(crate) file: FileId,
    pub(crate) score: f32,
    /// The strongest reasons, best first.
    pub(crate) reasons: Vec<&'static str>,
    /// The definitions in it, best first.
    pub(crate) symbols: Vec<RankedSymbol>,
    /// The passage that answers best.
    pub(crate) passage: Option<Best>,
}

/// Every candidate and what the signals say of it, before they are weighed.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Candidates with one value per signal, in the order of [`signal_names`].
    pub files: Vec<(FileId, Vec<f32>)>,
}

/// The names of the signals, in their order.
pub fn signal_names() -> impl Iterator<Item = &'static str> {
    SIGNALS.iter().map(|signal| signal.name)
}

/// The learned weights, in the order of [`signal_names`].
pub fn signal_weights() -> impl Iterator<Item = f32> {
    SIGNALS.iter().map(|signal| weight_of(WEIGHTS, signal.name))
}

/// What the signals say of every candidate; for learning weights, not for answering.
pub fn measure(view: &View, query: &Query, deadline: Instant) -> Measured {
    let context = RankContext::new(view, query, deadline);
    let columns = columns(&context, deadline);
    let row =
        |at: usize| columns.iter().map(|column| column.get(at).copied().unwrap_or(0.0)).collect();
    Measured {
        files: context
            .candidates
            .iter()
            .enumerate()
            .map(|(at, candidate)| (candidate.file, row(at)))
            .collect(),
    }
}

/// The same for the definitions of the first `n_files` files by the weights as they are.
pub fn measure_symbols(
    view: &View,
    query: &Query,
    n_files: usize,
    deadline: Instant,
) -> Vec<(SymbolId, Vec<f32>)> {
    let context = RankContext::new(view, query, deadline);
    let weights: Vec<f32> = signal_weights().collect();
    let order = order(&context, &columns(&context, deadline), &weights, n_files);
    let candidates = symbols::SymbolCandidates::choose(&context, &order);
    let columns = symbols::columns(&context, &candidates);
    let row = |at: usize| columns.iter().map(|column| column[at]).collect();
    candidates.symbols().enumerate().map(|(at, symbol)| (symbol, row(at))).collect()
}

/// Files by how well they answer, best first, at most `limit`.
pub(crate) fn rank(
    view: &View,
    query: &Query,
    mode: Mode,
    limit: usize,
    deadline: Instant,
) -> Vec<Ranked> {
    let context = RankContext::new(view, query, deadline);
    let columns = columns(&context, deadline);
    let weights: Vec<f32> = SIGNALS.iter().map(|signal| weight_in(mode, signal.name)).collect();
    let order = order(&context, &columns, &weights, limit);
    let mut symbols = symbols::rank(&context, &order);
    let ranked = |(at, score): (usize, f32)| Ranked {
        file: context.candidates[at].file,
        score,
        reasons: reasons(&columns, &weights, at),
        symbols: symbols.remove(&at).unwrap_or_default(),
        passage: context.passages.best_of(view, at),
    };
    order.into_iter().map(ranked).collect()
}

/// The best candidates with their scores, best first.
fn order(
    context: &RankContext<'_>,
    columns: &[Vec<f32>],
    weights: &[f32],
    limit: usize,
) -> Vec<(usize, f32)> {
    let mut scores = vec![0.0_f32; context.candidates.len()];
    for (column, weight) in columns.iter().zip(weights) {
        for (score, value) in scores.iter_mut().zip(column) {
            *score += weight * value;
        }
    }
    let mut order: Vec<(usize, f32)> = scores.into_iter().enumerate().collect();
    let path = |at: usize| context.view.path(context.candidates[at].file);
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| path(a.0).cmp(path(b.0))));
    order.truncate(limit);
    order
}

fn weight_of(weights: &[(&str, f32)], name: &str) -> f32 {
    weights.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, weight)| *weight)
}

/// A mode that looks at less leaves signals out; those that tell tests and copies from code stay.
fn weight_in(mode: Mode, name: &str) -> f32 {
    let counts = match mode {
        Mode::Hybrid => true,
        Mode::Keyword => {
            name.starts_with("text")
                || name.starts_with("passage")
                || name.starts_with("path")
                || name.starts_with("role")
        }
        Mode::Symbol => {
            name.starts_with("names")
                || name.starts_with("defines")
                || name.starts_with("module")
                || name.starts_with("role")
        }
    };
    if counts { weight_of(WEIGHTS, name) } else { 0.0 }
}

/// The measures, scaled. Out of time, what is missing counts for nothing.
fn columns(context: &RankContext<'_>, deadline: Instant) -> Vec<Vec<f32>> {
    let measured = |signal: &Signal| {
        if Instant::now() >= deadline {
            return Vec::new();
        }
        scaled((signal.measure)(context), signal.scale)
    };
    SIGNALS.iter().map(measured).collect()
}

fn scaled(mut column: Vec<f32>, scale: Scale) -> Vec<f32> {
    let best = column.iter().copied().fold(0.0, f32::max);
    if scale == Scale::OfBest && best > 0.0 {
        column.iter_mut().for_each(|value| *value /= best);
    }
    column
}

const MAX_REASONS: usize = 3;
/// A reason that adds less than this to the score explains nothing.
const LEAST_REASON: f32 = 0.2;

fn reasons(columns: &[Vec<f32>], weights: &[f32], at: usize) -> Vec<&'static str> {
    let mut parts: Vec<(f32, &'static str)> = SIGNALS
        .iter()
        .zip(columns.iter().zip(weights))
        .filter(|(signal, _)| !signal.reason.is_empty())
        .map(|(signal, (column, weight))| {
            (column.get(at).copied().unwrap_or(0.0) * weight, signal.reason)
        })
        .filter(|(part, _)| *part >= LEAST_REASON)
        .collect();
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut reasons: Vec<&'static str> = Vec::new();
    for (_, reason) in parts {
        if reasons.len() < MAX_REASONS && !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons
}
