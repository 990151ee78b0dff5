//! Collects and encodes the edges between nodes. Nodes are numbered: all files first, then all symbols.

use super::tables::lists;
use crate::codec::put_varint;
use crate::edge::EdgeKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawEdge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) kind: EdgeKind,
    /// The confidence in units of 1/255.
    pub(super) confidence: u8,
    pub(super) line: u32,
}

/// Edges sorted by start node. A reference that occurs on several lines has an edge for each line; the edge with the
/// highest confidence and the lowest line is first.
#[derive(Default)]
pub(super) struct Graph {
    edges: Vec<RawEdge>,
}

impl Graph {
    pub(super) fn new(mut edges: Vec<RawEdge>) -> Self {
        edges.retain(|edge| edge.from != edge.to);
        edges.sort_unstable_by_key(|edge| {
            (edge.from, edge.to, edge.kind, std::cmp::Reverse(edge.confidence), edge.line)
        });
        edges.dedup_by_key(|edge| (edge.from, edge.to, edge.kind, edge.line));
        Self { edges }
    }

    pub(super) fn len(&self) -> usize {
        self.edges().count()
    }

    /// Returns the first edge of each kind between two nodes.
    pub(super) fn edges(&self) -> impl Iterator<Item = &RawEdge> {
        let key = |edge: &RawEdge| (edge.from, edge.to, edge.kind);
        self.edges.chunk_by(move |a, b| key(a) == key(b)).filter_map(<[RawEdge]>::first)
    }

    /// Returns four sections: the offsets and the lists of outgoing edges, then the offsets and the lists of incoming
    /// edges.
    pub(super) fn sections(&self, n_nodes: usize) -> [Vec<u8>; 4] {
        let [out_starts, out] =
            by_node(n_nodes, self.edges.iter().map(|edge| (edge.from, edge.to, edge)));
        let [in_starts, incoming] =
            by_node(n_nodes, self.edges.iter().map(|edge| (edge.to, edge.from, edge)));
        [out_starts, out, in_starts, incoming]
    }
}

fn by_node<'a>(
    n_nodes: usize,
    edges: impl Iterator<Item = (u32, u32, &'a RawEdge)>,
) -> [Vec<u8>; 2] {
    let mut of_node: Vec<Vec<(u32, &RawEdge)>> = vec![Vec::new(); n_nodes];
    for (node, other, edge) in edges {
        of_node[node as usize].push((other, edge));
    }
    lists(&of_node, |edges, out| {
        let mut previous = 0;
        for (other, edge) in edges {
            // `other` ascends in both directions, because the edges are sorted by start node, then by end node.
            put_varint(out, u64::from(other - previous));
            out.push(edge.kind.code());
            out.push(edge.confidence);
            put_varint(out, u64::from(edge.line));
            previous = *other;
        }
    })
}
