//! Reads from a stream with a deadline, and exchanges requests and answers with a program over its standard streams.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::Program;
use crate::run::{Group, StartError, start};

/// A running program with open pipes to its standard input and output. Dropping the value kills its process group.
pub struct Responder {
    stdin: ChildStdin,
    stdout: ChildStdout,
    _group: Group,
}

impl Responder {
    /// Starts a program. [`Program::stdin`] is not used. The program's standard error is `/dev/null`.
    pub fn start(program: &Program) -> Result<Self, StartError> {
        let child = start(program, [Stdio::piped(), Stdio::piped(), Stdio::null()])?;
        let mut group = Group::of(child);
        match (group.child.stdin.take(), group.child.stdout.take()) {
            (Some(stdin), Some(stdout)) => Ok(Self { stdin, stdout, _group: group }),
            _ => Err(StartError::new(program, io::Error::other("the child has no pipes"))),
        }
    }

    /// Writes a request. The program must read the whole request before it answers; otherwise both processes wait for each
    /// other forever.
    pub fn write(&mut self, request: &[u8]) -> io::Result<()> {
        self.stdin.write_all(request)
    }

    /// Fills `buffer` with output of the program. Fails if the deadline passes first.
    pub fn read_exact(&mut self, buffer: &mut [u8], deadline: Instant) -> io::Result<()> {
        TimedReader::new(&mut self.stdout, deadline).read_exact(buffer)
    }
}

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
    use std::time::Duration;

    use super::*;
    use crate::Environment;

    #[test]
    fn requests_are_answered_in_turn() {
        let mut exchange =
            Responder::start(&Program::new("/bin/cat", Environment::default())).unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        for request in [b"first", b"other"] {
            exchange.write(request).unwrap();
            let mut answer = [0; 5];
            exchange.read_exact(&mut answer, deadline).unwrap();
            assert_eq!(&answer, request);
        }
    }

    #[test]
    fn a_program_that_does_not_answer_is_left_at_the_deadline() {
        let mut exchange =
            Responder::start(&Program::new("/bin/cat", Environment::default())).unwrap();
        let deadline = Instant::now() + Duration::from_millis(50);
        let error = exchange.read_exact(&mut [0; 1], deadline).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

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
