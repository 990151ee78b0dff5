//! The query, the view and the candidates, which all signals of one ranking share.

use std::ops::Range;
use std::time::Instant;

use index::{FileId, Node, Role, SymbolId, View};
use rustc_hash::FxHashMap;

use super::candidates::{self, Candidate};
use super::evidence::{copies_of_prompt, is_evidence, needs_request};
use super::exact_names::ExactNames;
use super::mentions::TraceFiles;
use super::passages::Passages;
use super::roles::RoleMeasure;
use super::session::SessionFiles;
use super::terms::{SCOPES, Term, weigh};
use super::text::{TextScores, TextSignal};
use super::{defines, mentions};
use crate::query::Query;
use crate::search::SessionContext;

pub(crate) struct RankContext<'a> {
    pub(super) view: &'a View,
    pub(super) query: &'a Query,
    /// The query terms, sorted by weight, highest first.
    pub(super) terms: Vec<Term<'a>>,
    pub(super) candidates: Vec<Candidate>,
    /// The text score of each candidate relative to the best file, from 0 to 1. The score is reduced for files that
    /// are not source code.
    pub(super) text_share: Vec<f32>,
    pub(super) passages: Passages,
    /// The files that the prompt mentions, with their scores.
    pub(super) mentioned: FxHashMap<FileId, f32>,
    pub(super) trace: TraceFiles,
    /// The files that define names from the prompt, with their scores in each scope.
    pub(super) definitions: FxHashMap<FileId, [f32; SCOPES]>,
    pub(super) session: SessionFiles,
    /// The definitions with the name that the prompt consists of.
    pub(super) name: ExactNames,
    text: TextScores,
    /// The range of symbol ids in each candidate's file, with the candidate's index. Sorted by symbol id.
    symbols: Vec<(Range<u32>, usize)>,
    positions: FxHashMap<FileId, usize>,
}

impl<'a> RankContext<'a> {
    pub(super) fn new(
        view: &'a View,
        query: &'a Query,
        session: &SessionContext,
        deadline: Instant,
    ) -> Self {
        let terms = weigh(&query.terms, view.totals().files, |term| view.document_frequency(term));
        let text = TextScores::read(view, &terms, deadline);
        let mentioned = mentions::find(view, query);
        let trace = TraceFiles::find(view, query);
        let definitions = defines::find(view, query);
        let session = SessionFiles::find(view, session, deadline);
        let name = ExactNames::of_name(view, query);
        let referenced = mentioned
            .keys()
            .copied()
            .chain(trace.files())
            .chain(definitions.keys().copied())
            .chain(session.candidates(view))
            .chain(name.files());
        let copies = copies_of_prompt(view, query, &terms);
        let is_named = |file: FileId| mentioned.contains_key(&file) || trace.contains(file);
        let is_evidence = |file: FileId, role: Role| {
            if role == Role::Binary {
                // Files with this role are never evidence, so their paths need not be read.
                false
            } else if needs_request(role) {
                is_evidence(query, view.path(file), role, is_named(file))
            } else {
                !copies.contains(&file) || is_named(file)
            }
        };
        let candidates = candidates::choose(view, &text, referenced, is_evidence);
        let text_share = candidates::text_share(&candidates, &text);
        let positions =
            candidates.iter().enumerate().map(|(at, candidate)| (candidate.file, at)).collect();
        let symbols = candidates::symbol_ranges(view, &candidates);
        let passages = Passages::read(view, &terms, &candidates, deadline);
        Self {
            view,
            query,
            terms,
            candidates,
            text_share,
            passages,
            mentioned,
            trace,
            definitions,
            session,
            name,
            text,
            symbols,
            positions,
        }
    }

    /// Returns the result of `value` for the file of each candidate.
    pub(super) fn each(&self, value: impl Fn(FileId) -> f32) -> Vec<f32> {
        self.candidates.iter().map(|candidate| value(candidate.file)).collect()
    }

    pub(super) fn text_scores(&self, signal: TextSignal) -> Vec<f32> {
        self.each(|file| self.text.of(signal, file))
    }

    pub(super) fn by_role(&self, measure: RoleMeasure) -> Vec<f32> {
        let files: Vec<(&str, Role)> = self
            .candidates
            .iter()
            .map(|candidate| (self.view.path(candidate.file), candidate.role))
            .collect();
        measure(self.query, &files)
    }

    /// Returns the indices of the `count` candidates with the best text scores, best first.
    pub(super) fn leaders(&self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by(|a, b| self.text_share[*b].total_cmp(&self.text_share[*a]));
        order.truncate(count);
        order
    }

    /// Returns the index in `candidates` of the file that contains `node`, or `None` if that file is not a candidate.
    /// Needs no access to the view, so it is fast.
    pub(super) fn candidate_of(&self, node: Node) -> Option<usize> {
        match node {
            Node::File(file) => self.positions.get(&file).copied(),
            Node::Symbol(SymbolId(number)) => {
                let after = self.symbols.partition_point(|(range, _)| range.start <= number);
                let (range, at) = self.symbols.get(after.checked_sub(1)?)?;
                range.contains(&number).then_some(*at)
            }
        }
    }

    /// Returns a map from each candidate's file to the candidate's index.
    pub(super) fn positions(&self) -> &FxHashMap<FileId, usize> {
        &self.positions
    }
}
