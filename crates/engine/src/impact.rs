//! `ci_impact`: finds the code that a change may affect, and its tests.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

use contract::counted;
use index::{Edge, EdgeKind, FileId, Node, View};
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::NodeMap;
use crate::ask::{Answer, Asking, Completeness, IMPACT, Item, UnknownName};
use crate::call_chain::with_members;
use crate::location::{Location, file_of};
use crate::question::MIN_CERTAIN_EDGE;

/// A definition or file that depends on the changed code.
pub(crate) struct Affected {
    pub(crate) node: Node,
    pub(crate) location: Location,
    /// The distance from the changed code, in edges.
    pub(crate) depth: u32,
    /// The product of three factors for each edge on the path to the changed code: the edge's confidence, the strength
    /// of its kind, and a constant.
    confidence: f32,
    /// The next location on the path to the changed code.
    pub(crate) via: Location,
    /// The line that contains the dependency, or 0 if it is unknown.
    pub(crate) line: u32,
}

/// The factor by which the confidence is multiplied for each edge.
const DECAY: f32 = 0.85;
const MIN_CONFIDENCE: f32 = 0.05;
const MAX_REACHED: usize = 20_000;
/// The maximum number of affected locations, tests included, unless the arguments say otherwise.
const DEFAULT_LIMIT: usize = 40;

/// Answers `ci_impact`. A location is certain if certain edges lead from it to the changed code.
pub fn ask_impact(asking: &Asking<'_>) -> Result<Answer, UnknownName> {
    let (view, starts) = (asking.view, asking.starts()?);
    let (depth, limit) = (asking.small("depth", 3), asking.number("limit", DEFAULT_LIMIT));
    let affected = |min_confidence| affected(view, &starts, depth, min_confidence, asking.deadline);
    let (certain, _) = affected(MIN_CERTAIN_EDGE);
    // Without the argument `limit`, uncertain locations are listed only if there are no others.
    let lists_all = asking.arguments.number("limit").is_some() || certain.is_empty();
    let min_confidence = if lists_all { 0.0 } else { MIN_CERTAIN_EDGE };
    let (mut found, is_complete) = affected(min_confidence);
    let is_complete = is_complete && found.len() <= limit;
    found.truncate(limit);
    let (tests, code): (Vec<_>, Vec<_>) = found.iter().partition(|found| found.location.is_test);
    let summary =
        format!("{} affected, {}", counted(code.len(), "place"), counted(tests.len(), "test"));
    let code = code.into_iter().map(|found| ("affected", "affected", found));
    let tests = tests.into_iter().map(|found| ("tests", "test that covers it", found));
    let items = code.chain(tests).map(|(list, noun, found)| {
        let is_certain = certain.iter().any(|certain| certain.location == found.location);
        let possibly = if is_certain { "" } else { "possibly " };
        let via = found.via.name();
        let item = Item {
            role: format!("{possibly}{noun}, {} away through `{via}`", found.depth),
            is_certain,
            certainty: found.confidence,
            relevance: Some(found.confidence),
            source: IMPACT.to_owned(),
            list,
            ..Item::at(&found.location, found.line)
        };
        let fields = json!({
            "confidence": f64::from(found.confidence), "depth": found.depth, "line": item.line,
            "path": item.path, "symbol": item.symbol, "via": via,
        });
        item.with_fields(fields)
    });
    let companions = companions(view, &starts, limit).into_iter();
    let companions = companions.map(|(path, n)| json!({ "commits": n, "path": path }));
    Ok(Answer {
        items: items.collect(),
        completeness: Completeness::of(is_complete),
        summary,
        nothing: format!("nothing in the repository depends on `{}`", asking.name()),
        lists: &["affected", "tests"],
        more: [("changes_together".to_owned(), companions.collect())].into_iter().collect(),
        ..Answer::default()
    })
}

/// Returns the code and the tests that depend on the changed code, highest confidence first, and whether all of it was
/// reached. `starts` are the nodes of the changed code. Only edges with at least `min_confidence` are followed.
pub(crate) fn affected(
    view: &View,
    starts: &[Node],
    max_depth: u32,
    min_confidence: f32,
    deadline: Instant,
) -> (Vec<Affected>, bool) {
    let (reached, is_complete) = reach(view, starts, max_depth, min_confidence, deadline);
    let mut found: Vec<Affected> = reached
        .into_iter()
        .filter_map(|(node, step)| {
            let (edge, depth) = step.by?;
            Some(Affected {
                node,
                location: Location::of(view, node),
                depth,
                confidence: step.confidence,
                via: Location::of(view, edge.to),
                line: edge.line,
            })
        })
        .collect();
    found.sort_by(|a, b| {
        b.confidence.total_cmp(&a.confidence).then_with(|| {
            (&a.location.path, a.location.lines.start())
                .cmp(&(&b.location.path, b.location.lines.start()))
        })
    });
    (found, is_complete)
}

#[derive(Clone, Copy)]
struct Step {
    confidence: f32,
    /// The edge to the previous node, and the distance from the changed code; `None` for a start node.
    by: Option<(Edge, u32)>,
}

fn reach(
    view: &View,
    starts: &[Node],
    max_depth: u32,
    min_confidence: f32,
    deadline: Instant,
) -> (NodeMap<Step>, bool) {
    let starts = with_members(view, starts);
    let mut reached: NodeMap<Step> =
        starts.iter().map(|node| (*node, Step { confidence: 1.0, by: None })).collect();
    // The nodes whose edges have not been followed yet, with their depth. The heap returns the node with the highest
    // confidence first, because the bits of positive numbers have the order of the numbers.
    let open_node =
        |confidence: f32, node: Node, depth: u32| (confidence.to_bits(), Reverse(node), depth);
    let mut open: BinaryHeap<_> = starts.iter().map(|node| open_node(1.0, *node, 0)).collect();
    while let Some((bits, Reverse(node), depth)) = open.pop() {
        let confidence = f32::from_bits(bits);
        let is_stale = reached.get(&node).is_some_and(|step| step.confidence > confidence);
        if is_stale || depth >= max_depth {
            continue;
        }
        if Instant::now() >= deadline || reached.len() > MAX_REACHED {
            return (reached, false);
        }
        for edge in view.edges_into(node) {
            if edge.confidence < min_confidence {
                continue;
            }
            let next = confidence * edge.confidence * strength(edge.kind) * DECAY;
            let known = reached.get(&edge.from).map_or(0.0, |step| step.confidence);
            if next > known.max(MIN_CONFIDENCE) {
                reached.insert(edge.from, Step { confidence: next, by: Some((edge, depth + 1)) });
                open.push(open_node(next, edge.from, depth + 1));
            }
        }
    }
    (reached, true)
}

/// Returns the probability that a change to an edge's target affects its source.
fn strength(kind: EdgeKind) -> f32 {
    match kind {
        EdgeKind::Calls | EdgeKind::Inherits => 1.0,
        EdgeKind::Tests => 0.9,
        EdgeKind::References => 0.8,
        EdgeKind::Imports => 0.6,
    }
}

/// Returns the files that share commits with one of the changed files, each with the number of shared commits. If a file
/// shares commits with several changed files, this is the highest number.
fn companions(view: &View, starts: &[Node], limit: usize) -> Vec<(String, u32)> {
    let mut files: Vec<_> = starts.iter().map(|node| file_of(view, *node)).collect();
    files.sort_unstable();
    files.dedup();
    let mut counts: FxHashMap<FileId, u32> = FxHashMap::default();
    for (other, count) in files.iter().flat_map(|file| view.co_changes(*file)) {
        if !files.contains(&other) {
            let known = counts.entry(other).or_default();
            *known = count.max(*known);
        }
    }
    let named = counts.into_iter().map(|(other, count)| (view.path(other).to_owned(), count));
    let mut companions: Vec<(String, u32)> = named.collect();
    companions.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    companions.truncate(limit);
    companions
}
