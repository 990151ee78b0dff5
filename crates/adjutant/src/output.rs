//! Prints results to standard output and messages to standard error. No other module writes to them.

use std::io::Write;

/// Prints a result to stdout. Errors are ignored, because the reader may have closed the pipe.
pub(crate) fn data(text: &str) {
    let mut stdout = anstream::stdout().lock();
    let newline = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    drop(write!(stdout, "{text}{newline}"));
    drop(stdout.flush());
}

/// Prints a one-line message to stderr.
pub(crate) fn talk(text: &str) {
    let mut stderr = anstream::stderr().lock();
    drop(writeln!(stderr, "{text}"));
}

/// Copies another program's output to stdout without changes.
pub(crate) fn pass_on_data(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    drop(stdout.write_all(bytes).and_then(|()| stdout.flush()));
}

/// Copies another program's error output to stderr without changes.
pub(crate) fn pass_on_talk(bytes: &[u8]) {
    drop(std::io::stderr().lock().write_all(bytes));
}
