//! `ci_graph_rag`: finds code that is connected to search results in the dependency graph, within a token budget.

use std::time::Instant;

use contract::counted;
use index::{Edge, EdgeKind, Node, View};
use serde_json::json;

use crate::NodeMap;
use crate::ask::{Answer, Asking, Completeness, Item, UnknownName};
use crate::headline::headline;
use crate::location::{Location, file_of};
use crate::question::MIN_CERTAIN_EDGE;

#[derive(Clone, Copy)]
enum Relation {
    /// The edge goes from this item to the other item.
    Outgoing(EdgeKind),
    /// The edge goes from the other item to this item.
    Incoming(EdgeKind),
    Defines,
    DefinedIn,
    ChangedWith,
}

/// The minimum score of related code in a briefing.
const MIN_RELATED_SCORE: f32 = 0.04;
/// The maximum distance from the seeds, in edges.
const MAX_DEPTH: u32 = 2;
const MAX_NODES: usize = 3_000;
const MAX_NEIGHBOURS: usize = 48;
const ROUNDS: usize = 12;
/// The share of a node's score that passes to its neighbours in each round. The rest returns to the seeds.
const DAMPING: f32 = 0.6;
/// The average number of bytes per token, over several tokenizers and languages.
const BYTES_PER_TOKEN: f32 = 4.2;

/// Answers `ci_graph_rag`: finds code that is related to the best search results. A briefing shows neither the search
/// results themselves nor weakly related code, nor an item whose only relation is that it contains the other.
pub fn ask_graph(asking: &Asking<'_>) -> Result<Answer, UnknownName> {
    let view = asking.view;
    let mut seeds = Vec::new();
    for hit in (asking.search)() {
        seeds.extend(hit.node(view).map(|node| (node, hit.confidence.max(0.05))));
    }
    let (items, is_complete) = around(asking, &seeds);
    let n_related = items.iter().filter(|item| !item.is_minor).count();
    Ok(Answer {
        items,
        completeness: Completeness::of(is_complete),
        summary: format!(
            "{} of {}",
            counted(n_related, "neighbour"),
            counted(seeds.len(), "match")
        ),
        nothing: "nothing found".to_owned(),
        ..Answer::default()
    })
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
fn relation_words(relation: Relation) -> &'static str {
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

/// Returns the seeds and the items that are connected to them, best first, and whether the node limit and the deadline
/// were not reached. `seeds` are search results with their scores.
fn around(asking: &Asking<'_>, seeds: &[(Node, f32)]) -> (Vec<Item>, bool) {
    let (view, top_k) = (asking.view, asking.number("top_k", 10));
    let mut tokens_left = asking.number("budget", 8000);
    let mut graph = Neighbourhood::default();
    let is_complete = graph.expand(asking, seeds);
    let scores = graph.pagerank(seeds);
    let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
    order.sort_by(|a, b| {
        scores[*b].total_cmp(&scores[*a]).then_with(|| graph.nodes[*a].cmp(&graph.nodes[*b]))
    });
    let best = order.first().map_or(1.0, |at| scores[*at]).max(f32::MIN_POSITIVE);
    let mut items = Vec::new();
    for at in order {
        if items.len() >= top_k {
            break;
        }
        if Instant::now() >= asking.deadline {
            return (items, false);
        }
        let (item, tokens) = graph.item(view, at, scores[at] / best);
        // An item that does not fit is skipped, because a later item may be smaller and fit.
        if tokens <= tokens_left {
            tokens_left -= tokens;
            items.push(item);
        }
    }
    (items, is_complete)
}

/// The nodes around the seeds and the connections between them.
#[derive(Default)]
struct Neighbourhood {
    nodes: Vec<Node>,
    positions: NodeMap<usize>,
    links: Vec<Vec<(usize, f32)>>,
    /// For each node, the connection through which it was first reached, or `None` for a seed.
    reached: Vec<Option<(usize, Relation)>>,
}

impl Neighbourhood {
    /// Adds the nodes around the seeds. Returns false if the node limit or the deadline was reached first.
    fn expand(&mut self, asking: &Asking<'_>, seeds: &[(Node, f32)]) -> bool {
        for (node, _) in seeds {
            self.position_of(*node, None);
        }
        let mut frontier = 0..self.nodes.len();
        for _ in 0..asking.small("depth", 2).min(MAX_DEPTH) {
            let next = self.nodes.len();
            for at in frontier.clone() {
                if Instant::now() >= asking.deadline || self.nodes.len() >= MAX_NODES {
                    return false;
                }
                for (other, relation, weight) in neighbours(asking.view, self.nodes[at]) {
                    let position = self.position_of(other, Some((at, relation)));
                    self.links[at].push((position, weight));
                    self.links[position].push((at, weight));
                }
            }
            frontier = next..self.nodes.len();
        }
        true
    }

    fn position_of(&mut self, node: Node, reached: Option<(usize, Relation)>) -> usize {
        *self.positions.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.links.push(Vec::new());
            self.reached.push(reached);
            self.nodes.len() - 1
        })
    }

    /// Computes a personalised PageRank that restarts at the seeds.
    fn pagerank(&self, seeds: &[(Node, f32)]) -> Vec<f32> {
        let mut restart = vec![0.0_f32; self.nodes.len()];
        for (node, weight) in seeds {
            restart[self.positions[node]] += weight.max(0.0);
        }
        let total: f32 = restart.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        for weight in &mut restart {
            *weight /= total;
        }
        let out: Vec<f32> =
            self.links.iter().map(|links| links.iter().map(|(_, weight)| weight).sum()).collect();
        let mut scores = restart.clone();
        for _ in 0..ROUNDS {
            let mut next: Vec<f32> =
                restart.iter().map(|weight| weight * (1.0 - DAMPING)).collect();
            for (at, links) in self.links.iter().enumerate() {
                for (other, weight) in links {
                    next[*other] += DAMPING * scores[at] * weight / out[at];
                }
            }
            scores = next;
        }
        scores
    }

    /// Returns the item for a node, and the estimated number of tokens that it adds to a prompt.
    fn item(&self, view: &View, at: usize, score: f32) -> (Item, usize) {
        let node = self.nodes[at];
        let location = Location::of(view, node);
        let (signature, doc) = match node {
            Node::File(_) => ("", ""),
            Node::Symbol(id) => {
                let symbol = view.symbol(id);
                (symbol.signature, symbol.doc)
            }
        };
        let (role, why, is_minor) = match self.reached[at] {
            None => (String::new(), "match".to_owned(), true),
            Some((from, relation)) => {
                let to = Location::of(view, self.nodes[from]);
                let other = to.symbol.as_deref().unwrap_or(&to.path);
                let is_containment = matches!(relation, Relation::Defines | Relation::DefinedIn);
                (
                    format!("{} `{other}`", words_between(&location, relation, &to)),
                    format!("{} {other}", relation_words(relation)),
                    is_containment || score < MIN_RELATED_SCORE,
                )
            }
        };
        let item = Item {
            role,
            quote: headline(signature, if signature.is_empty() { doc } else { "" }),
            is_minor,
            // Related code is less relevant than the search result it is related to.
            relevance: Some(score * 0.5),
            source: "graph".to_owned(),
            ..Item::at(&location, 0)
        };
        let symbol = location.symbol.as_deref().unwrap_or_default();
        let bytes = location.path.len() + symbol.len() + signature.len() + doc.len() + 40;
        let fields = json!({
            "line": location.lines.start(), "path": location.path, "score": f64::from(score),
            "signature": signature, "symbol": symbol, "why": why,
        });
        (item.with_fields(fields), (bytes as f32 / BYTES_PER_TOKEN).ceil() as usize)
    }
}

/// Returns a node's neighbours with their relation and weight, sorted by weight, highest first. Only certain edges are
/// followed.
fn neighbours(view: &View, node: Node) -> Vec<(Node, Relation, f32)> {
    let mut all: Vec<(Node, Relation, f32)> = Vec::new();
    let is_certain = |edge: &Edge| edge.confidence >= MIN_CERTAIN_EDGE;
    for edge in view.edges_from(node).filter(is_certain) {
        all.push((edge.to, Relation::Incoming(edge.kind), edge.confidence * weight(edge.kind)));
    }
    for edge in view.edges_into(node).filter(is_certain) {
        let weight = edge.confidence * weight(edge.kind) * 0.8;
        all.push((edge.from, Relation::Outgoing(edge.kind), weight));
    }
    match node {
        Node::File(file) => {
            let strongest =
                view.co_changes(file).next().map_or(1, |(_, count)| count).max(1) as f32;
            let together = view.co_changes(file).take(8);
            all.extend(together.map(|(other, count)| {
                (Node::File(other), Relation::ChangedWith, 0.4 * count as f32 / strongest)
            }));
            let defined = view.symbols_in(file).filter(|symbol| symbol.parent.is_none());
            all.extend(defined.map(|symbol| (Node::Symbol(symbol.id), Relation::DefinedIn, 0.15)));
        }
        Node::Symbol(id) => {
            let around = view
                .symbol(id)
                .parent
                .map_or_else(|| Node::File(file_of(view, node)), Node::Symbol);
            all.push((around, Relation::Defines, 0.3));
        }
    }
    all.sort_by(|a, b| b.2.total_cmp(&a.2).then_with(|| a.0.cmp(&b.0)));
    all.truncate(MAX_NEIGHBOURS);
    all
}

fn weight(kind: EdgeKind) -> f32 {
    match kind {
        EdgeKind::Calls | EdgeKind::Inherits => 1.0,
        EdgeKind::References => 0.6,
        EdgeKind::Imports => 0.4,
        EdgeKind::Tests => 0.3,
    }
}
