//! Arrows between files and symbols of a view.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{FileId, SymbolId, View};
use crate::edge::EdgeKind;
use crate::layout::file;
use crate::snapshot::{RawArrow, Snapshot};

/// An end of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A file, for what stands in no definition.
    File(FileId),
    /// A definition.
    Symbol(SymbolId),
}

/// An arrow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Where it starts.
    pub from: Node,
    /// Where it ends.
    pub to: Node,
    /// Why.
    pub kind: EdgeKind,
    /// From nought to one.
    pub confidence: f32,
    /// The line of the reference, in the file of `from`; zero when there is none.
    pub line: u32,
}

/// Arrows of a file that changed may have moved or gone.
const AGED: f32 = 0.9;

impl View {
    /// Arrows that leave a node.
    pub fn edges_from(&self, node: Node) -> impl Iterator<Item = Edge> + '_ {
        self.arrows(node, Way::Out).map(move |(other, arrow)| Edge {
            from: node,
            to: other,
            kind: arrow.kind,
            confidence: arrow.confidence,
            line: arrow.line,
        })
    }

    /// Arrows that reach a node.
    pub fn edges_into(&self, node: Node) -> impl Iterator<Item = Edge> + '_ {
        self.arrows(node, Way::In).map(move |(other, arrow)| Edge {
            from: other,
            to: node,
            kind: arrow.kind,
            confidence: arrow.confidence,
            line: arrow.line,
        })
    }

    /// Files that changed together with `file`, strongest first, and in how many commits.
    pub fn co_changes(&self, file: FileId) -> impl Iterator<Item = (FileId, u32)> + '_ {
        let base = self.base_file(file);
        base.into_iter().flat_map(|number| self.base.co_changes(number)).filter_map(
            |(other, count)| match self.node_of_base(other) {
                Some(Node::File(other)) => Some((other, count)),
                Some(Node::Symbol(_)) | None => None,
            },
        )
    }

    /// Days since 1970 on which a file was touched, newest first, one per commit.
    pub fn touch_days(&self, file: FileId) -> impl Iterator<Item = u32> + '_ {
        self.base_file(file).into_iter().flat_map(|number| self.base.touch_days(number))
    }

    fn arrows(&self, node: Node, way: Way) -> impl Iterator<Item = (Node, RawArrow)> + '_ {
        let home = self.home_of(node);
        let (base_node, in_overlay) = match home {
            Home::Base(number) => (Some(number), None),
            Home::Overlay(number) => {
                let twin = self
                    .overlay
                    .as_ref()
                    .and_then(|overlay| overlay.twin_of_overlay.get(&number).copied());
                (twin, Some(number))
            }
        };
        let aged = if in_overlay.is_some() { AGED } else { 1.0 };
        let from_base = base_node
            .into_iter()
            .flat_map(move |number| raw_arrows(&self.base, number, way))
            .filter_map(move |arrow| {
                let other = self.node_of_base(arrow.other)?;
                Some((other, RawArrow { confidence: arrow.confidence * aged, ..arrow }))
            });
        let from_overlay = in_overlay
            .zip(self.overlay_snapshot())
            .into_iter()
            .flat_map(move |(number, overlay)| raw_arrows(overlay, number, way))
            .map(|arrow| (self.node_of_overlay(arrow.other), arrow));
        from_base.chain(from_overlay)
    }

    fn home_of(&self, node: Node) -> Home {
        let (files, symbols) = (self.base.meta().files, self.base.meta().symbols);
        let overlay_files = self.overlay_snapshot().map_or(0, |overlay| overlay.meta().files);
        match node {
            Node::File(FileId(number)) if number < files => Home::Base(number),
            Node::File(FileId(number)) => Home::Overlay(number - files),
            Node::Symbol(SymbolId(number)) if number < symbols => Home::Base(files + number),
            Node::Symbol(SymbolId(number)) => Home::Overlay(overlay_files + (number - symbols)),
        }
    }

    /// A node of the snapshot as it is now: itself, what it became, or nothing.
    fn node_of_base(&self, number: u32) -> Option<Node> {
        let files = self.base.meta().files;
        let is_hidden = match number.checked_sub(files) {
            None => self.is_hidden(number),
            Some(symbol) => self.is_hidden_symbol(symbol),
        };
        if is_hidden {
            let twin = self.overlay.as_ref()?.twin_of_base.get(&number)?;
            return Some(self.node_of_overlay(*twin));
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

#[derive(Clone, Copy)]
enum Way {
    Out,
    In,
}

enum Home {
    Base(u32),
    Overlay(u32),
}

fn raw_arrows(snapshot: &Snapshot, node: u32, way: Way) -> Vec<RawArrow> {
    match way {
        Way::Out => snapshot.arrows_from(node).collect(),
        Way::In => snapshot.arrows_into(node).collect(),
    }
}

/// Hidden nodes of the base with the nodes of the overlay that have the same path, or path and qualified name.
pub(super) fn twins(
    base: &Snapshot,
    overlay: &Snapshot,
    hidden: &FxHashSet<u32>,
) -> FxHashMap<u32, u32> {
    let mut twins = FxHashMap::default();
    let symbols_of = |snapshot: &Snapshot, number: u32| {
        let raw = snapshot.file(number);
        let first = raw.number(file::FIRST_SYMBOL);
        first..first.saturating_add(raw.number(file::N_SYMBOLS)).min(snapshot.meta().symbols)
    };
    for old in hidden {
        let Some(new) = overlay.file_by_path(base.file(*old).path()) else { continue };
        twins.insert(*old, new);
        let mut by_name: FxHashMap<&str, u32> = FxHashMap::default();
        for symbol in symbols_of(overlay, new) {
            by_name.entry(overlay.symbol(symbol).qualified).or_insert(symbol);
        }
        for symbol in symbols_of(base, *old) {
            if let Some(twin) = by_name.remove(base.symbol(symbol).qualified) {
                twins.insert(base.meta().files + symbol, overlay.meta().files + twin);
            }
        }
    }
    twins
}
