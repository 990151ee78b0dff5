//! Files that many others use.

use super::context::RankContext;

pub(super) fn measure(context: &RankContext<'_>) -> Vec<f32> {
    context
        .candidates
        .iter()
        .map(|candidate| (1.0 + context.view.file(candidate.file).rank.max(0.0)).ln())
        .collect()
}
