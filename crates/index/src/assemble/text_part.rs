//! Collects the terms and passages of consecutive files. Each thread collects one part of the tree.

use std::io;
use std::ops::Range;

use super::Tree;
use super::term_runs::{PASSAGES, SYMBOLS, TermRuns};
use crate::codec::{Cursor, u32_at};
use crate::facts::{FactsReader, PassageFact, counts};
use crate::history::Summaries;
use crate::layout::passage;
use crate::role::Role;
use crate::spill::{Section, Spill};
use crate::text::{FIELDS, Field, for_each_token};

/// The terms and passages of consecutive files. Passages and symbols are numbered from zero.
pub(super) struct TextPart<'s> {
    pub(super) runs: TermRuns<'s>,
    pub(super) texts: Texts<'s>,
    /// The indices of the current file's terms, in the order in which its record lists them.
    terms: Vec<u32>,
}

/// The passages and the lengths of consecutive files.
pub(super) struct Texts<'s> {
    /// The passage records.
    pub(super) passages: Section<'s>,
    pub(super) n_passages: u32,
    pub(super) n_symbols: u32,
    pub(super) passage_length: u64,
    pub(super) n_text_files: u32,
    pub(super) field_totals: [u64; FIELDS],
    pub(super) files: Vec<TextFile>,
}

impl<'s> Texts<'s> {
    pub(super) fn new(spill: &'s Spill) -> Self {
        Self {
            passages: Section::new(spill),
            n_passages: 0,
            n_symbols: 0,
            passage_length: 0,
            n_text_files: 0,
            field_totals: [0; FIELDS],
            files: Vec::new(),
        }
    }

    /// Appends the files that follow these ones. Their passages and symbols are numbered from zero.
    pub(super) fn append(&mut self, more: Self) -> io::Result<()> {
        if self.files.is_empty() {
            *self = more;
            return Ok(());
        }
        more.passages.read_rows(passage::SIZE, |row| {
            let symbol = u32_at(row, passage::SYMBOL);
            if symbol > 0 {
                row[passage::SYMBOL..passage::SYMBOL + 4]
                    .copy_from_slice(&(symbol + self.n_symbols).to_le_bytes());
            }
            self.passages.put(row)
        })?;
        self.files.extend(
            more.files.into_iter().map(|file| TextFile {
                first_passage: file.first_passage + self.n_passages,
                ..file
            }),
        );
        self.n_passages += more.n_passages;
        self.n_symbols += more.n_symbols;
        self.passage_length += more.passage_length;
        self.n_text_files += more.n_text_files;
        for (total, more) in self.field_totals.iter_mut().zip(more.field_totals) {
            *total += more;
        }
        Ok(())
    }
}

/// The lengths and the first passage of a file, and whether it is source code.
#[derive(Clone, Copy)]
pub(super) struct TextFile {
    /// The number of tokens in the path and in the commit subjects. Fact records do not contain these numbers.
    pub(super) extra_lengths: [u32; 2],
    pub(super) first_passage: u32,
    /// The number of tokens in the content.
    pub(super) length: u32,
    pub(super) is_source: bool,
}

impl<'s> TextPart<'s> {
    /// Collects the terms and passages of the files `numbers` with about `max_bytes` of memory.
    pub(super) fn collect(
        tree: &Tree<'s>,
        summaries: &Summaries,
        numbers: Range<u32>,
        max_bytes: usize,
    ) -> io::Result<Self> {
        let mut part = Self {
            runs: TermRuns::new(tree.spill, max_bytes),
            texts: Texts::new(tree.spill),
            terms: Vec::new(),
        };
        let mut records = tree.records();
        for number in numbers {
            tree.pauses.wait();
            let path = tree.files.paths.get(number);
            let mut file = records.with(number, |record| part.add_file(number, path, record))?;
            let mut extra = Extra::default();
            let mut lengths = [extra.count(path, Field::Path, &mut part.runs), 0];
            for commit in summaries.subjects(number, tree.history) {
                lengths[1] += extra.count(commit, Field::History, &mut part.runs);
            }
            extra.add_to(&mut part.runs, number);
            part.texts.field_totals[Field::Path.slot()] += u64::from(lengths[0]);
            part.texts.field_totals[Field::History.slot()] += u64::from(lengths[1]);
            file.extra_lengths = lengths;
            part.texts.files.push(file);
            part.runs.end_file()?;
        }
        Ok(part)
    }

    /// Adds the terms, symbols and passages of a file's content.
    fn add_file(&mut self, number: u32, path: &str, record: &[u8]) -> io::Result<TextFile> {
        let reader = FactsReader::new(record);
        let head = reader.head;
        for (total, length) in self.texts.field_totals.iter_mut().zip(head.lengths) {
            *total += u64::from(length);
        }
        let length = head.lengths.iter().fold(0, |sum: u32, it| sum.saturating_add(*it));
        self.texts.n_text_files += u32::from(length > 0);
        let is_source = head.role(path) == Role::Source;
        let first_passage = self.texts.n_passages;
        let file = TextFile { extra_lengths: [0; 2], first_passage, length, is_source };
        let mut terms = std::mem::take(&mut self.terms);
        terms.clear();
        reader.terms(|term, encoded| {
            let term = self.runs.number(term);
            self.runs.add_to_file(term, number, encoded);
            terms.push(term);
        });
        let first_symbol = self.texts.n_symbols;
        reader.symbols(|symbol| {
            symbol.terms.for_each(|place, payload| {
                if let Some(term) = terms.get(place as usize) {
                    self.runs.add(SYMBOLS, *term, self.texts.n_symbols, payload);
                }
            });
            self.texts.n_symbols += 1;
        });
        reader.passages(|passage| {
            let owner = self.texts.n_passages;
            passage.terms.for_each(|place, payload| {
                if let Some(term) = terms.get(place as usize) {
                    self.runs.add(PASSAGES, *term, owner, payload);
                }
            });
            if passage.terms.is_empty() {
                add_whole_file(&reader, &terms, owner, &mut self.runs);
            }
            self.put_passage(number, first_symbol, &passage);
        });
        self.terms = terms;
        self.texts.passages.flush()?;
        Ok(file)
    }

    fn put_passage(&mut self, file: u32, first_symbol: u32, passage: &PassageFact<'_>) {
        let symbol = passage.symbol.map_or(0, |symbol| first_symbol + symbol + 1);
        for number in [file, symbol, passage.first_line, passage.last_line, passage.length] {
            self.texts.passages.buffer().extend_from_slice(&number.to_le_bytes());
        }
        self.texts.n_passages += 1;
        self.texts.passage_length += u64::from(passage.length);
    }
}

/// Adds all terms of a file to its only passage. The count of a term in the passage is the sum of the file's counts in
/// bodies, docs and strings.
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
