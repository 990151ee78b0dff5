//! `ci_graph_rag`: what belongs to the things a search found, over the arrows between them, within a budget of tokens.

use std::time::Instant;

use index::{EdgeKind, Node, View};

use crate::Hops;
use crate::location::{Location, file_of};

#[derive(Clone, Copy, Debug)]
pub struct GraphOptions {
    /// How many steps from the seeds; more than two is taken as two.
    pub depth: u32,
    /// How many items come back, at most.
    pub top_k: usize,
    /// What all items together may cost.
    pub budget_tokens: usize,
    pub deadline: Instant,
}

/// Why an item is there.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// The search found it.
    Seed,
    /// It stands at the other end of an arrow.
    Related { relation: Relation, to: Location, line: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The item does it to the other.
    Outgoing(EdgeKind),
    /// The other does it to the item.
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
    /// From nought to one; the best item has one.
    pub score: f32,
    pub why: Why,
    /// What it costs to show.
    pub tokens: usize,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphAnswer {
    pub items: Vec<GraphItem>,
    pub tokens: usize,
    /// Whether all of the neighbourhood was seen.
    pub complete: bool,
}

const MAX_NODES: usize = 3_000;
const MAX_NEIGHBOURS: usize = 48;
const ROUNDS: usize = 12;
/// The share of a visit that goes on; the rest returns to the seeds.
const GO_ON: f32 = 0.6;
/// Measured over several tokenizers and languages.
const BYTES_PER_TOKEN: f32 = 4.2;

/// The neighbourhood of `seeds`, which come with how well they answered the search.
#[must_use]
pub fn graph_rag(view: &View, seeds: &[(Node, f32)], options: GraphOptions) -> GraphAnswer {
    let mut field = Field::default();
    let complete = field.grow(view, seeds, options);
    let scores = field.walk(seeds);
    let mut order: Vec<usize> = (0..field.nodes.len()).collect();
    order.sort_by(|a, b| {
        scores[*b].total_cmp(&scores[*a]).then_with(|| field.nodes[*a].cmp(&field.nodes[*b]))
    });
    let best = order.first().map_or(1.0, |at| scores[*at]).max(f32::MIN_POSITIVE);
    let mut answer = GraphAnswer { complete, ..GraphAnswer::default() };
    for at in order {
        if answer.items.len() >= options.top_k || Instant::now() >= options.deadline {
            break;
        }
        let item = field.item(view, at, scores[at] / best);
        // A cheaper item further down may still fit.
        if answer.tokens + item.tokens <= options.budget_tokens {
            answer.tokens += item.tokens;
            answer.items.push(item);
        }
    }
    answer
}

/// The nodes around the seeds and the arrows between them.
#[derive(Default)]
struct Field {
    nodes: Vec<Node>,
    places: Hops<usize>,
    links: Vec<Vec<(usize, f32)>>,
    /// How each node was first reached; none for seeds.
    reached: Vec<Option<(usize, Relation, u32)>>,
}

impl Field {
    /// Takes in the neighbourhood, step by step; false when it did not all fit.
    fn grow(&mut self, view: &View, seeds: &[(Node, f32)], options: GraphOptions) -> bool {
        for (node, _) in seeds {
            self.place(*node, None);
        }
        let mut frontier = 0..self.nodes.len();
        for _ in 0..options.depth.min(2) {
            let next = self.nodes.len();
            for at in frontier.clone() {
                if Instant::now() >= options.deadline || self.nodes.len() >= MAX_NODES {
                    return false;
                }
                for (other, relation, weight, line) in neighbours(view, self.nodes[at]) {
                    let place = self.place(other, Some((at, relation, line)));
                    self.links[at].push((place, weight));
                    self.links[place].push((at, weight));
                }
            }
            frontier = next..self.nodes.len();
        }
        true
    }

    fn place(&mut self, node: Node, reached: Option<(usize, Relation, u32)>) -> usize {
        *self.places.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.links.push(Vec::new());
            self.reached.push(reached);
            self.nodes.len() - 1
        })
    }

    /// Personalised PageRank from the seeds.
    fn walk(&self, seeds: &[(Node, f32)]) -> Vec<f32> {
        let mut home = vec![0.0_f32; self.nodes.len()];
        for (node, weight) in seeds {
            home[self.places[node]] += weight.max(0.0);
        }
        let total: f32 = home.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        for weight in &mut home {
            *weight /= total;
        }
        let out: Vec<f32> =
            self.links.iter().map(|links| links.iter().map(|(_, weight)| weight).sum()).collect();
        let mut scores = home.clone();
        for _ in 0..ROUNDS {
            let mut next: Vec<f32> = home.iter().map(|weight| weight * (1.0 - GO_ON)).collect();
            for (at, links) in self.links.iter().enumerate() {
                for (other, weight) in links {
                    next[*other] += GO_ON * scores[at] * weight / out[at];
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
        let why = match self.reached[at] {
            None => Why::Seed,
            Some((from, relation, line)) => {
                Why::Related { relation, to: Location::of(view, self.nodes[from]), line }
            }
        };
        let symbol_bytes = location.symbol.as_ref().map_or(0, String::len);
        let bytes = location.path.len() + symbol_bytes + signature.len() + doc.len() + 40;
        let tokens = (bytes as f32 / BYTES_PER_TOKEN).ceil() as usize;
        GraphItem { location, signature, doc, score, why, tokens }
    }
}

/// What a node is connected to, strongest first.
fn neighbours(view: &View, node: Node) -> Vec<(Node, Relation, f32, u32)> {
    let mut all: Vec<(Node, Relation, f32, u32)> = Vec::new();
    for edge in view.edges_from(node) {
        all.push((
            edge.to,
            Relation::Incoming(edge.kind),
            edge.confidence * weight(edge.kind),
            edge.line,
        ));
    }
    for edge in view.edges_into(node) {
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
