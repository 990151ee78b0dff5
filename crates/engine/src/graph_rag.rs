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

#[derive(Clone, Copy, Debug)]
pub struct GraphOptions {
    /// The maximum distance from the seeds, in edges. Values above 2 are treated as 2.
    pub depth: u32,
    /// The maximum number of items.
    pub top_k: usize,
    /// The maximum total number of tokens in all items.
    pub budget_tokens: usize,
    /// The minimum confidence of an edge that is followed.
    pub min_confidence: f32,
    pub deadline: Instant,
}

/// Why an item is in the result.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// The item is a search result.
    Seed,
    /// The item is connected to another item.
    Related { relation: Relation, to: Location, line: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The edge goes from this item to the other item.
    Outgoing(EdgeKind),
    /// The edge goes from the other item to this item.
    Incoming(EdgeKind),
    Defines,
    DefinedIn,
    ChangedWith,
}

#[derive(Clone, Debug, PartialEq)]
pub struct GraphItem {
    pub location: Location,
    pub signature: String,
    pub doc: String,
    /// The score relative to the best node, from 0 to 1.
    pub score: f32,
    pub origin: Origin,
    /// The estimated number of tokens that the item adds to a prompt.
    pub tokens: usize,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphAnswer {
    pub items: Vec<GraphItem>,
    pub tokens: usize,
    /// False if the node limit or the deadline stopped the query.
    pub complete: bool,
}

/// The minimum score of related code in a briefing.
const MIN_RELATED_SCORE: f32 = 0.04;
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
    let options = GraphOptions {
        depth: asking.small("depth", 2),
        top_k: asking.number("top_k", 10),
        budget_tokens: asking.number("budget", 8000),
        min_confidence: MIN_CERTAIN_EDGE,
        deadline: asking.deadline,
    };
    let graph = graph_rag(view, &seeds, options);
    let items: Vec<Item> = graph.items.iter().map(related).collect();
    let n_related = items.iter().filter(|item| !item.is_minor).count();
    Ok(Answer {
        items,
        completeness: Completeness::of(graph.complete),
        summary: format!(
            "{} of {}",
            counted(n_related, "neighbour"),
            counted(seeds.len(), "match")
        ),
        nothing: "nothing found".to_owned(),
        ..Answer::default()
    })
}

fn related(found: &GraphItem) -> Item {
    let location = &found.location;
    let (role, why, is_minor) = match &found.origin {
        Origin::Seed => (String::new(), "match".to_owned(), true),
        Origin::Related { relation, to, .. } => {
            let other = to.symbol.as_deref().unwrap_or(&to.path);
            let is_containment = matches!(relation, Relation::Defines | Relation::DefinedIn);
            (
                format!("{} `{other}`", words_between(location, *relation, to)),
                format!("{} {other}", relation_words(*relation)),
                is_containment || found.score < MIN_RELATED_SCORE,
            )
        }
    };
    let doc = if found.signature.is_empty() { found.doc.as_str() } else { "" };
    let item = Item {
        role,
        quote: headline(&found.signature, doc),
        is_minor,
        // Related code is less relevant than the search result it is related to.
        relevance: Some(found.score * 0.5),
        source: "graph".to_owned(),
        ..Item::at(location, 0)
    };
    item.with_fields(json!({
        "line": location.lines.start(), "path": location.path, "score": f64::from(found.score),
        "signature": found.signature, "symbol": location.symbol.as_deref().unwrap_or_default(), "why": why,
    }))
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

/// Returns the seeds and the items that are connected to them, best first. `seeds` are search results with their
/// scores.
#[must_use]
pub fn graph_rag(view: &View, seeds: &[(Node, f32)], options: GraphOptions) -> GraphAnswer {
    let mut graph = Neighbourhood::default();
    let complete = graph.expand(view, seeds, options);
    let scores = graph.pagerank(seeds);
    let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
    order.sort_by(|a, b| {
        scores[*b].total_cmp(&scores[*a]).then_with(|| graph.nodes[*a].cmp(&graph.nodes[*b]))
    });
    let best = order.first().map_or(1.0, |at| scores[*at]).max(f32::MIN_POSITIVE);
    let mut answer = GraphAnswer { complete, ..GraphAnswer::default() };
    for at in order {
        if answer.items.len() >= options.top_k {
            break;
        }
        if Instant::now() >= options.deadline {
            answer.complete = false;
            break;
        }
        let item = graph.item(view, at, scores[at] / best);
        // An item that does not fit is skipped, because a later item may be smaller and fit.
        if answer.tokens + item.tokens <= options.budget_tokens {
            answer.tokens += item.tokens;
            answer.items.push(item);
        }
    }
    answer
}

/// The nodes around the seeds and the connections between them.
#[derive(Default)]
struct Neighbourhood {
    nodes: Vec<Node>,
    positions: NodeMap<usize>,
    links: Vec<Vec<(usize, f32)>>,
    /// For each node, the connection through which it was first reached, or `None` for a seed.
    reached: Vec<Option<(usize, Relation, u32)>>,
}

impl Neighbourhood {
    /// Adds all nodes within `options.depth` of the seeds. Returns false if the node limit or the deadline was reached
    /// first.
    fn expand(&mut self, view: &View, seeds: &[(Node, f32)], options: GraphOptions) -> bool {
        for (node, _) in seeds {
            self.position_of(*node, None);
        }
        let mut frontier = 0..self.nodes.len();
        for _ in 0..options.depth.min(2) {
            let next = self.nodes.len();
            for at in frontier.clone() {
                if Instant::now() >= options.deadline || self.nodes.len() >= MAX_NODES {
                    return false;
                }
                for (other, relation, weight, line) in
                    neighbours(view, self.nodes[at], options.min_confidence)
                {
                    let position = self.position_of(other, Some((at, relation, line)));
                    self.links[at].push((position, weight));
                    self.links[position].push((at, weight));
                }
            }
            frontier = next..self.nodes.len();
        }
        true
    }

    fn position_of(&mut self, node: Node, reached: Option<(usize, Relation, u32)>) -> usize {
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

    fn item(&self, view: &View, at: usize, score: f32) -> GraphItem {
        let node = self.nodes[at];
        let location = Location::of(view, node);
        let (signature, doc) = match node {
            Node::File(_) => (String::new(), String::new()),
            Node::Symbol(id) => {
                let symbol = view.symbol(id);
                (symbol.signature.to_owned(), symbol.doc.to_owned())
            }
        };
        let origin = match self.reached[at] {
            None => Origin::Seed,
            Some((from, relation, line)) => {
                Origin::Related { relation, to: Location::of(view, self.nodes[from]), line }
            }
        };
        let symbol_bytes = location.symbol.as_ref().map_or(0, String::len);
        let bytes = location.path.len() + symbol_bytes + signature.len() + doc.len() + 40;
        let tokens = (bytes as f32 / BYTES_PER_TOKEN).ceil() as usize;
        GraphItem { location, signature, doc, score, origin, tokens }
    }
}

/// Returns a node's neighbours with their relation, weight and line, sorted by weight, highest first.
fn neighbours(view: &View, node: Node, min_confidence: f32) -> Vec<(Node, Relation, f32, u32)> {
    let mut all: Vec<(Node, Relation, f32, u32)> = Vec::new();
    let is_sure = |edge: &Edge| edge.confidence >= min_confidence;
    for edge in view.edges_from(node).filter(is_sure) {
        all.push((
            edge.to,
            Relation::Incoming(edge.kind),
            edge.confidence * weight(edge.kind),
            edge.line,
        ));
    }
    for edge in view.edges_into(node).filter(is_sure) {
        all.push((
            edge.from,
            Relation::Outgoing(edge.kind),
            edge.confidence * weight(edge.kind) * 0.8,
            edge.line,
        ));
    }
    match node {
        Node::File(file) => {
            let strongest =
                view.co_changes(file).next().map_or(1, |(_, count)| count).max(1) as f32;
            let together = view.co_changes(file).take(8);
            all.extend(together.map(|(other, count)| {
                (Node::File(other), Relation::ChangedWith, 0.4 * count as f32 / strongest, 0)
            }));
            let defined = view.symbols_in(file).filter(|symbol| symbol.parent.is_none());
            all.extend(
                defined.map(|symbol| (Node::Symbol(symbol.id), Relation::DefinedIn, 0.15, 0)),
            );
        }
        Node::Symbol(id) => {
            let around = view
                .symbol(id)
                .parent
                .map_or_else(|| Node::File(file_of(view, node)), Node::Symbol);
            all.push((around, Relation::Defines, 0.3, 0));
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
