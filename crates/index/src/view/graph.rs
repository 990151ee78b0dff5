//! Reads the edges between the files and symbols of a view.

use rustc_hash::FxHashSet;

use super::layer::{Counts, Layer, Replacements};
use super::{FileId, SymbolId, View};
use crate::snapshot::{Direction, EdgeKind, StoredEdge};

/// One end of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A file. Its imports, and the references that are not inside a definition, start at this node.
    File(FileId),
    Symbol(SymbolId),
}

/// A directed relation between two nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    pub from: Node,
    pub to: Node,
    pub kind: EdgeKind,
    /// The confidence, between 0 and 1.
    pub confidence: f32,
    /// The line of the reference in the file that contains `from`, or zero if the edge has no line.
    pub line: u32,
}

/// The factor by which an edge's confidence is multiplied if the edge was resolved in an older version of the file.
/// The reference may have been moved or deleted since.
const CHANGED_FILE_FACTOR: f32 = 0.9;

impl View {
    /// Returns the edges that start at `node`.
    pub fn edges_from(&self, node: Node) -> impl Iterator<Item = Edge> + '_ {
        let edges = self.edges(node, Direction::Outgoing);
        without_repetitions(edges).map(move |(other, edge)| edge.between(node, other))
    }

    /// Returns the edges that end at `node`.
    pub fn edges_into(&self, node: Node) -> impl Iterator<Item = Edge> + '_ {
        let edges = self.edges(node, Direction::Incoming);
        without_repetitions(edges).map(move |(other, edge)| edge.between(other, node))
    }

    /// Like [`Self::edges_from`], but a reference that occurs on several lines has an edge for each line.
    pub fn references_from(&self, node: Node) -> impl Iterator<Item = Edge> + '_ {
        self.edges(node, Direction::Outgoing).map(move |(other, edge)| edge.between(node, other))
    }

    /// Like [`Self::edges_into`], but a reference that occurs on several lines has an edge for each line.
    pub fn references_into(&self, node: Node) -> impl Iterator<Item = Edge> + '_ {
        self.edges(node, Direction::Incoming).map(move |(other, edge)| edge.between(other, node))
    }

    /// Returns the lines that contain a call of the symbol's name and are known to refer to something outside the
    /// repository. They are stored for one of the symbols with this name.
    pub fn foreign_calls(&self, symbol: SymbolId) -> impl Iterator<Item = (FileId, u32)> + '_ {
        let edges =
            self.stored_edges(Node::Symbol(symbol), Direction::Incoming, StoredEdge::is_refuted);
        edges.into_iter().map(|(from, edge)| {
            let file = match from {
                Node::File(file) => file,
                Node::Symbol(symbol) => self.file_of(symbol),
            };
            (file, edge.line)
        })
    }

    /// Returns the files that changed in the same commits as `file`, each with the number of such commits, in
    /// descending order of this number.
    pub fn co_changes(&self, file: FileId) -> impl Iterator<Item = (FileId, u32)> + '_ {
        let base = self.base_file(file);
        base.into_iter()
            .flat_map(|number| self.base.snapshot.co_changes(number))
            .filter_map(|(other, count)| Some((self.newest_version(other)?, count)))
    }

    /// Returns the day of each commit that changed `file`, in days since the Unix epoch, newest first.
    pub fn touch_days(&self, file: FileId) -> impl Iterator<Item = u32> + '_ {
        self.base_file(file).into_iter().flat_map(|number| self.base.snapshot.touch_days(number))
    }

    fn edges(
        &self,
        node: Node,
        direction: Direction,
    ) -> impl Iterator<Item = (Node, StoredEdge)> + '_ {
        self.stored_edges(node, direction, |edge| !edge.is_refuted()).into_iter()
    }

    /// Returns the edges of a node that `is_wanted` accepts, followed by those of the nodes that it replaces. An edge
    /// of a replaced node is omitted if the newer node has an edge of the same kind to the same node.
    fn stored_edges(
        &self,
        node: Node,
        direction: Direction,
        is_wanted: impl Fn(&StoredEdge) -> bool,
    ) -> Vec<(Node, StoredEdge)> {
        let mut edges = Vec::new();
        let (mut next, mut factor) = (Some(node), 1.0);
        let mut newer: FxHashSet<(Node, EdgeKind)> = FxHashSet::default();
        while let Some(node) = next {
            let layer = self.layer_of(node);
            let number = layer.number_of(node);
            let (first, is_replaced) = (edges.len(), factor < 1.0);
            for edge in layer.snapshot.edges(number, direction) {
                if !is_wanted(&edge) {
                    continue;
                }
                let Some(other) = self.current_node(layer, edge.other) else { continue };
                if !is_replaced || !newer.contains(&(other, edge.kind)) {
                    let confidence = edge.confidence * factor;
                    edges.push((other, StoredEdge { confidence, ..edge }));
                }
            }
            next = self.replaced(layer, node);
            if next.is_some() {
                newer.extend(edges[first..].iter().map(|(other, edge)| (*other, edge.kind)));
            }
            factor = CHANGED_FILE_FACTOR;
        }
        edges
    }

    fn layer_of(&self, node: Node) -> &Layer {
        match node {
            Node::File(file) => self.layer_of_file(file),
            Node::Symbol(symbol) => self.layer_of_symbol(symbol),
        }
    }

    /// Returns the node in a lower layer that `node` replaces. `layer` is the layer that contains `node`.
    fn replaced(&self, layer: &Layer, node: Node) -> Option<Node> {
        if layer.before == Counts::default() {
            return None;
        }
        let Replacements { files, symbols } = layer.replacements();
        match node {
            Node::File(FileId(new)) => files.old_of(new).map(FileId).map(Node::File),
            Node::Symbol(SymbolId(new)) => symbols.old_of(new).map(SymbolId).map(Node::Symbol),
        }
    }

    /// Converts the index of a node in a layer's graph to the corresponding node of the view. A hidden node is
    /// converted to its replacement. Returns `None` if the node was deleted.
    pub(super) fn current_node(&self, layer: &Layer, number: u32) -> Option<Node> {
        let mut node = layer.node(number);
        for upper in &self.upper {
            match &mut node {
                Node::File(FileId(file)) if upper.hidden.has_file(*file) => {
                    *file = upper.replacements().files.new_of(*file)?;
                }
                Node::Symbol(SymbolId(symbol)) if upper.hidden.has_symbol(*symbol) => {
                    *symbol = upper.replacements().symbols.new_of(*symbol)?;
                }
                Node::File(_) | Node::Symbol(_) => {}
            }
        }
        Some(node)
    }
}

impl Layer {
    /// Returns the index of a node in the snapshot's graph, in which all files precede all symbols.
    fn number_of(&self, node: Node) -> u32 {
        match node {
            Node::File(FileId(number)) => number.wrapping_sub(self.before.files),
            Node::Symbol(SymbolId(number)) => {
                let symbol = number.wrapping_sub(self.before.symbols);
                symbol.saturating_add(self.snapshot.meta().files)
            }
        }
    }

    /// Converts the index of a node in the snapshot's graph to the corresponding node of the view.
    fn node(&self, number: u32) -> Node {
        match number.checked_sub(self.snapshot.meta().files) {
            None => Node::File(FileId(self.before.files.saturating_add(number))),
            Some(symbol) => Node::Symbol(SymbolId(self.before.symbols.saturating_add(symbol))),
        }
    }
}

impl StoredEdge {
    fn is_refuted(&self) -> bool {
        self.confidence <= 0.0
    }

    fn between(self, from: Node, to: Node) -> Edge {
        let Self { kind, confidence, line, .. } = self;
        Edge { from, to, kind, confidence, line }
    }
}

/// Removes consecutive duplicates: of adjacent edges of the same kind to the same node, only the first is kept.
fn without_repetitions(
    edges: impl Iterator<Item = (Node, StoredEdge)>,
) -> impl Iterator<Item = (Node, StoredEdge)> {
    let mut previous = None;
    edges.filter(move |(other, edge)| {
        previous.replace((*other, edge.kind)) != Some((*other, edge.kind))
    })
}
