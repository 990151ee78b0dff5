//! Resolves the imports of a file: adds edges to files and symbols, and records what each imported name refers to.

use rustc_hash::FxHashMap;

use super::FileRow;
use super::edges::RawEdge;
use super::modules::Modules;
use super::resolve::to_byte;
use super::symbols::SymbolTable;
use crate::edge::EdgeKind;
use crate::facts::ImportFact;

/// The name of the default export of a JavaScript module.
pub(super) const DEFAULT_EXPORT: &str = "default";

/// What an imported name refers to.
#[derive(Clone, Debug, Default)]
pub(super) struct ImportedName<'a> {
    /// The files of the module. Empty if the module is outside the tree.
    pub(super) files: Vec<u32>,
    /// The name in the module, or empty if the name refers to the module itself.
    pub(super) item: &'a str,
}

/// The names that one file imports.
#[derive(Default)]
pub(super) struct Scope<'a> {
    by_name: FxHashMap<&'a str, Vec<ImportedName<'a>>>,
    /// Modules that are imported by their dotted path: `import a.b`.
    pub(super) dotted: Vec<(&'a str, Vec<u32>)>,
    /// Local names that differ from the imported names.
    pub(super) aliases: Vec<&'a str>,
    /// Files from which all names are imported (`import *`).
    pub(super) open: Vec<u32>,
    /// Whether all names of a module outside the tree are imported.
    pub(super) has_unknown_names: bool,
}

impl<'a> Scope<'a> {
    /// Returns the files from which `name` was imported, or `None` if `name` is not imported. The list is empty if the
    /// imported module is outside the tree.
    pub(super) fn files_of(&self, name: &str) -> Option<Vec<u32>> {
        let names = self.by_name.get(name)?;
        Some(names.iter().flat_map(|name| name.files.iter().copied()).collect())
    }

    /// Returns what `name` refers to if it is imported. Several imports of one name are alternatives, for example in
    /// `try` and `except`.
    pub(super) fn imported(&self, name: &str) -> Option<&[ImportedName<'a>]> {
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
        let found = modules.find(importer, import.path, item);
        let share = found.confidence / (found.files.len().max(1) as f32).sqrt();
        let n_files = files.len() as u32;
        for file in &found.files {
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
            edges.extend(named.map(|symbol| edge(n_files + symbol, found.confidence)));
        }
        if import.item == "*" && import.alias.is_empty() {
            self.open.extend(&found.files);
            self.has_unknown_names |= found.files.is_empty();
        }
        if !import.alias.is_empty() && !found.files.is_empty() {
            self.aliases.push(import.alias);
        }
        let is_dotted = item.is_empty() && import.alias.is_empty() && import.path.contains('.');
        if is_dotted && modules.is_python(importer) {
            self.dotted.push((import.path, found.files));
            return;
        }
        let local =
            [import.alias, item, last_part(import.path)].into_iter().find(|name| !name.is_empty());
        if let Some(local) = local {
            let is_default = import.item.is_empty() && !import.alias.is_empty();
            let item = match item {
                _ if found.is_item => "",
                "" if is_default && modules.is_script(importer) => DEFAULT_EXPORT,
                item => item,
            };
            self.by_name.entry(local).or_default().push(ImportedName { files: found.files, item });
        }
    }
}

/// Returns the last part of an import path: `c` for `a.b.c`, `a::b::c` and `a/b/c`.
fn last_part(path: &str) -> &str {
    path.rsplit(['.', ':', '/', '\\', '>']).next().unwrap_or(path)
}
