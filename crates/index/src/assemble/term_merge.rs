//! Merges the sorted runs of several parts of the tree into one sequence of terms in ascending order, each with all its
//! occurrences.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufReader};

use super::term_runs::{N_LISTS, RowReader, SortedRun, TermVisitor};
use crate::spill::RunReader;

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
    File(RowReader<BufReader<RunReader>>),
}

impl TermMerge {
    /// Starts to merge the runs of `parts`, which must be in file order. Uses about `max_bytes` of memory for buffers.
    pub(super) fn new(parts: Vec<PartRuns>, max_bytes: usize) -> io::Result<Self> {
        let n_runs: usize = parts.iter().map(|part| part.written.len() + 1).sum();
        let piece = (max_bytes / n_runs.max(1)).clamp(MIN_PIECE, MAX_PIECE);
        let mut runs = Vec::with_capacity(n_runs);
        for PartRuns { written, last, bases } in parts {
            let written = written.into_iter().map(|run| BufReader::with_capacity(piece, run));
            let written = written.map(|run| Source::File(RowReader::new(run)));
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
