//! Sorts and encodes the edges between nodes. Nodes are numbered: all files first, then all symbols.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{self, BufReader, Read};
use std::vec;

use crate::codec::{put_varint, u32_at};
use crate::snapshot::EdgeKind;
use crate::spill::{RunFile, RunReader, Section, Spill};

/// The confidence of an edge which states that the line is known not to refer to any symbol with this name. Such an edge
/// ends at one of these symbols.
pub(super) const REFUTED: u8 = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RawEdge {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) kind: EdgeKind,
    /// The confidence in units of 1/255, or [`REFUTED`].
    pub(super) confidence: u8,
    pub(super) line: u32,
}

/// An edge as seen from one of its ends. `node` is this end, and `other` is the opposite end. Rows are sorted by `node`
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EdgeRow {
    node: u32,
    other: u32,
    kind: EdgeKind,
    confidence: Reverse<u8>,
    line: u32,
}

impl EdgeRow {
    const SIZE: usize = 14;

    fn put(&self, out: &mut Vec<u8>) {
        for number in [self.node, self.other, self.line] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend([self.kind as u8, self.confidence.0]);
    }

    /// Reads a row that [`Self::put`] has written. Returns `None` at the end of `rows`.
    fn read(rows: &mut impl Read) -> io::Result<Option<Self>> {
        let mut bytes = [0; Self::SIZE];
        match rows.read_exact(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            result => result?,
        }
        Ok(Some(Self {
            node: u32_at(&bytes, 0),
            other: u32_at(&bytes, 4),
            kind: EdgeKind::of_code(bytes[12]),
            confidence: Reverse(bytes[13]),
            line: u32_at(&bytes, 8),
        }))
    }
}

/// Collects edges in sorted runs. Equal edges in the same run are stored once. Rows that do not fit in memory are written
/// to temporary files.
pub(super) struct EdgeSorter<'s> {
    file: RunFile<'s>,
    rows: Vec<EdgeRow>,
    /// The number of rows in memory at which a run is written to the file.
    max_rows: usize,
    runs: Vec<EdgeRun>,
}

/// Sorted rows in memory or in a file.
pub(super) enum EdgeRun {
    Memory(vec::IntoIter<EdgeRow>),
    File(BufReader<RunReader>),
}

/// The number of bytes that are read from a run at a time.
const PIECE: usize = 16 * 1024;
/// The minimum value of [`EdgeSorter::max_rows`].
const MIN_ROWS: usize = 256;

impl<'s> EdgeSorter<'s> {
    /// Creates a sorter that keeps about `max_bytes` of rows in memory, but always at least [`MIN_ROWS`] rows.
    pub(super) fn new(spill: &'s Spill, max_bytes: usize) -> Self {
        let max_rows = (max_bytes / size_of::<EdgeRow>()).max(MIN_ROWS);
        Self { file: RunFile::new(spill), rows: Vec::new(), max_rows, runs: Vec::new() }
    }

    /// Adds an edge, unless it connects a node with itself.
    pub(super) fn push(&mut self, edge: RawEdge) -> io::Result<()> {
        let RawEdge { from, to, kind, confidence, line } = edge;
        if from == to {
            return Ok(());
        }
        self.rows.push(EdgeRow {
            node: from,
            other: to,
            kind,
            confidence: Reverse(confidence),
            line,
        });
        let is_full = self.rows.len() >= self.max_rows && self.file.spill.has_files();
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
        self.runs.push(EdgeRun::File(BufReader::with_capacity(PIECE, run)));
        Ok(())
    }

    /// Sorts the remaining rows and returns all runs, which can be merged with those of other sorters.
    pub(super) fn finish(mut self) -> Vec<EdgeRun> {
        self.rows.sort_unstable();
        self.rows.dedup();
        self.runs.push(EdgeRun::Memory(self.rows.into_iter()));
        self.runs
    }
}

/// Merges runs into one sequence of rows in ascending order. A row that occurs in several runs occurs several times in
/// the sequence.
struct Merge {
    runs: Vec<EdgeRun>,
    heap: BinaryHeap<Reverse<(EdgeRow, usize)>>,
}

impl Merge {
    fn new(runs: Vec<EdgeRun>) -> io::Result<Self> {
        let mut merge = Self { runs, heap: BinaryHeap::new() };
        for run in 0..merge.runs.len() {
            merge.advance(run)?;
        }
        Ok(merge)
    }

    fn advance(&mut self, run: usize) -> io::Result<()> {
        let next = match &mut self.runs[run] {
            EdgeRun::Memory(rows) => rows.next(),
            EdgeRun::File(rows) => EdgeRow::read(rows)?,
        };
        self.heap.extend(next.map(|row| Reverse((row, run))));
        Ok(())
    }

    fn next(&mut self) -> io::Result<Option<EdgeRow>> {
        let Some(Reverse((row, run))) = self.heap.pop() else { return Ok(None) };
        self.advance(run)?;
        Ok(Some(row))
    }
}

/// The sections of a graph.
pub(super) struct Graph<'s> {
    /// Four sections: the offsets and the lists of outgoing edges, then the offsets and the lists of incoming edges.
    pub(super) sections: [Section<'s>; 4],
    /// The number of edges. A reference that occurs on several lines is counted once. Refuted edges are not counted.
    pub(super) n_edges: usize,
}

impl<'s> Graph<'s> {
    /// Writes the edges, sorted by start node, end node and kind. A reference that occurs on several lines has one edge
    /// per line. These edges are sorted by descending confidence, then by line. Calls `visit` with the first edge of
    /// each kind between two nodes, unless it is refuted.
    pub(super) fn write(
        edges: Vec<EdgeRun>,
        n_nodes: usize,
        spill: &'s Spill,
        max_bytes: usize,
        mut visit: impl FnMut(&RawEdge),
    ) -> io::Result<Self> {
        let mut incoming = EdgeSorter::new(spill, max_bytes);
        let mut out = Lists::new(spill);
        let mut n_edges = 0;
        let mut merge = Merge::new(edges)?;
        let mut previous: Option<EdgeRow> = None;
        while let Some(row) = merge.next()? {
            let is_first = previous.is_none_or(|previous| {
                (previous.node, previous.other, previous.kind) != (row.node, row.other, row.kind)
            });
            if !is_first && previous.is_some_and(|previous| previous.line == row.line) {
                continue;
            }
            previous = Some(row);
            let is_counted = is_first && row.confidence.0 != REFUTED;
            n_edges += usize::from(is_counted);
            let edge = RawEdge {
                from: row.node,
                to: row.other,
                kind: row.kind,
                confidence: row.confidence.0,
                line: row.line,
            };
            if is_counted {
                visit(&edge);
            }
            out.put(&row)?;
            incoming.push(RawEdge { from: row.other, to: row.node, ..edge })?;
        }
        let [out_starts, out] = out.finish(n_nodes)?;
        let mut lists = Lists::new(spill);
        let mut merge = Merge::new(incoming.finish())?;
        while let Some(row) = merge.next()? {
            lists.put(&row)?;
        }
        let [in_starts, incoming] = lists.finish(n_nodes)?;
        Ok(Self { sections: [out_starts, out, in_starts, incoming], n_edges })
    }
}

/// Writes one list of edges per node.
struct Lists<'s> {
    starts: Section<'s>,
    lists: Section<'s>,
    /// The number of nodes whose lists have been started.
    n_nodes: u32,
    previous: u32,
}

impl<'s> Lists<'s> {
    fn new(spill: &'s Spill) -> Self {
        Self { starts: Section::new(spill), lists: Section::new(spill), n_nodes: 0, previous: 0 }
    }

    fn start_lists_up_to(&mut self, node: u32) -> io::Result<()> {
        while self.n_nodes <= node {
            self.starts.put(&(self.lists.len() as u32).to_le_bytes())?;
            self.n_nodes += 1;
            self.previous = 0;
        }
        Ok(())
    }

    fn put(&mut self, row: &EdgeRow) -> io::Result<()> {
        self.start_lists_up_to(row.node)?;
        let out = self.lists.buffer();
        put_varint(out, u64::from(row.other - self.previous));
        out.extend([row.kind as u8, row.confidence.0]);
        put_varint(out, u64::from(row.line));
        self.previous = row.other;
        self.lists.flush()
    }

    /// Returns the offsets and the lists. The last offset is the end of the last list.
    fn finish(mut self, n_nodes: usize) -> io::Result<[Section<'s>; 2]> {
        self.start_lists_up_to(n_nodes as u32)?;
        Ok([self.starts, self.lists])
    }
}
