//! Reads from a stream with a deadline.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// A reader that fails with [`io::ErrorKind::TimedOut`] when the deadline passes.
pub struct TimedReader<F> {
    stream: F,
    deadline: Instant,
}

impl<F: Read + AsFd> TimedReader<F> {
    /// Creates a reader. `stream` must not be buffered, because `poll` does not report bytes that are already in a buffer.
    pub fn new(stream: F, deadline: Instant) -> Self {
        Self { stream, deadline }
    }
}

impl<F: Read + AsFd> Read for TimedReader<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let timeout = Timespec::try_from(left).map_err(io::Error::other)?;
            let mut waiting = [PollFd::new(&self.stream, PollFlags::IN)];
            match poll(&mut waiting, Some(&timeout)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return self.stream.read(buffer),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_stream_that_stays_open_is_read_until_the_deadline() {
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"early").unwrap();
        let mut bytes = Vec::new();
        let mut timed = TimedReader::new(reader, Instant::now() + Duration::from_millis(200));
        let error = timed.read_to_end(&mut bytes).unwrap_err();
        assert_eq!((error.kind(), bytes.as_slice()), (io::ErrorKind::TimedOut, &b"early"[..]));
        drop(writer);
    }

    #[test]
    fn a_stream_is_read_to_its_end() {
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"all").unwrap();
        drop(writer);
        let mut text = String::new();
        let deadline = Instant::now() + Duration::from_secs(60);
        TimedReader::new(reader, deadline).read_to_string(&mut text).unwrap();
        assert_eq!(text, "all");
    }
}
