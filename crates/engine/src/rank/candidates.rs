//! Which files are looked at closely: those whose text has most of the prompt, and those the prompt points at.

use index::{FileId, Role, View};
use rustc_hash::FxHashSet;

use super::context::Candidate;
use super::text::{Part, TextScores};

/// Measured: the right file is among this many far more often than among the first fifty.
const MAX_CANDIDATES: usize = 400;
/// Tests and prose repeat the words of what they are about; without this they crowd the code out.
const NOT_SOURCE: f32 = 0.5;

/// Parts that make a file a candidate, and how much of its best score each counts.
const PARTS: [(Part, f32); 5] = [
    (Part::Whole, 1.0),
    (Part::Title, 0.5),
    (Part::Names, 0.3),
    (Part::Paths, 0.4),
    (Part::History, 0.5),
];

pub(super) fn choose(
    view: &View,
    text: &TextScores,
    pointed: impl Iterator<Item = FileId>,
) -> Vec<Candidate> {
    let bests = PARTS.map(|(part, _)| text.best(part));
    let mut scored: Vec<(f32, FileId)> = text
        .files()
        .map(|file| {
            let held = if view.role(file) == Role::Source { 1.0 } else { NOT_SOURCE };
            (held * weighed(text, file, &bests), file)
        })
        .collect();
    if scored.len() > MAX_CANDIDATES {
        scored
            .select_nth_unstable_by(MAX_CANDIDATES, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        scored.truncate(MAX_CANDIDATES);
    }
    let mut chosen: FxHashSet<FileId> = scored.into_iter().map(|(_, file)| file).collect();
    chosen.extend(pointed);
    let mut files: Vec<FileId> = chosen.into_iter().collect();
    files.sort_unstable();
    let shown = |role: Role| !matches!(role, Role::Binary | Role::Lock | Role::Minified);
    files
        .into_iter()
        .map(|file| Candidate { file, role: view.role(file) })
        .filter(|candidate| shown(candidate.role))
        .collect()
}

/// How much of the prompt each candidate's text has, the best one having 1; what is not source is held down.
pub(super) fn start(candidates: &[Candidate], text: &TextScores) -> Vec<f32> {
    let best = text.best(Part::Whole).max(f32::MIN_POSITIVE);
    let score = |candidate: &Candidate| {
        let held = if candidate.role == Role::Source { 0.0 } else { NOT_SOURCE };
        (text.of(Part::Whole, candidate.file) / best - held).max(0.0)
    };
    candidates.iter().map(score).collect()
}

fn weighed(text: &TextScores, file: FileId, bests: &[f32; PARTS.len()]) -> f32 {
    let share = |(&(part, weight), best): (&(Part, f32), &f32)| {
        if *best > 0.0 { weight * text.of(part, file) / best } else { 0.0 }
    };
    PARTS.iter().zip(bests).map(share).sum()
}
