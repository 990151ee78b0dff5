//! Resolves the imports of a file: adds edges to files and symbols, and records which files each imported name refers
//! to.

use rustc_hash::FxHashMap;

use super::FileRow;
use super::edges::RawEdge;
use super::modules::Modules;
use super::resolve::to_byte;
use super::symbols::SymbolTable;
use crate::edge::EdgeKind;
use crate::facts::ImportFact;

/// The names that one file imports.
#[derive(Default)]
pub(super) struct Scope<'a> {
    by_name: FxHashMap<&'a str, Vec<u32>>,
    /// Files from which all names are imported (`import *`).
    pub(super) open: Vec<u32>,
}

impl<'a> Scope<'a> {
    /// Returns the files from which `name` was imported, or `None` if `name` is not imported. The list is empty if the
    /// imported module is outside the tree.
    pub(super) fn files_of(&self, name: &str) -> Option<&[u32]> {
        self.by_name.get(name).map(Vec::as_slice)
    }

    /// Records one import of the file `importer`, and appends the edges of the import to `edges`.
    pub(super) fn add(
        &mut self,
        importer: u32,
        import: ImportFact<'a>,
        modules: &Modules<'_>,
        (files, symbols): (&[FileRow<'_>], &SymbolTable<'_>),
        edges: &mut Vec<RawEdge>,
    ) {
        let item = if import.item == "*" { "" } else { import.item };
        let (found, confidence) = modules.find(importer, import.path, item);
        let share = confidence / (found.len().max(1) as f32).sqrt();
        let n_files = files.len() as u32;
        for file in &found {
            let edge = |to: u32, confidence: f32| RawEdge {
                from: importer,
                to,
                kind: EdgeKind::Imports,
                confidence: to_byte(confidence),
                line: import.line,
            };
            edges.push(edge(*file, share));
            let named = symbols
                .in_file(*file, item)
                .filter(|symbol| symbols.rows[*symbol as usize].parent.is_none());
            edges.extend(named.map(|symbol| edge(n_files + symbol, confidence)));
        }
        if import.item == "*" {
            self.open.extend(&found);
        }
        let local =
            [import.alias, item, last_part(import.path)].into_iter().find(|name| !name.is_empty());
        if let Some(local) = local {
            self.by_name.entry(local).or_default().extend(found);
        }
    }
}

/// Returns the last part of an import path: `c` for `a.b.c`, `a::b::c` and `a/b/c`.
fn last_part(path: &str) -> &str {
    path.rsplit(['.', ':', '/', '\\', '>']).next().unwrap_or(path)
}
