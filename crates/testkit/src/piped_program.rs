//! A running program with its stdin and stdout connected to the test, such as a server on stdio.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tempfile::NamedTempFile;

use crate::Launch;
use crate::launch::wait;

/// A running program. The program and its process group are killed on drop.
pub struct PipedProgram {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    stderr: NamedTempFile,
}

impl Launch {
    /// Starts the program and keeps its stdin open.
    pub fn start_piped(&self) -> PipedProgram {
        let stderr = NamedTempFile::new().expect("a file for stderr");
        let mut child = self.spawn_piped(stderr.as_file());
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("stdout is a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        PipedProgram { child, stdin, lines, stderr }
    }
}

impl PipedProgram {
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Writes a line to the program's stdin and adds the line break.
    #[track_caller]
    pub fn write_line(&mut self, line: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        let written = stdin.write_all(line.as_ref()).and_then(|()| stdin.write_all(b"\n"));
        written.and_then(|()| stdin.flush()).expect("the program reads");
    }

    /// Returns the next line of stdout, or `None` after the timeout or at the end of the output.
    pub fn read_line(&self, at_most: Duration) -> Option<String> {
        let line = self.lines.recv_timeout(at_most).ok()?;
        Some(String::from_utf8_lossy(&line).into_owned())
    }

    /// Closes the program's stdin.
    pub fn close_stdin(&mut self) {
        drop(self.stdin.take());
    }

    /// Sends SIGTERM, as a supervisor does.
    pub fn terminate(&self) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::TERM).expect("the program runs");
    }

    /// Waits until the program ends and returns its exit code. Returns `None` if it does not end in time, or if a
    /// signal ends it.
    pub fn exit_code(&mut self, at_most: Duration) -> Option<i32> {
        let (status, timed_out) = wait(&mut self.child, Instant::now() + at_most);
        if timed_out { None } else { status.code() }
    }

    /// Returns the error output so far. It is read by path, because the offset of the shared file must not change.
    pub fn stderr(&self) -> String {
        std::fs::read_to_string(self.stderr.path()).unwrap_or_default()
    }
}

impl Drop for PipedProgram {
    fn drop(&mut self) {
        // The program may have ended already.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        drop(self.child.wait());
    }
}
