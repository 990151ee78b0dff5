//! Collects all symbols of the tree, numbered in the order of their files.
//!
//! Each symbol needs 21 bytes of memory. A name is stored once for all symbols with that name.

use std::ops::Range;

use syntax::Kind;

use super::symbols_by_name::SymbolsByName;
use crate::facts::{FactsReader, SymbolFact, name_at};
use crate::interner::Interner;

/// The value of [`SymbolTable::owners`] for a symbol without an owner.
const NO_OWNER: u32 = u32::MAX;
/// The number of symbols between two entries of [`SymbolTable::file_hints`].
const HINT_STEP: usize = 16;

/// All symbols of the tree in order, with indexes for lookup by name.
pub(super) struct SymbolTable {
    names: Interner,
    /// For each symbol, the index of its name in `names`.
    name_of: Vec<u32>,
    kinds: Vec<Kind>,
    /// For each symbol, the index of the enclosing symbol plus one, or zero if there is none.
    parents: Vec<u32>,
    /// For each symbol, the name of the type or module that contains it (an index into `names`), or [`NO_OWNER`].
    owners: Vec<u32>,
    /// For each file, the index of its first symbol. A final element marks the end of the last file.
    first_symbols: Vec<u32>,
    /// The file of every sixteenth symbol. It limits the search in [`Self::file`] to a few files.
    file_hints: Vec<u32>,
    /// For each name, whether a module-level variable has this name. Such a variable need not be a symbol.
    is_variable: Vec<bool>,
    by_name: SymbolsByName,
}

impl SymbolTable {
    pub(super) fn new() -> Self {
        Self {
            names: Interner::default(),
            name_of: Vec::new(),
            kinds: Vec::new(),
            parents: Vec::new(),
            owners: Vec::new(),
            first_symbols: vec![0],
            file_hints: Vec::new(),
            is_variable: Vec::new(),
            by_name: SymbolsByName::default(),
        }
    }

    /// Adds the symbols of the next file. [`Self::finish`] must be called after the last file.
    pub(super) fn add_file(&mut self, reader: &FactsReader<'_>) {
        let file = self.first_symbols.len() as u32 - 1;
        let first_symbol = self.kinds.len() as u32;
        reader.symbols(|fact| {
            let symbol = self.kinds.len() as u32;
            if (symbol as usize).is_multiple_of(HINT_STEP) {
                self.file_hints.push(file);
            }
            // A container always precedes its members. Any other order means that the record is damaged, and the
            // parent is ignored.
            let parent = fact.container.map(|at| first_symbol.saturating_add(at));
            self.parents.push(parent.filter(|at| *at < symbol).map_or(0, |at| at + 1));
            self.name_of.push(self.names.number(fact.name.as_bytes()));
            let owner = owner_of(&fact).map(|owner| self.names.number(owner.as_bytes()));
            self.owners.push(owner.unwrap_or(NO_OWNER));
            self.kinds.push(fact.kind);
        });
        self.first_symbols.push(self.kinds.len() as u32);
        if reader.has_bindings() {
            let names = reader.names();
            reader.bindings(|_, scope, [name, _]| {
                if scope.is_none() {
                    let name = self.names.number(name_at(&names, name).as_bytes()) as usize;
                    if self.is_variable.len() <= name {
                        self.is_variable.resize(name + 1, false);
                    }
                    self.is_variable[name] = true;
                }
            });
        }
    }

    /// Builds the indexes for lookup by name.
    pub(super) fn finish(&mut self) {
        let is_named = |symbol: u32| is_named(self.kinds[symbol as usize]);
        let owner = |symbol: u32| {
            let owner = self.owners[symbol as usize];
            (owner != NO_OWNER).then_some(owner)
        };
        self.by_name = SymbolsByName::new(&self.names, &self.name_of, is_named, owner);
    }

    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Returns the size of the table in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        const PER_SYMBOL: usize = 4 + 1 + 4 + 4 + 4 + 4;
        const PER_NAME: usize = 3 * 4;
        self.len() * PER_SYMBOL + self.names.len() * PER_NAME + self.names.size()
    }

    pub(super) fn name(&self, symbol: u32) -> &str {
        self.names.text(self.name_of[symbol as usize])
    }

    pub(super) fn kind(&self, symbol: u32) -> Kind {
        self.kinds[symbol as usize]
    }

    /// Returns the symbol that encloses `symbol`, if there is one.
    pub(super) fn parent(&self, symbol: u32) -> Option<u32> {
        self.parents[symbol as usize].checked_sub(1)
    }

    /// Returns the name of the type or module that contains `symbol`, if there is one.
    pub(super) fn owner(&self, symbol: u32) -> Option<&str> {
        let owner = self.owners[symbol as usize];
        (owner != NO_OWNER).then(|| self.names.text(owner))
    }

    /// Returns the symbols of a file.
    pub(super) fn of_file(&self, file: u32) -> Range<u32> {
        self.of_files(file..file + 1)
    }

    fn of_files(&self, files: Range<u32>) -> Range<u32> {
        self.first_symbols[files.start as usize]..self.first_symbols[files.end as usize]
    }

    /// Returns the file of a symbol.
    pub(super) fn file(&self, symbol: u32) -> u32 {
        let hint = symbol as usize / HINT_STEP;
        let low = self.file_hints[hint];
        let high = self.file_hints.get(hint + 1).copied();
        let high = high.unwrap_or(self.first_symbols.len() as u32 - 2);
        let ends = &self.first_symbols[low as usize + 1..=high as usize + 1];
        low + ends.partition_point(|end| *end <= symbol) as u32
    }

    /// Returns whether a symbol or a module-level variable is called `name`.
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.names.find(name.as_bytes()).is_some_and(|number| {
            !self.by_name.get(number).is_empty()
                || self.is_variable.get(number as usize).copied().unwrap_or(false)
        })
    }

    /// Returns the symbols called `name`, in ascending order.
    pub(super) fn named(&self, name: &str) -> &[u32] {
        self.names.find(name.as_bytes()).map_or(&[], |number| self.by_name.get(number))
    }

    /// Returns the symbols called `name` in `files`.
    pub(super) fn in_files(&self, files: Range<u32>, name: &str) -> &[u32] {
        within(self.named(name), self.of_files(files))
    }

    /// Returns the symbols called `name` in `file`.
    pub(super) fn in_file(
        &self,
        file: u32,
        name: &str,
    ) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.in_files(file..file + 1, name).iter().copied()
    }

    /// Returns the symbols called `name` directly inside the symbol `parent`.
    pub(super) fn in_symbol(&self, parent: u32, name: &str) -> impl Iterator<Item = u32> + '_ {
        let found = self.in_file(self.file(parent), name);
        found.filter(move |symbol| self.parent(*symbol) == Some(parent))
    }

    /// Returns the innermost type that encloses `symbol`, or `symbol` itself if it is a type.
    pub(super) fn type_around(&self, symbol: u32) -> Option<u32> {
        self.around(symbol, Kind::has_methods)
    }

    /// Returns the innermost function that encloses `symbol`, or `symbol` itself if it is a function.
    pub(super) fn function_around(&self, symbol: u32) -> Option<u32> {
        self.around(symbol, Kind::is_callable)
    }

    /// Returns the innermost function or type that encloses `symbol`, or `symbol` itself if it is one.
    pub(super) fn scope_around(&self, symbol: u32) -> Option<u32> {
        self.around(symbol, |kind| kind.is_callable() || kind.has_methods())
    }

    fn around(&self, symbol: u32, is_wanted: impl Fn(Kind) -> bool) -> Option<u32> {
        let mut next = Some(symbol);
        // A parent always precedes its members, so the loop ends.
        while let Some(symbol) = next {
            if is_wanted(self.kind(symbol)) {
                return Some(symbol);
            }
            next = self.parent(symbol);
        }
        None
    }

    /// Returns the symbols called `name` in a type or module called `owner`.
    pub(super) fn of_owner(&self, owner: &str, name: &str) -> impl Iterator<Item = u32> + '_ {
        self.with_owner(self.of_normalized_owner(owner, name), owner)
    }

    /// Like [`Self::of_owner`], but returns only the symbols in `file`.
    pub(super) fn of_owner_in_file(
        &self,
        file: u32,
        owner: &str,
        name: &str,
    ) -> impl Iterator<Item = u32> + '_ {
        let all = self.of_normalized_owner(owner, name);
        self.with_owner(within(all, self.of_file(file)), owner)
    }

    fn with_owner<'s>(&'s self, symbols: &'s [u32], owner: &str) -> impl Iterator<Item = u32> + 's {
        let number = self.names.find(owner.as_bytes());
        let has_owner = move |symbol: &u32| Some(self.owners[*symbol as usize]) == number;
        symbols.iter().copied().filter(has_owner)
    }

    /// Like [`Self::of_owner`], but ignores case and underscores in the owner's name.
    pub(super) fn of_normalized_owner(&self, owner: &str, name: &str) -> &[u32] {
        let number = self.names.find(name.as_bytes());
        let owner_of = |symbol: u32| self.owners[symbol as usize];
        number.map_or(&[][..], |number| self.by_name.of_owner(number, owner, owner_of))
    }

    /// Calls `visit` with each lower-case name and its symbols, in ascending order of the names.
    pub(super) fn for_each_lower_name(&self, mut visit: impl FnMut(&str, &[u32])) {
        let lower = |number: u32| self.names.text(number).to_lowercase();
        let mut order: Vec<u32> = self
            .names
            .sorted()
            .into_iter()
            .filter(|it| !self.by_name.get(*it).is_empty())
            .collect();
        order.sort_by_cached_key(|number| lower(*number));
        let mut merged = Vec::new();
        for same in order.chunk_by(|a, b| lower(*a) == lower(*b)) {
            merged.clear();
            same.iter().for_each(|number| merged.extend_from_slice(self.by_name.get(*number)));
            merged.sort_unstable();
            visit(&lower(same[0]), &merged);
        }
    }
}

/// Returns the elements of `sorted` that are in `range`.
fn within(sorted: &[u32], range: Range<u32>) -> &[u32] {
    let rest = &sorted[sorted.partition_point(|symbol| *symbol < range.start)..];
    &rest[..rest.partition_point(|symbol| *symbol < range.end)]
}

/// Returns the second-to-last part of the symbol's qualified name: the name of its type or module.
fn owner_of<'a>(fact: &SymbolFact<'a>) -> Option<&'a str> {
    fact.qualified.strip_suffix(fact.name)?.strip_suffix('.')?.rsplit('.').next()
}

/// Returns whether symbols of this kind can be found by name. An `impl` block has the name of its type, and a search
/// for that name should find only the type.
fn is_named(kind: Kind) -> bool {
    kind != Kind::Extension
}
