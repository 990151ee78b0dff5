//! Chooses the candidates: the files with the best text scores and the files that the prompt refers to.

use std::ops::Range;

use index::{FileId, Role, View};
use rustc_hash::FxHashSet;

use super::text::{TextScores, TextSignal};

/// The maximum number of candidates that are chosen by their text scores. The file that a prompt is about is among the
/// first 400 far more often than among the first 50.
const MAX_CANDIDATES: usize = 400;
/// The maximum number of recently changed files that are candidates.
const MAX_RECENT: usize = 60;
/// Recently changed files are candidates only in repositories with at most this many files.
const MAX_FILES_TO_SCAN: usize = 5_000;
/// The value by which the scores of files that are not source code are reduced. Tests and documentation repeat the
/// words of the code that they describe. [`choose`] multiplies scores by this value; [`text_share`] subtracts it.
const NOT_SOURCE: f32 = 0.5;

/// The text signals that are combined to choose candidates, each with its weight.
const SIGNALS: [(TextSignal, f32); 5] = [
    (TextSignal::Whole, 1.0),
    (TextSignal::Title, 0.5),
    (TextSignal::Names, 0.3),
    (TextSignal::Paths, 0.4),
    (TextSignal::History, 0.5),
];

pub(super) struct Candidate {
    pub(super) file: FileId,
    pub(super) role: Role,
}

/// Returns the candidates, sorted by file id. `referenced` files are candidates regardless of their scores. Files for
/// which `is_evidence` returns false are never candidates.
pub(super) fn choose(
    view: &View,
    text: &TextScores,
    referenced: impl Iterator<Item = FileId>,
    is_evidence: impl Fn(FileId, Role) -> bool,
) -> Vec<Candidate> {
    let bests = SIGNALS.map(|(signal, _)| text.best(signal));
    let mut scored: Vec<(f32, FileId)> = text
        .files()
        .filter(|(file, role)| is_evidence(*file, *role))
        .map(|(file, role)| {
            let factor = if role == Role::Source { 1.0 } else { NOT_SOURCE };
            (factor * combined_score(text, file, &bests), file)
        })
        .collect();
    if scored.len() > MAX_CANDIDATES {
        scored
            .select_nth_unstable_by(MAX_CANDIDATES, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        scored.truncate(MAX_CANDIDATES);
    }
    let mut chosen: FxHashSet<FileId> = scored.into_iter().map(|(_, file)| file).collect();
    chosen.extend(referenced);
    let mut files: Vec<FileId> = chosen.into_iter().collect();
    files.sort_unstable();
    files
        .into_iter()
        .map(|file| Candidate { file, role: view.role(file) })
        .filter(|candidate| is_evidence(candidate.file, candidate.role))
        .collect()
}

/// Returns the range of symbol ids in each candidate's file, with the candidate's index, sorted by symbol id.
/// Candidates without symbols are left out.
pub(super) fn symbol_ranges(view: &View, candidates: &[Candidate]) -> Vec<(Range<u32>, usize)> {
    let symbols = candidates.iter().map(|candidate| view.file(candidate.file).symbols);
    let mut ranges: Vec<(Range<u32>, usize)> =
        symbols.zip(0..).filter(|(range, _)| !range.is_empty()).collect();
    ranges.sort_unstable_by_key(|(range, _)| range.start);
    ranges
}

/// Returns the source files with the most commits in the 90 days before the newest commit. They are candidates in the
/// later turns of a session, because later prompts often contain no word of the file that they are about. Returns an
/// empty list for a large repository, where prompts are rarely about these files.
pub(super) fn recently_changed(view: &View) -> Vec<FileId> {
    if view.file_slots() > MAX_FILES_TO_SCAN {
        return Vec::new();
    }
    let mut files: Vec<(u32, u32, FileId)> = view
        .files()
        .filter(|file| view.role(*file) == Role::Source)
        .map(|file| (view.file(file).history.recent_commits, view.file(file).lines, file))
        .collect();
    files.sort_unstable_by(|a, b| b.cmp(a));
    files.into_iter().take(MAX_RECENT).map(|(_, _, file)| file).collect()
}

/// Returns the text score of each candidate relative to the best file, reduced for files that are not source code.
pub(super) fn text_share(candidates: &[Candidate], text: &TextScores) -> Vec<f32> {
    let best = text.best(TextSignal::Whole).max(f32::MIN_POSITIVE);
    let share = |candidate: &Candidate| {
        let reduction = if candidate.role == Role::Source { 0.0 } else { NOT_SOURCE };
        (text.of(TextSignal::Whole, candidate.file) / best - reduction).max(0.0)
    };
    candidates.iter().map(share).collect()
}

fn combined_score(text: &TextScores, file: FileId, bests: &[f32; SIGNALS.len()]) -> f32 {
    let share = |(&(signal, weight), best): (&(TextSignal, f32), &f32)| {
        if *best > 0.0 { weight * text.of(signal, file) / best } else { 0.0 }
    };
    SIGNALS.iter().zip(bests).map(share).sum()
}
