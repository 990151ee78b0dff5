//! Encodes and decodes posting lists. The assembler writes them, and the snapshot reads them.
//!
//! A list contains items in ascending order of their owners, which are files, passages or symbols. Each item consists
//! of the difference between its owner and the previous owner, and a payload. A list of more than [`MAX_SHORT`] items
//! is preceded by a table with a row for every [`BLOCK`] items, so that a reader decodes only the blocks that may
//! contain the owners it needs.
//!
//! A long list of files is also preceded by a copy of the items with the highest impact, that is, those that
//! contribute most to a file's score. A query reads the copy instead of the list, so the number of pages it reads is
//! limited, however many files contain a term.

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::codec::{Cursor, put_step, put_varint, u32_at};
use crate::container::Container;
use crate::facts::counts;
use crate::text::{FIELDS, Field};

/// The maximum number of items in a list without a block table. A copy of the best items contains exactly this number
/// of items.
pub(crate) const MAX_SHORT: usize = 8_192;
/// The number of items in a block.
const BLOCK: usize = 128;
/// The size in bytes of a row in the block table. A row contains the last owner before the block, and the block's
/// position.
const ROW: usize = 8;

/// Writes posting lists one after another.
#[derive(Default)]
pub(crate) struct ListWriter {
    items: Vec<u8>,
    rows: Vec<u8>,
    previous: u32,
    n_items: usize,
}

impl ListWriter {
    /// Adds a passage or symbol with `number` as its payload. Owners must be added in ascending order.
    pub(crate) fn push(&mut self, owner: u32, number: u32) {
        let step = self.step_to(owner);
        put_step(&mut self.items, step, number);
    }

    fn step_to(&mut self, owner: u32) -> u32 {
        if self.n_items.is_multiple_of(BLOCK) {
            self.rows.extend_from_slice(&self.previous.to_le_bytes());
            self.rows.extend_from_slice(&(self.items.len() as u32).to_le_bytes());
        }
        self.n_items += 1;
        owner - std::mem::replace(&mut self.previous, owner)
    }

    /// Appends the list to `out` and returns the number of items. The writer is then empty.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) -> usize {
        if self.n_items > MAX_SHORT {
            out.extend_from_slice(&self.rows);
        }
        out.extend_from_slice(&self.items);
        self.items.clear();
        self.rows.clear();
        self.previous = 0;
        std::mem::take(&mut self.n_items)
    }
}

/// Writes lists of files. The payload of each file is the number of the term's occurrences in each field.
#[derive(Default)]
pub(crate) struct FileListWriter {
    list: ListWriter,
    ranked: Vec<RankedItem>,
}

struct RankedItem {
    impact: f32,
    file: u32,
    /// The byte range of the encoded counts in [`ListWriter::items`].
    counts: Range<u32>,
}

impl FileListWriter {
    /// Adds a file. `put_counts` appends the encoded counts. Files must be added in ascending order.
    pub(crate) fn push(&mut self, file: u32, impact: f32, put_counts: impl FnOnce(&mut Vec<u8>)) {
        let step = self.list.step_to(file);
        put_varint(&mut self.list.items, u64::from(step));
        let start = self.list.items.len() as u32;
        put_counts(&mut self.list.items);
        let counts = start..self.list.items.len() as u32;
        self.ranked.push(RankedItem { impact, file, counts });
    }

    /// Appends the list to `out` and returns the number of files. The writer is then empty.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) -> usize {
        if self.ranked.len() > MAX_SHORT {
            let best = self.best();
            put_varint(out, best.len() as u64);
            out.extend_from_slice(&best);
        }
        self.ranked.clear();
        self.list.finish(out)
    }

    /// Returns the encoded items with the highest impact.
    fn best(&mut self) -> Vec<u8> {
        let by_impact = |a: &RankedItem, b: &RankedItem| {
            b.impact.total_cmp(&a.impact).then(a.file.cmp(&b.file))
        };
        self.ranked.select_nth_unstable_by(MAX_SHORT, by_impact);
        self.ranked.truncate(MAX_SHORT);
        self.ranked.sort_unstable_by_key(|item| item.file);
        let (mut best, mut previous) = (Vec::new(), 0);
        for item in &self.ranked {
            put_varint(&mut best, u64::from(item.file - previous));
            previous = item.file;
            let counts = item.counts.start as usize..item.counts.end as usize;
            best.extend_from_slice(&self.list.items[counts]);
        }
        best
    }
}

/// Estimates how much a term contributes to a file's score. The estimate only decides which items of a long list are
/// copied; the ranking computes the score. `relative_length` is the file's length divided by the average file length.
pub(crate) fn impact(counts: &[u32; FIELDS], relative_length: f32, is_source: bool) -> f32 {
    let norm = 0.4 + 0.6 * relative_length;
    let weighted = |(slot, count): (usize, &u32)| {
        let count = *count as f32;
        if slot == Field::Path.slot() {
            12.0 * count
        } else if slot == Field::Name.slot() {
            1.8 * count / norm
        } else {
            0.3 * count / norm
        }
    };
    let sum: f32 = counts.iter().enumerate().map(weighted).sum();
    if is_source { sum } else { sum / 2.0 }
}

/// The location of a list's bytes in a section. The bytes are read only when they are needed.
#[derive(Clone, Copy)]
pub(crate) struct ListBytes<'a> {
    pub(crate) container: &'a Container,
    pub(crate) section: usize,
    pub(crate) at: usize,
    pub(crate) length: usize,
}

impl<'a> ListBytes<'a> {
    /// Returns the bytes in `range`. A range that extends past the end of the list is cut there.
    pub(crate) fn part(&self, range: Range<usize>) -> &'a [u8] {
        let end = range.end.min(self.length);
        let start = range.start.min(end);
        self.container.bytes(self.section, self.at.saturating_add(start), end - start)
    }

    /// Returns the location of the bytes from `start` to the end.
    pub(crate) fn from(&self, start: usize) -> Self {
        let start = start.min(self.length);
        Self { at: self.at.saturating_add(start), length: self.length - start, ..*self }
    }
}

/// The items of a list, which are decoded during iteration.
#[derive(Clone, Copy)]
pub(crate) struct List<'a> {
    n_items: usize,
    bytes: ListBytes<'a>,
    /// The size of the block table in bytes, or zero for a short list.
    table: usize,
}

/// A function that decodes one item. It returns the difference from the previous owner, and the payload.
pub(crate) type Decode<P> = fn(&mut Cursor<'_>) -> (u32, P);

/// Decodes an item of a list of files.
pub(crate) fn file_item(cursor: &mut Cursor<'_>) -> (u32, [u32; FIELDS]) {
    (cursor.small(), counts::read(cursor))
}

/// Decodes an item of a list of passages or symbols.
pub(crate) fn number_item(cursor: &mut Cursor<'_>) -> (u32, u32) {
    cursor.step()
}

impl<'a> List<'a> {
    /// Returns a list of passages or symbols.
    pub(crate) fn of_numbers(n_items: u32, bytes: ListBytes<'a>) -> Self {
        let n_items = n_items as usize;
        let table = if n_items > MAX_SHORT { n_items.div_ceil(BLOCK) * ROW } else { 0 };
        Self { n_items, bytes, table }
    }

    /// Returns two lists of files: the complete list, and the list that a query reads. The second is the copy of the
    /// best items if the complete list is long, and otherwise the complete list itself.
    pub(crate) fn of_files(n_files: u32, bytes: ListBytes<'a>) -> (Self, Self) {
        /// The maximum size in bytes of the encoded length that precedes the copy.
        const HEAD: usize = 10;
        if n_files as usize <= MAX_SHORT {
            let list = Self::of_numbers(n_files, bytes);
            return (list, list);
        }
        let start = bytes.part(0..HEAD);
        let mut head = Cursor::new(start);
        let best_length = head.small() as usize;
        let best_at = start.len() - head.remaining();
        let best = ListBytes { length: best_length.min(bytes.length), ..bytes.from(best_at) };
        let list = Self::of_numbers(n_files, bytes.from(best_at.saturating_add(best_length)));
        (list, Self { n_items: MAX_SHORT, bytes: best, table: 0 })
    }

    pub(crate) fn is_long(&self) -> bool {
        self.table > 0
    }

    /// Returns an iterator over all items. It stops at the first owner that is not less than `bound`. Only a damaged
    /// list contains such an owner.
    pub(crate) fn iter<P>(self, bound: u32, decode: Decode<P>) -> impl Iterator<Item = (u32, P)> {
        let mut cursor = Cursor::new(self.bytes.part(self.table..self.bytes.length));
        let mut previous = 0_u32;
        (0..self.n_items)
            .map_while(move |_| {
                let (step, payload) = decode(&mut cursor);
                previous = previous.saturating_add(step);
                (!cursor.is_exhausted_early()).then_some((previous, payload))
            })
            .take_while(move |(owner, _)| *owner < bound)
    }

    /// Calls `visit` with the items whose owners are in `ranges`. The ranges must be sorted and must not overlap.
    /// Decodes only the blocks that may contain such items.
    pub(crate) fn for_each_in<P>(
        self,
        ranges: &[Range<u32>],
        decode: Decode<P>,
        mut visit: impl FnMut(u32, P),
    ) {
        let mut block = self.block(0);
        let mut next: Option<(u32, P)> = None;
        for range in ranges {
            if next.as_ref().is_none_or(|(owner, _)| *owner < range.start) {
                let number = self.block_before(range.start);
                if number > block.number {
                    block = self.block(number);
                    next = None;
                }
            }
            loop {
                if let Some((owner, payload)) = next.take_if(|(owner, _)| *owner < range.end) {
                    if owner >= range.start {
                        visit(owner, payload);
                    }
                } else if next.is_some() {
                    break;
                }
                next = block.next(decode);
                if next.is_none() {
                    if (block.number + 1) * BLOCK >= self.n_items || !self.is_long() {
                        return;
                    }
                    block = self.block(block.number + 1);
                    next = block.next(decode);
                    if next.is_none() {
                        return;
                    }
                }
            }
        }
    }

    /// Returns the index of the only block that can contain `owner`.
    fn block_before(&self, owner: u32) -> usize {
        let (mut low, mut high) = (0, self.table / ROW);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.row(middle).0 < owner { low = middle + 1 } else { high = middle }
        }
        low.saturating_sub(1)
    }

    /// Returns the last owner before a block, and the block's position.
    fn row(&self, block: usize) -> (u32, usize) {
        let row = self.bytes.part(block * ROW..block * ROW + ROW);
        (u32_at(row, 0), u32_at(row, 4) as usize)
    }

    fn block(&self, number: usize) -> Block<'a> {
        if !self.is_long() {
            let cursor = Cursor::new(self.bytes.part(0..self.bytes.length));
            return Block { number, cursor, n_left: self.n_items, previous: 0 };
        }
        let (previous, start) = self.row(number);
        let n_left = self.n_items.saturating_sub(number * BLOCK).min(BLOCK);
        let is_last = (number + 1) * BLOCK >= self.n_items;
        let end = if is_last { self.bytes.length } else { self.table + self.row(number + 1).1 };
        let cursor = Cursor::new(self.bytes.part(self.table + start..end));
        Block { number, cursor, n_left, previous }
    }
}

/// The items of a block that have not been decoded yet.
struct Block<'a> {
    number: usize,
    cursor: Cursor<'a>,
    n_left: usize,
    previous: u32,
}

impl Block<'_> {
    fn next<P>(&mut self, decode: Decode<P>) -> Option<(u32, P)> {
        self.n_left = self.n_left.checked_sub(1)?;
        let (step, payload) = decode(&mut self.cursor);
        self.previous = self.previous.saturating_add(step);
        (!self.cursor.is_exhausted_early()).then_some((self.previous, payload))
    }
}
