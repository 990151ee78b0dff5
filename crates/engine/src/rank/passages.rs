//! Scores passages with BM25. A passage is a function or another range of lines.

use std::ops::{Range, RangeInclusive};
use std::time::Instant;

use index::{PassageId, SymbolId, View};

use super::candidates::Candidate;
use super::context::RankContext;
use super::terms::{Scope, Term};

/// The scopes for which passages are scored.
const SCOPES: [Scope; PASSAGE_SCOPES] = [Scope::Whole, Scope::Title, Scope::Prose];
const PASSAGE_SCOPES: usize = 3;
/// The scores of a passage, one per scope. The index is the discriminant of a [`Scope`] in [`SCOPES`].
pub(crate) type PassageScores = [f32; PASSAGE_SCOPES];

const SATURATION: f32 = 1.3;
const LENGTH_EFFECT: f32 = 0.5;
/// The maximum number of passages that [`Passages::of`] returns for a file. This is enough to find the file's symbols
/// and snippet.
const MAX_PASSAGES_PER_FILE: usize = 24;
const SUMMED: usize = 3;
/// The number of postings after which no further terms are read. The terms are sorted by weight, so the remaining
/// terms matter little.
const MAX_POSTINGS: usize = 40_000;
/// If a term has more postings than this, only its postings in candidates count towards [`MAX_POSTINGS`]. Otherwise, a
/// few terms would use up that limit in a large repository.
const MAX_COUNTED: usize = 100_000;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ScoredPassage {
    pub(crate) symbol: Option<SymbolId>,
    pub(crate) lines: RangeInclusive<u32>,
    pub(crate) scores: PassageScores,
}

/// The scored passages of all candidates.
pub(super) struct Passages {
    found: Vec<Vec<(PassageId, PassageScores)>>,
    /// For each candidate and scope, the [`SUMMED`] highest scores, in descending order.
    tops: Vec<[[f32; SUMMED]; PASSAGE_SCOPES]>,
}

impl Passages {
    pub(super) fn read(
        view: &View,
        terms: &[Term<'_>],
        candidates: &[Candidate],
        deadline: Instant,
    ) -> Self {
        let mut passages = Self {
            found: vec![Vec::new(); candidates.len()],
            tops: vec![[[0.0; SUMMED]; PASSAGE_SCOPES]; candidates.len()],
        };
        // The candidates are sorted by file, so their passages are sorted too.
        let ranges: Vec<Range<u32>> =
            candidates.iter().map(|candidate| view.passages_of(candidate.file)).collect();
        let scores = score_all(view, terms, &ranges, deadline);
        for (at, scores) in scores.into_iter().enumerate() {
            let has_score = |(_, scores): &(u32, PassageScores)| scores[0] > 0.0 || scores[2] > 0.0;
            for (number, scores) in (ranges[at].start..).zip(scores).filter(has_score) {
                passages.add(at, PassageId(number), &scores);
            }
        }
        passages
    }

    fn add(&mut self, at: usize, id: PassageId, scores: &PassageScores) {
        for (top, score) in self.tops[at].iter_mut().zip(scores) {
            if let Some(position) = top.iter().position(|other| score > other) {
                top[position..].rotate_right(1);
                top[position] = *score;
            }
        }
        self.found[at].push((id, *scores));
    }

    /// Returns the best passage of the candidate at index `at`.
    pub(super) fn best_of(&self, view: &View, at: usize) -> Option<ScoredPassage> {
        let found = self.found[at].iter();
        let best = found.max_by(|a, b| a.1[0].total_cmp(&b.1[0]).then(b.0.cmp(&a.0)))?;
        Some(scored_passage(view, *best))
    }

    /// Returns the best passages of the candidate at index `at`, best first.
    pub(super) fn of(&self, view: &View, at: usize) -> Vec<ScoredPassage> {
        let mut found = self.found[at].clone();
        found.sort_by(|a, b| b.1[0].total_cmp(&a.1[0]).then(a.0.cmp(&b.0)));
        found.truncate(MAX_PASSAGES_PER_FILE);
        found.into_iter().map(|passage| scored_passage(view, passage)).collect()
    }
}

fn scored_passage(view: &View, (id, scores): (PassageId, PassageScores)) -> ScoredPassage {
    let passage = view.passage(id);
    ScoredPassage { symbol: passage.symbol, lines: passage.lines, scores }
}

pub(super) fn best(context: &RankContext<'_>, scope: Scope) -> Vec<f32> {
    context.passages.tops.iter().map(|tops| tops[scope as usize][0]).collect()
}

pub(super) fn best_three(context: &RankContext<'_>, scope: Scope) -> Vec<f32> {
    context.passages.tops.iter().map(|tops| tops[scope as usize].iter().sum()).collect()
}

/// Returns the scores of the passages in each of `ranges`, which must be sorted. If no passage of a range contains a
/// term, the scores of that range are empty.
fn score_all(
    view: &View,
    terms: &[Term<'_>],
    ranges: &[Range<u32>],
    deadline: Instant,
) -> Vec<Vec<PassageScores>> {
    let mut scores = vec![Vec::new(); ranges.len()];
    let totals = view.totals();
    let average = (totals.passage_length as f32 / totals.passages.max(1) as f32).max(1.0);
    let mut n_postings = 0;
    for term in terms {
        if n_postings > MAX_POSTINGS || Instant::now() >= deadline {
            break;
        }
        let weights = SCOPES.map(|scope| term.weight(scope));
        let mut n_visited = 0;
        let n_all = view.for_each_passage_posting_in(term.text, ranges, |posting| {
            n_visited += 1;
            let after = ranges.partition_point(|range| range.start <= posting.passage.0);
            let Some(at) = last_with(ranges, after, posting.passage.0) else { return };
            let in_file: &mut Vec<PassageScores> = &mut scores[at];
            if in_file.is_empty() {
                in_file.resize(ranges[at].len(), [0.0; PASSAGE_SCOPES]);
            }
            let row = &mut in_file[(posting.passage.0 - ranges[at].start) as usize];
            let length = view.passage(posting.passage).length as f32;
            let norm = SATURATION * (1.0 - LENGTH_EFFECT + LENGTH_EFFECT * length / average);
            let count = posting.count as f32;
            let frequency = count * (1.0 + SATURATION) / (count + norm);
            for (score, weight) in row.iter_mut().zip(weights) {
                *score += weight * frequency;
            }
        });
        n_postings += if n_all > MAX_COUNTED { n_visited } else { n_all };
    }
    scores
}

/// Returns the index of the last non-empty range before index `after`, if that range contains `number`. Files without
/// passages have empty ranges.
fn last_with(ranges: &[Range<u32>], after: usize, number: u32) -> Option<usize> {
    ranges[..after]
        .iter()
        .rposition(|range| !range.is_empty())
        .filter(|at| ranges[*at].contains(&number))
}
