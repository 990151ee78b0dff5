//! Collects the occurrences of terms in files, passages and symbols, and sorts them by term.
//!
//! Occurrences that do not fit in memory are written to temporary files as runs. A run contains the occurrences in
//! consecutive files, sorted by term. [`TermMerge`] joins the runs of several parts of the tree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufReader, Read};

use super::key_table::grouped;
use crate::codec::{Cursor, put_step, put_text, put_varint};
use crate::facts::counts;
use crate::interner::Interner;
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
    /// The index of the file, passage or symbol.
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
            interner: Interner::default(),
            entries: Default::default(),
            counts: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Returns the index of a term, which is valid until [`Self::end_file`] is called.
    pub(super) fn number(&mut self, term: &[u8]) -> u32 {
        self.interner.number(term)
    }

    /// Adds a term that occurs in a file, with its encoded counts.
    pub(super) fn add_to_file(&mut self, term: u32, file: u32, encoded: &[u8]) {
        let payload = self.counts.len() as u32;
        self.counts.extend_from_slice(encoded);
        self.entries[FILES].push(Entry { term, owner: file, payload });
    }

    /// Adds a term that occurs in a passage or symbol.
    pub(super) fn add(&mut self, list: usize, term: u32, owner: u32, payload: u32) {
        self.entries[list].push(Entry { term, owner, payload });
    }

    /// Marks the end of a file's terms. Writes a run if the memory limit has been reached.
    pub(super) fn end_file(&mut self) -> io::Result<()> {
        let n_entries: usize = self.entries.iter().map(Vec::len).sum();
        let size = n_entries * ENTRY_BYTES + self.counts.len() + self.interner.size();
        if size < self.max_bytes || !self.file.spill.has_files() {
            return Ok(());
        }
        self.take_sorted().write(&mut self.file)?;
        self.runs.push(self.file.end_run()?);
        Ok(())
    }

    /// Sorts the occurrences in memory and removes them from the collection.
    fn take_sorted(&mut self) -> SortedRun {
        let interner = std::mem::take(&mut self.interner);
        let entries = std::mem::take(&mut self.entries);
        let lists = entries.map(|entries| {
            let pairs = entries.iter().map(|it| (it.term as usize, (it.owner, it.payload)));
            grouped(interner.len(), pairs)
        });
        let order = interner.sorted();
        let counts = std::mem::take(&mut self.counts);
        SortedRun { interner, order, next: 0, lists, counts, sum: Vec::new() }
    }

    /// Ends the collection. Returns the runs that were written, and the last run, which stays in memory.
    pub(super) fn finish(mut self) -> (Vec<RunReader>, SortedRun) {
        let last = self.take_sorted();
        (self.runs, last)
    }
}

/// Receives the occurrences of one term. The occurrences in each list are in ascending order of their files, passages
/// or symbols.
pub(super) trait TermVisitor {
    /// Receives a file that contains the term, and how often the term occurs in each field. `encoded` contains the same
    /// counts in encoded form.
    fn file(&mut self, file: u32, counts: &[u32; FIELDS], encoded: &[u8]);

    /// Receives a passage or symbol that contains the term. `list` is [`PASSAGES`] or [`SYMBOLS`], `owner` is the
    /// index, and [`Entry::payload`] describes `payload`.
    fn item(&mut self, list: usize, owner: u32, payload: u32);
}

/// The position of the first pair of each term, and pairs of owner and payload, grouped by term.
type Grouped = (Vec<u32>, Vec<(u32, u32)>);

/// A run in memory: the occurrences in consecutive files, sorted by term.
pub(super) struct SortedRun {
    interner: Interner,
    /// The indices of the terms, in ascending order of the terms.
    order: Vec<u32>,
    /// The position in `order` of the term after the current one.
    next: usize,
    lists: [Grouped; N_LISTS],
    counts: Vec<u8>,
    /// A buffer for the encoded sum of several counts.
    sum: Vec<u8>,
}

impl SortedRun {
    /// Moves to the next term and writes it to `term`. Returns `false` after the last term.
    fn advance(&mut self, term: &mut Vec<u8>) -> bool {
        let Some(number) = self.order.get(self.next) else { return false };
        self.next += 1;
        term.clear();
        term.extend_from_slice(self.interner.get(*number));
        true
    }

    /// Passes the occurrences of the current term to `visitor`. Adds the base of each list to the indices of its files,
    /// passages or symbols.
    fn visit(&mut self, bases: [u32; N_LISTS], visitor: &mut impl TermVisitor) {
        let Self { order, lists, counts, sum, .. } = self;
        let term = order[self.next - 1] as usize;
        for (list, (starts, pairs)) in lists.iter().enumerate() {
            let pairs = &pairs[starts[term] as usize..starts[term + 1] as usize];
            if list == FILES {
                for_each_file(pairs, counts, sum, |file, counted, encoded| {
                    visitor.file(file + bases[FILES], counted, encoded);
                });
            } else {
                for (owner, payload) in pairs {
                    visitor.item(list, owner + bases[list], *payload);
                }
            }
        }
    }

    /// Writes one row per term. A row consists of its length, the term, and the encoded occurrences in each list.
    fn write(mut self, file: &mut RunFile<'_>) -> io::Result<()> {
        let (mut row, mut term, mut lists) = (Vec::new(), Vec::new(), RowLists::default());
        while self.advance(&mut term) {
            lists.clear();
            self.visit([0; N_LISTS], &mut lists);
            row.clear();
            put_text(&mut row, &term);
            for list in &lists.encoded {
                put_text(&mut row, list);
            }
            file.buffer().extend_from_slice(&(row.len() as u32).to_le_bytes());
            file.buffer().extend_from_slice(&row);
            file.flush()?;
        }
        Ok(())
    }
}

/// Calls `visit` with each file in `pairs`, the term's counts in this file, and the same counts in encoded form. If a
/// file occurs several times, its counts are added up. `sum` is a buffer for the result.
fn for_each_file(
    pairs: &[(u32, u32)],
    encoded: &[u8],
    sum: &mut Vec<u8>,
    mut visit: impl FnMut(u32, &[u32; FIELDS], &[u8]),
) {
    let counts_at = |payload: u32| Cursor::new(encoded.get(payload as usize..).unwrap_or_default());
    for of_file in pairs.chunk_by(|a, b| a.0 == b.0) {
        if let [(file, payload)] = of_file {
            let start = counts_at(*payload);
            let mut end = start;
            let counts = counts::read(&mut end);
            let at = *payload as usize;
            let length = start.remaining() - end.remaining();
            visit(*file, &counts, &encoded[at..at + length]);
            continue;
        }
        let mut total = [0; FIELDS];
        for (_, payload) in of_file {
            let more = counts::read(&mut counts_at(*payload));
            total.iter_mut().zip(more).for_each(|(total, count)| *total += count);
        }
        sum.clear();
        counts::put(sum, &total);
        visit(of_file[0].0, &total, sum);
    }
}

/// Encodes the occurrences of one term for a row of a run.
#[derive(Default)]
struct RowLists {
    encoded: [Vec<u8>; N_LISTS],
    previous: [u32; N_LISTS],
}

impl RowLists {
    fn clear(&mut self) {
        self.encoded.iter_mut().for_each(Vec::clear);
        self.previous = [0; N_LISTS];
    }

    fn step_to(&mut self, list: usize, owner: u32) -> u32 {
        owner - std::mem::replace(&mut self.previous[list], owner)
    }
}

impl TermVisitor for RowLists {
    fn file(&mut self, file: u32, _: &[u32; FIELDS], encoded: &[u8]) {
        let step = self.step_to(FILES, file);
        put_varint(&mut self.encoded[FILES], u64::from(step));
        self.encoded[FILES].extend_from_slice(encoded);
    }

    fn item(&mut self, list: usize, owner: u32, payload: u32) {
        let step = self.step_to(list, owner);
        put_step(&mut self.encoded[list], step, payload);
    }
}

/// Reads the rows of a run from a file.
struct RowReader {
    bytes: BufReader<RunReader>,
    /// The current row.
    row: Vec<u8>,
    /// The position of the lists in the row.
    lists_at: usize,
}

impl RowReader {
    /// Moves to the next term and writes it to `term`. Returns `false` after the last term.
    fn advance(&mut self, term: &mut Vec<u8>) -> io::Result<bool> {
        let mut length = [0; 4];
        match self.bytes.read_exact(&mut length) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            result => result?,
        }
        self.row.resize(u32::from_le_bytes(length) as usize, 0);
        self.bytes.read_exact(&mut self.row)?;
        let mut cursor = Cursor::new(&self.row);
        term.clear();
        term.extend_from_slice(cursor.text());
        self.lists_at = self.row.len() - cursor.remaining();
        Ok(true)
    }

    /// Passes the occurrences of the current term to `visitor`. Adds the base of each list to the indices of its files,
    /// passages or symbols.
    fn visit(&self, bases: [u32; N_LISTS], visitor: &mut impl TermVisitor) {
        let mut lists = Cursor::new(&self.row[self.lists_at..]);
        for (list, base) in bases.into_iter().enumerate() {
            let bytes = lists.text();
            let mut cursor = Cursor::new(bytes);
            let mut owner = base;
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
    }
}

/// The sorted runs that one thread has collected from consecutive files.
pub(super) struct PartRuns {
    pub(super) written: Vec<RunReader>,
    pub(super) last: SortedRun,
    /// For each list, the number to add to the indices of its files, passages or symbols. It is needed because each
    /// part numbers its passages and symbols from zero.
    pub(super) bases: [u32; N_LISTS],
}

/// The minimum number of bytes to read from a sorted run at a time.
const MIN_PIECE: usize = 4 * 1024;
/// The maximum number of bytes to read from a sorted run at a time.
const MAX_PIECE: usize = 64 * 1024;

/// Merges several runs and returns their terms in ascending order.
pub(super) struct TermMerge {
    runs: Vec<Run>,
    /// The current term of each run, with the index of the run. If several runs have the same term, the earliest run
    /// comes first.
    heap: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
}

struct Run {
    source: Source,
    bases: [u32; N_LISTS],
}

enum Source {
    Memory(Box<SortedRun>),
    File(RowReader),
}

impl TermMerge {
    /// Starts to merge the runs of `parts`, which must be in file order. Uses about `max_bytes` of memory for buffers.
    pub(super) fn new(parts: Vec<PartRuns>, max_bytes: usize) -> io::Result<Self> {
        let n_runs: usize = parts.iter().map(|part| part.written.len() + 1).sum();
        let piece = (max_bytes / n_runs.max(1)).clamp(MIN_PIECE, MAX_PIECE);
        let mut runs = Vec::with_capacity(n_runs);
        for PartRuns { written, last, bases } in parts {
            let written = written.into_iter().map(|run| {
                let bytes = BufReader::with_capacity(piece, run);
                Source::File(RowReader { bytes, row: Vec::new(), lists_at: 0 })
            });
            let all = written.chain([Source::Memory(Box::new(last))]);
            runs.extend(all.map(|source| Run { source, bases }));
        }
        let mut merge = Self { runs, heap: BinaryHeap::new() };
        for run in 0..n_runs {
            merge.advance(run, Vec::new())?;
        }
        Ok(merge)
    }

    /// Moves a run to its next term. `buffer` is reused for the term.
    fn advance(&mut self, run: usize, mut buffer: Vec<u8>) -> io::Result<()> {
        let has_more = match &mut self.runs[run].source {
            Source::Memory(run) => run.advance(&mut buffer),
            Source::File(run) => run.advance(&mut buffer)?,
        };
        if has_more {
            self.heap.push(Reverse((buffer, run)));
        }
        Ok(())
    }

    /// Passes the occurrences of the next term to `visitor`, and writes the term to `term`. Returns `false` if there
    /// are no more terms.
    pub(super) fn next(
        &mut self,
        term: &mut Vec<u8>,
        visitor: &mut impl TermVisitor,
    ) -> io::Result<bool> {
        let Some(Reverse((first, _))) = self.heap.peek() else { return Ok(false) };
        term.clear();
        term.extend_from_slice(first);
        while self.heap.peek().is_some_and(|Reverse((other, _))| other == term) {
            let Some(Reverse((buffer, run))) = self.heap.pop() else { break };
            let Run { source, bases } = &mut self.runs[run];
            match source {
                Source::Memory(run) => run.visit(*bases, visitor),
                Source::File(run) => run.visit(*bases, visitor),
            }
            self.advance(run, buffer)?;
        }
        Ok(true)
    }
}
