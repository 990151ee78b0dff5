//! The brackets a reader is in: a stack whose outermost level, the file or line itself, is never taken off.

use super::GiveUp;

pub(super) struct Levels<L> {
    outermost: L,
    inner: Vec<L>,
}

impl<L> Levels<L> {
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

    /// The lexer matches brackets, but the reader may have taken one for a part of some head: its partner closes nothing.
    pub(super) fn close(&mut self) -> Result<L, GiveUp> {
        self.inner.pop().ok_or(GiveUp)
    }

    /// At the end of what is read everything must be closed.
    pub(super) fn finish(&self) -> Result<(), GiveUp> {
        if self.is_outermost() { Ok(()) } else { Err(GiveUp) }
    }
}
