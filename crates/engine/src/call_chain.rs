//! `ci_call_chain`: finds callers, callees, and the calls that lead from one definition to another.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use contract::counted;
use index::{Edge, EdgeKind, Node, SymbolId, View};
use serde_json::json;

use crate::NodeMap;
use crate::ask::{Answer, Asking, CALL_GRAPH, Completeness, Item, UnknownName};
use crate::location::{Location, file_of};
use crate::question::{CallSite, Callers, MIN_CERTAIN_EDGE, callers, place};

/// The maximum number of callers and of callees, unless the arguments say otherwise.
const DEFAULT_LIMIT: usize = 20;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Callers,
    Callees,
}

struct Step {
    node: Node,
    /// The caller or the callee.
    location: Location,
    /// The index of the previous step, or `None` if this step is a direct call to or from a start node.
    from: Option<usize>,
    /// The distance from the start nodes, in calls.
    depth: u32,
    /// A line in the file of `location`: the line of the call for a caller, the first line of the definition for a
    /// callee.
    line: u32,
    /// The location of the call, as `path:line`.
    call: String,
    /// The product of the confidences of this call and all previous calls in the chain.
    confidence: f32,
    /// Whether every call in the chain is certain.
    is_certain: bool,
    /// Whether the index resolved the call. An uncertain step without an edge is not followed.
    has_edge: bool,
}

struct CallChain {
    steps: Vec<Step>,
    /// False if the limit or the deadline cut the result short. [`path`] also sets it to false if it reached the maximum
    /// depth.
    is_complete: bool,
}

/// Answers `ci_call_chain`. Without the argument `callees`, the answer contains the callers and the direct callees.
pub fn ask_calls(asking: &Asking<'_>) -> Result<Answer, UnknownName> {
    let (starts, name) = (asking.starts()?, asking.name());
    let depth = asking.small("depth", 3);
    let callees = |depth| chain(asking, &starts, Direction::Callees, depth, Vec::new());
    let to = asking.arguments.text("to");
    let mut answer = Answer { lists: &["steps"], ..Answer::default() };
    match (to, asking.arguments["callees"].as_bool()) {
        (Some(to), _) => {
            let path = path(asking, &starts, &asking.named(to)?, depth);
            add_steps(asking, &mut answer, &path, "step");
            answer.nothing = format!("no calls lead from `{name}` to `{to}`");
        }
        (None, Some(true)) => {
            add_steps(asking, &mut answer, &callees(depth), "callee");
            answer.nothing = format!("`{name}` calls no function in the repository");
        }
        (None, only_callers) => {
            let direct = callers_of(asking, &starts);
            answer.completeness = completeness(&direct);
            let sites =
                direct.into_iter().flat_map(|all| all.certain.into_iter().chain(all.possible));
            let direct = sites.map(direct_step).collect();
            let callers = chain(asking, &starts, Direction::Callers, depth, direct);
            add_steps(asking, &mut answer, &callers, "caller");
            if only_callers.is_none() {
                add_steps(asking, &mut answer, &callees(1), "callee");
            }
            answer.nothing = format!("nothing in the repository calls `{name}`");
        }
    }
    Ok(answer)
}

/// Returns the callers of the symbols among `starts`, for each name separately.
fn callers_of(asking: &Asking<'_>, starts: &[Node]) -> Vec<Callers> {
    let view = asking.view;
    let symbols = starts.iter().filter_map(|node| match node {
        Node::Symbol(id) => Some(*id),
        Node::File(_) => None,
    });
    let mut by_name: BTreeMap<&str, Vec<SymbolId>> = BTreeMap::new();
    for id in symbols {
        by_name.entry(view.symbol(id).name).or_default().push(id);
    }
    let all = by_name.into_values();
    all.filter_map(|ids| callers(view, asking.source, &ids, asking.deadline)).collect()
}

/// Returns whether all lines that look like calls are listed as certain.
fn completeness(all: &[Callers]) -> Completeness {
    let certain: usize = all.iter().map(|callers| callers.certain.len()).sum();
    let about: usize = all.iter().map(Callers::about).sum();
    if all.iter().any(|callers| callers.is_stopped) {
        Completeness::SearchStopped { listed: about }
    } else if certain < about {
        Completeness::Unresolved { certain, about }
    } else {
        Completeness::Complete
    }
}

fn direct_step(site: CallSite) -> Step {
    let CallSite { caller, node, line, confidence, has_edge } = site;
    Step {
        node,
        call: format!("{}:{line}", caller.path),
        location: caller,
        from: None,
        depth: 1,
        line,
        confidence,
        is_certain: confidence >= MIN_CERTAIN_EDGE,
        has_edge,
    }
}

/// Adds the steps of a chain to an answer. `noun` describes one of them.
fn add_steps(asking: &Asking<'_>, answer: &mut Answer, chain: &CallChain, noun: &str) {
    for step in &chain.steps {
        let via = step.from.and_then(|from| chain.steps[from].location.symbol.as_deref());
        let via = via.map(|symbol| format!(" through `{symbol}`")).unwrap_or_default();
        let possible = if step.is_certain { "" } else { "possible " };
        // A distant caller is less relevant than a near one.
        let relevance = step.confidence / (step.depth.max(1) as f32).sqrt();
        let item = Item {
            role: format!("{possible}{noun}, {} away{via}", step.depth),
            quote: asking.line(&step.location.path, step.line),
            is_certain: step.is_certain,
            certainty: step.confidence,
            relevance: Some(relevance),
            source: CALL_GRAPH.to_owned(),
            list: "steps",
            ..Item::at(&step.location, step.line)
        };
        answer.items.push(item.with_fields(json!({
            "call": step.call, "confidence": f64::from(step.confidence), "depth": step.depth, "from": step.from,
            "line": step.line, "path": step.location.path, "symbol": step.location.symbol,
        })));
    }
    if !chain.is_complete && answer.completeness.is_complete() {
        answer.completeness = Completeness::Cut;
    }
    let comma = if answer.summary.is_empty() { "" } else { ", " };
    answer.summary += &format!("{comma}{}", counted(chain.steps.len(), noun));
}

/// Returns the callers or callees of `starts`, nearest first. The calls of certain callers and callees are followed; if no
/// direct call is certain, the calls of all are followed. `direct` are direct callers, some of which have no edge.
fn chain(
    asking: &Asking<'_>,
    starts: &[Node],
    direction: Direction,
    max_depth: u32,
    mut direct: Vec<Step>,
) -> CallChain {
    let (view, limit) = (asking.view, asking.number("limit", DEFAULT_LIMIT));
    let starts = with_members(view, starts);
    let mut seen: NodeMap<()> = starts.iter().map(|node| (*node, ())).collect();
    let mut chain = CallChain { steps: Vec::new(), is_complete: true };
    let mut level: Vec<(Node, Option<usize>)> = starts.iter().map(|node| (*node, None)).collect();
    for depth in 1..=max_depth {
        let mut found: Vec<Step> = Vec::new();
        for (node, from) in &level {
            if Instant::now() >= asking.deadline {
                chain.is_complete = false;
                return chain;
            }
            let before = from.map(|from| &chain.steps[from]);
            for edge in calls(view, *node, direction) {
                found.push(step(view, &edge, direction, *from, before));
            }
        }
        found.append(&mut direct);
        found.retain(|step| !seen.contains_key(&step.node));
        keep_best(view, &mut found, direction);
        seen.extend(found.iter().map(|step| (step.node, ())));
        let room = limit - chain.steps.len();
        chain.is_complete &= found.len() <= room;
        found.truncate(room);
        let follows_all = depth == 1 && found.iter().all(|step| !step.is_certain);
        let mut followed: NodeMap<()> = NodeMap::default();
        level.clear();
        for step in found {
            let is_followed = step.is_certain || follows_all && step.has_edge;
            if is_followed && followed.insert(step.node, ()).is_none() {
                level.push((step.node, Some(chain.steps.len())));
            }
            chain.steps.push(step);
        }
    }
    chain
}

/// Removes duplicates and sorts the steps. A caller has a step for each line that contains a call. A callee has one step,
/// which shows its definition.
fn keep_best(view: &View, steps: &mut Vec<Step>, direction: Direction) {
    if direction == Direction::Callers {
        let line = |step: &Step| (step.location.path.clone(), step.line);
        steps.sort_by(|a, b| line(a).cmp(&line(b)).then(b.confidence.total_cmp(&a.confidence)));
        steps.dedup_by_key(|step| line(step));
        steps.sort_by_key(|step| {
            let role = view.role(file_of(view, step.node));
            (!step.is_certain, step.location.is_test, place(role))
        });
    } else {
        let mut known: NodeMap<()> = NodeMap::default();
        steps.retain(|step| known.insert(step.node, ()).is_none());
    }
}

/// Returns the shortest chain of calls from one of `starts` to one of `ends`. The chain is empty if none is found.
fn path(asking: &Asking<'_>, starts: &[Node], ends: &[Node], max_depth: u32) -> CallChain {
    let view = asking.view;
    let ends = with_members(view, ends);
    let starts = with_members(view, starts);
    let mut reached: NodeMap<Option<(Node, Edge)>> =
        starts.iter().map(|node| (*node, None)).collect();
    // The order of the start nodes decides between paths of the same length.
    let mut queue: VecDeque<(Node, u32)> = starts.into_iter().map(|node| (node, 0)).collect();
    let mut is_complete = true;
    while let Some((node, depth)) = queue.pop_front() {
        if depth > 0 && ends.contains(&node) {
            return CallChain { steps: steps_back(view, node, &reached), is_complete };
        }
        if Instant::now() >= asking.deadline {
            is_complete = false;
            break;
        }
        if depth >= max_depth {
            is_complete = false;
            continue;
        }
        for edge in calls(view, node, Direction::Callees) {
            if let Entry::Vacant(place) = reached.entry(edge.to) {
                place.insert(Some((node, edge)));
                queue.push_back((edge.to, depth + 1));
            }
        }
    }
    CallChain { steps: Vec::new(), is_complete }
}

fn steps_back(view: &View, end: Node, reached: &NodeMap<Option<(Node, Edge)>>) -> Vec<Step> {
    let mut edges = Vec::new();
    let mut node = end;
    while let Some(Some((before, edge))) = reached.get(&node) {
        edges.push(*edge);
        node = *before;
    }
    edges.reverse();
    let mut steps: Vec<Step> = Vec::new();
    for edge in &edges {
        let from = steps.len().checked_sub(1);
        steps.push(step(view, edge, Direction::Callees, from, steps.last()));
    }
    steps
}

fn step(
    view: &View,
    edge: &Edge,
    direction: Direction,
    from: Option<usize>,
    before: Option<&Step>,
) -> Step {
    let caller = Location::of(view, edge.from);
    let call_line = if edge.line > 0 { edge.line } else { *caller.lines.start() };
    let call = format!("{}:{call_line}", caller.path);
    let (node, location, line) = match direction {
        Direction::Callers => (edge.from, caller, call_line),
        Direction::Callees => {
            let callee = Location::of(view, edge.to);
            let line = *callee.lines.start();
            (edge.to, callee, line)
        }
    };
    Step {
        node,
        location,
        from,
        depth: before.map_or(0, |before| before.depth) + 1,
        line,
        call,
        confidence: before.map_or(1.0, |before| before.confidence) * edge.confidence,
        is_certain: before.is_none_or(|before| before.is_certain)
            && edge.confidence >= MIN_CERTAIN_EDGE,
        has_edge: true,
    }
}

/// Returns the calls to or from a node, one for each line, sorted by confidence, highest first.
fn calls(view: &View, node: Node, direction: Direction) -> Vec<Edge> {
    let is_call = |edge: &Edge| edge.kind == EdgeKind::Calls;
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
