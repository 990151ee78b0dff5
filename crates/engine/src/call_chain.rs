//! `ci_call_chain`: finds callers, callees, and the calls that lead from one definition to another.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::time::Instant;

use index::{Edge, EdgeKind, Node, View};

use crate::NodeMap;
use crate::location::Location;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Callers,
    Callees,
}

#[derive(Clone, Copy, Debug)]
pub struct ChainOptions {
    /// The maximum distance from the start nodes, in calls.
    pub depth: u32,
    /// The maximum number of steps.
    pub limit: usize,
    /// The minimum confidence of an edge that is followed.
    pub min_confidence: f32,
    pub deadline: Instant,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ChainStep {
    /// The caller or the callee.
    pub location: Location,
    /// The index of the previous step, or `None` if this step is a direct call to or from a start node.
    pub from: Option<usize>,
    /// The distance from the start nodes, in calls.
    pub depth: u32,
    /// A line in the file of `location`: the line of the call for a caller, the first line of the definition for a
    /// callee.
    pub line: u32,
    /// The location of the call, as `path:line`.
    pub call: String,
    /// The product of the confidences of this call and all previous calls in the chain.
    pub confidence: f32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallChain {
    pub steps: Vec<ChainStep>,
    /// False if `limit` or the deadline cut the result short. [`call_path`] also sets it to false if it reached the
    /// maximum depth.
    pub complete: bool,
}

/// Returns the callers or callees of `starts`, in breadth-first order. The calls of each node are sorted by confidence,
/// highest first.
#[must_use]
pub fn call_chain(
    view: &View,
    starts: &[Node],
    direction: Direction,
    options: ChainOptions,
) -> CallChain {
    let mut seen: NodeMap<()> =
        with_members(view, starts).into_iter().map(|node| (node, ())).collect();
    let mut chain = CallChain { steps: Vec::new(), complete: true };
    let mut queue: VecDeque<(Node, Option<usize>, u32, f32)> =
        with_members(view, starts).into_iter().map(|node| (node, None, 0, 1.0)).collect();
    while let Some((node, from, depth, confidence)) = queue.pop_front() {
        if depth >= options.depth {
            continue;
        }
        if Instant::now() >= options.deadline {
            chain.complete = false;
            break;
        }
        let mut reached: NodeMap<()> = NodeMap::default();
        for edge in calls(view, node, direction, options.min_confidence) {
            let other = other_end(&edge, direction);
            // A caller with several calls has a step for each of them, but it is followed only once. A callee has only
            // one step, because its step shows its definition.
            let is_first = match seen.entry(other) {
                Entry::Vacant(place) => {
                    place.insert(());
                    reached.insert(other, ());
                    true
                }
                Entry::Occupied(_)
                    if direction == Direction::Callers && reached.contains_key(&other) =>
                {
                    false
                }
                Entry::Occupied(_) => continue,
            };
            if chain.steps.len() >= options.limit {
                chain.complete = false;
                return chain;
            }
            let confidence = confidence * edge.confidence;
            if is_first {
                queue.push_back((other, Some(chain.steps.len()), depth + 1, confidence));
            }
            chain.steps.push(step(view, &edge, direction, from, depth + 1, confidence));
        }
    }
    chain
}

/// Returns the shortest chain of calls from one of `starts` to one of `ends`. The chain is empty if none is found.
#[must_use]
pub fn call_path(view: &View, starts: &[Node], ends: &[Node], options: ChainOptions) -> CallChain {
    let ends = with_members(view, ends);
    let starts = with_members(view, starts);
    let mut reached: NodeMap<Option<(Node, Edge)>> =
        starts.iter().map(|node| (*node, None)).collect();
    // The order of the start nodes decides between paths of the same length.
    let mut queue: VecDeque<(Node, u32)> = starts.into_iter().map(|node| (node, 0)).collect();
    let mut complete = true;
    while let Some((node, depth)) = queue.pop_front() {
        if depth > 0 && ends.contains(&node) {
            return CallChain { steps: steps_back(view, node, &reached), complete };
        }
        if Instant::now() >= options.deadline {
            complete = false;
            break;
        }
        if depth >= options.depth {
            complete = false;
            continue;
        }
        for edge in calls(view, node, Direction::Callees, options.min_confidence) {
            if let Entry::Vacant(place) = reached.entry(edge.to) {
                place.insert(Some((node, edge)));
                queue.push_back((edge.to, depth + 1));
            }
        }
    }
    CallChain { steps: Vec::new(), complete }
}

fn steps_back(view: &View, end: Node, reached: &NodeMap<Option<(Node, Edge)>>) -> Vec<ChainStep> {
    let mut edges = Vec::new();
    let mut node = end;
    while let Some(Some((before, edge))) = reached.get(&node) {
        edges.push(*edge);
        node = *before;
    }
    edges.reverse();
    let mut confidence = 1.0;
    let step = |(at, edge): (usize, &Edge)| {
        confidence *= edge.confidence;
        step(view, edge, Direction::Callees, at.checked_sub(1), at as u32 + 1, confidence)
    };
    edges.iter().enumerate().map(step).collect()
}

fn step(
    view: &View,
    edge: &Edge,
    direction: Direction,
    from: Option<usize>,
    depth: u32,
    confidence: f32,
) -> ChainStep {
    let location = Location::of(view, other_end(edge, direction));
    let caller = Location::of(view, edge.from);
    let call_line = if edge.line > 0 { edge.line } else { *caller.lines.start() };
    let line = match direction {
        Direction::Callers => call_line,
        Direction::Callees => *location.lines.start(),
    };
    let call = format!("{}:{call_line}", caller.path);
    ChainStep { location, from, depth, line, call, confidence }
}

fn other_end(edge: &Edge, direction: Direction) -> Node {
    match direction {
        Direction::Callers => edge.from,
        Direction::Callees => edge.to,
    }
}

/// Returns the calls to or from a node, one for each line, sorted by confidence, highest first.
fn calls(view: &View, node: Node, direction: Direction, min_confidence: f32) -> Vec<Edge> {
    let is_call = |edge: &Edge| edge.kind == EdgeKind::Calls && edge.confidence >= min_confidence;
    let mut edges: Vec<Edge> = match direction {
        Direction::Callers => view.references_into(node).filter(is_call).collect(),
        Direction::Callees => view.references_from(node).filter(is_call).collect(),
    };
    edges.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    edges
}

/// Returns `nodes` and, for each type or file among them, the definitions inside it.
pub(crate) fn with_members(view: &View, nodes: &[Node]) -> Vec<Node> {
    let mut all = Vec::new();
    for node in nodes {
        all.push(*node);
        match *node {
            Node::File(file) => {
                all.extend(view.symbols_in(file).map(|symbol| Node::Symbol(symbol.id)));
            }
            Node::Symbol(id) => {
                let symbol = view.symbol(id);
                if !symbol.kind.has_methods() {
                    continue;
                }
                // Members may be outside the type's lines, for example in an `impl` block.
                let is_member = |member: &index::Symbol<'_>| {
                    member
                        .qualified
                        .strip_prefix(symbol.qualified)
                        .is_some_and(|rest| rest.starts_with('.'))
                };
                all.extend(
                    view.symbols_in(symbol.file)
                        .filter(is_member)
                        .map(|member| Node::Symbol(member.id)),
                );
            }
        }
    }
    all
}
