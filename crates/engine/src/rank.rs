//! Ranks files by a weighted sum of many signals.
//!
//! A signal consists of a function that computes a value for every candidate, an entry in [`SIGNALS`] and an entry in
//! `weights.rs`. The weights are learned with the command in `docs/design/ranking.md`.

mod candidates;
mod context;
mod defines;
pub(crate) mod evidence;
mod exact_names;
mod file_names;
mod mentions;
mod modules;
mod neighbours;
mod passages;
mod properties;
pub(crate) mod roles;
mod session;
mod symbols;
pub(crate) mod terms;
#[cfg(test)]
mod tests;
pub(crate) mod text;
mod trace;
mod weights;

use std::time::Instant;

use index::{FileId, SymbolId, View};

use crate::query::{Form, Query};
use crate::search::Mode;
use crate::session::SessionContext;
use context::RankContext;
use exact_names::ExactNames;
pub(crate) use passages::ScoredPassage;
use roles::RoleMeasure;
pub(crate) use symbols::RankedSymbol;
pub use symbols::{symbol_signal_names, symbol_signal_weights};
use terms::Scope;
use text::TextSignal;
use weights::{Column, WEIGHTS};

/// Computes one value per candidate.
type Values = fn(&RankContext<'_>) -> Vec<f32>;

/// How the values of a signal are computed.
#[derive(Clone, Copy)]
pub(crate) enum Measure {
    Text(TextSignal),
    Defines(Scope),
    Role(RoleMeasure),
    Other(Values),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Each value is divided by the highest value of the signal.
    RelativeToBest,
    Absolute,
}

pub(crate) struct Signal {
    pub(crate) name: &'static str,
    /// The reason that is shown to the user for a hit with this signal, or an empty string if the signal is never
    /// shown as a reason.
    reason: &'static str,
    pub(crate) scale: Scale,
    pub(crate) measure: Measure,
}

const fn relative(name: &'static str, reason: &'static str, values: Values) -> Signal {
    Signal { name, reason, scale: Scale::RelativeToBest, measure: Measure::Other(values) }
}

const fn absolute(name: &'static str, reason: &'static str, values: Values) -> Signal {
    Signal { name, reason, scale: Scale::Absolute, measure: Measure::Other(values) }
}

const fn text(name: &'static str, reason: &'static str, signal: TextSignal) -> Signal {
    Signal { name, reason, scale: Scale::RelativeToBest, measure: Measure::Text(signal) }
}

const fn defines(name: &'static str, reason: &'static str, scope: Scope) -> Signal {
    Signal { name, reason, scale: Scale::RelativeToBest, measure: Measure::Defines(scope) }
}

const fn role(name: &'static str, measure: RoleMeasure) -> Signal {
    Signal { name, reason: "", scale: Scale::Absolute, measure: Measure::Role(measure) }
}

pub(crate) const SIGNALS: &[Signal] = &[
    text("text", "contains words of the prompt", TextSignal::Whole),
    text("text_title", "contains words of the title", TextSignal::Title),
    text("text_prose", "contains words of the description", TextSignal::Prose),
    text("text_code", "contains words of the quoted code", TextSignal::Code),
    text("names", "defines names from the prompt", TextSignal::Names),
    text("path_words", "the path contains words of the prompt", TextSignal::Paths),
    text("docs", "", TextSignal::Docs),
    text("history", "changed in commits with words of the prompt", TextSignal::History),
    text(
        "history_title",
        "changed in commits with words of the prompt",
        TextSignal::HistoryOfTitle,
    ),
    relative("passage", "one passage contains most of the words", |context| {
        passages::best(context, Scope::Whole)
    }),
    relative("passages_title", "some passages contain words of the title", |context| {
        passages::best_three(context, Scope::Title)
    }),
    relative("passage_prose", "one passage contains words of the description", |context| {
        passages::best(context, Scope::Prose)
    }),
    absolute("mentioned", "the prompt names the file", mentions::measure),
    absolute("frame", "is in the stack trace", trace::any_frame),
    absolute(
        "frame_innermost",
        "contains the innermost frame of the stack trace",
        trace::innermost_frame,
    ),
    defines("defines_title", "defines a name from the title", Scope::Title),
    defines("defines_prose", "defines a name from the description", Scope::Prose),
    defines("defines_code", "defines a name that the quoted code uses", Scope::Code),
    absolute("file_name", "the file name consists of words of the prompt", file_names::covered),
    absolute(
        "file_name_share",
        "the file name consists of words of the prompt",
        file_names::shared,
    ),
    absolute("defines_type", "defines a type from the prompt", file_names::types),
    absolute("module", "is the module that a qualified name refers to", modules::measure),
    role("role_test", roles::test),
    role("role_example", roles::example),
    role("role_generated", roles::generated),
    role("role_vendored", roles::vendored),
    role("role_prose", roles::prose),
    role("role_stub", roles::stub),
    role("role_locale", roles::locale),
    role("role_barrel", roles::barrel),
    relative("size", "", properties::size),
    relative("centrality", "", properties::centrality),
    relative("recent", "", properties::recent_commits),
    relative("commits", "", properties::commits),
    relative("cochange", "changes together with other matches", neighbours::changed_together),
    relative("tested", "is tested by tests with words of the prompt", neighbours::tested),
    relative("used", "is used by other matches", neighbours::used),
    relative("users", "uses other matches", neighbours::users),
    absolute("session_edited", "edited in this session", session::edited),
    absolute("session_read", "read in this session", session::read),
    absolute("session_recency", "most recently touched in this session", session::recency),
    absolute("session_last_turn", "touched in the previous turn", session::last_turn),
    absolute("session_named", "named in the output of the previous turn", session::named),
    relative("session_prompts", "contains words of earlier prompts", session::earlier_prompts),
    absolute("session_linked", "is linked to files of this session", session::linked),
];

#[derive(Clone, Debug)]
pub(crate) struct RankedFile {
    pub(crate) file: FileId,
    pub(crate) score: f32,
    /// The softmax share of the score. It does not depend on the number of files that are returned.
    pub(crate) share: f32,
    /// The strongest reasons for the file's rank, strongest first.
    pub(crate) reasons: Vec<&'static str>,
    /// The best definitions in the file, best first.
    pub(crate) symbols: Vec<RankedSymbol>,
    /// The best passage of the file.
    pub(crate) passage: Option<ScoredPassage>,
}

pub fn signal_names() -> impl Iterator<Item = &'static str> {
    SIGNALS.iter().map(|signal| signal.name)
}

/// Returns the weights of the file signals for prompts of this form, in the order of [`signal_names`].
pub fn signal_weights(form: &Form) -> impl Iterator<Item = f32> {
    weights_in(column_of(form))
}

/// Returns the weights of the file signals in the later turns of a session, in the order of [`signal_names`].
pub fn session_signal_weights() -> impl Iterator<Item = f32> {
    weights_in(Column::Session)
}

fn weights_in(column: Column) -> impl Iterator<Item = f32> {
    WEIGHTS.iter().map(move |(_, weights)| weights[column as usize])
}

/// Computes the signals of all candidates without ranking the candidates: one unweighted value per signal, in the order of
/// [`signal_names`]. Used to learn the weights.
pub fn measure(
    view: &View,
    query: &Query,
    session: &SessionContext,
    deadline: Instant,
) -> Vec<(FileId, Vec<f32>)> {
    let context = RankContext::new(view, query, session, deadline);
    let columns = columns(&context, deadline);
    let row =
        |at: usize| columns.iter().map(|column| column.get(at).copied().unwrap_or(0.0)).collect();
    let candidates = context.candidates.iter().enumerate();
    candidates.map(|(at, candidate)| (candidate.file, row(at))).collect()
}

/// Computes the signals of the definitions in the `n_files` best files. Used to learn the weights.
pub fn measure_symbols(
    view: &View,
    query: &Query,
    n_files: usize,
    deadline: Instant,
) -> Vec<(SymbolId, Vec<f32>)> {
    let context = RankContext::new(view, query, &SessionContext::default(), deadline);
    let weights: Vec<f32> = signal_weights(&query.form).collect();
    let columns = columns(&context, deadline);
    let scores = add_weighted(&columns, &weights, context.candidates.len());
    let order = order(&context, scores, n_files);
    let candidates = symbols::SymbolCandidates::choose(&context, &order);
    let columns = symbols::columns(&context, &candidates);
    let row = |at: usize| columns.iter().map(|column| column[at]).collect();
    candidates.symbols().enumerate().map(|(at, symbol)| (symbol, row(at))).collect()
}

/// For each of `limits`, returns that number of files, best first. The files are ranked only once, but the definitions
/// are ranked for each limit, because their ranking depends on the number of files.
pub(crate) fn rank(
    view: &View,
    query: &Query,
    session: &SessionContext,
    mode: Mode,
    limits: &[usize],
    deadline: Instant,
) -> Vec<Vec<RankedFile>> {
    let context = RankContext::new(view, query, session, deadline);
    let columns = columns(&context, deadline);
    let weights: Vec<f32> =
        SIGNALS.iter().map(|signal| weight_in(mode, session, query, signal.name)).collect();
    let exact_names = match mode {
        Mode::Symbol if context.name.is_empty() => ExactNames::find(view, query),
        Mode::Symbol | Mode::Hybrid | Mode::Keyword => context.name.clone(),
    };
    let mut scores = add_weighted(&columns, &weights, context.candidates.len());
    for (score, candidate) in scores.iter_mut().zip(&context.candidates) {
        *score += exact_names.bonus(candidate.file);
    }
    let max_limit = limits.iter().copied().max().unwrap_or(0);
    let order = order(&context, scores, max_limit.max(SHARING_FILES));
    let sharing: Vec<f32> = order.iter().take(SHARING_FILES).map(|(_, score)| *score).collect();
    let best = |limit: &usize| {
        let order = &order[..order.len().min(*limit)];
        let mut symbols = symbols::rank(&context, order);
        let ranked = |(at, score): &(usize, f32)| {
            let file = context.candidates[*at].file;
            let mut symbols = symbols.remove(at).unwrap_or_default();
            exact_names.put_first(view, file, &mut symbols);
            RankedFile {
                file,
                score: *score,
                share: share(&sharing, *score),
                reasons: reasons(&columns, &weights, *at),
                symbols,
                passage: context.passages.best_of(view, *at),
            }
        };
        order.iter().map(ranked).collect()
    };
    limits.iter().map(best).collect()
}

/// The number of best files whose scores are summed to compute the share of a file. The calibration of the confidence
/// was fitted with this number.
pub(crate) const SHARING_FILES: usize = 10;

/// Returns the softmax share of `score` among `scores`, which must be sorted, highest first.
pub(crate) fn share(scores: &[f32], score: f32) -> f32 {
    let best = scores.first().copied().unwrap_or(0.0);
    let total: f32 = scores.iter().map(|score| (score - best).exp()).sum();
    (score - best).exp() / total.max(1.0)
}

/// Returns the indices of the `limit` best candidates with their scores, best first. `scores` contains the score of
/// each candidate.
fn order(context: &RankContext<'_>, scores: Vec<f32>, limit: usize) -> Vec<(usize, f32)> {
    let mut order: Vec<(usize, f32)> = scores.into_iter().enumerate().collect();
    let path = |at: usize| context.view.path(context.candidates[at].file);
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| path(a.0).cmp(path(b.0))));
    order.truncate(limit);
    order
}

/// Returns the weighted sum of `columns` for each of `n_rows` rows.
pub(crate) fn add_weighted(columns: &[Vec<f32>], weights: &[f32], n_rows: usize) -> Vec<f32> {
    let mut scores = vec![0.0_f32; n_rows];
    for (column, weight) in columns.iter().zip(weights) {
        for (score, value) in scores.iter_mut().zip(column) {
            *score += weight * value;
        }
    }
    scores
}

/// Returns the weight of the file signal `name` for a prompt of this form, or 0 if the name is unknown.
pub(crate) fn signal_weight(form: &Form, name: &str) -> f32 {
    weight_of(column_of(form), name)
}

fn column_of(form: &Form) -> Column {
    match form {
        Form::Task => Column::Task,
        Form::Question | Form::Name(_) => Column::Question,
    }
}

fn weight_of(column: Column, name: &str) -> f32 {
    let row = WEIGHTS.iter().find(|(known, _)| *known == name);
    row.map_or(0.0, |(_, weights)| weights[column as usize])
}

/// Returns the weight of the signal `name` in `mode` and `session`, for a prompt of the query's form. The keyword mode and the symbol mode ignore some
/// signals. Role signals are always used.
fn weight_in(mode: Mode, session: &SessionContext, query: &Query, name: &str) -> f32 {
    let is_used = match mode {
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
    let column = if session.is_first_turn() { column_of(&query.form) } else { Column::Session };
    if is_used { weight_of(column, name) } else { 0.0 }
}

/// Computes the scaled values of each signal. The columns that are not computed before the deadline are empty.
fn columns(context: &RankContext<'_>, deadline: Instant) -> Vec<Vec<f32>> {
    let measured = |signal: &Signal| {
        if Instant::now() >= deadline {
            return Vec::new();
        }
        let values = match signal.measure {
            Measure::Text(signal) => context.text_scores(signal),
            Measure::Defines(scope) => defines::measure(context, scope),
            Measure::Role(measure) => context.by_role(measure),
            Measure::Other(values) => values(context),
        };
        scaled(values, signal.scale)
    };
    SIGNALS.iter().map(measured).collect()
}

/// Returns 1 for true and 0 for false.
pub(crate) fn flag(is_true: bool) -> f32 {
    f32::from(u8::from(is_true))
}

pub(crate) fn scaled(mut column: Vec<f32>, scale: Scale) -> Vec<f32> {
    let best = column.iter().copied().fold(0.0, f32::max);
    if scale == Scale::RelativeToBest && best > 0.0 {
        column.iter_mut().for_each(|value| *value /= best);
    }
    column
}

const MAX_REASONS: usize = 3;
/// The minimum amount that a signal must contribute to a score for its reason to be shown.
const MIN_CONTRIBUTION: f32 = 0.2;

fn reasons(columns: &[Vec<f32>], weights: &[f32], at: usize) -> Vec<&'static str> {
    let mut contributions: Vec<(f32, &'static str)> = SIGNALS
        .iter()
        .zip(columns.iter().zip(weights))
        .filter(|(signal, _)| !signal.reason.is_empty())
        .map(|(signal, (column, weight))| {
            (column.get(at).copied().unwrap_or(0.0) * weight, signal.reason)
        })
        .filter(|(contribution, _)| *contribution >= MIN_CONTRIBUTION)
        .collect();
    contributions.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut reasons: Vec<&'static str> = Vec::new();
    for (_, reason) in contributions {
        if reasons.len() < MAX_REASONS && !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons
}
