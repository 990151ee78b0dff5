//! A file is as good as its best passages: BM25 over functions and other stretches of text.

use std::ops::RangeInclusive;
use std::time::Instant;

use index::{FileId, PassageId, SymbolId, View};
use rustc_hash::FxHashMap;

use super::context::{Candidate, RankContext};
use super::terms::{self, Term};

/// How a prompt is read over passages. The discriminant is the slot in a score.
#[derive(Clone, Copy)]
pub(super) enum Reading {
    Whole,
    Title,
    Prose,
}

pub(super) const READINGS: usize = 3;
const SATURATION: f32 = 1.3;
const LENGTH_EFFECT: f32 = 0.5;
/// So many are kept per file: enough for its symbols and its snippet.
const KEPT: usize = 24;
const SUMMED: usize = 3;
/// What reading the postings may cost; terms come weightiest first.
const MAX_POSTINGS: usize = 40_000;

/// A passage that answers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Best {
    pub(crate) symbol: Option<SymbolId>,
    pub(crate) lines: RangeInclusive<u32>,
    /// By each reading; the whole prompt comes first.
    pub(crate) scores: [f32; READINGS],
}

/// The passages of the candidates.
pub(super) struct Passages {
    found: Vec<Vec<(PassageId, [f32; READINGS])>>,
    tops: Vec<[[f32; SUMMED]; READINGS]>,
}

impl Passages {
    pub(super) fn read(
        view: &View,
        terms: &[Term<'_>],
        candidates: &[Candidate],
        deadline: Instant,
    ) -> Self {
        let scores = score_all(view, terms, deadline);
        let place: FxHashMap<FileId, usize> =
            candidates.iter().enumerate().map(|(at, one)| (one.file, at)).collect();
        let mut passages = Self {
            found: vec![Vec::new(); candidates.len()],
            tops: vec![[[0.0; SUMMED]; READINGS]; candidates.len()],
        };
        for (number, score) in
            scores.iter().enumerate().filter(|(_, score)| score[0] > 0.0 || score[2] > 0.0)
        {
            let id = PassageId(number as u32);
            if let Some(at) = place.get(&view.passage(id).file) {
                passages.add(*at, id, score);
            }
        }
        passages
    }

    fn add(&mut self, at: usize, id: PassageId, score: &[f32; READINGS]) {
        for (top, score) in self.tops[at].iter_mut().zip(score) {
            let place = top.iter().position(|other| score > other);
            if let Some(place) = place {
                top[place..].rotate_right(1);
                top[place] = *score;
            }
        }
        self.found[at].push((id, *score));
    }

    /// The best passage of a candidate.
    pub(super) fn best_of(&self, view: &View, at: usize) -> Option<Best> {
        let found = self.found[at].iter();
        let best = found.max_by(|a, b| a.1[0].total_cmp(&b.1[0]).then(b.0.cmp(&a.0)))?;
        Some(read(view, *best))
    }

    /// The best passages of a candidate, best first.
    pub(super) fn of(&self, view: &View, at: usize) -> Vec<Best> {
        let mut found = self.found[at].clone();
        found.sort_by(|a, b| b.1[0].total_cmp(&a.1[0]).then(a.0.cmp(&b.0)));
        found.truncate(KEPT);
        found.into_iter().map(|one| read(view, one)).collect()
    }
}

fn read(view: &View, (id, scores): (PassageId, [f32; READINGS])) -> Best {
    let passage = view.passage(id);
    Best { symbol: passage.symbol, lines: passage.lines, scores }
}

pub(super) fn best(context: &RankContext<'_>, reading: Reading) -> Vec<f32> {
    context.passages.tops.iter().map(|tops| tops[reading as usize][0]).collect()
}

pub(super) fn best_three(context: &RankContext<'_>, reading: Reading) -> Vec<f32> {
    context.passages.tops.iter().map(|tops| tops[reading as usize].iter().sum()).collect()
}

fn score_all(view: &View, terms: &[Term<'_>], deadline: Instant) -> Vec<[f32; READINGS]> {
    let mut scores = vec![[0.0; READINGS]; view.passage_slots()];
    let totals = view.totals();
    let average = (totals.passage_length as f32 / totals.passages.max(1) as f32).max(1.0);
    let mut n_postings = 0;
    for term in terms {
        if n_postings > MAX_POSTINGS || Instant::now() >= deadline {
            break;
        }
        let weights = [terms::Reading::Whole, terms::Reading::Title, terms::Reading::Prose]
            .map(|reading| term.weight(reading));
        for posting in view.passage_postings(term.text) {
            let Some(row) = scores.get_mut(posting.passage.0 as usize) else { continue };
            n_postings += 1;
            let length = view.passage(posting.passage).length as f32;
            let norm = SATURATION * (1.0 - LENGTH_EFFECT + LENGTH_EFFECT * length / average);
            let count = posting.count as f32;
            let part = count * (1.0 + SATURATION) / (count + norm);
            for (score, weight) in row.iter_mut().zip(weights) {
                *score += weight * part;
            }
        }
    }
    scores
}
