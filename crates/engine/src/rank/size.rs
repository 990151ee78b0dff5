//! Long files are changed more often than short ones, beyond what the length norm of the text scores takes away.

use super::context::RankContext;

pub(super) fn measure(context: &RankContext<'_>) -> Vec<f32> {
    context
        .candidates
        .iter()
        .map(|candidate| (1.0 + context.view.file(candidate.file).lines as f32).ln())
        .collect()
}
