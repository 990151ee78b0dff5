//! Sorts rows of a fixed size. Rows that do not fit in memory are written to temporary files as sorted runs, and merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::{fs::File, vec};

use super::Spill;

/// A row that can be sorted and stored.
pub(crate) trait Row: Copy + Ord {
    const SIZE: usize;

    fn put(&self, out: &mut Vec<u8>);

    /// Reads a row of [`Self::SIZE`] bytes.
    fn read(bytes: &[u8]) -> Self;
}

/// Collects rows and sorts them.
pub(crate) struct Sorter<'s, R> {
    spill: &'s Spill,
    rows: Vec<R>,
    /// The maximum number of rows in memory.
    max_rows: usize,
    runs: Vec<Run<R>>,
}

/// Sorted rows in memory or in a file.
enum Run<R> {
    Memory(vec::IntoIter<R>),
    File(FileRun),
}

/// The number of bytes that are read from a run at a time.
const PIECE: usize = 64 * 1024;
/// The minimum number of rows in memory.
const MIN_ROWS: usize = 1024;

struct FileRun {
    file: Arc<File>,
    at: u64,
    end: u64,
    piece: Vec<u8>,
    used: usize,
}

impl<'s, R: Row> Sorter<'s, R> {
    /// Creates a sorter that keeps rows of at most `max_bytes` in memory.
    pub(crate) fn new(spill: &'s Spill, max_bytes: usize) -> Self {
        let max_rows = (max_bytes / size_of::<R>()).max(MIN_ROWS);
        Self { spill, rows: Vec::new(), max_rows, runs: Vec::new() }
    }

    pub(crate) fn push(&mut self, row: R) -> io::Result<()> {
        self.rows.push(row);
        if self.rows.len() >= self.max_rows && self.spill.has_files() {
            self.write_run()
        } else {
            Ok(())
        }
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.rows.sort_unstable();
        self.rows.dedup();
        let file = self.spill.create()?;
        let (mut bytes, mut at) = (Vec::with_capacity(PIECE + R::SIZE), 0);
        for row in self.rows.drain(..) {
            row.put(&mut bytes);
            if bytes.len() >= PIECE {
                file.write_all_at(&bytes, at)?;
                at += bytes.len() as u64;
                bytes.clear();
            }
        }
        file.write_all_at(&bytes, at)?;
        let end = at + bytes.len() as u64;
        self.runs.push(Run::File(FileRun {
            file: Arc::new(file),
            at: 0,
            end,
            piece: Vec::new(),
            used: 0,
        }));
        Ok(())
    }

    /// Ends the collection. The rows can then be merged with those of other sorters.
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

    /// Returns the rows in ascending order. A row that occurs several times is returned several times.
    pub(crate) fn merge(self) -> io::Result<Merge<R>> {
        let mut merge = Merge { runs: self.0, heap: BinaryHeap::new() };
        for run in 0..merge.runs.len() {
            merge.advance(run)?;
        }
        Ok(merge)
    }
}

/// Returns the rows of several runs in ascending order.
pub(crate) struct Merge<R> {
    runs: Vec<Run<R>>,
    heap: BinaryHeap<Reverse<(R, usize)>>,
}

impl<R: Row> Merge<R> {
    fn advance(&mut self, run: usize) -> io::Result<()> {
        let next = match &mut self.runs[run] {
            Run::Memory(rows) => rows.next(),
            Run::File(rows) => rows.next()?,
        };
        if let Some(row) = next {
            self.heap.push(Reverse((row, run)));
        }
        Ok(())
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<R>> {
        if let [only] = &mut self.runs[..]
            && let Some(Reverse((row, _))) = self.heap.pop()
        {
            let next = match only {
                Run::Memory(rows) => rows.next(),
                Run::File(rows) => rows.next()?,
            };
            self.heap.extend(next.map(|row| Reverse((row, 0))));
            return Ok(Some(row));
        }
        let Some(Reverse((row, run))) = self.heap.pop() else { return Ok(None) };
        self.advance(run)?;
        Ok(Some(row))
    }
}

impl FileRun {
    fn next<R: Row>(&mut self) -> io::Result<Option<R>> {
        if self.used == self.piece.len() {
            let length = (PIECE / R::SIZE * R::SIZE) as u64;
            let length = length.min(self.end - self.at);
            if length == 0 {
                return Ok(None);
            }
            self.piece.resize(length as usize, 0);
            self.file.read_exact_at(&mut self.piece, self.at)?;
            self.at += length;
            self.used = 0;
        }
        let row = R::read(&self.piece[self.used..self.used + R::SIZE]);
        self.used += R::SIZE;
        Ok(Some(row))
    }
}
