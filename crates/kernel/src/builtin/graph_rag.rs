//! `ci_graph_rag`: what the code around the matches hangs together with.

use engine::{GraphItem, GraphOptions, Origin, Relation, graph_rag};
use index::{EdgeKind, View};
use serde_json::Value;
use toolcall::{Answer, BuiltinCall, Failure};

use super::{Shared, item, number, search, subject};

const LEAST_SCORE: f32 = 0.04;

pub(super) fn answer(_: &Shared, view: &View, call: &BuiltinCall) -> Result<Answer, Failure> {
    let mut seeds = Vec::new();
    for hit in search::hits(view, call, 5) {
        seeds.extend(subject::node_of(view, &hit).map(|node| (node, hit.confidence.max(0.05))));
    }
    let options = GraphOptions {
        depth: u32::try_from(number(call, "depth", 2)).unwrap_or(2),
        top_k: number(call, "top_k", 10),
        budget_tokens: number(call, "budget", 8000),
        deadline: call.deadline,
    };
    let graph = graph_rag(view, &seeds, options);
    let items: Vec<Value> = graph.items.iter().filter_map(neighbour).collect();
    let summary = format!("{} neighbours of {} matches", items.len(), seeds.len());
    Ok(super::answer("ci_graph_rag", summary, items, graph.complete))
}

/// The matches themselves are the search's business.
fn neighbour(found: &GraphItem) -> Option<Value> {
    let Origin::Related { relation, to, .. } = &found.origin else { return None };
    // That a file has definitions is no news; what is barely related is noise.
    if matches!(relation, Relation::Defines | Relation::DefinedIn) || found.score < LEAST_SCORE {
        return None;
    }
    let other = to.symbol.as_deref().unwrap_or(&to.path);
    let signature =
        if found.signature.is_empty() { found.doc.as_str() } else { found.signature.as_str() };
    let summary = format!("{} `{other}`; {signature}", words(*relation));
    // A neighbour is a guess about a guess: never as sure as a match.
    Some(item::at(&found.location, 0, summary.trim_end_matches("; "), found.score * 0.5, "graph"))
}

/// How one thing relates to another, in words.
#[must_use]
pub fn words(relation: Relation) -> &'static str {
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
