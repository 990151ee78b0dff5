//! Resolves the imports of a file: finds the files that they refer to, and records what each imported name refers to.

use super::edges::RawEdge;
use super::file_facts::{NameRange, Names};
use super::key_table::hash_key;
use super::modules::{FoundModule, Modules};
use super::resolve::to_byte;
use super::symbols::SymbolTable;
use crate::facts::{FactsReader, ImportFact};
use crate::snapshot::EdgeKind;

/// The name of the default export of a JavaScript module.
pub(super) const DEFAULT_EXPORT: &str = "default";

/// The target of an imported name.
#[derive(Clone, Debug, Default)]
pub(super) struct ImportedName {
    /// The files of the module. Empty if the module is outside the tree.
    pub(super) files: Vec<u32>,
    item: Item,
}

/// What an imported name refers to in its module.
#[derive(Clone, Copy, Debug, Default)]
enum Item {
    /// The name refers to the module itself.
    #[default]
    Module,
    Default,
    Named(NameRange),
}

impl ImportedName {
    /// Returns the name in the module, or an empty string if the name refers to the module itself.
    pub(super) fn item<'n>(&self, names: &'n Names) -> &'n str {
        match self.item {
            Item::Module => "",
            Item::Default => DEFAULT_EXPORT,
            Item::Named(name) => names.text(name),
        }
    }
}

/// The names that one file imports.
#[derive(Default)]
pub(super) struct Scope {
    /// The imported names, sorted by the hash of the local name. Imports of the same name are in source order.
    by_name: Vec<(u64, NameRange, ImportedName)>,
    /// Modules that are imported by their dotted path: `import a.b`.
    pub(super) dotted: Vec<(NameRange, Vec<u32>)>,
    /// Local names that differ from the imported names.
    aliases: Vec<NameRange>,
    /// Files from which all names are imported (`import *`).
    pub(super) open: Vec<u32>,
    /// Whether there is an `import *` from a module outside the tree, so that some imported names are not known.
    pub(super) has_unknown_names: bool,
}

impl Scope {
    pub(super) fn read(
        file: u32,
        reader: &FactsReader<'_>,
        names: &Names,
        modules: &Modules<'_>,
    ) -> Self {
        let mut scope = Self::default();
        reader.numbered_imports(|numbers, _| {
            let ranges = numbers.map(|number| names.range(number));
            scope.add(file, ranges, names, modules);
        });
        scope.by_name.sort_by_key(|(hash, ..)| *hash);
        scope
    }

    /// Returns the files from which `name` is imported, or `None` if `name` is not imported. The list is empty if the
    /// imported module is outside the tree.
    pub(super) fn files_of(&self, name: &str, names: &Names) -> Option<Vec<u32>> {
        let mut imported = self.imported(name, names).peekable();
        imported.peek()?;
        Some(imported.flat_map(|name| name.files.iter().copied()).collect())
    }

    /// Returns the modules or items that the local name `name` is imported from. If there are several, they are
    /// alternatives, for example imports in `try` and in `except`.
    pub(super) fn imported<'s>(
        &'s self,
        name: &'s str,
        names: &'s Names,
    ) -> impl Iterator<Item = &'s ImportedName> + Clone + 's {
        let hash = hash_key(name);
        let start = self.by_name.partition_point(|(other, ..)| *other < hash);
        let same = self.by_name[start..].iter().take_while(move |(other, ..)| *other == hash);
        same.filter(move |(_, local, _)| names.text(*local) == name).map(|(.., import)| import)
    }

    /// Returns whether `name` is a local name that differs from the imported name.
    pub(super) fn is_alias(&self, name: &str, names: &Names) -> bool {
        self.aliases.iter().any(|alias| names.text(*alias) == name)
    }

    /// Records one import of the file `importer`.
    fn add(
        &mut self,
        importer: u32,
        [path, item, alias]: [NameRange; 3],
        names: &Names,
        modules: &Modules<'_>,
    ) {
        let (path_text, item_text) = (names.text(path), names.text(item));
        if item_text == ImportFact::FILE {
            return;
        }
        let is_star = item_text == "*";
        let item = if is_star { NameRange::default() } else { item };
        let found = modules.find(importer, path_text, names.text(item));
        if is_star && alias.is_empty() {
            self.open.extend(&found.files);
            self.has_unknown_names |= found.files.is_empty();
            // `export * from './point'` does not define `point`.
            if modules.has_types(importer) || modules.declares_types(importer) {
                return;
            }
        }
        if !alias.is_empty() && !found.files.is_empty() {
            self.aliases.push(alias);
        }
        let is_dotted = item.is_empty() && alias.is_empty() && path_text.contains('.');
        if is_dotted && modules.is_python(importer) {
            self.dotted.push((path, found.files));
            return;
        }
        let last = path.ending(last_part(path_text).len());
        let Some(local) = [alias, item, last].into_iter().find(|name| !name.is_empty()) else {
            return;
        };
        let is_default = item_text.is_empty() && !alias.is_empty();
        let item = if found.is_item {
            Item::Module
        } else if !item.is_empty() {
            Item::Named(item)
        } else if is_default && modules.is_script(importer) {
            Item::Default
        } else {
            Item::Module
        };
        let import = ImportedName { files: found.files, item };
        self.by_name.push((hash_key(names.text(local)), local, import));
    }

    /// Returns the size of the scope in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        let files = |files: &Vec<u32>| files.capacity() * 4;
        self.by_name.len() * size_of::<(u64, NameRange, ImportedName)>()
            + self.by_name.iter().map(|(.., import)| files(&import.files)).sum::<usize>()
            + self.dotted.iter().map(|(_, found)| 32 + files(found)).sum::<usize>()
            + self.aliases.len() * size_of::<NameRange>()
            + files(&self.open)
    }
}

/// Calls `add` with each edge that results from one import.
pub(super) fn add_edges(
    importer: u32,
    import: &ImportFact<'_>,
    modules: &Modules<'_>,
    symbols: &SymbolTable,
    mut add: impl FnMut(RawEdge),
) {
    let item = if import.item == "*" { "" } else { import.item };
    let found: FoundModule = modules.find(importer, import.path, item);
    let share = found.confidence / (found.files.len().max(1) as f32).sqrt();
    let n_files = modules.n_files();
    for file in &found.files {
        let edge = |to: u32, confidence: f32| RawEdge {
            from: importer,
            to,
            kind: EdgeKind::Imports,
            confidence: to_byte(confidence),
            line: import.line,
        };
        add(edge(*file, share));
        let named = symbols.in_file(*file, item).filter(|symbol| symbols.parent(*symbol).is_none());
        named.for_each(|symbol| add(edge(n_files + symbol, found.confidence)));
    }
}

/// Returns the last part of an import path: `c` for `a.b.c`, `a::b::c` and `a/b/c`.
fn last_part(path: &str) -> &str {
    path.rsplit(['.', ':', '/', '\\', '>']).next().unwrap_or(path)
}
