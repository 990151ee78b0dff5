//! Builds the postings: maps each term to the files, passages and symbol names that contain it.

use std::io;
use std::ops::Range;

use super::Tree;
use super::term_runs::{N_LISTS, PASSAGES, PartRuns, SYMBOLS, TermMerge, TermVisitor};
use super::text_part::{TextFile, TextPart, Texts};
use crate::codec::put_varint;
use crate::dictionary::DictionaryWriter;
use crate::history::Summaries;
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
    pub(super) texts: Texts<'s>,
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
        for part in parts {
            let TextPart { texts, runs: of_part, .. } = part?;
            let mut bases = [0; N_LISTS];
            bases[PASSAGES] = postings.texts.n_passages;
            bases[SYMBOLS] = postings.texts.n_symbols;
            let (written, last) = of_part.finish();
            runs.push(PartRuns { written, last, bases });
            postings.texts.append(texts)?;
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
            texts: Texts::new(spill),
        }
    }

    fn write_terms(&mut self, mut merge: TermMerge) -> io::Result<()> {
        let mut dictionary = DictionaryWriter::default();
        let total: u64 = self.texts.files.iter().map(|file| u64::from(file.length)).sum();
        let average = (total as f32 / self.texts.files.len().max(1) as f32).max(1.0);
        let mut lists = Lists {
            text_files: &self.texts.files,
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
