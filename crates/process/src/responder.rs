//! Starts a program that answers requests on its standard streams until its standard input is closed.

use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::time::Instant;

use crate::run::{Group, StartError, command, start};
use crate::{Program, TimedReader};

/// A running program with open pipes to its standard input and output. Dropping the value kills its process group.
pub struct Responder {
    stdin: ChildStdin,
    stdout: ChildStdout,
    _group: Group,
}

impl Responder {
    /// Starts a program. [`Program::stdin`] is not used. The program's standard error is `/dev/null`.
    pub fn start(program: &Program) -> Result<Self, StartError> {
        let failed = |source| StartError { path: program.path.display().to_string(), source };
        let mut command = command(program);
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut group = Group::of(start(&mut command).map_err(failed)?);
        match (group.child.stdin.take(), group.child.stdout.take()) {
            (Some(stdin), Some(stdout)) => Ok(Self { stdin, stdout, _group: group }),
            _ => Err(failed(io::Error::other("the child has no pipes"))),
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
}
