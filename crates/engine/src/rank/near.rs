//! Neighbours in the graph of the files whose text answers best: what they use, and what uses them.

use index::{Edge, EdgeKind, FileId, Node, SymbolId, View};
use rustc_hash::FxHashMap;

use super::scene::Scene;

const LEADERS: usize = 8;
/// A file with more definitions is looked at as far as this.
const MAX_SYMBOLS: u32 = 200;
/// So many uses make a neighbour half as near as can be.
const HALF: f32 = 3.0;

pub(super) fn used(scene: &Scene<'_>) -> Vec<f32> {
    spread(scene, |view, node| view.edges_from(node).map(|edge| (edge.to, edge)).collect())
}

pub(super) fn users(scene: &Scene<'_>) -> Vec<f32> {
    spread(scene, |view, node| view.edges_into(node).map(|edge| (edge.from, edge)).collect())
}

fn spread(scene: &Scene<'_>, edges: impl Fn(&View, Node) -> Vec<(Node, Edge)>) -> Vec<f32> {
    let places = scene.places_of_files();
    let mut scores = vec![0.0; scene.candidates.len()];
    for leader in scene.leaders(LEADERS) {
        let file = scene.view.file(scene.candidates[leader].file);
        let voice = scene.start[leader] * scene.start[leader];
        let symbols = file.symbols.start
            ..file.symbols.end.min(file.symbols.start.saturating_add(MAX_SYMBOLS));
        let nodes =
            symbols.map(|number| Node::Symbol(SymbolId(number))).chain([Node::File(file.id)]);
        let mut strength: FxHashMap<FileId, f32> = FxHashMap::default();
        for (other, edge) in nodes.flat_map(|node| edges(scene.view, node)) {
            let other = match other {
                Node::File(other) => other,
                Node::Symbol(symbol) => scene.view.file_of(symbol),
            };
            if other != file.id && edge.kind != EdgeKind::Tests {
                *strength.entry(other).or_default() += edge.confidence;
            }
        }
        for (other, strength) in strength {
            if let Some(at) = places.get(&other) {
                scores[*at] += voice * strength / (strength + HALF);
            }
        }
    }
    scores
}
