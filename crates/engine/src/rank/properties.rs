//! Signals that depend only on the file, not on the prompt.

use index::{File, View};

use super::context::RankContext;

/// Scores files by their number of lines. Long files change more often than short files, and the length normalisation
/// of the text scores does not fully account for that.
pub(super) fn size(context: &RankContext<'_>) -> Vec<f32> {
    logarithm(context, |file| file.lines as f32)
}

/// Scores files by their PageRank.
pub(super) fn centrality(context: &RankContext<'_>) -> Vec<f32> {
    logarithm(context, |file| file.rank.max(0.0))
}

pub(super) fn recent_commits(context: &RankContext<'_>) -> Vec<f32> {
    logarithm(context, |file| file.history.recent_commits as f32)
}

pub(super) fn commits(context: &RankContext<'_>) -> Vec<f32> {
    logarithm(context, |file| file.history.commits as f32)
}

fn logarithm(context: &RankContext<'_>, value: impl Fn(&File<'_>) -> f32) -> Vec<f32> {
    let view: &View = context.view;
    let files = context.candidates.iter().map(|candidate| view.file(candidate.file));
    files.map(|file| (1.0 + value(&file)).ln()).collect()
}
