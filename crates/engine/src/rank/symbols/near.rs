//! Definitions that the ones whose text answers best make use of.

use index::Node;

use super::candidates::SymbolCandidates;
use crate::rank::context::RankContext;

const LEADERS: usize = 6;
/// How much the score of the file counts beside the passage when the leaders are chosen.
const OF_FILE: f32 = 0.25;
/// So many uses make a definition half as near as can be.
const HALF: f32 = 1.0;

pub(super) fn called(context: &RankContext<'_>, candidates: &SymbolCandidates<'_>) -> Vec<f32> {
    let best =
        candidates.parts.iter().map(|part| part.passage[0]).fold(f32::MIN_POSITIVE, f32::max);
    let voices = candidates.each(|part| part.passage[0] / best + OF_FILE * part.file.score);
    let mut leaders: Vec<usize> = (0..voices.len()).collect();
    leaders.sort_by(|a, b| voices[*b].total_cmp(&voices[*a]));
    let mut uses = vec![0.0_f32; voices.len()];
    for leader in leaders.into_iter().take(LEADERS) {
        for edge in context.view.edges_from(Node::Symbol(candidates.parts[leader].symbol.id)) {
            let Node::Symbol(used) = edge.to else { continue };
            if let Some(at) = candidates.place(used).filter(|at| *at != leader) {
                uses[at] += edge.confidence;
            }
        }
    }
    uses.into_iter().map(|sum| sum / (sum + HALF)).collect()
}
