//! Collects the first bytes of an output stream.

use std::os::fd::BorrowedFd;

use rustix::event::{PollFd, PollFlags, poll};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    pub bytes: Vec<u8>,
    /// Whether output was dropped because the maximum size was reached.
    pub cut: bool,
}

impl Output {
    pub(crate) fn keep(&mut self, chunk: &[u8], cap: usize) {
        let room = cap.saturating_sub(self.bytes.len()).min(chunk.len());
        self.bytes.extend_from_slice(&chunk[..room]);
        self.cut |= room < chunk.len();
    }

    #[must_use]
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

/// Returns true if a read from the stream would not block, because there are unread bytes or the stream has ended. Also
/// returns true if `poll` fails.
pub(crate) fn has_unread(stream: BorrowedFd<'_>) -> bool {
    let mut streams = [PollFd::from_borrowed_fd(stream, PollFlags::IN)];
    let now = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut streams, Some(&now)) != Ok(0)
}
