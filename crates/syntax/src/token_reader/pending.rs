//! Values that a reader needs when it reaches a later token.

/// Values, each with the index of the token at which it is needed. They are sorted so that the value that is needed
/// first is at the end.
pub(super) struct Pending<T>(Vec<(usize, T)>);

impl<T> Pending<T> {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn add(&mut self, at: usize, value: T) {
        let position = self.0.partition_point(|(other, _)| *other > at);
        self.0.insert(position, (at, value));
    }

    /// Removes and returns the value for token `at`.
    pub(super) fn take(&mut self, at: usize) -> Option<T> {
        self.0.pop_if(|(other, _)| *other == at).map(|(_, value)| value)
    }

    /// Removes and returns the next value if it is needed at token `at` or at an earlier token.
    pub(super) fn take_reached(&mut self, at: usize) -> Option<T> {
        self.0.pop_if(|(other, _)| *other <= at).map(|(_, value)| value)
    }
}
