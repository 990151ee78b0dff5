//! Files that are worked on: what changed lately is what people write about.

use super::context::RankContext;

pub(super) fn recent(context: &RankContext<'_>) -> Vec<f32> {
    let count = |context: &RankContext<'_>, at: usize| {
        context.view.file(context.candidates[at].file).history.recent_commits
    };
    (0..context.candidates.len()).map(|at| (1.0 + count(context, at) as f32).ln()).collect()
}

pub(super) fn all(context: &RankContext<'_>) -> Vec<f32> {
    let count = |context: &RankContext<'_>, at: usize| {
        context.view.file(context.candidates[at].file).history.commits
    };
    (0..context.candidates.len()).map(|at| (1.0 + count(context, at) as f32).ln()).collect()
}
