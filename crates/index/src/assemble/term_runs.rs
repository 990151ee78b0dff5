//! Collects the occurrences of terms in files, passages and symbols, and sorts them by term.
//!
//! Occurrences that do not fit in memory are written to temporary files as runs. A run contains the occurrences in
//! consecutive files, sorted by term. To merge the runs, the lists of a term are read in the order of the runs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufReader, Read};

use super::interner::Interner;
use crate::codec::{Cursor, put_step, put_text, put_varint};
use crate::facts::counts;
use crate::spill::{RunFile, RunReader, Spill};
use crate::text::FIELDS;

/// The number of lists per term: one each for files, passages and symbols.
pub(super) const N_LISTS: usize = 3;
pub(super) const FILES: usize = 0;
pub(super) const PASSAGES: usize = 1;
pub(super) const SYMBOLS: usize = 2;

/// One occurrence of a term in a file, passage or symbol.
#[derive(Clone, Copy, Default)]
struct Entry {
    term: u32,
    /// The number of the file, passage or symbol.
    owner: u32,
    /// For a file, the position of its counts in [`TermRuns::counts`]. For a passage, the number of occurrences. For a
    /// symbol, a bit mask of the fields that contain the term.
    payload: u32,
}

/// The size in bytes of an occurrence while it is collected and sorted.
const ENTRY_BYTES: usize = size_of::<Entry>() + size_of::<(u32, u32)>();

/// Collects the occurrences of terms. Files must be added in ascending order.
pub(super) struct TermRuns<'s> {
    file: RunFile<'s>,
    max_bytes: usize,
    interner: Interner,
    entries: [Vec<Entry>; N_LISTS],
    /// The encoded counts of terms in files.
    counts: Vec<u8>,
    runs: Vec<RunReader>,
}

impl<'s> TermRuns<'s> {
    /// Creates a collection that uses about `max_bytes` of memory.
    pub(super) fn new(spill: &'s Spill, max_bytes: usize) -> Self {
        Self {
            file: RunFile::new(spill),
            max_bytes,
            interner: Interner::new(),
            entries: Default::default(),
            counts: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Returns the number of a term. It is valid until [`Self::end_file`] is called.
    pub(super) fn number(&mut self, term: &[u8]) -> u32 {
        self.interner.number(term)
    }

    /// Adds a term of a file with its encoded counts.
    pub(super) fn add_to_file(&mut self, term: u32, file: u32, encoded: &[u8]) {
        let payload = self.counts.len() as u32;
        self.counts.extend_from_slice(encoded);
        self.entries[FILES].push(Entry { term, owner: file, payload });
    }

    /// Adds a term of a passage or symbol.
    pub(super) fn add(&mut self, list: usize, term: u32, owner: u32, payload: u32) {
        self.entries[list].push(Entry { term, owner, payload });
    }

    /// Marks the end of a file's terms. Writes a run if the memory is used up.
    pub(super) fn end_file(&mut self) -> io::Result<()> {
        let n_entries: usize = self.entries.iter().map(Vec::len).sum();
        let size = n_entries * ENTRY_BYTES + self.counts.len() + self.interner.size();
        if size < self.max_bytes || !self.file.is_available() {
            return Ok(());
        }
        self.write_rows(true)?;
        self.runs.push(self.file.end_run()?);
        Ok(())
    }

    /// Appends a row for each term to the buffer of the file. A row consists of its length, the term, and the encoded
    /// occurrences of each list. If `flushes` is set, the rows are written to the file.
    fn write_rows(&mut self, flushes: bool) -> io::Result<()> {
        let interner = std::mem::replace(&mut self.interner, Interner::new());
        let counts = std::mem::take(&mut self.counts);
        let sorted =
            std::mem::take(&mut self.entries).map(|entries| by_term(entries, interner.len()));
        let (mut row, mut list) = (Vec::new(), Vec::new());
        for term in interner.sorted() {
            row.clear();
            put_text(&mut row, interner.get(term));
            for (number, (pairs, starts)) in sorted.iter().enumerate() {
                let range = starts[term as usize] as usize..starts[term as usize + 1] as usize;
                let pairs = &pairs[range];
                list.clear();
                if number == FILES {
                    put_files(&mut list, pairs, &counts);
                } else {
                    put_pairs(&mut list, pairs);
                }
                put_text(&mut row, &list);
            }
            self.file.buffer().extend_from_slice(&(row.len() as u32).to_le_bytes());
            self.file.buffer().extend_from_slice(&row);
            if flushes {
                self.file.flush()?;
            }
        }
        Ok(())
    }

    /// Ends the collection.
    pub(super) fn finish(mut self) -> io::Result<TermMerge> {
        // The last run stays in memory. Its rows are smaller than the entries.
        self.write_rows(false)?;
        let last = std::mem::take(self.file.buffer());
        let piece = (self.max_bytes / (self.runs.len() + 1)).clamp(MIN_PIECE, MAX_PIECE);
        let mut runs: Vec<Box<dyn Read + Send>> = Vec::new();
        for run in self.runs {
            runs.push(Box::new(BufReader::with_capacity(piece, run)));
        }
        runs.push(Box::new(io::Cursor::new(last)));
        let mut merge = TermMerge { runs: Vec::new(), heap: BinaryHeap::new() };
        for (number, bytes) in runs.into_iter().enumerate() {
            merge.runs.push(TermRun { bytes, row: Vec::new() });
            merge.advance(number)?;
        }
        Ok(merge)
    }
}

/// The minimum and the maximum number of bytes that are read from a run at a time.
const MIN_PIECE: usize = 4 * 1024;
const MAX_PIECE: usize = 64 * 1024;

/// Receives the occurrences of one term, in ascending order of their owners.
pub(super) trait TermVisitor {
    /// Receives a file with its encoded counts.
    fn file(&mut self, file: u32, counts: &[u32; FIELDS], encoded: &[u8]);

    /// Receives a passage or symbol with its payload.
    fn item(&mut self, list: usize, owner: u32, payload: u32);
}

/// Merges several runs and returns their terms in ascending order.
pub(super) struct TermMerge {
    runs: Vec<TermRun>,
    /// The next term of each run.
    heap: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
}

struct TermRun {
    bytes: Box<dyn Read + Send>,
    /// The lists of the next term.
    row: Vec<u8>,
}

impl TermRun {
    /// Reads the next row. Returns its term.
    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut length = [0; 4];
        match self.bytes.read_exact(&mut length) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            result => result?,
        }
        self.row.resize(u32::from_le_bytes(length) as usize, 0);
        self.bytes.read_exact(&mut self.row)?;
        let mut cursor = Cursor::new(&self.row);
        let term = cursor.text().to_vec();
        let used = self.row.len() - cursor.remaining();
        self.row.drain(..used);
        Ok(Some(term))
    }
}

impl TermMerge {
    fn advance(&mut self, run: usize) -> io::Result<()> {
        if let Some(term) = self.runs[run].next()? {
            self.heap.push(Reverse((term, run)));
        }
        Ok(())
    }

    /// Passes the occurrences of the next term to `visitor`, and returns the term.
    pub(super) fn next(&mut self, visitor: &mut impl TermVisitor) -> io::Result<Option<Vec<u8>>> {
        let Some(Reverse((term, run))) = self.heap.pop() else { return Ok(None) };
        self.visit(run, visitor)?;
        while let Some(Reverse((other, run))) = self.heap.peek()
            && *other == term
        {
            let run = *run;
            self.heap.pop();
            self.visit(run, visitor)?;
        }
        Ok(Some(term))
    }

    fn visit(&mut self, run: usize, visitor: &mut impl TermVisitor) -> io::Result<()> {
        let mut lists = Cursor::new(&self.runs[run].row);
        for list in 0..N_LISTS {
            let bytes = lists.text();
            let mut cursor = Cursor::new(bytes);
            let mut owner = 0;
            while !cursor.is_empty() {
                if list == FILES {
                    owner += cursor.small();
                    let start = bytes.len() - cursor.remaining();
                    let counts = counts::read(&mut cursor);
                    visitor.file(owner, &counts, &bytes[start..bytes.len() - cursor.remaining()]);
                } else {
                    let (step, payload) = cursor.step();
                    owner += step;
                    visitor.item(list, owner, payload);
                }
            }
        }
        self.advance(run)
    }
}

/// Groups entries by term and keeps their order within a term. Returns pairs of owner and payload, and the position of
/// the first pair of each term.
fn by_term(entries: Vec<Entry>, n_terms: usize) -> (Vec<(u32, u32)>, Vec<u32>) {
    let mut starts = vec![0_u32; n_terms + 1];
    for entry in &entries {
        starts[entry.term as usize + 1] += 1;
    }
    for term in 0..n_terms {
        starts[term + 1] += starts[term];
    }
    let mut next = starts.clone();
    let mut sorted = vec![(0, 0); entries.len()];
    for entry in entries {
        let slot = &mut next[entry.term as usize];
        sorted[*slot as usize] = (entry.owner, entry.payload);
        *slot += 1;
    }
    (sorted, starts)
}

fn put_pairs(out: &mut Vec<u8>, pairs: &[(u32, u32)]) {
    let mut previous = 0;
    for (owner, payload) in pairs {
        put_step(out, owner - previous, *payload);
        previous = *owner;
    }
}

/// Writes the files of one term with their counts per field.
fn put_files(out: &mut Vec<u8>, pairs: &[(u32, u32)], encoded: &[u8]) {
    let counts_at = |payload: u32| Cursor::new(encoded.get(payload as usize..).unwrap_or_default());
    let mut previous = 0;
    for of_file in pairs.chunk_by(|a, b| a.0 == b.0) {
        let file = of_file[0].0;
        put_varint(out, u64::from(file - previous));
        previous = file;
        if let [(_, payload)] = of_file {
            let start = counts_at(*payload);
            let mut end = start;
            counts::read(&mut end);
            let at = *payload as usize;
            out.extend_from_slice(&encoded[at..at + start.remaining() - end.remaining()]);
            continue;
        }
        let mut sum = [0; FIELDS];
        for (_, payload) in of_file {
            let more = counts::read(&mut counts_at(*payload));
            sum.iter_mut().zip(more).for_each(|(total, count)| *total += count);
        }
        counts::put(out, &sum);
    }
}
