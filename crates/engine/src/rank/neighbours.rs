//! Scores files that are related to the leaders. The leaders are the files with the best text scores.

use index::{Edge, EdgeKind, FileId, Node, Role, SymbolId};
use rustc_hash::FxHashMap;

use super::context::RankContext;
use super::text::TextSignal;

const MAX_EDGE_LEADERS: usize = 8;
const MAX_COCHANGE_LEADERS: usize = 10;
const MAX_TESTS: usize = 12;
/// The maximum number of definitions per file whose edges are read.
const MAX_SYMBOLS: u32 = 200;
/// The maximum number of edges per node that are read. A definition with more edges is used almost everywhere, so its
/// edges say little about any particular file.
pub(super) const MAX_EDGES: usize = 20_000;
/// The total edge confidence at which a neighbour gets half of the maximum score.
const HALF: f32 = 3.0;

/// Scores the files that the leaders use.
pub(super) fn used(context: &RankContext<'_>) -> Vec<f32> {
    by_edges(context, |node| {
        let edges = context.view.edges_from(node).take(MAX_EDGES).filter(is_use);
        edges.map(|edge| (edge.to, edge.confidence)).collect()
    })
}

/// Scores the files that use the leaders.
pub(super) fn users(context: &RankContext<'_>) -> Vec<f32> {
    by_edges(context, |node| {
        let edges = context.view.edges_into(node).take(MAX_EDGES).filter(is_use);
        edges.map(|edge| (edge.from, edge.confidence)).collect()
    })
}

fn is_use(edge: &Edge) -> bool {
    edge.kind != EdgeKind::Tests
}

fn by_edges(context: &RankContext<'_>, edges: impl Fn(Node) -> Vec<(Node, f32)>) -> Vec<f32> {
    let mut scores = vec![0.0; context.candidates.len()];
    for leader in context.leaders(MAX_EDGE_LEADERS) {
        let leader_weight = context.text_share[leader] * context.text_share[leader];
        let file = context.candidates[leader].file;
        add_links(context, &mut scores, file, leader_weight, &edges);
    }
    scores
}

/// Adds `weight` to the score of each other candidate that is linked to a file, multiplied by a factor below 1 that grows
/// with the strength of the links. `edges` returns the nodes to which a node is linked, each with the confidence.
pub(super) fn add_links(
    context: &RankContext<'_>,
    scores: &mut [f32],
    id: FileId,
    weight: f32,
    edges: impl Fn(Node) -> Vec<(Node, f32)>,
) {
    let (file, own) = (context.view.file(id), context.candidate_of(Node::File(id)));
    let last = file.symbols.end.min(file.symbols.start.saturating_add(MAX_SYMBOLS));
    let symbols = (file.symbols.start..last).map(|number| Node::Symbol(SymbolId(number)));
    let mut strengths: FxHashMap<usize, f32> = FxHashMap::default();
    for (other, confidence) in symbols.chain([Node::File(id)]).flat_map(edges) {
        if let Some(other) = context.candidate_of(other).filter(|other| Some(*other) != own) {
            *strengths.entry(other).or_default() += confidence;
        }
    }
    for (other, strength) in strengths {
        scores[other] += weight * strength / (strength + HALF);
    }
}

/// Scores the files that changed in the same commits as the leaders.
pub(super) fn changed_together(context: &RankContext<'_>) -> Vec<f32> {
    let positions = context.positions();
    let mut scores = vec![0.0; context.candidates.len()];
    for leader in context.leaders(MAX_COCHANGE_LEADERS) {
        let file = context.candidates[leader].file;
        let commits = context.view.file(file).history.commits as f32;
        // The square reduces the influence of weak leaders.
        let leader_weight =
            context.text_share[leader] * context.text_share[leader] / (1.0 + commits);
        for (other, n_commits) in context.view.co_changes(file) {
            if let Some(at) = positions.get(&other) {
                scores[*at] += leader_weight * n_commits as f32;
            }
        }
    }
    scores
}

/// Scores the files whose tests contain words of the prompt.
pub(super) fn tested(context: &RankContext<'_>) -> Vec<f32> {
    let text = context.text_scores(TextSignal::Whole);
    let best = text.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let mut tests: Vec<usize> =
        (0..text.len()).filter(|at| context.candidates[*at].role == Role::Test).collect();
    tests.sort_by(|a, b| text[*b].total_cmp(&text[*a]));
    tests.truncate(MAX_TESTS);
    let positions = context.positions();
    let mut scores = vec![0.0_f32; context.candidates.len()];
    for test in tests {
        let test_weight = text[test] / best;
        for edge in context.view.edges_from(Node::File(context.candidates[test].file)) {
            let Node::File(tested) = edge.to else { continue };
            if let (EdgeKind::Tests, Some(at)) = (edge.kind, positions.get(&tested)) {
                scores[*at] = scores[*at].max(test_weight * test_weight * edge.confidence);
            }
        }
    }
    scores
}
