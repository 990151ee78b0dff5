//! Files that used to change together with the files whose text answers best.

use super::context::RankContext;

const LEADERS: usize = 10;

pub(super) fn measure(context: &RankContext<'_>) -> Vec<f32> {
    let places = context.places_of_files();
    let mut scores = vec![0.0; context.candidates.len()];
    for leader in context.leaders(LEADERS) {
        let file = context.candidates[leader].file;
        let commits = context.view.file(file).history.commits as f32;
        // Squared: a file that hardly answers should not speak for its neighbours.
        let leader_weight = context.start[leader] * context.start[leader] / (1.0 + commits);
        for (other, together) in context.view.co_changes(file) {
            if let Some(at) = places.get(&other) {
                scores[*at] += leader_weight * together as f32;
            }
        }
    }
    scores
}
