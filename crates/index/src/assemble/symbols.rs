//! All definitions of the tree, numbered in the order of their files.

use rustc_hash::FxHashMap;
use syntax::Kind;

use super::{Assembly, FileRow, head_and_role};
use crate::codec::put_varint;
use crate::dictionary::DictionaryWriter;
use crate::facts::{FactsReader, SymbolFact};

/// A definition and the file it stands in.
pub(super) struct SymbolRow<'a> {
    pub(super) file: u32,
    pub(super) fact: SymbolFact<'a>,
    /// Number of the enclosing definition among all.
    pub(super) parent: Option<u32>,
}

/// Symbols in order, and who bears which name.
#[derive(Default)]
pub(super) struct SymbolTable<'a> {
    pub(super) rows: Vec<SymbolRow<'a>>,
    pub(super) by_name: FxHashMap<&'a str, Vec<u32>>,
}

impl<'a> SymbolTable<'a> {
    pub(super) fn collect(assembly: &Assembly<'a>) -> (Vec<FileRow<'a>>, Self) {
        let mut table = Self::default();
        let mut files = Vec::with_capacity(assembly.files.len());
        for (number, file) in assembly.files.iter().enumerate() {
            let (head, role) = head_and_role(file);
            let first_symbol = table.rows.len() as u32;
            let mut reader = FactsReader::new(file.record);
            reader.terms(|_, _| {});
            reader.symbols(|fact| {
                // A container stands before what it contains; anything else is damage.
                let parent = fact.container.map(|at| first_symbol + at).filter(|at| (*at as usize) < table.rows.len());
                if is_named(fact.kind) {
                    table.by_name.entry(fact.name).or_default().push(table.rows.len() as u32);
                }
                table.rows.push(SymbolRow { file: number as u32, fact, parent });
            });
            let n_symbols = table.rows.len() as u32 - first_symbol;
            files.push(FileRow { path: file.path, role, head, first_symbol, n_symbols });
        }
        (files, table)
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Lower-case name to symbols.
    pub(super) fn names_dictionary(&self) -> DictionaryWriter {
        let mut lower: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for (name, symbols) in &self.by_name {
            lower.entry(name.to_lowercase()).or_default().extend(symbols);
        }
        dictionary_of(lower)
    }
}

/// An `impl` block has the name of the type it adds to; asking for the name means the type.
fn is_named(kind: Kind) -> bool {
    kind != Kind::Extension
}

/// Keys with ascending lists of numbers.
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
