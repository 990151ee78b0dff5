//! Creates and indexes small trees for the tests.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use index::{
    BuildOptions, LookOptions, Node, Parser, Passage, Refreshed, Store, SymbolPosting, View,
    build_in_memory,
};
use tempfile::TempDir;

pub(crate) fn tree(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        put(folder.path(), path, content);
    }
    folder
}

pub(crate) fn put(root: &Path, path: &str, content: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

pub(crate) fn options() -> BuildOptions {
    BuildOptions::new(SystemTime::now(), Parser::linked())
}

pub(crate) fn built(root: &Path) -> View {
    build_in_memory(root, &options()).unwrap()
}

pub(crate) fn refresh(store: &Store) -> Refreshed {
    store.refresh(&options(), &|_| {}).unwrap()
}

pub(crate) fn look(store: &Store) -> View {
    store.view(&look_options()).unwrap()
}

pub(crate) fn look_options() -> LookOptions {
    LookOptions::until(Instant::now() + Duration::from_secs(60), Parser::linked())
}

/// Returns the sorted paths of the files that contain a term.
pub(crate) fn files_with(view: &View, term: &str) -> Vec<String> {
    let mut paths: Vec<String> =
        view.best_postings(term).map(|posting| view.path(posting.file).to_owned()).collect();
    paths.sort();
    paths
}

/// Returns the passages that contain a term.
pub(crate) fn passages_with(view: &View, term: &str) -> Vec<Passage> {
    let all: Vec<_> = view.files().map(|file| view.passages_of(file)).collect();
    let mut found = Vec::new();
    view.for_each_passage_posting_in(term, &all, |it| found.push(view.passage(it.passage)));
    found
}

/// Returns the symbols whose name, or whose container's name, contains a term.
pub(crate) fn symbols_with(view: &View, term: &str) -> Vec<SymbolPosting> {
    let all: Vec<_> = view.files().map(|file| view.file(file).symbols).collect();
    let mut found = Vec::new();
    view.for_each_symbol_posting_in(term, &all, |it| found.push(it));
    found
}

/// Formats a node as a string.
pub(crate) fn node(view: &View, node: Node) -> String {
    match node {
        Node::File(file) => view.path(file).to_owned(),
        Node::Symbol(symbol) => view.symbol(symbol).qualified.to_owned(),
    }
}

/// Returns the edges from and to a symbol as sorted lines.
pub(crate) fn edges(view: &View, qualified: &str) -> Vec<String> {
    let name = qualified.rsplit('.').next().unwrap();
    let id = view
        .symbols_named(name)
        .into_iter()
        .find(|id| view.symbol(*id).qualified == qualified)
        .unwrap();
    let mut lines: Vec<String> = view
        .edges_from(Node::Symbol(id))
        .map(|edge| format!("{} {}", edge.kind.name(), node(view, edge.to)))
        .chain(
            view.edges_into(Node::Symbol(id))
                .map(|edge| format!("<- {} {}", edge.kind.name(), node(view, edge.from))),
        )
        .collect();
    lines.sort();
    lines
}
