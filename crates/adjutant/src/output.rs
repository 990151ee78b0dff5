//! The one place that writes to stdout and stderr. stdout carries data, stderr carries talk.

use std::io::Write;

/// A reader that has gone away is no failure of ours.
pub(crate) fn data(text: &str) {
    let mut stdout = anstream::stdout().lock();
    let newline = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    drop(write!(stdout, "{text}{newline}"));
    drop(stdout.flush());
}

pub(crate) fn talk(text: &str) {
    let mut stderr = anstream::stderr().lock();
    drop(writeln!(stderr, "{text}"));
}

/// What another program printed, byte for byte.
pub(crate) fn pass_on_data(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    drop(stdout.write_all(bytes).and_then(|()| stdout.flush()));
}

pub(crate) fn pass_on_talk(bytes: &[u8]) {
    drop(std::io::stderr().lock().write_all(bytes));
}
