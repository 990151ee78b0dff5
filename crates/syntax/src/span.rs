//! Where something stands in a source: byte ranges and line ranges.

use std::ops::Range;

/// A byte range of the source, end exclusive. In valid UTF-8 both ends are character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub(crate) fn new(range: Range<usize>) -> Self {
        // Sources are at most `u32::MAX` bytes long: the outliner refuses longer ones.
        Self { start: range.start as u32, end: range.end as u32 }
    }

    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The bytes it covers, or nothing when `source` is not the one it was made from.
    pub fn of(self, source: &[u8]) -> &[u8] {
        source.get(self.range()).unwrap_or_default()
    }

    /// The text it covers; empty when that is not UTF-8.
    pub fn text(self, source: &[u8]) -> &str {
        std::str::from_utf8(self.of(source)).unwrap_or_default()
    }
}

/// Lines from the first to the last, both included, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lines {
    pub first: u32,
    pub last: u32,
}

impl Lines {
    pub fn count(self) -> u32 {
        self.last.saturating_sub(self.first) + 1
    }
}
