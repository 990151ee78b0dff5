//! Sorts rows of a fixed size. Rows that do not fit in memory are written to temporary files as sorted runs, which
//! are merged later.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufReader, Read};
use std::vec;

use super::{RunFile, RunReader, Spill};

/// A row that can be sorted and stored in a file.
pub(crate) trait Row: Copy + Ord {
    const SIZE: usize;

    fn put(&self, out: &mut Vec<u8>);

    /// Decodes a row from [`Self::SIZE`] bytes.
    fn read(bytes: &[u8]) -> Self;
}

/// Collects rows in sorted runs. Equal rows in the same run are stored once.
pub(crate) struct Sorter<'s, R> {
    file: RunFile<'s>,
    rows: Vec<R>,
    /// The number of rows in memory at which a run is written to the file.
    max_rows: usize,
    runs: Vec<Run<R>>,
}

/// Sorted rows in memory or in a file.
enum Run<R> {
    Memory(vec::IntoIter<R>),
    File(BufReader<RunReader>),
}

/// The number of bytes that are read from a run at a time.
const PIECE: usize = 16 * 1024;
/// The minimum value of [`Sorter::max_rows`].
const MIN_ROWS: usize = 256;

impl<'s, R: Row> Sorter<'s, R> {
    /// Creates a sorter that keeps about `max_bytes` of rows in memory, but always at least [`MIN_ROWS`] rows.
    pub(crate) fn new(spill: &'s Spill, max_bytes: usize) -> Self {
        let max_rows = (max_bytes / size_of::<R>()).max(MIN_ROWS);
        Self { file: RunFile::new(spill), rows: Vec::new(), max_rows, runs: Vec::new() }
    }

    pub(crate) fn push(&mut self, row: R) -> io::Result<()> {
        self.rows.push(row);
        let is_full = self.rows.len() >= self.max_rows && self.file.is_available();
        if is_full { self.write_run() } else { Ok(()) }
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.rows.sort_unstable();
        self.rows.dedup();
        for row in self.rows.drain(..) {
            row.put(self.file.buffer());
            self.file.flush()?;
        }
        let run = self.file.end_run()?;
        self.runs.push(Run::File(BufReader::with_capacity(PIECE, run)));
        Ok(())
    }

    /// Sorts the remaining rows and returns all runs, which can be merged with those of other sorters.
    pub(crate) fn finish(mut self) -> Runs<R> {
        self.rows.sort_unstable();
        self.rows.dedup();
        self.runs.push(Run::Memory(self.rows.into_iter()));
        Runs(self.runs)
    }
}

/// Sorted runs of rows.
pub(crate) struct Runs<R>(Vec<Run<R>>);

impl<R> Default for Runs<R> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<R: Row> Runs<R> {
    pub(crate) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// Merges the runs into one sequence of rows in ascending order. A row that occurs in several runs occurs several
    /// times in the sequence.
    pub(crate) fn merge(self) -> io::Result<Merge<R>> {
        let mut merge = Merge { runs: self.0, heap: BinaryHeap::new() };
        for run in 0..merge.runs.len() {
            merge.advance(run)?;
        }
        Ok(merge)
    }
}

/// Merges several runs and returns their rows in ascending order.
pub(crate) struct Merge<R> {
    runs: Vec<Run<R>>,
    heap: BinaryHeap<Reverse<(R, usize)>>,
}

impl<R: Row> Merge<R> {
    fn advance(&mut self, run: usize) -> io::Result<()> {
        let next = match &mut self.runs[run] {
            Run::Memory(rows) => rows.next(),
            Run::File(rows) => read_row(rows)?,
        };
        if let Some(row) = next {
            self.heap.push(Reverse((row, run)));
        }
        Ok(())
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<R>> {
        let Some(Reverse((row, run))) = self.heap.pop() else { return Ok(None) };
        self.advance(run)?;
        Ok(Some(row))
    }
}

fn read_row<R: Row>(rows: &mut impl Read) -> io::Result<Option<R>> {
    /// The maximum value of [`Row::SIZE`].
    const MAX: usize = 32;
    let mut bytes = [0; MAX];
    match rows.read_exact(&mut bytes[..R::SIZE]) {
        Ok(()) => Ok(Some(R::read(&bytes[..R::SIZE]))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}
