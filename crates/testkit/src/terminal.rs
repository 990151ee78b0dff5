//! A program on its own terminal, with simulated key presses.
//!
//! `script(1)` creates a controlling terminal, so that Ctrl-C sends a signal.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::launch::wait;
use crate::{Launch, TEST_TIMEOUT};

#[cfg(test)]
mod tests;

/// A program that runs on a terminal. The program and its process group are killed on drop.
pub struct Terminal {
    child: Child,
    keyboard: ChildStdin,
    screen: Arc<Screen>,
    /// The offset in the output up to which [`Terminal::expect`] has already matched.
    read: usize,
}

#[derive(Default)]
struct Screen {
    shown: Mutex<(Vec<u8>, bool)>,
    changed: Condvar,
}

impl Launch {
    /// Starts the program on a terminal of 100 columns.
    pub fn on_terminal(&self) -> Terminal {
        self.on_terminal_with(100)
    }

    /// Starts the program on a terminal with this number of columns.
    pub fn on_terminal_with(&self, columns: u16) -> Terminal {
        let command = format!("stty cols {columns} rows 40; exec {}", self.as_shell_words());
        // Background processes ignore SIGINT, and the child would inherit this behaviour.
        let script = ["--default-signal=INT", "script", "-qefc", &command, "/dev/null"];
        let launch = self.instead("env", script).env("TERM", "xterm");
        let stderr = tempfile::tempfile().expect("a file for stderr");
        let mut child = launch.spawn_piped(&stderr);
        let keyboard = child.stdin.take().expect("stdin is a pipe");
        let mut stdout = child.stdout.take().expect("stdout is a pipe");
        let screen = Arc::new(Screen::default());
        let drawn = Arc::clone(&screen);
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(n @ 1..) = stdout.read(&mut chunk) {
                drawn.draw(&chunk[..n]);
            }
            drawn.close();
        });
        Terminal { child, keyboard, screen, read: 0 }
    }
}

impl Terminal {
    pub const ENTER: &str = "\r";
    pub const UP: &str = "\x1b[A";
    pub const TAB: &str = "\t";
    pub const CTRL_C: &str = "\x03";
    pub const CTRL_D: &str = "\x04";

    #[track_caller]
    pub fn press(&mut self, keys: &str) {
        let pressed = self.keyboard.write_all(keys.as_bytes());
        pressed.and_then(|()| self.keyboard.flush()).expect("the terminal is there");
    }

    #[track_caller]
    pub fn enter(&mut self, line: &str) {
        self.press(line);
        self.press(Self::ENTER);
    }

    /// Waits until `text` appears after the text that earlier calls matched, and returns the output up to it.
    #[track_caller]
    pub fn expect(&mut self, text: &str) -> String {
        let deadline = Instant::now() + TEST_TIMEOUT;
        let mut shown = self.screen.shown.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let all = plain(&shown.0);
            let new = all.get(self.read..).unwrap_or_default();
            if let Some(at) = new.find(text) {
                let upto = at + text.len();
                let seen = new[..upto].to_owned();
                self.read += upto;
                return seen;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!shown.1 && !left.is_zero(), "`{text}` did not appear:\n{all}");
            (shown, _) = self
                .screen
                .changed
                .wait_timeout(shown, left)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until the program ends, and returns its whole output with the escape sequences.
    pub fn raw_output(&mut self) -> String {
        let _ended = self.exit_code();
        let deadline = Instant::now() + TEST_TIMEOUT;
        let mut shown = self.screen.shown.lock().unwrap_or_else(PoisonError::into_inner);
        while !shown.1 && Instant::now() < deadline {
            let wait = deadline.saturating_duration_since(Instant::now());
            let changed = self.screen.changed.wait_timeout(shown, wait);
            (shown, _) = changed.unwrap_or_else(PoisonError::into_inner);
        }
        String::from_utf8_lossy(&shown.0).into_owned()
    }

    /// Returns the whole output so far, without escape sequences.
    pub fn text(&self) -> String {
        plain(&self.screen.shown.lock().unwrap_or_else(PoisonError::into_inner).0)
    }

    /// Waits until the program ends and returns its exit code. Returns `None` if it does not end in time, or if a
    /// signal ends it.
    pub fn exit_code(&mut self) -> Option<i32> {
        let (status, timed_out) = wait(&mut self.child, Instant::now() + TEST_TIMEOUT);
        if timed_out { None } else { status.code() }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The program may have ended already.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        drop(self.child.wait());
    }
}

impl Screen {
    fn draw(&self, bytes: &[u8]) {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).0.extend_from_slice(bytes);
        self.changed.notify_all();
    }

    fn close(&self) {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
        self.changed.notify_all();
    }
}

/// Removes escape sequences and carriage returns. An incomplete sequence at the end is removed too.
fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut shown = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\x1b' => skip_sequence(&mut characters),
            '\r' => {}
            _ => shown.push(character),
        }
    }
    shown
}

fn skip_sequence(characters: &mut std::str::Chars<'_>) {
    let _last = match characters.next() {
        Some('[') => characters.find(|c| c.is_ascii_alphabetic() || *c == '~'),
        Some(']') => characters.find(|c| *c == '\x07'),
        other => other,
    };
}
