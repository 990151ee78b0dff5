//! One output stream of a child, kept up to a cap. What comes after the cap is read and thrown away, so
//! that the child never blocks on a full pipe.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};

use crate::run::start_thread;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    pub bytes: Vec<u8>,
    /// More came than the cap allowed.
    pub cut: bool,
}

impl Output {
    fn keep(&mut self, chunk: &[u8], cap: usize) {
        let room = cap.saturating_sub(self.bytes.len()).min(chunk.len());
        self.bytes.extend_from_slice(&chunk[..room]);
        self.cut |= room < chunk.len();
    }

    #[must_use]
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

/// A stream that is read in the background.
pub(crate) struct Reading {
    kept: Arc<Mutex<Output>>,
    /// Hangs up when the stream has ended.
    ended: mpsc::Receiver<()>,
    /// The stream itself, to see whether something waits in it.
    stream: Option<OwnedFd>,
}

impl Reading {
    /// # Errors
    /// If the system has no thread for it.
    pub(crate) fn start(stream: impl Read + AsFd + Send + 'static, cap: usize) -> io::Result<Self> {
        let kept = Arc::new(Mutex::new(Output::default()));
        let (sender, ended) = mpsc::channel();
        let reading = Self {
            kept: Arc::clone(&kept),
            ended,
            stream: stream.as_fd().try_clone_to_owned().ok(),
        };
        start_thread(move || {
            read_to_end(stream, cap, &kept);
            drop(sender);
        })?;
        Ok(reading)
    }

    /// What was said, once the child is gone. Only a process that left its group on purpose can still hold the stream
    /// open then, and is waited for until it has been silent for so long; a reader that is late on a busy machine is
    /// waited for until `given_up`.
    pub(crate) fn last_bytes(self, silence: Duration, given_up: Instant) -> Output {
        while self.ended.recv_timeout(silence) == Err(RecvTimeoutError::Timeout)
            && self.stream.as_ref().is_some_and(|stream| has_unread(stream.as_fd()))
            && Instant::now() < given_up
        {}
        std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn read_to_end(mut stream: impl Read, cap: usize, kept: &Mutex<Output>) {
    let mut chunk = [0; 16 * 1024];
    loop {
        match stream.read(&mut chunk) {
            Ok(0) => return,
            Ok(n) => {
                kept.lock().unwrap_or_else(PoisonError::into_inner).keep(&chunk[..n], cap);
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Whether the one who reads a stream has not come to all of it yet, its end included.
pub(crate) fn has_unread(stream: BorrowedFd<'_>) -> bool {
    let mut asked = [PollFd::from_borrowed_fd(stream, PollFlags::IN)];
    let now = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut asked, Some(&now)) != Ok(0)
}
