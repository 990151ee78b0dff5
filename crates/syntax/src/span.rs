//! Types for byte ranges and line ranges in a source file.

use std::ops::Range;

/// A byte range in the source. If the source is valid UTF-8, both ends are character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub(crate) fn new(range: Range<usize>) -> Self {
        // The outliner rejects sources of more than `u32::MAX` bytes.
        Self { start: range.start as u32, end: range.end as u32 }
    }

    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Returns the bytes of the span, or an empty slice if the span is out of range.
    pub fn of(self, source: &[u8]) -> &[u8] {
        source.get(self.range()).unwrap_or_default()
    }

    /// Returns the text of the span, or an empty string if the bytes are not valid UTF-8.
    pub fn text(self, source: &[u8]) -> &str {
        std::str::from_utf8(self.of(source)).unwrap_or_default()
    }
}

/// An inclusive range of line numbers. The first line of a file has the number 1.
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

/// Returns whether the byte offset `at` is inside a multi-byte character.
pub(crate) fn is_inside(source: &[u8], at: usize) -> bool {
    source.get(at).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000)
}
