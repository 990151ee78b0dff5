//! Reads the edges between the files and symbols of a view.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{FileId, SymbolId, View};
use crate::edge::EdgeKind;
use crate::snapshot::{Snapshot, StoredEdge};

/// One end of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A file. Imports, and references outside all definitions, belong to the file.
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
    /// The line of the reference in the file of `from`, or zero if the edge has no line.
    pub line: u32,
}

/// The factor by which the confidence of an edge in the base snapshot is multiplied if its file changed. The reference
/// may have moved or been deleted.
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

    /// Returns the files that changed in the same commits as `file`, each with the number of such commits, in
    /// descending order of this number.
    pub fn co_changes(&self, file: FileId) -> impl Iterator<Item = (FileId, u32)> + '_ {
        let base = self.base_file(file);
        base.into_iter().flat_map(|number| self.base.co_changes(number)).filter_map(
            |(other, count)| match self.node_of_base(other) {
                Some(Node::File(other)) => Some((other, count)),
                Some(Node::Symbol(_)) | None => None,
            },
        )
    }

    /// Returns the day of each commit that changed `file`, in days since the Unix epoch, newest first.
    pub fn touch_days(&self, file: FileId) -> impl Iterator<Item = u32> + '_ {
        self.base_file(file).into_iter().flat_map(|number| self.base.touch_days(number))
    }

    fn edges(
        &self,
        node: Node,
        direction: Direction,
    ) -> impl Iterator<Item = (Node, StoredEdge)> + '_ {
        let number_in_snapshot = self.number_of(node);
        let (base_node, in_overlay) = match number_in_snapshot {
            NodeNumber::Base(number) => (Some(number), None),
            NodeNumber::Overlay(number) => {
                let replacement = self
                    .overlay
                    .as_ref()
                    .and_then(|overlay| overlay.base_of_overlay.get(&number).copied());
                (replacement, Some(number))
            }
        };
        let factor = if in_overlay.is_some() { CHANGED_FILE_FACTOR } else { 1.0 };
        let from_base = base_node
            .into_iter()
            .flat_map(move |number| stored_edges(&self.base, number, direction))
            .filter_map(move |edge| {
                let other = self.node_of_base(edge.other)?;
                Some((other, StoredEdge { confidence: edge.confidence * factor, ..edge }))
            });
        let from_overlay = in_overlay
            .zip(self.overlay_snapshot())
            .into_iter()
            .flat_map(move |(number, overlay)| stored_edges(overlay, number, direction))
            .map(|edge| (self.node_of_overlay(edge.other), edge));
        from_base.chain(from_overlay)
    }

    fn number_of(&self, node: Node) -> NodeNumber {
        let (files, symbols) = (self.base.meta().files, self.base.meta().symbols);
        let overlay_files = self.overlay_snapshot().map_or(0, |overlay| overlay.meta().files);
        match node {
            Node::File(FileId(number)) if number < files => NodeNumber::Base(number),
            Node::File(FileId(number)) => NodeNumber::Overlay(number - files),
            Node::Symbol(SymbolId(number)) if number < symbols => NodeNumber::Base(files + number),
            Node::Symbol(SymbolId(number)) => {
                NodeNumber::Overlay(overlay_files + (number - symbols))
            }
        }
    }

    /// Maps a node of the base to a node of the view. A hidden node is mapped to its replacement in the overlay.
    /// Returns `None` if the node was deleted.
    fn node_of_base(&self, number: u32) -> Option<Node> {
        let files = self.base.meta().files;
        let is_hidden = match number.checked_sub(files) {
            None => self.is_hidden(number),
            Some(symbol) => self.is_hidden_symbol(symbol),
        };
        if is_hidden {
            let replacement = self.overlay.as_ref()?.overlay_of_base.get(&number)?;
            return Some(self.node_of_overlay(*replacement));
        }
        Some(match number.checked_sub(files) {
            None => Node::File(FileId(number)),
            Some(symbol) => Node::Symbol(SymbolId(symbol)),
        })
    }

    fn node_of_overlay(&self, number: u32) -> Node {
        let (files, symbols) = (self.base.meta().files, self.base.meta().symbols);
        let overlay_files = self.overlay_snapshot().map_or(0, |overlay| overlay.meta().files);
        match number.checked_sub(overlay_files) {
            None => Node::File(FileId(files + number)),
            Some(symbol) => Node::Symbol(SymbolId(symbols + symbol)),
        }
    }
}

impl StoredEdge {
    fn between(self, from: Node, to: Node) -> Edge {
        let Self { kind, confidence, line, .. } = self;
        Edge { from, to, kind, confidence, line }
    }
}

/// Keeps the first of successive edges of the same kind to the same node.
fn without_repetitions(
    edges: impl Iterator<Item = (Node, StoredEdge)>,
) -> impl Iterator<Item = (Node, StoredEdge)> {
    let mut previous = None;
    edges.filter(move |(other, edge)| {
        previous.replace((*other, edge.kind)) != Some((*other, edge.kind))
    })
}

#[derive(Clone, Copy)]
enum Direction {
    Outgoing,
    Incoming,
}

enum NodeNumber {
    Base(u32),
    Overlay(u32),
}

fn stored_edges(snapshot: &Snapshot, node: u32, direction: Direction) -> Vec<StoredEdge> {
    match direction {
        Direction::Outgoing => snapshot.edges_from(node).collect(),
        Direction::Incoming => snapshot.edges_into(node).collect(),
    }
}

/// Maps hidden nodes of the base to nodes of the overlay. Files are matched by path, symbols by path and qualified
/// name.
pub(super) fn replacements(
    base: &Snapshot,
    overlay: &Snapshot,
    hidden: &FxHashSet<u32>,
) -> FxHashMap<u32, u32> {
    let mut replacements = FxHashMap::default();
    for old in hidden {
        let Some(new) = overlay.file_by_path(base.file(*old).path()) else { continue };
        replacements.insert(*old, new);
        let mut by_name: FxHashMap<&str, u32> = FxHashMap::default();
        for symbol in overlay.symbols_of(new) {
            by_name.entry(overlay.symbol(symbol).qualified).or_insert(symbol);
        }
        for symbol in base.symbols_of(*old) {
            if let Some(replacement) = by_name.remove(base.symbol(symbol).qualified) {
                replacements.insert(base.meta().files + symbol, overlay.meta().files + replacement);
            }
        }
    }
    replacements
}
