//! Ranks files by a weighted sum of many signals.
//!
//! A signal consists of a function that computes a value for every candidate, and an entry in [`SIGNALS`] with its learned
//! weights.

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
pub(crate) mod roles;
mod session;
mod symbols;
pub(crate) mod terms;
#[cfg(test)]
mod tests;
pub(crate) mod text;

use std::time::Instant;

use index::{File, FileId, SymbolId, View};

use crate::query::{Form, Query};
use crate::search::{SearchMode, SessionContext};
use Measure::{Accessed, Defines, Other, Passages, Property, Role, Text};
use context::RankContext;
use exact_names::ExactNames;
pub(crate) use passages::ScoredPassage;
use roles::RoleMeasure;
use session::Access;
pub(crate) use symbols::RankedSymbol;
pub use symbols::symbol_signal_weights;
use terms::Scope;
use text::TextSignal;

/// Computes one value per candidate.
type Values = fn(&RankContext<'_>) -> Vec<f32>;

/// How the values of a signal are computed.
#[derive(Clone, Copy)]
pub(crate) enum Measure {
    Text(TextSignal),
    Defines(Scope),
    Role(RoleMeasure),
    Passages(Scope),
    /// The logarithm of a property of the file.
    Property(fn(&File<'_>) -> f32),
    /// The value for a file that the session read or edited, and 0 for any other file.
    Accessed(fn(&Access) -> f32),
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
    /// The learned weights, one for each [`Column`].
    weights: [f32; 3],
}

/// Selects one of the weights of a signal.
#[derive(Clone, Copy)]
pub enum Column {
    Task,
    /// Questions, phrases and names. A change is likely to concern a file that changed recently; a question is not.
    Question,
    /// The later turns of a session.
    Session,
}

impl Column {
    /// Returns the column for the first prompt of a session.
    pub(crate) fn of(form: &Form) -> Self {
        match form {
            Form::Task => Self::Task,
            Form::Question | Form::Name(_) => Self::Question,
        }
    }
}

impl Signal {
    pub(crate) fn weight(&self, column: Column) -> f32 {
        self.weights[column as usize]
    }

    /// Returns whether a search in `mode` uses the signal. The keyword mode and the symbol mode ignore some signals. Role
    /// signals are always used.
    fn is_used(&self, mode: SearchMode) -> bool {
        let starts: &[&str] = match mode {
            SearchMode::Hybrid => return true,
            SearchMode::Keyword => &["text", "passage", "path", "role"],
            SearchMode::Symbol => &["names", "defines", "module", "role"],
        };
        starts.iter().any(|start| self.name.starts_with(start))
    }
}

const fn relative(
    name: &'static str,
    reason: &'static str,
    measure: Measure,
    weights: [f32; 3],
) -> Signal {
    Signal { name, reason, scale: Scale::RelativeToBest, measure, weights }
}

const fn absolute(
    name: &'static str,
    reason: &'static str,
    measure: Measure,
    weights: [f32; 3],
) -> Signal {
    Signal { name, reason, scale: Scale::Absolute, measure, weights }
}

/// All signals. `cargo xtask bench localise --learn` prints the weights of tasks and questions, `cargo xtask bench sessions
/// --learn` those of sessions; see `docs/design/ranking.md`.
///
/// The weights of `mentioned` and `module` are set by hand. The learned weights are too low for a prompt that names a
/// file of the repository, because the issues used for learning often name files of the reporter's own project. The weight
/// of `session_named` is set by hand too, because the recorded sessions do not contain the output of commands.
#[rustfmt::skip]
pub(crate) const SIGNALS: &[Signal] = &[
    relative("text", "contains words of the prompt", Text(TextSignal::Whole), [1.71, 1.87, 1.02]),
    relative("text_title", "contains words of the title", Text(TextSignal::Title), [0.50, 0.72, -0.11]),
    relative("text_prose", "contains words of the description", Text(TextSignal::Prose), [0.75, 0.54, 0.11]),
    relative("text_code", "contains words of the quoted code", Text(TextSignal::Code), [0.01, 0.01, 0.08]),
    relative("names", "defines names from the prompt", Text(TextSignal::Names), [0.92, 1.03, 0.62]),
    relative("path_words", "the path contains words of the prompt", Text(TextSignal::Paths), [1.77, 1.44, 1.80]),
    relative("docs", "", Text(TextSignal::Docs), [-1.43, -0.01, -0.96]),
    relative("history", "changed in commits with words of the prompt", Text(TextSignal::History), [0.73, 0.03, 0.09]),
    relative("history_title", "changed in commits with words of the prompt", Text(TextSignal::HistoryOfTitle), [2.14, 1.42, 1.17]),
    relative("passage", "one passage contains most of the words", Passages(Scope::Whole), [2.32, 2.07, 1.56]),
    relative("passages_title", "some passages contain words of the title", Other(|context| passages::best_three(context, Scope::Title)), [0.90, 1.64, 0.18]),
    relative("passage_prose", "one passage contains words of the description", Passages(Scope::Prose), [0.73, 0.55, 0.26]),
    absolute("mentioned", "the prompt names the file", Other(mentions::measure), [0.90, 0.90, 1.70]),
    absolute("frame", "is in the stack trace", Other(mentions::any_frame), [2.39, 2.39, 1.71]),
    absolute("frame_innermost", "contains the innermost frame of the stack trace", Other(mentions::innermost_frame), [0.49, 0.49, -0.19]),
    relative("defines_title", "defines a name from the title", Defines(Scope::Title), [0.42, 0.97, 1.16]),
    relative("defines_prose", "defines a name from the description", Defines(Scope::Prose), [0.04, 0.14, 0.26]),
    relative("defines_code", "defines a name that the quoted code uses", Defines(Scope::Code), [0.64, 0.64, 0.59]),
    absolute("file_name", "the file name consists of words of the prompt", Other(file_names::covered), [0.00, 0.81, 0.00]),
    absolute("file_name_share", "the file name consists of words of the prompt", Other(file_names::shared), [0.00, 0.59, 0.00]),
    absolute("defines_type", "defines a type from the prompt", Other(file_names::types), [0.00, 0.96, 0.00]),
    absolute("module", "is the module that a qualified name refers to", Other(modules::measure), [0.10, 0.10, 0.21]),
    absolute("role_test", "", Role(roles::test), [-5.89, -3.30, -5.15]),
    absolute("role_example", "", Role(roles::example), [-2.02, -2.27, -2.12]),
    absolute("role_generated", "", Role(roles::generated), [-1.47, -1.67, -1.59]),
    absolute("role_vendored", "", Role(roles::vendored), [-2.49, -2.29, -2.49]),
    absolute("role_prose", "", Role(roles::prose), [-4.36, -4.71, -4.31]),
    absolute("role_stub", "", Role(roles::stub), [-1.68, -1.91, -1.63]),
    absolute("role_locale", "", Role(roles::locale), [-2.05, -2.05, -2.07]),
    absolute("role_barrel", "", Role(roles::barrel), [-0.33, -0.20, -0.23]),
    // Long files change more often than short files, and the length normalisation of the text scores does not fully account
    // for that. The centrality is the PageRank.
    relative("size", "", Property(|file| file.lines as f32), [1.26, 1.35, 1.14]),
    relative("centrality", "", Property(|file| file.rank.max(0.0)), [0.47, 0.88, -0.08]),
    relative("recent", "", Property(|file| file.history.recent_commits as f32), [1.61, 0.01, 1.40]),
    relative("commits", "", Property(|file| file.history.commits as f32), [-1.39, -0.57, 0.11]),
    relative("cochange", "changes together with other matches", Other(neighbours::changed_together), [0.08, 0.01, 0.11]),
    relative("tested", "is tested by tests with words of the prompt", Other(neighbours::tested), [0.27, 0.33, 0.47]),
    relative("used", "is used by other matches", Other(neighbours::used), [0.17, 1.33, -0.20]),
    relative("users", "uses other matches", Other(neighbours::users), [0.52, 0.71, 0.59]),
    absolute("session_edited", "edited in this session", Accessed(|access| flag(access.is_edited)), [0.00, 0.00, 1.57]),
    absolute("session_read", "read in this session", Accessed(|access| flag(access.is_read)), [0.00, 0.00, 0.84]),
    absolute("session_recency", "most recently touched in this session", Accessed(|access| session::recency_of(access.n_later)), [0.00, 0.00, 1.64]),
    absolute("session_last_turn", "touched in the previous turn", Accessed(|access| flag(access.prompts_ago == 0)), [0.00, 0.00, 0.76]),
    absolute("session_named", "named in the output of the previous turn", Other(session::named), [0.00, 0.00, 1.00]),
    relative("session_prompts", "contains words of earlier prompts", Other(session::earlier_prompts), [0.00, 0.00, 0.28]),
    absolute("session_linked", "is linked to files of this session", Other(session::linked), [0.00, 0.00, 0.35]),
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

/// Returns the names of the file signals, each with its weight in `column`.
pub fn signal_weights(column: Column) -> impl Iterator<Item = (&'static str, f32)> {
    SIGNALS.iter().map(move |signal| (signal.name, signal.weight(column)))
}

/// Computes the signals of all candidates without ranking the candidates: one unweighted value per signal, in the order of
/// [`signal_weights`]. Used to learn the weights.
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
    let column = Column::of(&query.form);
    let weights: Vec<f32> = SIGNALS.iter().map(|signal| signal.weight(column)).collect();
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
    mode: SearchMode,
    limits: &[usize],
    deadline: Instant,
) -> Vec<Vec<RankedFile>> {
    let context = RankContext::new(view, query, session, deadline);
    let columns = columns(&context, deadline);
    let column = if session.is_first_turn() { Column::of(&query.form) } else { Column::Session };
    let weight = |signal: &Signal| if signal.is_used(mode) { signal.weight(column) } else { 0.0 };
    let weights: Vec<f32> = SIGNALS.iter().map(weight).collect();
    let exact_names = match mode {
        SearchMode::Symbol if context.name.is_empty() => ExactNames::find(view, query),
        SearchMode::Symbol | SearchMode::Hybrid | SearchMode::Keyword => context.name.clone(),
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
            Measure::Passages(scope) => passages::best(context, scope),
            Measure::Property(value) => {
                context.each(|file| (1.0 + value(&context.view.file(file))).ln())
            }
            Measure::Accessed(value) => session::each(context, value),
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
