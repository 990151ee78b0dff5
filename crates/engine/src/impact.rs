//! `ci_impact`: finds the code that a change may affect, and its tests.

use std::collections::BinaryHeap;
use std::time::Instant;

use contract::counted;
use index::{Edge, EdgeKind, FileId, Node, View};
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::NodeMap;
use crate::ask::{Answer, Asking, Completeness, Item, UnknownName};
use crate::call_chain::with_members;
use crate::location::{Location, file_of};
use crate::question::MIN_CERTAIN_EDGE;

#[derive(Clone, Copy, Debug)]
pub struct ImpactOptions {
    /// The maximum distance from the changed code, in edges.
    pub depth: u32,
    /// The maximum number of affected locations, tests included, and the maximum number of companions.
    pub limit: usize,
    /// The minimum confidence of an edge that is followed.
    pub min_confidence: f32,
    pub deadline: Instant,
}

/// A definition or file that depends on the changed code.
#[derive(Clone, Debug, PartialEq)]
pub struct Affected {
    pub location: Location,
    /// The distance from the changed code, in edges.
    pub depth: u32,
    /// The product of three factors for each edge on the path to the changed code: the edge's confidence, the strength
    /// of its kind, and a constant.
    pub confidence: f32,
    /// The kind of the edge to `via`.
    pub relation: EdgeKind,
    /// The next location on the path to the changed code.
    pub via: Location,
    /// The line that contains the dependency, or 0 if it is unknown.
    pub line: u32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Impact {
    /// Affected code that is not a test, sorted by confidence, highest first.
    pub affected: Vec<Affected>,
    /// Affected tests, sorted by confidence, highest first.
    pub tests: Vec<Affected>,
    /// Files that share commits with one of the changed files, each with the number of shared commits. If a file shares
    /// commits with several changed files, this is the highest number.
    pub companions: Vec<(String, u32)>,
    /// False if the result is incomplete because a maximum or the deadline was reached.
    pub complete: bool,
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
    let certain = ImpactOptions {
        depth: asking.small("depth", 3),
        limit: usize::MAX,
        min_confidence: MIN_CERTAIN_EDGE,
        deadline: asking.deadline,
    };
    let limit = asking.number("limit", DEFAULT_LIMIT);
    let options = ImpactOptions { limit, ..certain };
    let certain = impact(view, &starts, certain);
    let has_certain = !certain.affected.is_empty() || !certain.tests.is_empty();
    // Without the argument `limit`, uncertain locations are listed only if there are no others.
    let lists_all = asking.arguments.number("limit").is_some() || !has_certain;
    let min_confidence = if lists_all { 0.0 } else { MIN_CERTAIN_EDGE };
    let found = impact(view, &starts, ImpactOptions { min_confidence, ..options });
    let is_certain = |affected: &Affected| {
        let mut all = certain.affected.iter().chain(&certain.tests);
        all.any(|other| other.location == affected.location)
    };
    let affected = found.affected.iter().map(|found| ("affected", "affected", found));
    let tests = found.tests.iter().map(|found| ("tests", "test that covers it", found));
    let items = affected.chain(tests).map(|(list, noun, found)| {
        let is_certain = is_certain(found);
        let possibly = if is_certain { "" } else { "possibly " };
        let via = found.via.symbol.as_deref().unwrap_or(&found.via.path);
        let item = Item {
            role: format!("{possibly}{noun}, {} away through `{via}`", found.depth),
            is_certain,
            certainty: found.confidence,
            relevance: Some(found.confidence),
            source: "impact".to_owned(),
            list,
            ..Item::at(&found.location, found.line)
        };
        let fields = json!({
            "confidence": f64::from(found.confidence), "depth": found.depth, "line": item.line,
            "path": item.path, "symbol": item.symbol, "via": via,
        });
        item.with_fields(fields)
    });
    let companions = found.companions.iter();
    let companions = companions.map(|(path, n)| json!({ "commits": n, "path": path }));
    Ok(Answer {
        items: items.collect(),
        completeness: Completeness::of(found.complete),
        summary: format!(
            "{} affected, {}",
            counted(found.affected.len(), "place"),
            counted(found.tests.len(), "test")
        ),
        nothing: format!("nothing in the repository depends on `{}`", asking.name()),
        lists: &["affected", "tests"],
        more: [("changes_together".to_owned(), companions.collect())].into_iter().collect(),
        ..Answer::default()
    })
}

/// Returns the code and the tests that depend on the changed code. `starts` are the nodes of the changed code.
#[must_use]
pub fn impact(view: &View, starts: &[Node], options: ImpactOptions) -> Impact {
    let mut impact = Impact {
        complete: true,
        companions: companions(view, starts, options.limit),
        ..Impact::default()
    };
    let reached = reach(view, starts, options, &mut impact.complete);
    let mut items: Vec<Affected> = reached
        .into_iter()
        .filter_map(|(node, step)| {
            let (edge, depth) = step.by?;
            Some(Affected {
                location: Location::of(view, node),
                depth,
                confidence: step.confidence,
                relation: edge.kind,
                via: Location::of(view, edge.to),
                line: edge.line,
            })
        })
        .collect();
    items.sort_by(|a, b| {
        b.confidence.total_cmp(&a.confidence).then_with(|| {
            (&a.location.path, a.location.lines.start())
                .cmp(&(&b.location.path, b.location.lines.start()))
        })
    });
    impact.complete &= items.len() <= options.limit;
    items.truncate(options.limit);
    (impact.tests, impact.affected) = items.into_iter().partition(|item| item.location.is_test);
    impact
}

#[derive(Clone, Copy)]
struct Step {
    confidence: f32,
    /// The edge to the previous node, and the distance from the changed code; `None` for a start node.
    by: Option<(Edge, u32)>,
}

/// A node whose edges have not been followed yet. Nodes are ordered by confidence, so that a heap returns the node with
/// the highest confidence first.
struct OpenNode {
    confidence: f32,
    node: Node,
    depth: u32,
}

impl PartialEq for OpenNode {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OpenNode {}

impl PartialOrd for OpenNode {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OpenNode {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.confidence.total_cmp(&other.confidence).then_with(|| other.node.cmp(&self.node))
    }
}

fn reach(
    view: &View,
    starts: &[Node],
    options: ImpactOptions,
    complete: &mut bool,
) -> NodeMap<Step> {
    let starts = with_members(view, starts);
    let mut reached: NodeMap<Step> =
        starts.iter().map(|node| (*node, Step { confidence: 1.0, by: None })).collect();
    let mut open: BinaryHeap<OpenNode> =
        starts.iter().map(|node| OpenNode { confidence: 1.0, node: *node, depth: 0 }).collect();
    while let Some(OpenNode { confidence, node, depth }) = open.pop() {
        let is_stale = reached.get(&node).is_some_and(|step| step.confidence > confidence);
        if is_stale || depth >= options.depth {
            continue;
        }
        if Instant::now() >= options.deadline || reached.len() > MAX_REACHED {
            *complete = false;
            break;
        }
        for edge in view.edges_into(node) {
            if edge.confidence < options.min_confidence {
                continue;
            }
            let next = confidence * edge.confidence * strength(edge.kind) * DECAY;
            let known = reached.get(&edge.from).map_or(0.0, |step| step.confidence);
            if next > known.max(MIN_CONFIDENCE) {
                reached.insert(edge.from, Step { confidence: next, by: Some((edge, depth + 1)) });
                open.push(OpenNode { confidence: next, node: edge.from, depth: depth + 1 });
            }
        }
    }
    reached
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
