//! Files whose tests have the words of the prompt: tests are written in the language of issues.

use index::{EdgeKind, Node, Role};

use super::context::{Part, RankContext};

const TESTS: usize = 12;

pub(super) fn measure(context: &RankContext<'_>) -> Vec<f32> {
    let text = context.text_of(Part::Whole);
    let best = text.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let mut tests: Vec<usize> =
        (0..text.len()).filter(|at| context.candidates[*at].role == Role::Test).collect();
    tests.sort_by(|a, b| text[*b].total_cmp(&text[*a]));
    tests.truncate(TESTS);
    let places = context.places_of_files();
    let mut scores = vec![0.0_f32; context.candidates.len()];
    for test in tests {
        let leader_weight = text[test] / best;
        for edge in context.view.edges_from(Node::File(context.candidates[test].file)) {
            let Node::File(tested) = edge.to else { continue };
            if let (EdgeKind::Tests, Some(at)) = (edge.kind, places.get(&tested)) {
                scores[*at] = scores[*at].max(leader_weight * leader_weight * edge.confidence);
            }
        }
    }
    scores
}
