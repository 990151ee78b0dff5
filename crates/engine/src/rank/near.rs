//! Neighbours in the graph of the files whose text answers best: what they use, and what uses them.

use index::{Edge, EdgeKind, FileId, Node, SymbolId, View};
use rustc_hash::FxHashMap;

use super::context::RankContext;

const LEADERS: usize = 8;
/// A file with more definitions is looked at as far as this.
const MAX_SYMBOLS: u32 = 200;
/// So many uses make a neighbour half as near as can be.
const HALF: f32 = 3.0;

pub(super) fn used(context: &RankContext<'_>) -> Vec<f32> {
    spread(context, |view, node| view.edges_from(node).map(|edge| (edge.to, edge)).collect())
}

pub(super) fn users(context: &RankContext<'_>) -> Vec<f32> {
    spread(context, |view, node| view.edges_into(node).map(|edge| (edge.from, edge)).collect())
}

fn spread(context: &RankContext<'_>, edges: impl Fn(&View, Node) -> Vec<(Node, Edge)>) -> Vec<f32> {
    let places = context.places_of_files();
    let mut scores = vec![0.0; context.candidates.len()];
    for leader in context.leaders(LEADERS) {
        let file = context.view.file(context.candidates[leader].file);
        let leader_weight = context.start[leader] * context.start[leader];
        let symbols = file.symbols.start
            ..file.symbols.end.min(file.symbols.start.saturating_add(MAX_SYMBOLS));
        let nodes =
            symbols.map(|number| Node::Symbol(SymbolId(number))).chain([Node::File(file.id)]);
        let mut strength: FxHashMap<FileId, f32> = FxHashMap::default();
        for (other, edge) in nodes.flat_map(|node| edges(context.view, node)) {
            let other = match other {
                Node::File(other) => other,
                Node::Symbol(symbol) => context.view.file_of(symbol),
            };
            if other != file.id && edge.kind != EdgeKind::Tests {
                *strength.entry(other).or_default() += edge.confidence;
            }
        }
        for (other, strength) in strength {
            if let Some(at) = places.get(&other) {
                scores[*at] += leader_weight * strength / (strength + HALF);
            }
        }
    }
    scores
}
