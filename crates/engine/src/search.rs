//! `ci_search`: finds the files that best match a prompt, each with its best symbols, lines and reasons.

mod cited_files;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;
use std::time::Instant;

use index::{Node, View};

pub use cited_files::ask_search;

use crate::headline::headline;
use crate::query::Query;
use crate::rank::{RankedFile, RankedSymbol, rank, share};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchMode {
    /// Ranks files by the words in their content and paths.
    Keyword,
    /// Ranks files by the names of their definitions.
    Symbol,
    /// Ranks files by all ranking signals.
    #[default]
    Hybrid,
}

#[derive(Clone, Copy, Debug)]
pub struct SearchOptions<'a> {
    /// The maximum number of files in the result.
    pub limit: usize,
    pub mode: SearchMode,
    /// What happened in the session before the prompt.
    pub session: Option<&'a SessionContext>,
    /// The time at which the ranking must stop. Signals that have not been computed by then are ignored.
    pub deadline: Instant,
}

/// The earlier turns of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionContext {
    /// Files that the session read or edited, oldest first. Paths are relative to the repository root. A file that was
    /// both read and edited has two entries.
    pub files: Vec<SessionFile>,
    /// The most recent prompts before the current one, oldest first.
    pub prompts: Vec<String>,
    /// Strings that may name files, such as the output of a failed command.
    pub outputs: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFile {
    pub path: String,
    pub is_edit: bool,
    /// The number of prompts between the access and the current prompt. 0 means that the file was accessed in the
    /// previous turn.
    pub prompts_ago: u32,
}

impl SessionContext {
    /// Returns whether nothing happened in the session before the current prompt.
    #[must_use]
    pub fn is_first_turn(&self) -> bool {
        self.files.is_empty() && self.prompts.is_empty()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct FileHit {
    /// The path relative to the root of the repository.
    pub path: String,
    /// The ranking score. Scores can be compared only within one result.
    pub score: f32,
    /// The estimated probability that the prompt is about this file, from 0 to 1.
    pub confidence: f32,
    /// The best definitions in the file, best first.
    pub symbols: Vec<SymbolHit>,
    /// The lines to show: a part of the first symbol, or the best passage if there is no symbol.
    pub lines: Option<RangeInclusive<u32>>,
    /// The strongest reasons for this hit, strongest first.
    pub why: Vec<&'static str>,
}

impl FileHit {
    /// Returns the best matching definition in the file, or the file itself if no definition matches. Returns `None` if
    /// the view does not contain the file.
    #[must_use]
    pub fn node(&self, view: &View) -> Option<Node> {
        let file = view.file_by_path(&self.path)?;
        let symbol = self.symbols.first().and_then(|symbol| view.symbol_at(file, symbol.line));
        Some(symbol.map_or(Node::File(file), Node::Symbol))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct SymbolHit {
    /// The qualified name. Its components are joined by dots.
    pub name: String,
    /// The first line of the definition, counted from 1.
    pub line: u32,
    /// The lines of the definition.
    pub lines: RangeInclusive<u32>,
    /// The ranking score. Scores can be compared only within one result.
    pub score: f32,
    /// The estimated probability, from 0 to 1, that the prompt is about this definition, provided that it is about the
    /// file.
    pub probability: f32,
    /// The signature on one line, followed by the first sentence of the doc comment. Empty for a field or a constant
    /// without a doc comment.
    pub headline: String,
}

const MAX_SNIPPET_LINES: u32 = 20;

/// Returns the best files, best first.
pub fn search(view: &View, query: &Query, options: &SearchOptions<'_>) -> Vec<FileHit> {
    search_each(view, query, options, &[options.limit]).pop().unwrap_or_default()
}

/// Runs [`search`] once for each limit in `limits`; `options.limit` is ignored. The files are ranked only once.
pub fn search_each(
    view: &View,
    query: &Query,
    options: &SearchOptions<'_>,
    limits: &[usize],
) -> Vec<Vec<FileHit>> {
    let no_session = SessionContext::default();
    let session = options.session.unwrap_or(&no_session);
    let ranked = rank(view, query, session, options.mode, limits, options.deadline);
    let calibration =
        if session.is_first_turn() { Calibration::FIRST_TURN } else { Calibration::LATER_TURN };
    ranked.into_iter().map(|ranked| hits(view, ranked, calibration)).collect()
}

fn hits(view: &View, ranked: Vec<RankedFile>, calibration: Calibration) -> Vec<FileHit> {
    ranked
        .into_iter()
        .map(|ranked| FileHit {
            path: view.path(ranked.file).to_owned(),
            score: ranked.score,
            confidence: calibration.confidence(ranked.share),
            symbols: symbol_hits(view, &ranked.symbols),
            lines: lines(view, &ranked),
            why: ranked.reasons,
        })
        .collect()
}

/// Converts the softmax share of a file's score to the probability that the prompt needs the file.
#[derive(Clone, Copy)]
pub(crate) struct Calibration {
    slope: f32,
    offset: f32,
}

impl Calibration {
    /// The calibration for the first turn of a session, fitted on recorded sessions; see `docs/design/ranking.md`.
    pub(crate) const FIRST_TURN: Self = Self { slope: 0.66, offset: 0.01 };
    /// The calibration for later turns, fitted on recorded sessions.
    const LATER_TURN: Self = Self { slope: 0.62, offset: -0.18 };

    /// Returns the probability that a file with this share is needed.
    pub(crate) fn confidence(self, share: f32) -> f32 {
        /// The minimum distance of the share from 0 and 1, which keeps the logarithm finite.
        const MARGIN: f32 = 1e-4;
        let share = share.clamp(MARGIN, 1.0 - MARGIN);
        let log_odds = (share / (1.0 - share)).ln();
        1.0 / (1.0 + (-(self.slope * log_odds + self.offset)).exp())
    }
}

/// Measurements have shown that a definition's share among the definitions in its file equals the probability that the
/// prompt is about the definition, provided that it is about the file.
fn symbol_hits(view: &View, ranked: &[RankedSymbol]) -> Vec<SymbolHit> {
    let scores: Vec<f32> = ranked.iter().map(|symbol| symbol.score).collect();
    let hit = |ranked: &RankedSymbol| {
        let symbol = view.symbol(ranked.symbol);
        SymbolHit {
            name: symbol.qualified.to_owned(),
            line: *symbol.lines.start(),
            score: ranked.score,
            probability: share(&scores, ranked.score),
            headline: headline(symbol.signature, symbol.doc),
            lines: symbol.lines,
        }
    };
    ranked.iter().map(hit).collect()
}

/// Returns the lines to show: from the start of the best symbol's best passage to the end of that symbol, or the file's
/// best passage if there is no symbol.
fn lines(view: &View, ranked: &RankedFile) -> Option<RangeInclusive<u32>> {
    let of_symbol = ranked.symbols.first().map(|best| {
        let end = *view.symbol(best.symbol).lines.end();
        *best.lines.start()..=end.max(*best.lines.end())
    });
    of_symbol.or_else(|| Some(ranked.passage.as_ref()?.lines.clone())).as_ref().map(shorten)
}

fn shorten(lines: &RangeInclusive<u32>) -> RangeInclusive<u32> {
    *lines.start()..=(*lines.end()).min(lines.start().saturating_add(MAX_SNIPPET_LINES - 1))
}
