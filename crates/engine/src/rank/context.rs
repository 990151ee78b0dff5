//! Everything the signals look at, prepared once per query.

use std::time::Instant;

use index::{FileId, Role, View};

use super::candidates;
use super::defines::Definitions;
use super::frames::Places;
use super::mentions::Named;
use super::passages::Passages;
use super::terms::{Term, weigh};
pub(super) use super::text::Part;
use super::text::TextScores;
use crate::query::Query;

/// A file that may be the answer.
pub(super) struct Candidate {
    pub(super) file: FileId,
    pub(super) role: Role,
}

/// A query before a repository.
pub(super) struct RankContext<'a> {
    pub(super) view: &'a View,
    pub(super) query: &'a Query,
    /// What is looked up, the weightiest first.
    pub(super) terms: Vec<Term<'a>>,
    pub(super) candidates: Vec<Candidate>,
    /// How much each candidate's text has of the prompt, from 0 to 1, tests and prose held down: the start of signals that look at
    /// neighbours.
    pub(super) start: Vec<f32>,
    pub(super) passages: Passages,
    pub(super) named: Named,
    pub(super) places: Places,
    pub(super) definitions: Definitions,
    text: TextScores,
}

impl<'a> RankContext<'a> {
    pub(super) fn new(view: &'a View, query: &'a Query, deadline: Instant) -> Self {
        let terms: Vec<Term<'_>> = weigh(view, query);
        let text = TextScores::read(view, &terms, deadline);
        let named = Named::find(view, query);
        let places = Places::find(view, query);
        let definitions = Definitions::find(view, query);
        let pointed = named.files().chain(places.files()).chain(definitions.files());
        let candidates = candidates::choose(view, &text, pointed);
        let start = candidates::start(&candidates, &text);
        let passages = Passages::read(view, &terms, &candidates, deadline);
        Self { view, query, terms, candidates, start, passages, named, places, definitions, text }
    }

    /// The scores of one part of the text, per candidate.
    pub(super) fn text_of(&self, part: Part) -> Vec<f32> {
        self.candidates.iter().map(|candidate| self.text.of(part, candidate.file)).collect()
    }

    /// Numbers of the best candidates by their text, best first.
    pub(super) fn leaders(&self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by(|a, b| self.start[*b].total_cmp(&self.start[*a]));
        order.truncate(count);
        order
    }

    /// The places of the candidates by file.
    pub(super) fn places_of_files(&self) -> rustc_hash::FxHashMap<FileId, usize> {
        self.candidates.iter().enumerate().map(|(at, candidate)| (candidate.file, at)).collect()
    }
}
