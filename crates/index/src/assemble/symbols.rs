//! Collects all symbols of the tree, numbered in the order of their files.

use rustc_hash::FxHashMap;
use syntax::Kind;

use super::modules::folder_of;
use super::symbols_by_key::{SymbolsByKey, hash_key, normalized_owner_key};
use super::{Assembly, FileRow, head_and_role};
use crate::codec::put_varint;
use crate::dictionary::DictionaryWriter;
use crate::facts::{FactsReader, SymbolFact};

pub(super) struct SymbolRow<'a> {
    pub(super) file: u32,
    pub(super) fact: SymbolFact<'a>,
    /// The enclosing symbol.
    pub(super) parent: Option<u32>,
}

/// All symbols of the tree in order, with indexes for lookup by name.
#[derive(Default)]
pub(super) struct SymbolTable<'a> {
    pub(super) rows: Vec<SymbolRow<'a>>,
    pub(super) by_name: FxHashMap<&'a str, Vec<u32>>,
    in_file: SymbolsByKey,
    in_folder: SymbolsByKey,
    in_symbol: SymbolsByKey,
    of_owner: SymbolsByKey,
    of_normalized_owner: SymbolsByKey,
}

impl<'a> SymbolTable<'a> {
    pub(super) fn collect(assembly: &Assembly<'a>) -> (Vec<FileRow<'a>>, Self) {
        let mut table = Self::default();
        let mut files = Vec::with_capacity(assembly.files.len());
        for (number, file) in assembly.files.iter().enumerate() {
            let (head, role) = head_and_role(file);
            let first_symbol = table.rows.len() as u32;
            FactsReader::new(file.record).symbols(|fact| {
                // A container always precedes its members. Any other order means that the record is damaged, and the
                // parent is ignored.
                let parent = fact
                    .container
                    .map(|at| first_symbol + at)
                    .filter(|at| (*at as usize) < table.rows.len());
                if is_named(fact.kind) {
                    table.by_name.entry(fact.name).or_default().push(table.rows.len() as u32);
                }
                table.rows.push(SymbolRow { file: number as u32, fact, parent });
            });
            let n_symbols = table.rows.len() as u32 - first_symbol;
            files.push(FileRow { path: file.path, role, head, first_symbol, n_symbols });
        }
        table.index(&files);
        (files, table)
    }

    fn index(&mut self, files: &[FileRow<'_>]) {
        let named = || (0..).zip(&self.rows).filter(|(_, row)| is_named(row.fact.kind));
        let owned = || named().filter_map(|(symbol, row)| Some((symbol, row, owner_of(row)?)));
        let folder = |row: &SymbolRow<'_>| folder_of(files[row.file as usize].path);
        let in_file =
            named().map(|(symbol, row)| (hash_key((row.file, row.fact.name)), symbol)).collect();
        let in_folder =
            named().map(|(symbol, row)| (hash_key((folder(row), row.fact.name)), symbol)).collect();
        let in_symbol = named()
            .filter_map(|(symbol, row)| Some((hash_key((row.parent?, row.fact.name)), symbol)))
            .collect();
        let of_owner = owned()
            .map(|(symbol, row, owner)| (hash_key((owner, row.fact.name)), symbol))
            .collect();
        let of_normalized_owner = owned()
            .map(|(symbol, row, owner)| (normalized_owner_key(owner, row.fact.name), symbol))
            .collect();
        self.in_file = SymbolsByKey::new(in_file);
        self.in_folder = SymbolsByKey::new(in_folder);
        self.in_symbol = SymbolsByKey::new(in_symbol);
        self.of_owner = SymbolsByKey::new(of_owner);
        self.of_normalized_owner = SymbolsByKey::new(of_normalized_owner);
    }

    /// Returns the symbols called `name` in `file`.
    pub(super) fn in_file<'s>(
        &'s self,
        file: u32,
        name: &'s str,
    ) -> impl Iterator<Item = u32> + 's {
        self.checked(self.in_file.get(hash_key((file, name))), name)
    }

    /// Returns the symbols called `name` in the files directly in `folder`.
    pub(super) fn in_folder<'s>(
        &'s self,
        folder: &str,
        name: &'s str,
    ) -> impl Iterator<Item = u32> + 's {
        self.checked(self.in_folder.get(hash_key((folder, name))), name)
    }

    /// Returns the symbols called `name` directly inside the symbol `parent`.
    pub(super) fn in_symbol<'s>(
        &'s self,
        parent: u32,
        name: &'s str,
    ) -> impl Iterator<Item = u32> + 's {
        let found = self.checked(self.in_symbol.get(hash_key((parent, name))), name);
        found.filter(move |symbol| self.rows[*symbol as usize].parent == Some(parent))
    }

    /// Returns the innermost type that encloses `symbol` or is `symbol`.
    pub(super) fn type_around(&self, symbol: u32) -> Option<u32> {
        self.around(symbol, |row| row.fact.kind.has_methods())
    }

    /// Returns the innermost function that encloses `symbol` or is `symbol`.
    pub(super) fn function_around(&self, symbol: u32) -> Option<u32> {
        self.around(symbol, |row| row.fact.kind.is_callable())
    }

    /// Returns the innermost function or type that encloses `symbol` or is `symbol`.
    pub(super) fn scope_around(&self, symbol: u32) -> Option<u32> {
        self.around(symbol, |row| row.fact.kind.is_callable() || row.fact.kind.has_methods())
    }

    fn around(&self, symbol: u32, is_wanted: impl Fn(&SymbolRow<'_>) -> bool) -> Option<u32> {
        let mut next = Some(symbol);
        // A parent always precedes its members, so the loop ends.
        while let Some(symbol) = next {
            let row = &self.rows[symbol as usize];
            if is_wanted(row) {
                return Some(symbol);
            }
            next = row.parent;
        }
        None
    }

    /// Returns the symbols called `name` in a type or module called `owner`.
    pub(super) fn of_owner<'s>(
        &'s self,
        owner: &str,
        name: &'s str,
    ) -> impl Iterator<Item = u32> + 's {
        self.checked(self.of_owner.get(hash_key((owner, name))), name)
    }

    /// Like [`Self::of_owner`], but ignores case and underscores in the owner's name.
    pub(super) fn of_normalized_owner<'s>(
        &'s self,
        owner: &str,
        name: &'s str,
    ) -> impl Iterator<Item = u32> + 's {
        self.checked(self.of_normalized_owner.get(normalized_owner_key(owner, name)), name)
    }

    fn checked<'s>(
        &'s self,
        symbols: impl Iterator<Item = u32> + 's,
        name: &'s str,
    ) -> impl Iterator<Item = u32> + 's {
        symbols.filter(move |symbol| self.rows[*symbol as usize].fact.name == name)
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the dictionary from lower-case names to symbols.
    pub(super) fn names_dictionary(&self) -> DictionaryWriter {
        let mut lower: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for (name, symbols) in &self.by_name {
            lower.entry(name.to_lowercase()).or_default().extend(symbols);
        }
        dictionary_of(lower)
    }
}

/// Returns the second-to-last part of the symbol's qualified name: the name of its type or module.
pub(super) fn owner_of<'a>(row: &SymbolRow<'a>) -> Option<&'a str> {
    row.fact.qualified.strip_suffix(row.fact.name)?.strip_suffix('.')?.rsplit('.').next()
}

/// Returns whether symbols of this kind can be found by name. An `impl` block has the name of its type, and a search
/// for that name should find only the type.
fn is_named(kind: Kind) -> bool {
    kind != Kind::Extension
}

/// Builds a dictionary whose lists are sorted numbers. Each number is stored as the difference from the previous one.
pub(super) fn dictionary_of(map: FxHashMap<String, Vec<u32>>) -> DictionaryWriter {
    let mut keys: Vec<(String, Vec<u32>)> = map.into_iter().collect();
    keys.sort_unstable();
    let mut writer = DictionaryWriter::default();
    let mut list = Vec::new();
    for (key, mut numbers) in keys {
        numbers.sort_unstable();
        list.clear();
        let mut previous = 0;
        for number in &numbers {
            put_varint(&mut list, u64::from(number - previous));
            previous = *number;
        }
        writer.push(key.as_bytes(), numbers.len(), &list);
    }
    writer
}
