//! Builds the postings: maps each term to the files, passages and symbol names that contain it.

use std::io;

use super::summaries::Summaries;
use super::term_runs::{PASSAGES, SYMBOLS, TermMerge, TermRuns, TermVisitor};
use super::{Tree, role_and_head};
use crate::codec::{Cursor, put_varint};
use crate::dictionary::DictionaryWriter;
use crate::facts::{FactsReader, PassageFact, counts};
use crate::posting_list::{FileListWriter, ListWriter, impact};
use crate::role::Role;
use crate::spill::{Section, Spill};
use crate::text::{FIELDS, Field, for_each_token};

/// The text sections of a snapshot.
pub(super) struct Postings<'s> {
    /// The three sections of the dictionary of terms.
    pub(super) terms: [Section<'s>; 3],
    pub(super) n_terms: usize,
    pub(super) passage_postings: Section<'s>,
    pub(super) symbol_postings: Section<'s>,
    pub(super) passages: Section<'s>,
    pub(super) n_passages: u32,
    pub(super) passage_length: u64,
    pub(super) n_text_files: u32,
    pub(super) field_totals: [u64; FIELDS],
    /// For each file, the number of tokens in its path and in its commit subjects. Records of facts do not contain
    /// these numbers.
    pub(super) extra_lengths: Vec<[u32; 2]>,
    /// For each file, the number of its first passage.
    pub(super) first_passages: Vec<u32>,
    weights: Vec<FileWeight>,
}

/// The properties of a file that determine the impact of its postings, apart from the counts.
#[derive(Clone, Copy)]
struct FileWeight {
    /// The number of tokens in the content.
    length: u32,
    is_source: bool,
}

impl<'s> Postings<'s> {
    /// Builds the postings with about `max_bytes` of memory.
    pub(super) fn of(tree: &Tree<'s>, summaries: &Summaries, max_bytes: usize) -> io::Result<Self> {
        let mut postings = Self::empty(tree.spill);
        let mut collector = Collector {
            runs: TermRuns::new(tree.spill, max_bytes),
            terms: Vec::new(),
            n_symbols: 0,
        };
        let mut records = tree.records.reader();
        for (number, path) in tree.paths.iter() {
            records
                .with(number, |record| postings.add_file(number, path, record, &mut collector))?;
            let mut extra = Extra::default();
            let mut lengths = [extra.count(path, Field::Path, &mut collector.runs), 0];
            for commit in summaries.subjects(number, tree.history) {
                lengths[1] += extra.count(commit, Field::History, &mut collector.runs);
            }
            extra.add_to(&mut collector.runs, number);
            postings.field_totals[Field::Path.slot()] += u64::from(lengths[0]);
            postings.field_totals[Field::History.slot()] += u64::from(lengths[1]);
            postings.extra_lengths.push(lengths);
            collector.runs.end_file()?;
        }
        postings.write_terms(collector.runs.finish()?)?;
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
            extra_lengths: Vec::new(),
            first_passages: Vec::new(),
            weights: Vec::new(),
        }
    }

    fn add_file(
        &mut self,
        file: u32,
        path: &str,
        record: &[u8],
        collector: &mut Collector<'_>,
    ) -> io::Result<()> {
        let reader = FactsReader::new(record);
        for (total, length) in self.field_totals.iter_mut().zip(reader.head.lengths) {
            *total += u64::from(length);
        }
        self.n_text_files += u32::from(reader.head.lengths.iter().any(|length| *length > 0));
        self.first_passages.push(self.n_passages);
        let (role, head) = role_and_head(path, &reader);
        let length = head.lengths.iter().fold(0, |sum: u32, it| sum.saturating_add(*it));
        self.weights.push(FileWeight { length, is_source: role == Role::Source });
        let Collector { runs, terms, n_symbols } = collector;
        terms.clear();
        reader.terms(|term, encoded| {
            let term = runs.number(term);
            runs.add_to_file(term, file, encoded);
            terms.push(term);
        });
        let first_symbol = *n_symbols;
        reader.symbols(|symbol| {
            symbol.terms.for_each(|place, payload| {
                if let Some(term) = terms.get(place as usize) {
                    runs.add(SYMBOLS, *term, *n_symbols, payload);
                }
            });
            *n_symbols += 1;
        });
        reader.passages(|passage| {
            let owner = self.n_passages;
            passage.terms.for_each(|place, payload| {
                if let Some(term) = terms.get(place as usize) {
                    runs.add(PASSAGES, *term, owner, payload);
                }
            });
            if passage.terms.is_empty() {
                add_whole_file(&reader, terms, owner, runs);
            }
            self.put_passage(file, first_symbol, &passage);
        });
        self.passages.flush()
    }

    fn put_passage(&mut self, file: u32, first_symbol: u32, passage: &PassageFact<'_>) {
        let symbol = passage.symbol.map_or(0, |symbol| first_symbol + symbol + 1);
        for number in [file, symbol, passage.first_line, passage.last_line, passage.length] {
            self.passages.buffer().extend_from_slice(&number.to_le_bytes());
        }
        self.n_passages += 1;
        self.passage_length += u64::from(passage.length);
    }

    fn write_terms(&mut self, mut merge: TermMerge) -> io::Result<()> {
        let mut dictionary = DictionaryWriter::default();
        let total: u64 = self.weights.iter().map(|weight| u64::from(weight.length)).sum();
        let average = (total as f32 / self.weights.len().max(1) as f32).max(1.0);
        let mut lists = Lists {
            weights: std::mem::take(&mut self.weights),
            average,
            files: FileListWriter::default(),
            passages: ListWriter::default(),
            symbols: ListWriter::default(),
        };
        let (mut list, mut encoded) = (Vec::new(), Vec::new());
        while let Some(term) = merge.next(&mut lists)? {
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

/// Encodes the lists of all terms, one term after the other.
struct Lists {
    weights: Vec<FileWeight>,
    /// The average length of the files.
    average: f32,
    files: FileListWriter,
    passages: ListWriter,
    symbols: ListWriter,
}

impl TermVisitor for Lists {
    fn file(&mut self, file: u32, counts: &[u32; FIELDS], encoded: &[u8]) {
        let weight = self.weights[file as usize];
        let impact = impact(counts, weight.length as f32 / self.average, weight.is_source);
        self.files.push(file, impact, |out| out.extend_from_slice(encoded));
    }

    fn item(&mut self, list: usize, owner: u32, payload: u32) {
        let numbers = if list == PASSAGES { &mut self.passages } else { &mut self.symbols };
        numbers.push(owner, payload);
    }
}

/// The occurrences of terms in the files so far.
struct Collector<'s> {
    runs: TermRuns<'s>,
    /// The terms of the current file, by their position in its record.
    terms: Vec<u32>,
    n_symbols: u32,
}

/// Adds all terms of a file to its only passage, which has the counts of the file.
fn add_whole_file(reader: &FactsReader<'_>, terms: &[u32], passage: u32, runs: &mut TermRuns<'_>) {
    let mut terms = terms.iter();
    reader.terms(|_, encoded| {
        let Some(term) = terms.next() else { return };
        let in_fields = counts::read(&mut Cursor::new(encoded));
        let payload =
            [Field::Body, Field::Docs, Field::Strings].iter().map(|it| in_fields[it.slot()]).sum();
        runs.add(PASSAGES, *term, passage, payload);
    });
}

/// The counts of the terms in a file's path and commit subjects.
#[derive(Default)]
struct Extra {
    counted: Vec<(u32, [u32; FIELDS])>,
}

impl Extra {
    fn count(&mut self, text: &str, field: Field, runs: &mut TermRuns<'_>) -> u32 {
        let mut total = 0;
        for_each_token(text, |token| {
            let mut one = [0; FIELDS];
            one[field.slot()] = 1;
            self.counted.push((runs.number(token.term.as_bytes()), one));
            total += 1;
        });
        total
    }

    fn add_to(mut self, runs: &mut TermRuns<'_>, file: u32) {
        self.counted.sort_unstable_by_key(|(term, _)| *term);
        let mut encoded = Vec::new();
        for same in self.counted.chunk_by(|a, b| a.0 == b.0) {
            let mut sum = [0; FIELDS];
            for (_, one) in same {
                sum.iter_mut().zip(one).for_each(|(total, count)| *total += count);
            }
            encoded.clear();
            counts::put(&mut encoded, &sum);
            runs.add_to_file(same[0].0, file, &encoded);
        }
    }
}
