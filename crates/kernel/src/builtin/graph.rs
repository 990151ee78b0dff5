//! Implements the tools that follow the edges of the code graph: `ci_graph_rag`, `ci_call_chain` and `ci_impact`.

use contract::{Finding, counted};
use engine::{
    Affected, CallChain, ChainOptions, Direction, GraphItem, GraphOptions, Impact, ImpactOptions,
    Location, Origin, Relation, find_nodes, graph_rag, headline,
};
use index::{EdgeKind, Node, View};
use policy::ToolId;
use toolcall::{Answer, Failure};

use super::{Call, Shared, finding_at, no_index_yet, number, question, search};

/// The maximum number of search results whose related code is looked up.
pub(super) const MAX_SEED_FILES: usize = 5;
/// The maximum number of search results from which edges are followed if the prompt names no definition or file.
pub(super) const MAX_START_FILES: usize = 3;
/// The maximum number of definitions and files from which edges are followed.
const MAX_START_NODES: usize = 6;
/// The minimum score of related code that is shown.
const MIN_RELATED_SCORE: f32 = 0.04;
const MAX_CHAIN_STEPS: usize = 20;
/// The minimum confidence of an edge in a briefing. Edges with a lower confidence often lead to another definition of
/// the same name.
const MIN_EDGE_CONFIDENCE: f32 = 0.7;
const IMPACT_DEPTH: u32 = 3;
/// The maximum number of affected locations, tests included.
const MAX_AFFECTED: usize = 40;

/// Implements `ci_graph_rag`, which answers a direct question, or finds code that is related to the best search
/// results.
pub(super) fn answer(shared: &Shared, call: &Call<'_>) -> Result<Answer, Failure> {
    let with_index = |view: &View| {
        let direct = question::findings(shared, Some(view), call);
        Ok(if direct.is_empty() { related_code(shared, view, call) } else { direct_answer(direct) })
    };
    let without_index = || {
        let direct = question::findings(shared, None, call);
        if direct.is_empty() { Err(no_index_yet()) } else { Ok(direct_answer(direct)) }
    };
    shared.ask(call, with_index, without_index)
}

fn direct_answer(findings: Vec<Finding>) -> Answer {
    Answer::of_findings(
        format!("{} to a direct question", counted(findings.len(), "answer")),
        findings,
    )
}

fn related_code(shared: &Shared, view: &View, call: &Call<'_>) -> Answer {
    let mut seeds = Vec::new();
    for hit in search::hits(shared, view, call, MAX_SEED_FILES) {
        seeds.extend(hit.node(view).map(|node| (node, hit.confidence.max(0.05))));
    }
    let options = GraphOptions {
        depth: u32::try_from(number(call, "depth", 2)).unwrap_or(2),
        top_k: number(call, "top_k", 10),
        budget_tokens: number(call, "budget", 8000),
        min_confidence: MIN_EDGE_CONFIDENCE,
        deadline: call.deadline,
    };
    let graph = graph_rag(view, &seeds, options);
    let findings: Vec<Finding> = graph.items.iter().filter_map(related).collect();
    let summary =
        format!("{} of {}", counted(findings.len(), "neighbour"), counted(seeds.len(), "match"));
    super::answer(ToolId::GraphRag, summary, findings, graph.complete)
}

/// Creates a finding for related code. Returns `None` for the search results themselves, because `ci_search` shows
/// them. Also returns `None` if the score is too low, or if the relation is only that one item contains the other.
fn related(found: &GraphItem) -> Option<Finding> {
    let Origin::Related { relation, to, .. } = &found.origin else { return None };
    let is_containment = matches!(relation, Relation::Defines | Relation::DefinedIn);
    if is_containment || found.score < MIN_RELATED_SCORE {
        return None;
    }
    let other = to.symbol.as_deref().unwrap_or(&to.path);
    let doc = if found.signature.is_empty() { found.doc.as_str() } else { "" };
    let signature = headline(&found.signature, doc);
    let words = words_between(&found.location, *relation, to);
    let summary = format!("{words} `{other}`; {signature}");
    // Related code is less certain than the search result it is related to.
    let confidence = found.score * 0.5;
    Some(finding_at(&found.location, 0, summary.trim_end_matches("; "), confidence, "graph"))
}

/// Returns a relation in words. If one of the items is a test and the other is not, the relation is `tests` or `tested
/// by`.
fn words_between(item: &Location, relation: Relation, to: &Location) -> &'static str {
    match relation {
        Relation::Incoming(_) if to.is_test && !item.is_test => "tested by",
        Relation::Outgoing(_) if item.is_test && !to.is_test => "tests",
        Relation::Incoming(_)
        | Relation::Outgoing(_)
        | Relation::Defines
        | Relation::DefinedIn
        | Relation::ChangedWith => relation_words(relation),
    }
}

/// Returns a relation in words, such as `calls` or `imported by`.
#[must_use]
pub fn relation_words(relation: Relation) -> &'static str {
    match relation {
        Relation::Outgoing(EdgeKind::Calls) => "calls",
        Relation::Outgoing(EdgeKind::Imports) => "imports",
        Relation::Outgoing(EdgeKind::Inherits) => "extends",
        Relation::Outgoing(EdgeKind::Tests) => "tests",
        Relation::Outgoing(_) => "uses",
        Relation::Incoming(EdgeKind::Calls) => "called by",
        Relation::Incoming(EdgeKind::Imports) => "imported by",
        Relation::Incoming(EdgeKind::Inherits) => "extended by",
        Relation::Incoming(EdgeKind::Tests) => "tested by",
        Relation::Incoming(_) => "used by",
        Relation::Defines => "defines",
        Relation::DefinedIn => "defined in",
        Relation::ChangedWith => "changes together with",
    }
}

/// Implements `ci_call_chain`, which finds the direct and indirect callers of a function, and the functions that it
/// calls.
pub(super) fn call_chain(shared: &Shared, view: &View, call: &Call<'_>) -> Answer {
    let nodes = start_nodes(shared, view, call);
    let options = ChainOptions {
        depth: u32::try_from(number(call, "depth", 3)).unwrap_or(3),
        limit: MAX_CHAIN_STEPS,
        min_confidence: MIN_EDGE_CONFIDENCE,
        deadline: call.deadline,
    };
    let (callers, caller) = calls(view, &nodes, Direction::Callers, options);
    let options = ChainOptions { depth: 1, ..options };
    let (callees, callee) = calls(view, &nodes, Direction::Callees, options);
    let mut findings = Vec::new();
    for (chain, word) in [(&callers, caller), (&callees, callee)] {
        for step in &chain.steps {
            let via = step.from.and_then(|from| chain.steps.get(from));
            let via = via.and_then(|step| step.location.symbol.as_deref());
            let via = via.map(|symbol| format!(" through `{symbol}`")).unwrap_or_default();
            let summary = format!("{word}, {} away{via}", step.depth);
            let depth = f32::from(u16::try_from(step.depth.max(1)).unwrap_or(u16::MAX));
            let confidence = step.confidence * (1.0 / depth.sqrt());
            findings.push(finding_at(
                &step.location,
                step.line,
                &summary,
                confidence,
                "call graph",
            ));
        }
    }
    let summary = format!(
        "{}, {}",
        counted(callers.steps.len(), "caller"),
        counted(callees.steps.len(), "callee")
    );
    let is_complete = callers.complete && callees.complete;
    super::answer(ToolId::CallChain, summary, findings, is_complete)
}

/// Returns the callers or callees, and the noun for one of them, such as `caller`. If no edge has enough confidence,
/// follows all edges, and the noun is `possible caller` or `possible callee`.
fn calls(
    view: &View,
    nodes: &[Node],
    direction: Direction,
    options: ChainOptions,
) -> (CallChain, &'static str) {
    let sure = engine::call_chain(view, nodes, direction, options);
    let (word, possible_word) = match direction {
        Direction::Callers => ("caller", "possible caller"),
        Direction::Callees => ("callee", "possible callee"),
    };
    if !sure.steps.is_empty() {
        return (sure, word);
    }
    let options = ChainOptions { min_confidence: 0.0, ..options };
    (engine::call_chain(view, nodes, direction, options), possible_word)
}

/// Implements `ci_impact`, which finds the code that a change may affect, and the tests that cover it.
pub(super) fn impact(shared: &Shared, view: &View, call: &Call<'_>) -> Answer {
    let nodes = start_nodes(shared, view, call);
    let options = ImpactOptions {
        depth: IMPACT_DEPTH,
        limit: MAX_AFFECTED,
        min_confidence: MIN_EDGE_CONFIDENCE,
        deadline: call.deadline,
    };
    let (found, possibly) = affected(view, &nodes, options);
    let affected = found.affected.iter().map(|found| reached(found, "affected", possibly));
    let tests = found.tests.iter().map(|test| reached(test, "test that covers it", possibly));
    let findings = affected.chain(tests).collect();
    let summary = format!(
        "{} affected, {}",
        counted(found.affected.len(), "place"),
        counted(found.tests.len(), "test")
    );
    super::answer(ToolId::Impact, summary, findings, found.complete)
}

/// Returns the code that a change affects, and a prefix for its description. If no edge has enough confidence, all
/// edges are followed and the prefix is `possibly `.
fn affected(view: &View, nodes: &[Node], options: ImpactOptions) -> (Impact, &'static str) {
    let sure = engine::impact(view, nodes, options);
    if !sure.affected.is_empty() || !sure.tests.is_empty() {
        return (sure, "");
    }
    (engine::impact(view, nodes, ImpactOptions { min_confidence: 0.0, ..options }), "possibly ")
}

fn reached(affected: &Affected, word: &str, possibly: &str) -> Finding {
    let via = affected.via.symbol.as_deref().unwrap_or(&affected.via.path);
    let summary = format!("{possibly}{word}, {} away through `{via}`", affected.depth);
    finding_at(&affected.location, affected.line, &summary, affected.confidence, "impact")
}

/// Returns the definitions and files that the prompt names, or the best search results if it names none.
fn start_nodes(shared: &Shared, view: &View, call: &Call<'_>) -> Vec<Node> {
    let read = &call.searched.query;
    let qualified = read.qualified.iter().map(|mention| mention.text.as_str());
    let names = read.identifiers.iter().map(|identifier| identifier.name.as_str());
    let paths = read.paths.iter().map(|mention| mention.text.as_str());
    let mut nodes: Vec<Node> = Vec::new();
    for name in qualified.chain(names).chain(paths) {
        for node in find_nodes(view, name).into_iter().take(2) {
            if !nodes.contains(&node) && nodes.len() < MAX_START_NODES {
                nodes.push(node);
            }
        }
    }
    if nodes.is_empty() {
        nodes = search::hits(shared, view, call, MAX_START_FILES)
            .iter()
            .filter_map(|hit| hit.node(view))
            .collect();
    }
    nodes
}
