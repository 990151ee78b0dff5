//! A program that is spoken to line by line, such as a server on stdio.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tempfile::NamedTempFile;

use crate::Launch;
use crate::launch::wait;

/// The program is killed, with everything in its group, when this is dropped.
pub struct Conversation {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    stderr: NamedTempFile,
}

impl Launch {
    /// Starts the program and keeps its stdin open.
    pub fn converse(&self) -> Conversation {
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
        Conversation { child, stdin, lines, stderr }
    }
}

impl Conversation {
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// One line; the end of it is added.
    #[track_caller]
    pub fn say(&mut self, line: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        let written = stdin.write_all(line.as_ref()).and_then(|()| stdin.write_all(b"\n"));
        written.and_then(|()| stdin.flush()).expect("the program reads");
    }

    /// The next line of its stdout. None: it said nothing for so long, or will say nothing any more.
    pub fn hear(&self, at_most: Duration) -> Option<String> {
        let line = self.lines.recv_timeout(at_most).ok()?;
        Some(String::from_utf8_lossy(&line).into_owned())
    }

    /// Closes its stdin.
    pub fn fall_silent(&mut self) {
        drop(self.stdin.take());
    }

    /// Asks it to end, as a supervisor would.
    pub fn terminate(&self) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::TERM).expect("the program runs");
    }

    /// Waits for its end. None: it did not end in time, or a signal ended it.
    pub fn exit_code(&mut self, at_most: Duration) -> Option<i32> {
        let (status, timed_out) = wait(&mut self.child, Instant::now() + at_most);
        if timed_out { None } else { status.code() }
    }

    /// What it has said there so far. Read through a name: the file it writes to must keep its place.
    pub fn stderr(&self) -> String {
        std::fs::read_to_string(self.stderr.path()).unwrap_or_default()
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // It may be gone already; then there is nothing to kill.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        drop(self.child.wait());
    }
}
