//! Encodes the fixed-size records of files and symbols, their strings, and other tables of a snapshot.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use syntax::Language;

use super::postings::Postings;
use super::symbols::{SymbolTable, dictionary_of};
use super::{Assembly, FileInput, FileRow};
use crate::codec::{put_text, put_varint, zigzag};
use crate::dictionary::DictionaryWriter;
use crate::history::FileSummary;
use crate::layout::{MAX_NEWEST, directory, file, profile, symbol};
use crate::text::Field;

/// Returns two sections: the file records, and the strings that they point to. The strings of a file are its path and
/// the names of its authors.
pub(super) fn files(
    assembly: &Assembly<'_>,
    rows: &[FileRow<'_>],
    text: &Postings,
    summaries: &[FileSummary],
    ranks: &[f32],
) -> (Vec<u8>, Vec<u8>) {
    let mut records = vec![0; rows.len() * file::SIZE];
    let mut texts = Vec::new();
    for (number, record) in records.chunks_exact_mut(file::SIZE).enumerate() {
        let (row, input, summary) = (&rows[number], &assembly.files[number], &summaries[number]);
        let mut put = |at: usize, value: &[u8]| record[at..at + value.len()].copy_from_slice(value);
        put(file::TEXT_AT, &(texts.len() as u32).to_le_bytes());
        put_text(&mut texts, row.path.as_bytes());
        put_varint(&mut texts, summary.authors.len() as u64);
        for author in &summary.authors {
            let name = assembly.history.and_then(|history| history.authors.get(*author as usize));
            put_text(&mut texts, name.map_or("", String::as_str).as_bytes());
        }
        let mut lengths = row.head.lengths;
        lengths[Field::Path.slot()] = text.extra_lengths[number][0];
        lengths[Field::History.slot()] = text.extra_lengths[number][1];
        for (slot, length) in lengths.iter().enumerate() {
            put(file::LENGTHS + slot * 4, &length.to_le_bytes());
        }
        put(file::LANGUAGE, &[row.head.language.map_or(0, Language::number)]);
        put(file::ROLE, &[row.role.code()]);
        put(file::BYTES, &u32::try_from(input.stamp.size).unwrap_or(u32::MAX).to_le_bytes());
        put(file::LINES, &row.head.lines.to_le_bytes());
        put(file::FIRST_SYMBOL, &row.first_symbol.to_le_bytes());
        put(file::N_SYMBOLS, &row.n_symbols.to_le_bytes());
        put(file::COMMITS, &summary.commits.to_le_bytes());
        put(file::RECENT_COMMITS, &summary.recent_commits.to_le_bytes());
        put(file::LAST_COMMIT, &summary.last_commit.to_le_bytes());
        put(file::N_AUTHORS, &summary.n_authors.to_le_bytes());
        put(file::RANK, &ranks[number].to_le_bytes());
        put(file::MODIFIED, &input.stamp.modified.to_le_bytes());
        put(file::SIZE_ON_DISK, &input.stamp.size.to_le_bytes());
        put(file::HASH, &input.hash);
    }
    (records, texts)
}

/// Returns the section of the profiles, which repeat what a query needs to score a file.
pub(super) fn profiles(rows: &[FileRow<'_>], text: &Postings) -> Vec<u8> {
    let mut profiles = vec![0; rows.len() * profile::SIZE];
    for (number, record) in profiles.chunks_exact_mut(profile::SIZE).enumerate() {
        let (row, [path, history]) = (&rows[number], text.extra_lengths[number]);
        let length = |field: Field| row.head.lengths[field.slot()];
        let mut put = |at: usize, value: &[u8]| record[at..at + value.len()].copy_from_slice(value);
        let in_text = [Field::Signature, Field::Docs, Field::Strings, Field::Body]
            .into_iter()
            .fold(0_u32, |sum, field| sum.saturating_add(length(field)));
        let in_text = if in_text < profile::TEXT_LIMIT { in_text } else { u32::MAX };
        let short = |length: u32| u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes();
        put(profile::TEXT, &in_text.to_le_bytes());
        put(profile::HISTORY, &short(history));
        put(profile::NAME, &short(length(Field::Name)));
        put(profile::QUALIFIED, &short(length(Field::Qualified)));
        put(profile::PATH, &[u8::try_from(path).unwrap_or(u8::MAX)]);
        put(profile::ROLE, &[row.role.code()]);
        put(profile::FIRST_PASSAGE, &text.first_passages[number].to_le_bytes());
    }
    profiles
}

/// Returns three sections: the records of the directories, their paths, and copies of the newest ones. The directories
/// are sorted by path.
pub(super) fn directories(directories: &[(String, i64)]) -> [Vec<u8>; 3] {
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

/// Returns a section with the paths and stamps of the files that were modified last.
pub(super) fn newest_files(files: &[FileInput<'_>]) -> Vec<u8> {
    let mut newest = Vec::new();
    for number in newest_first(files.iter().map(|file| file.stamp.modified)) {
        let FileInput { path, stamp, .. } = &files[number];
        put_text(&mut newest, path.as_bytes());
        put_varint(&mut newest, zigzag(stamp.modified));
        put_varint(&mut newest, stamp.size);
    }
    newest
}

/// Returns the positions of the items that were modified last, newest first.
fn newest_first(modified: impl Iterator<Item = i64>) -> impl Iterator<Item = usize> {
    let mut order: Vec<(Reverse<i64>, usize)> = modified.map(Reverse).zip(0..).collect();
    if order.len() > MAX_NEWEST {
        order.select_nth_unstable(MAX_NEWEST);
        order.truncate(MAX_NEWEST);
    }
    order.sort_unstable();
    order.into_iter().map(|(_, position)| position)
}

/// Returns two sections: the symbol records, and the strings that they point to. The strings of a symbol are its
/// qualified name, name, signature and doc comment.
pub(super) fn symbols(table: &SymbolTable<'_>) -> (Vec<u8>, Vec<u8>) {
    let mut records = vec![0; table.rows.len() * symbol::SIZE];
    let mut texts = Vec::new();
    for (row, record) in table.rows.iter().zip(records.chunks_exact_mut(symbol::SIZE)) {
        let mut put = |at: usize, value: &[u8]| record[at..at + value.len()].copy_from_slice(value);
        let fact = &row.fact;
        put(symbol::FILE, &row.file.to_le_bytes());
        put(symbol::PARENT, &row.parent.map_or(0, |parent| parent + 1).to_le_bytes());
        put(symbol::FIRST_LINE, &fact.first_line.to_le_bytes());
        put(symbol::LAST_LINE, &fact.last_line.to_le_bytes());
        put(symbol::TEXT_AT, &(texts.len() as u32).to_le_bytes());
        put(symbol::KIND, &[fact.kind as u8]);
        if let Some(complexity) = fact.complexity {
            put(
                symbol::NESTING,
                &[u8::try_from(complexity.nesting).unwrap_or(u8::MAX).saturating_add(1)],
            );
            put(symbol::CYCLOMATIC, &complexity.cyclomatic.to_le_bytes());
            put(symbol::COGNITIVE, &complexity.cognitive.to_le_bytes());
        }
        put_text(&mut texts, fact.qualified.as_bytes());
        // The name is usually the end of the qualified name. In that case only its length plus one is stored.
        let is_ending = fact.qualified.ends_with(fact.name);
        put_varint(&mut texts, if is_ending { fact.name.len() as u64 + 1 } else { 0 });
        for text in [(!is_ending).then_some(fact.name), Some(fact.signature), Some(fact.doc)]
            .into_iter()
            .flatten()
        {
            put_text(&mut texts, text.as_bytes());
        }
    }
    (records, texts)
}

/// Returns the dictionary from lower-case base names to files.
pub(super) fn file_names(rows: &[FileRow<'_>]) -> DictionaryWriter {
    let mut names: FxHashMap<String, Vec<u32>> = FxHashMap::default();
    for (number, row) in rows.iter().enumerate() {
        let name = row.path.rsplit('/').next().unwrap_or(row.path);
        names.entry(name.to_lowercase()).or_default().push(number as u32);
    }
    dictionary_of(names)
}

/// Returns two sections: the list offsets, and for each file the list of files that changed in the same commits.
pub(super) fn co_changes(summaries: &[FileSummary]) -> [Vec<u8>; 2] {
    lists(summaries, |summary, out| {
        for (file, count) in &summary.co_changes {
            put_varint(out, u64::from(*file));
            put_varint(out, u64::from(*count));
        }
    })
}

/// Returns two sections: the list offsets, and for each file the list of days on which it was changed, newest first.
pub(super) fn touches(summaries: &[FileSummary]) -> [Vec<u8>; 2] {
    lists(summaries, |summary, out| {
        let mut days = summary.days.clone();
        days.sort_unstable_by(|a, b| b.cmp(a));
        let mut previous = days.first().copied().unwrap_or(0);
        if let Some(newest) = days.first() {
            put_varint(out, u64::from(*newest));
        }
        for day in days.iter().skip(1) {
            put_varint(out, u64::from(previous - day));
            previous = *day;
        }
    })
}

/// Encodes one list per item. Returns two sections. The first contains the start offset of each list and, at the end,
/// the end offset of the last list. The second contains the lists.
pub(super) fn lists<T>(items: &[T], mut put: impl FnMut(&T, &mut Vec<u8>)) -> [Vec<u8>; 2] {
    let mut starts = Vec::with_capacity((items.len() + 1) * 4);
    let mut out = Vec::new();
    for item in items {
        starts.extend_from_slice(&(out.len() as u32).to_le_bytes());
        put(item, &mut out);
    }
    starts.extend_from_slice(&(out.len() as u32).to_le_bytes());
    [starts, out]
}
