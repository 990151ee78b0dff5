//! Builds the postings: maps each term to the files, passages and symbol names that contain it.

use std::io;
use std::ops::Range;

use super::Tree;
use super::term_merge::{PartRuns, TermMerge};
use super::term_runs::{N_LISTS, PASSAGES, SYMBOLS, TermVisitor};
use super::text_part::{TextFile, TextPart};
use crate::codec::{put_varint, u32_at};
use crate::dictionary::DictionaryWriter;
use crate::history::Summaries;
use crate::layout::passage;
use crate::posting_list::{FileListWriter, ListWriter, impact};
use crate::spill::{Section, Spill};
use crate::text::FIELDS;
use crate::threads;

/// The term dictionary, the posting lists and the passages of a snapshot, with their totals.
pub(super) struct Postings<'s> {
    /// The three sections of the term dictionary.
    pub(super) terms: [Section<'s>; 3],
    pub(super) n_terms: usize,
    pub(super) passage_postings: Section<'s>,
    pub(super) symbol_postings: Section<'s>,
    pub(super) passages: Section<'s>,
    pub(super) n_passages: u32,
    pub(super) passage_length: u64,
    pub(super) n_text_files: u32,
    pub(super) field_totals: [u64; FIELDS],
    pub(super) files: Vec<TextFile>,
}

/// The minimum number of files per thread.
const MIN_FILES: usize = 256;

impl<'s> Postings<'s> {
    /// Builds the postings with about `max_bytes` of memory. The result does not depend on the number of threads.
    pub(super) fn of(tree: &Tree<'s>, summaries: &Summaries, max_bytes: usize) -> io::Result<Self> {
        let n_parts = tree.threads.clamp(1, (tree.files.paths.len() / MIN_FILES).max(1));
        let ranges = equal_ranges(tree, n_parts);
        let collect =
            |range: Range<u32>| TextPart::collect(tree, summaries, range, max_bytes / n_parts);
        let collect = &collect;
        let parts: Vec<io::Result<TextPart<'s>>> = std::thread::scope(|scope| {
            let mut ranges = ranges.iter();
            let first = ranges.next();
            let others: Vec<_> =
                ranges.map(|range| threads::start(scope, || collect(range.clone()))).collect();
            let mut parts: Vec<_> = first.map(|range| collect(range.clone())).into_iter().collect();
            let failed = || Err(io::Error::other("a thread ended early"));
            parts.extend(others.into_iter().map(|thread| thread.join().unwrap_or_else(failed)));
            parts
        });
        let mut postings = Self::empty(tree.spill);
        let mut runs = Vec::with_capacity(n_parts);
        let mut n_symbols = 0;
        for part in parts {
            let part = part?;
            let n_more = part.n_symbols;
            runs.push(postings.add_part(part, n_symbols)?);
            n_symbols += n_more;
        }
        postings.write_terms(TermMerge::new(runs, max_bytes)?)?;
        Ok(postings)
    }

    fn empty(spill: &'s Spill) -> Self {
        let section = || Section::new(spill);
        Self {
            terms: [section(), section(), section()],
            n_terms: 0,
            passage_postings: section(),
            symbol_postings: section(),
            passages: section(),
            n_passages: 0,
            passage_length: 0,
            n_text_files: 0,
            field_totals: [0; FIELDS],
            files: Vec::new(),
        }
    }

    /// Appends the files and passages of `part` to those of the earlier parts, which contain `n_symbols` symbols.
    /// Returns the terms of `part` as sorted runs, which are merged after the last part has been added.
    fn add_part(&mut self, part: TextPart<'s>, n_symbols: u32) -> io::Result<PartRuns> {
        let first_passage = self.n_passages;
        if first_passage == 0 && n_symbols == 0 {
            self.passages = part.passages;
        } else {
            part.passages.read_rows(passage::SIZE, |row| {
                let symbol = u32_at(row, passage::SYMBOL);
                if symbol > 0 {
                    row[passage::SYMBOL..passage::SYMBOL + 4]
                        .copy_from_slice(&(symbol + n_symbols).to_le_bytes());
                }
                self.passages.put(row)
            })?;
        }
        self.files.extend(part.files.into_iter().map(|mut file| {
            file.first_passage += first_passage;
            file
        }));
        self.n_passages += part.n_passages;
        self.passage_length += part.passage_length;
        self.n_text_files += part.n_text_files;
        for (total, more) in self.field_totals.iter_mut().zip(part.field_totals) {
            *total += more;
        }
        let mut bases = [0; N_LISTS];
        (bases[PASSAGES], bases[SYMBOLS]) = (first_passage, n_symbols);
        let (written, last) = part.runs.finish();
        Ok(PartRuns { written, last, bases })
    }

    fn write_terms(&mut self, mut merge: TermMerge) -> io::Result<()> {
        let mut dictionary = DictionaryWriter::default();
        let total: u64 = self.files.iter().map(|file| u64::from(file.length)).sum();
        let average = (total as f32 / self.files.len().max(1) as f32).max(1.0);
        let mut lists = Lists {
            text_files: &self.files,
            average,
            files: FileListWriter::default(),
            passages: ListWriter::default(),
            symbols: ListWriter::default(),
        };
        let (mut term, mut list, mut encoded) = (Vec::new(), Vec::new(), Vec::new());
        while merge.next(&mut term, &mut lists)? {
            list.clear();
            for (section, numbers) in [
                (&mut self.passage_postings, &mut lists.passages),
                (&mut self.symbol_postings, &mut lists.symbols),
            ] {
                encoded.clear();
                let n_items = numbers.finish(&mut encoded);
                put_varint(&mut list, n_items as u64);
                if n_items > 0 {
                    put_varint(&mut list, section.len());
                    put_varint(&mut list, encoded.len() as u64);
                    section.put(&encoded)?;
                }
            }
            let n_files = lists.files.finish(&mut list);
            dictionary.push(&term, n_files, &list);
            dictionary.write_to(&mut self.terms)?;
        }
        self.n_terms = dictionary.len();
        Ok(())
    }
}

/// Divides the files into `n_parts` consecutive ranges that take about the same time to process.
fn equal_ranges(tree: &Tree<'_>, n_parts: usize) -> Vec<Range<u32>> {
    /// The cost of opening a file, as a number of bytes that take the same time to process.
    const PER_FILE: u64 = 1024;
    let weight = |file: usize| tree.files.stamps[file].size.min(1 << 20) + PER_FILE;
    let n_files = tree.files.paths.len();
    let total: u64 = (0..n_files).map(weight).sum();
    let (mut ranges, mut start, mut sum) = (Vec::with_capacity(n_parts), 0, 0);
    for file in 0..n_files {
        sum += weight(file);
        let is_last = ranges.len() + 1 == n_parts;
        if !is_last && sum * n_parts as u64 >= total * (ranges.len() as u64 + 1) {
            ranges.push(start..file as u32 + 1);
            start = file as u32 + 1;
        }
    }
    ranges.push(start..n_files as u32);
    ranges
}

/// Encodes the posting lists, one term after another.
struct Lists<'p> {
    text_files: &'p [TextFile],
    /// The average number of tokens per file.
    average: f32,
    files: FileListWriter,
    passages: ListWriter,
    symbols: ListWriter,
}

impl TermVisitor for Lists<'_> {
    fn file(&mut self, file: u32, counts: &[u32; FIELDS], encoded: &[u8]) {
        let TextFile { length, is_source, .. } = self.text_files[file as usize];
        let impact = impact(counts, length as f32 / self.average, is_source);
        self.files.push(file, impact, |out| out.extend_from_slice(encoded));
    }

    fn item(&mut self, list: usize, owner: u32, payload: u32) {
        let numbers = if list == PASSAGES { &mut self.passages } else { &mut self.symbols };
        numbers.push(owner, payload);
    }
}
