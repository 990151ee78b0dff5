//! Encodes the fixed-size file and symbol records, their strings, and the name dictionaries.

use std::cmp::Reverse;
use std::io;

use syntax::Language;

use super::key_table::grouped;
use super::paths::{FileTable, Paths, name_of};
use super::symbols::SymbolTable;
use super::{FileStamp, Tree};
use crate::codec::{put_text, put_varint, u32_at, zigzag};
use crate::dictionary::DictionaryWriter;
use crate::facts::{FactsHead, FactsReader, SymbolFact};
use crate::history::FileSummary;
use crate::interner::Interner;
use crate::layout::{MAX_NEWEST, directory, file, profile, symbol};
use crate::spill::{Section, Spill};
use crate::text::Field;

/// The tables that are written while the fact records are read for the first time.
pub(super) struct Tables<'s> {
    /// The file records. The rank and the lengths of the fields `Path` and `History` are filled in later by
    /// [`complete_file`].
    pub(super) files: Section<'s>,
    /// The path of each file and the names of its authors.
    pub(super) file_texts: Section<'s>,
    pub(super) symbols: Section<'s>,
    /// The qualified name, name, signature and doc comment of each symbol.
    pub(super) symbol_texts: Section<'s>,
}

impl<'s> Tables<'s> {
    pub(super) fn new(spill: &'s Spill) -> Self {
        let section = || Section::new(spill);
        Self {
            files: section(),
            file_texts: section(),
            symbols: section(),
            symbol_texts: section(),
        }
    }

    /// Adds a file and its symbols.
    pub(super) fn add_file(
        &mut self,
        number: u32,
        tree: &Tree<'_>,
        files: &FileTable<'_>,
        reader: &FactsReader<'_>,
        summary: &FileSummary,
        symbols: &SymbolTable,
    ) -> io::Result<()> {
        self.put_file(number, tree, files, &reader.head, summary, symbols)?;
        let mut next = symbols.of_file(number).start;
        let mut result = Ok(());
        reader.symbols(|fact| {
            if result.is_ok() {
                result = self.put_symbol(number, symbols.parent(next), &fact);
            }
            next += 1;
        });
        result
    }

    fn put_file(
        &mut self,
        number: u32,
        tree: &Tree<'_>,
        files: &FileTable<'_>,
        head: &FactsHead,
        summary: &FileSummary,
        symbols: &SymbolTable,
    ) -> io::Result<()> {
        let path = tree.files.paths.get(number);
        let (stamp, own) = (tree.files.stamps[number as usize], symbols.of_file(number));
        let mut record = [0; file::SIZE];
        let mut put = |at: usize, value: &[u8]| record[at..at + value.len()].copy_from_slice(value);
        put(file::TEXT_AT, &offset(&self.file_texts)?);
        for (slot, length) in head.lengths.iter().enumerate() {
            put(file::LENGTHS + slot * 4, &length.to_le_bytes());
        }
        put(file::LANGUAGE, &[head.language.map_or(0, Language::number)]);
        put(file::ROLE, &[files.role(number) as u8]);
        put(file::BYTES, &u32::try_from(stamp.size).unwrap_or(u32::MAX).to_le_bytes());
        put(file::LINES, &head.lines.to_le_bytes());
        put(file::FIRST_SYMBOL, &own.start.to_le_bytes());
        put(file::N_SYMBOLS, &(own.end - own.start).to_le_bytes());
        put(file::COMMITS, &summary.commits.to_le_bytes());
        put(file::RECENT_COMMITS, &summary.recent_commits.to_le_bytes());
        put(file::LAST_COMMIT, &summary.last_commit.to_le_bytes());
        put(file::N_AUTHORS, &summary.n_authors.to_le_bytes());
        put(file::MODIFIED, &stamp.modified.to_le_bytes());
        put(file::SIZE_ON_DISK, &stamp.size.to_le_bytes());
        put(file::HASH, &tree.files.hashes[number as usize]);
        self.files.put(&record)?;
        let texts = self.file_texts.buffer();
        put_text(texts, path.as_bytes());
        put_varint(texts, summary.authors.len() as u64);
        for author in &summary.authors {
            let name = tree.history.and_then(|history| history.authors.get(*author as usize));
            put_text(texts, name.map_or("", String::as_str).as_bytes());
        }
        self.file_texts.flush()
    }

    fn put_symbol(
        &mut self,
        number: u32,
        parent: Option<u32>,
        fact: &SymbolFact<'_>,
    ) -> io::Result<()> {
        let mut record = [0; symbol::SIZE];
        let mut put = |at: usize, value: &[u8]| record[at..at + value.len()].copy_from_slice(value);
        put(symbol::FILE, &number.to_le_bytes());
        put(symbol::PARENT, &parent.map_or(0, |parent| parent + 1).to_le_bytes());
        put(symbol::FIRST_LINE, &fact.first_line.to_le_bytes());
        put(symbol::LAST_LINE, &fact.last_line.to_le_bytes());
        put(symbol::TEXT_AT, &offset(&self.symbol_texts)?);
        put(symbol::KIND, &[fact.kind as u8]);
        if let Some(complexity) = fact.complexity {
            let nesting = u8::try_from(complexity.nesting).unwrap_or(u8::MAX);
            put(symbol::NESTING, &[nesting.saturating_add(1)]);
            put(symbol::CYCLOMATIC, &complexity.cyclomatic.to_le_bytes());
            put(symbol::COGNITIVE, &complexity.cognitive.to_le_bytes());
        }
        self.symbols.put(&record)?;
        let texts = self.symbol_texts.buffer();
        put_text(texts, fact.qualified.as_bytes());
        // The name is usually the end of the qualified name. In that case only its length plus one is stored.
        let is_ending = fact.qualified.ends_with(fact.name);
        put_varint(texts, if is_ending { fact.name.len() as u64 + 1 } else { 0 });
        for text in [(!is_ending).then_some(fact.name), Some(fact.signature), Some(fact.doc)]
            .into_iter()
            .flatten()
        {
            put_text(texts, text.as_bytes());
        }
        self.symbol_texts.flush()
    }
}

/// Fills in the values of a file record that were not known when the record was written. `path` and `history` are
/// numbers of tokens.
pub(super) fn complete_file(record: &mut [u8], [path, history]: [u32; 2], rank: f32) {
    let mut put = |at: usize, value: [u8; 4]| record[at..at + 4].copy_from_slice(&value);
    put(file::LENGTHS + Field::Path.slot() * 4, path.to_le_bytes());
    put(file::LENGTHS + Field::History.slot() * 4, history.to_le_bytes());
    put(file::RANK, rank.to_le_bytes());
}

/// Returns the profile of a file, which is a copy of the fields that a query needs to score the file. `record` must be
/// complete.
pub(super) fn profile_of(record: &[u8], first_passage: u32) -> [u8; profile::SIZE] {
    let length = |field: Field| u32_at(record, file::LENGTHS + field.slot() * 4);
    let mut profile = [0; profile::SIZE];
    let mut put = |at: usize, value: &[u8]| profile[at..at + value.len()].copy_from_slice(value);
    let in_text = [Field::Signature, Field::Docs, Field::Strings, Field::Body]
        .into_iter()
        .fold(0_u32, |sum, field| sum.saturating_add(length(field)));
    let in_text = if in_text < profile::TEXT_LIMIT { in_text } else { u32::MAX };
    let short = |length: u32| u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes();
    put(profile::TEXT, &in_text.to_le_bytes());
    put(profile::HISTORY, &short(length(Field::History)));
    put(profile::NAME, &short(length(Field::Name)));
    put(profile::QUALIFIED, &short(length(Field::Qualified)));
    put(profile::PATH, &[u8::try_from(length(Field::Path)).unwrap_or(u8::MAX)]);
    put(profile::ROLE, &record[file::ROLE..=file::ROLE]);
    put(profile::FIRST_PASSAGE, &first_passage.to_le_bytes());
    profile
}

/// Returns three sections: the directory records, the directories' paths, and the most recently modified directories.
/// `directories` must be sorted by path.
pub(crate) fn directories(directories: &[(String, i64)]) -> [Vec<u8>; 3] {
    let mut records = vec![0; directories.len() * directory::SIZE];
    let mut texts = Vec::new();
    for ((path, modified), record) in
        directories.iter().zip(records.chunks_exact_mut(directory::SIZE))
    {
        let mut put = |at: usize, value: &[u8]| record[at..at + value.len()].copy_from_slice(value);
        put(directory::MODIFIED, &modified.to_le_bytes());
        put(directory::TEXT_AT, &(texts.len() as u32).to_le_bytes());
        put_text(&mut texts, path.as_bytes());
    }
    let mut newest = Vec::new();
    for number in newest_first(directories.iter().map(|(_, modified)| *modified)) {
        let (path, modified) = &directories[number];
        put_text(&mut newest, path.as_bytes());
        put_varint(&mut newest, zigzag(*modified));
    }
    [records, texts, newest]
}

/// Returns a section with the paths and stamps of the most recently modified files.
pub(crate) fn newest_files(paths: &Paths, stamps: &[FileStamp]) -> Vec<u8> {
    let mut newest = Vec::new();
    for number in newest_first(stamps.iter().map(|stamp| stamp.modified)) {
        put_text(&mut newest, paths.get(number as u32).as_bytes());
        put_varint(&mut newest, zigzag(stamps[number].modified));
        put_varint(&mut newest, stamps[number].size);
    }
    newest
}

/// Returns the positions of the most recently modified items, newest first.
fn newest_first(modified: impl Iterator<Item = i64>) -> impl Iterator<Item = usize> {
    let mut order: Vec<(Reverse<i64>, usize)> = modified.map(Reverse).zip(0..).collect();
    if order.len() > MAX_NEWEST {
        order.select_nth_unstable(MAX_NEWEST);
        order.truncate(MAX_NEWEST);
    }
    order.sort_unstable();
    order.into_iter().map(|(_, position)| position)
}

/// Returns the encoded offset of the bytes that will be appended to `section` next.
fn offset(section: &Section<'_>) -> io::Result<[u8; 4]> {
    let offset = u32::try_from(section.len())
        .map_err(|_| io::Error::other("the index is larger than its format allows"))?;
    Ok(offset.to_le_bytes())
}

/// Returns the sections of the dictionary that maps lower-case names to symbols.
pub(super) fn symbol_names<'s>(
    symbols: &SymbolTable,
    spill: &'s Spill,
) -> io::Result<[Section<'s>; 3]> {
    let mut writer = NumbersWriter::new(spill);
    let mut result = Ok(());
    symbols.for_each_lower_name(|name, numbers| {
        if result.is_ok() {
            result = writer.push(name.as_bytes(), numbers);
        }
    });
    result.map(|()| writer.sections)
}

/// Returns the sections of the dictionary that maps lower-case file names to files.
pub(super) fn file_names<'s>(
    files: &FileTable<'_>,
    spill: &'s Spill,
) -> io::Result<[Section<'s>; 3]> {
    let mut names = Interner::default();
    let mut number = |path: &str| names.number(name_of(path).to_lowercase().as_bytes()) as usize;
    let named: Vec<(usize, u32)> =
        files.paths.iter().map(|(file, path)| (number(path), file)).collect();
    let (starts, numbers) = grouped(names.len(), named.iter().copied());
    let mut writer = NumbersWriter::new(spill);
    for name in names.sorted() {
        let (start, end) = (starts[name as usize], starts[name as usize + 1]);
        writer.push(names.get(name), &numbers[start as usize..end as usize])?;
    }
    Ok(writer.sections)
}

/// Writes a dictionary that maps each key to a sorted list of numbers. Each number is stored as the difference from
/// the previous one.
struct NumbersWriter<'s> {
    dictionary: DictionaryWriter,
    sections: [Section<'s>; 3],
    list: Vec<u8>,
}

impl<'s> NumbersWriter<'s> {
    fn new(spill: &'s Spill) -> Self {
        let section = || Section::new(spill);
        let sections = [section(), section(), section()];
        Self { dictionary: DictionaryWriter::default(), sections, list: Vec::new() }
    }

    fn push(&mut self, key: &[u8], numbers: &[u32]) -> io::Result<()> {
        self.list.clear();
        let mut previous = 0;
        for number in numbers {
            put_varint(&mut self.list, u64::from(number - previous));
            previous = *number;
        }
        self.dictionary.push(key, numbers.len(), &self.list);
        self.dictionary.write_to(&mut self.sections)
    }
}
