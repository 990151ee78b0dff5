//! Finds the definitions and files that a name refers to.

use std::cmp::Reverse;

use index::{FileId, Kind, Node, Role, SymbolId, View};

/// Returns the nodes that `text` may refer to, most likely first. `text` can have one of the forms `path:line`, `path`,
/// `path::name`, `Type::name`, `Type.name()` and `name`.
#[must_use]
pub fn find_nodes(view: &View, text: &str) -> Vec<Node> {
    let text = text.trim().trim_matches('`').trim_end_matches("()");
    if let Some(node) = by_path_and_line(view, text) {
        return vec![node];
    }
    let files = view.files_with_suffix(text);
    if !files.is_empty() {
        return files.into_iter().map(Node::File).collect();
    }
    if let Some((path, name)) = text.split_once("::").filter(|(path, _)| path.contains('.')) {
        let files = view.files_with_suffix(path);
        let symbols = find_symbols(view, name);
        let inside: Vec<Node> = symbols
            .into_iter()
            .filter(|id| files.contains(&view.file_of(*id)))
            .map(Node::Symbol)
            .collect();
        if !inside.is_empty() {
            return inside;
        }
    }
    find_symbols(view, text).into_iter().map(Node::Symbol).collect()
}

fn by_path_and_line(view: &View, text: &str) -> Option<Node> {
    let (path, line) = text.rsplit_once(':')?;
    let line: u32 = line.parse().ok()?;
    let file = *view.files_with_suffix(path).first()?;
    Some(view.symbol_at(file, line).map_or(Node::File(file), Node::Symbol))
}

/// Returns the symbols that `name` may refer to, most likely first. The last component of `name` is the name of the
/// symbol. If no symbol has this name, symbols with a similar name are used. The other components are compared with the
/// qualified names and paths of these symbols, and only the symbols with the most matching components are returned.
#[must_use]
pub fn find_symbols(view: &View, name: &str) -> Vec<SymbolId> {
    let parts: Vec<&str> =
        name.split(['.', ':', '#', '\\']).filter(|part| !part.is_empty()).collect();
    let Some((last, owners)) = parts.split_last() else { return Vec::new() };
    let mut found = view.symbols_named(last);
    if found.is_empty() {
        found = view.symbols_named_like(last);
    }
    let mut scored: Vec<(usize, Reverse<u32>, SymbolId)> = found
        .into_iter()
        .map(|id| (matching_owners(view, id, owners), Reverse(priority(view, id)), id))
        .collect();
    let best = scored.iter().map(|(matching, _, _)| *matching).max().unwrap_or(0);
    scored.retain(|(matching, _, _)| *matching == best);
    scored.sort_unstable_by_key(|(_, priority, id)| (*priority, *id));
    scored.into_iter().map(|(_, _, id)| id).collect()
}

/// Returns the symbols whose name is exactly the last component of `name` and whose qualified names or paths contain
/// all other components. The most likely symbol is first. The components `self`, `this`, `cls` and `super` are
/// ignored.
pub(crate) fn exact_symbols(view: &View, name: &str) -> Vec<SymbolId> {
    let is_receiver = |part: &&str| matches!(*part, "self" | "this" | "cls" | "super");
    let parts: Vec<&str> = name
        .split(['.', ':', '#', '\\', '>'])
        .map(|part| part.trim_end_matches('-'))
        .filter(|part| !part.is_empty() && !is_receiver(part))
        .collect();
    let Some((last, owners)) = parts.split_last() else { return Vec::new() };
    let mut found = view.symbols_named(last);
    found.retain(|id| matching_owners(view, *id, owners) == owners.len());
    found.sort_by_key(|id| (Reverse(priority(view, *id)), *id));
    found
}

/// Returns the symbols whose name joins the words in one of the common ways, such as `lock_file`, `LOCK_FILE` and
/// `LockFile` for "lock file". The most likely symbol is first.
pub(crate) fn joined_symbols(view: &View, words: &str) -> Vec<SymbolId> {
    let mut found = view.symbols_named_like(&words.replace(' ', "_"));
    found.extend(view.symbols_named_like(&words.replace(' ', "")));
    found.sort_by_key(|id| (Reverse(priority(view, *id)), *id));
    found
}

/// Returns how many of `owners` occur in the symbol's qualified name or path. `owners` are the components of a name
/// before its last component.
fn matching_owners(view: &View, id: SymbolId, owners: &[&str]) -> usize {
    let symbol = view.symbol(id);
    let around: Vec<&str> = symbol.qualified.rsplit('.').skip(1).collect();
    let path = view.path(symbol.file);
    let in_path = |owner: &str| path.split(['/', '.']).any(|part| part == owner);
    owners.iter().rev().filter(|owner| around.contains(*owner) || in_path(owner)).count()
}

/// Returns the sort priority of a symbol. Functions, types and symbols in source files have a higher priority.
fn priority(view: &View, id: SymbolId) -> u32 {
    let symbol = view.symbol(id);
    let kind =
        if symbol.kind.is_callable() || symbol.kind.has_methods() || symbol.kind == Kind::Macro {
            2
        } else {
            u32::from(matches!(symbol.kind, Kind::Constant | Kind::TypeAlias | Kind::Module))
        };
    kind * 2 + u32::from(matches!(view.role(symbol.file), Role::Source)) * 3
}

/// Folders that contain standard libraries and installed packages.
#[rustfmt::skip]
const LIBRARY_FOLDERS: &[&str] = &[
    "/dist-packages/", "/lib/python", "/lib/ruby", "/node_modules/", "/pkg/mod/", "/registry/src/", "/rustc/",
    "/rustlib/", "/site-packages/", "/usr/lib/", "/usr/local/go/", "/vendor/bundle/",
];

/// Returns the files that `foreign` may refer to. `foreign` may be a path on another machine, so its first components
/// are removed one by one until the paths of some files end with the rest.
///
/// The name of a file alone does not identify it: the rest must have at least two components, or it must be all of
/// `foreign` or the whole path of the file. For a file of a library, the rest must be the path below the library's
/// folder, because most projects have files such as `src/error.rs`.
#[must_use]
pub fn files_like(view: &View, foreign: &str) -> Vec<FileId> {
    let foreign = foreign.replace('\\', "/");
    let end_of = |folder: &&str| foreign.rfind(*folder).map(|at| at + folder.len());
    let library = LIBRARY_FOLDERS.iter().filter_map(end_of).max();
    let parts: Vec<&str> = foreign[library.unwrap_or(0)..]
        .split('/')
        .filter(|part| !part.is_empty() && *part != "." && *part != "..")
        .collect();
    let max_skip = if library.is_some() { 1 } else { parts.len() };
    for skip in 0..max_skip.min(parts.len()) {
        let rest = parts[skip..].join("/");
        let mut found = view.files_with_suffix(&rest);
        let is_identified = parts.len() - skip > 1 || skip == 0 && library.is_none();
        found.retain(|file| is_identified || view.path(*file).len() == rest.len());
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}
