//! Loads a file's imports and bindings when they are first needed, and caches those of the most recently used files.
//!
//! Most references in a file refer to the file itself or to the modules that it imports, so a small cache is enough.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::bindings::{BindingRow, Bindings, Subject};
use super::imports::Scope;
use super::modules::Modules;
use super::symbols::SymbolTable;
use crate::fact_store::RecordReader;
use crate::facts::FactsReader;

/// The names that the references, imports and bindings of one file use.
#[derive(Default)]
pub(super) struct Names {
    text: String,
    ranges: Vec<NameRange>,
}

/// The byte range of one name in [`Names`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NameRange {
    start: u32,
    end: u32,
}

impl NameRange {
    pub(super) fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the range of the last `length` bytes.
    pub(super) fn ending(self, length: usize) -> Self {
        Self { start: self.end - (length as u32).min(self.end - self.start), end: self.end }
    }
}

impl Names {
    fn read(reader: &FactsReader<'_>) -> Self {
        let mut names = Self::default();
        for name in reader.names() {
            let start = names.text.len() as u32;
            names.text.push_str(name);
            names.ranges.push(NameRange { start, end: names.text.len() as u32 });
        }
        names
    }

    /// Returns the range of the name with the index `number` in the record. The range is empty if there is no such
    /// name, which means that the record is damaged.
    pub(super) fn range(&self, number: u32) -> NameRange {
        self.ranges.get(number as usize).copied().unwrap_or_default()
    }

    pub(super) fn text(&self, range: NameRange) -> &str {
        &self.text[range.start as usize..range.end as usize]
    }

    fn size(&self) -> usize {
        self.text.len() + self.ranges.len() * size_of::<NameRange>()
    }
}

/// The imports and bindings of one file.
pub(super) struct FileFacts {
    pub(super) file: u32,
    pub(super) names: Names,
    pub(super) scope: Scope,
    pub(super) bindings: Bindings,
}

impl FileFacts {
    pub(super) fn text(&self, range: NameRange) -> &str {
        self.names.text(range)
    }

    /// Returns the bindings of a variable, parameter or member, in source order.
    pub(super) fn bindings_of<'s>(
        &'s self,
        subject: Subject,
        name: &'s str,
    ) -> impl Iterator<Item = &'s BindingRow> + 's {
        let rows = self.bindings.get(subject, name).iter();
        rows.filter(move |row| self.text(row.name) == name)
    }

    fn size(&self) -> usize {
        size_of::<Self>() + self.names.size() + self.scope.size() + self.bindings.size()
    }
}

/// A cache of the facts of the most recently used files. Each thread has its own cache.
pub(super) struct FileFactsCache<'s> {
    records: RefCell<RecordReader<'s>>,
    symbols: &'s SymbolTable,
    modules: &'s Modules<'s>,
    /// The newer and the older generation of cached facts. The facts of a file that is used move to the newer
    /// generation. When the newer generation is full, it becomes the older one, and the previous older one is dropped.
    generations: RefCell<[FxHashMap<u32, Rc<FileFacts>>; 2]>,
    /// The size of the newer generation, in bytes.
    used: RefCell<usize>,
    /// The maximum size of one generation, in bytes.
    max_bytes: usize,
}

impl<'s> FileFactsCache<'s> {
    pub(super) fn new(
        records: RecordReader<'s>,
        symbols: &'s SymbolTable,
        modules: &'s Modules<'s>,
        max_bytes: usize,
    ) -> Self {
        Self {
            records: RefCell::new(records),
            symbols,
            modules,
            generations: RefCell::default(),
            used: RefCell::new(0),
            max_bytes: max_bytes / 2,
        }
    }

    pub(super) fn get(&self, file: u32) -> Rc<FileFacts> {
        if let Some(facts) = self.generations.borrow()[0].get(&file) {
            return Rc::clone(facts);
        }
        let older = self.generations.borrow_mut()[1].remove(&file);
        let facts = older.unwrap_or_else(|| Rc::new(self.load(file)));
        let mut used = self.used.borrow_mut();
        let mut generations = self.generations.borrow_mut();
        if *used > self.max_bytes {
            *used = 0;
            generations.swap(0, 1);
            generations[0].clear();
        }
        *used += facts.size();
        generations[0].insert(file, Rc::clone(&facts));
        facts
    }

    fn load(&self, file: u32) -> FileFacts {
        self.records.borrow_mut().with(file, |record| {
            let reader = FactsReader::new(record);
            let names = Names::read(&reader);
            let scope = Scope::read(file, &reader, &names, self.modules);
            let bindings = if reader.has_bindings() {
                Bindings::collect(file, &reader, &names, self.symbols)
            } else {
                Bindings::default()
            };
            FileFacts { file, names, scope, bindings }
        })
    }
}
