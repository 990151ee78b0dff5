//! Which definitions are looked at closely: those of the first files that have words of the prompt, in their text or name, and
//! those of the trace.

use std::ops::RangeInclusive;

use index::{Symbol, SymbolId, View};
use rustc_hash::FxHashMap;

use super::spoken::{Match, Spoken};
use crate::rank::context::RankContext;
use crate::rank::passages::READINGS;

/// Files further down are listed without being looked into.
const FILES: usize = 20;

/// The file of a definition.
#[derive(Clone, Copy)]
pub(super) struct Home {
    /// Its number among the candidates.
    pub(super) candidate: usize,
    /// Its place in the answer, from nought.
    pub(super) place: usize,
    /// How far it is behind the first one.
    pub(super) score: f32,
}

/// A definition that may be meant.
pub(super) struct Part<'a> {
    pub(super) symbol: Symbol<'a>,
    pub(super) file: Home,
    /// Of its best passage, by the readings of passages.
    pub(super) passage: [f32; READINGS],
    /// Of that passage.
    pub(super) lines: RangeInclusive<u32>,
    /// What its name has of the prompt.
    pub(super) words: Match,
}

/// The definitions of the files found.
pub(in crate::rank) struct SymbolCandidates<'a> {
    pub(super) parts: Vec<Part<'a>>,
    places: FxHashMap<SymbolId, usize>,
}

impl<'a> SymbolCandidates<'a> {
    /// The definitions of `files`, which are candidates with their scores, best first.
    pub(in crate::rank) fn choose(context: &RankContext<'a>, files: &[(usize, f32)]) -> Self {
        let files = &files[..files.len().min(FILES)];
        let shown = files.iter().map(|(candidate, _)| context.candidates[*candidate].file);
        let spoken = Spoken::find(context.view, &context.terms, shown);
        let first = files.first().map_or(0.0, |(_, score)| *score);
        let mut candidates = Self { parts: Vec::new(), places: FxHashMap::default() };
        for (place, (candidate, score)) in files.iter().enumerate() {
            let home = Home { candidate: *candidate, place, score: score - first };
            for best in context.passages.of(context.view, *candidate) {
                if let Some(symbol) = best.symbol {
                    candidates.add(context.view, &spoken, home, symbol, best.scores, &best.lines);
                }
            }
            let file = context.candidates[*candidate].file;
            let said = spoken.within(context.view.file(file).symbols).filter(|symbol| {
                let kind = context.view.symbol(*symbol).kind;
                kind.is_callable() || kind.has_methods()
            });
            let in_trace =
                context.places.lines_in(file).filter_map(|line| context.view.symbol_at(file, line));
            for symbol in said.chain(in_trace) {
                let lines = context.view.symbol(symbol).lines;
                candidates.add(context.view, &spoken, home, symbol, [0.0; READINGS], &lines);
            }
        }
        candidates
    }

    fn add(
        &mut self,
        view: &'a View,
        spoken: &Spoken,
        file: Home,
        symbol: SymbolId,
        passage: [f32; READINGS],
        lines: &RangeInclusive<u32>,
    ) {
        let id = outermost(view, symbol);
        let lines = lines.clone();
        let Some(at) = self.places.get(&id) else {
            self.places.insert(id, self.parts.len());
            let symbol = view.symbol(id);
            self.parts.push(Part { symbol, file, passage, lines, words: spoken.of(id) });
            return;
        };
        let part = &mut self.parts[*at];
        if passage[0] > part.passage[0] {
            part.lines = lines;
        }
        for (known, new) in part.passage.iter_mut().zip(passage) {
            *known = known.max(new);
        }
    }

    /// One number for each definition.
    pub(super) fn each(&self, value: impl Fn(&Part<'a>) -> f32) -> Vec<f32> {
        self.parts.iter().map(value).collect()
    }

    /// Where a definition stands in the candidates.
    pub(super) fn place(&self, symbol: SymbolId) -> Option<usize> {
        self.places.get(&symbol).copied()
    }

    /// The definitions, in their order.
    pub(in crate::rank) fn symbols(&self) -> impl Iterator<Item = SymbolId> {
        self.parts.iter().map(|part| part.symbol.id)
    }
}

/// What is defined inside a function is part of it.
fn outermost(view: &View, symbol: SymbolId) -> SymbolId {
    let mut found = symbol;
    let mut around = view.symbol(symbol).parent;
    while let Some(id) = around {
        let symbol = view.symbol(id);
        if symbol.kind.is_callable() {
            found = id;
        }
        // A parent always comes before what it contains; anything else is damage.
        around = symbol.parent.filter(|parent| *parent < id);
    }
    found
}
