//! Which definitions and files a prompt is about.

use engine::{FileHit, Query, find_nodes};
use index::{Node, View};
use toolcall::BuiltinCall;

use super::{query, search};

const MAX_NODES: usize = 6;

/// The names and paths the prompt spells out; if it has none that exist, what a search for it finds.
pub(super) fn nodes(view: &View, call: &BuiltinCall) -> Vec<Node> {
    let read = Query::read(query(call));
    let qualified = read.qualified.iter().map(|mention| mention.text.as_str());
    let names = read.identifiers.iter().map(|identifier| identifier.name.as_str());
    let paths = read.paths.iter().map(|mention| mention.text.as_str());
    let mut nodes: Vec<Node> = Vec::new();
    for name in qualified.chain(names).chain(paths) {
        for node in find_nodes(view, name).into_iter().take(2) {
            if !nodes.contains(&node) && nodes.len() < MAX_NODES {
                nodes.push(node);
            }
        }
    }
    if nodes.is_empty() {
        nodes = search::hits(view, call, 3).iter().filter_map(|hit| node_of(view, hit)).collect();
    }
    nodes
}

/// The best definition of a file that was found, or the file.
pub(super) fn node_of(view: &View, hit: &FileHit) -> Option<Node> {
    let file = view.file_by_path(&hit.path)?;
    let symbol = hit.symbols.first().and_then(|symbol| view.symbol_at(file, symbol.line));
    Some(symbol.map_or(Node::File(file), Node::Symbol))
}
