//! A byte position in a string, with operations that skip bytes and words.

use crate::work;

pub(crate) struct Cursor<'t> {
    pub(crate) bytes: &'t [u8],
    pub(crate) at: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str, at: usize) -> Self {
        Self { bytes: text.as_bytes(), at }
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips at most `max` bytes for which `accept` returns true, and returns the number of skipped bytes.
    pub(crate) fn skip(&mut self, max: usize, accept: impl Fn(u8) -> bool) -> usize {
        let length =
            self.bytes[self.at..].iter().take(max).take_while(|&&byte| accept(byte)).count();
        work::count(length + 1);
        self.at += length;
        length
    }

    pub(crate) fn skip_blanks(&mut self) -> usize {
        self.skip(64, |byte| matches!(byte, b' ' | b'\t'))
    }

    /// Skips `word` if it is at the current position. Returns whether `word` was skipped.
    pub(crate) fn eat(&mut self, word: &str) -> bool {
        let comes_next = self.bytes[self.at..].starts_with(word.as_bytes());
        self.at += if comes_next { word.len() } else { 0 };
        comes_next
    }
}
