//! Defines a stack of open brackets. The outermost level represents the whole file or, in Python, the current line. It
//! is never removed.

use super::Unsupported;

pub(super) struct BracketStack<L> {
    outermost: L,
    inner: Vec<L>,
}

impl<L> BracketStack<L> {
    pub(super) fn new(outermost: L) -> Self {
        Self { outermost, inner: Vec::new() }
    }

    pub(super) fn innermost(&mut self) -> &mut L {
        self.inner.last_mut().unwrap_or(&mut self.outermost)
    }

    pub(super) fn is_outermost(&self) -> bool {
        self.inner.is_empty()
    }

    pub(super) fn open(&mut self, level: L) {
        self.inner.push(level);
    }

    /// Removes and returns the innermost level. Fails if no bracket is open. This can happen even though the lexer
    /// matches brackets, because the reader may have skipped an opening bracket as part of a header.
    pub(super) fn close(&mut self) -> Result<L, Unsupported> {
        self.inner.pop().ok_or(Unsupported)
    }

    /// Returns an error if a bracket is still open.
    pub(super) fn finish(&self) -> Result<(), Unsupported> {
        if self.is_outermost() { Ok(()) } else { Err(Unsupported) }
    }
}
