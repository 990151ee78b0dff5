//! Chooses the definitions that are ranked. These are the definitions in the best files whose text or name contains
//! words of the prompt, and the definitions in the prompt's stack trace.

use std::ops::RangeInclusive;

use index::{Symbol, SymbolId, View};
use rustc_hash::FxHashMap;

use super::name_matches::{NameMatch, NameMatches};
use crate::rank::context::RankContext;
use crate::rank::passages::PassageScores;

/// The number of best files whose definitions are ranked. Definitions in other files are ignored.
const MAX_FILES: usize = 20;

/// The file that contains a definition, with its rank.
#[derive(Clone, Copy)]
pub(super) struct FileRank {
    /// The file's index in the list of file candidates.
    pub(super) candidate: usize,
    /// The position of the file in the ranking, counted from 0.
    pub(super) position: usize,
    /// The file's score minus the score of the first file. The value is 0 or negative.
    pub(super) score: f32,
}

pub(super) struct SymbolCandidate<'a> {
    pub(super) symbol: Symbol<'a>,
    pub(super) file: FileRank,
    /// The best passage score in each scope.
    pub(super) passage: PassageScores,
    /// The lines of the best passage, or of the whole definition if no passage matches.
    pub(super) lines: RangeInclusive<u32>,
    pub(super) name: NameMatch,
}

pub(in crate::rank) struct SymbolCandidates<'a> {
    pub(super) list: Vec<SymbolCandidate<'a>>,
    positions: FxHashMap<SymbolId, usize>,
}

impl<'a> SymbolCandidates<'a> {
    /// Chooses among the definitions in `files`. `files` contains the indices of file candidates with their scores,
    /// best first.
    pub(in crate::rank) fn choose(context: &RankContext<'a>, files: &[(usize, f32)]) -> Self {
        let view = context.view;
        let files = &files[..files.len().min(MAX_FILES)];
        let ids = files.iter().map(|(candidate, _)| context.candidates[*candidate].file);
        let names = NameMatches::find(view, &context.terms, ids);
        let first = files.first().map_or(0.0, |(_, score)| *score);
        let mut candidates = Self { list: Vec::new(), positions: FxHashMap::default() };
        for (position, (candidate, score)) in files.iter().enumerate() {
            let rank = FileRank { candidate: *candidate, position, score: score - first };
            for passage in context.passages.of(view, *candidate) {
                if let Some(symbol) = passage.symbol {
                    candidates.add(view, &names, rank, symbol, passage.scores, &passage.lines);
                }
            }
            let file = context.candidates[*candidate].file;
            let by_name = names.matching(view.file(file).symbols).filter(|symbol| {
                let kind = view.symbol(*symbol).kind;
                kind.is_callable() || kind.has_methods()
            });
            let in_trace =
                context.trace.lines_in(file).filter_map(|line| view.symbol_at(file, line));
            for symbol in by_name.chain(in_trace) {
                let lines = view.symbol(symbol).lines;
                candidates.add(view, &names, rank, symbol, PassageScores::default(), &lines);
            }
        }
        candidates
    }

    fn add(
        &mut self,
        view: &'a View,
        names: &NameMatches,
        file: FileRank,
        symbol: SymbolId,
        passage: PassageScores,
        lines: &RangeInclusive<u32>,
    ) {
        let id = outermost_function(view, symbol);
        let lines = lines.clone();
        let Some(at) = self.positions.get(&id) else {
            self.positions.insert(id, self.list.len());
            let (symbol, name) = (view.symbol(id), names.of(id));
            self.list.push(SymbolCandidate { symbol, file, passage, lines, name });
            return;
        };
        let known = &mut self.list[*at];
        if passage[0] > known.passage[0] {
            known.lines = lines;
        }
        for (known, new) in known.passage.iter_mut().zip(passage) {
            *known = known.max(new);
        }
    }

    /// Returns the result of `value` for each candidate.
    pub(super) fn each(&self, value: impl Fn(&SymbolCandidate<'a>) -> f32) -> Vec<f32> {
        self.list.iter().map(value).collect()
    }

    pub(super) fn position(&self, symbol: SymbolId) -> Option<usize> {
        self.positions.get(&symbol).copied()
    }

    pub(in crate::rank) fn symbols(&self) -> impl Iterator<Item = SymbolId> {
        self.list.iter().map(|candidate| candidate.symbol.id)
    }
}

/// Returns the outermost function that contains `symbol`, or `symbol` itself. A definition inside a function is
/// treated as part of the function.
pub(in crate::rank) fn outermost_function(view: &View, symbol: SymbolId) -> SymbolId {
    let mut found = symbol;
    let mut parent = view.symbol(symbol).parent;
    while let Some(id) = parent {
        let symbol = view.symbol(id);
        if symbol.kind.is_callable() {
            found = id;
        }
        // A parent precedes its members. A parent that does not precede them is ignored, to prevent an endless loop on
        // a damaged index.
        parent = symbol.parent.filter(|parent| *parent < id);
    }
    found
}
