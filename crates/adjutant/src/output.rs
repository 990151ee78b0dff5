//! The only module that writes to standard output and standard error. Results go to stdout, messages to stderr.

use std::io::Write;

/// Prints a result to stdout. Errors are ignored, because the reader may have closed the pipe.
pub(crate) fn data(text: &str) {
    let mut stdout = anstream::stdout().lock();
    let newline = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    drop(write!(stdout, "{text}{newline}"));
    drop(stdout.flush());
}

/// Prints a message line to stderr.
pub(crate) fn talk(text: &str) {
    let mut stderr = anstream::stderr().lock();
    drop(writeln!(stderr, "{text}"));
}

/// Copies the output of another program to stdout without changes.
pub(crate) fn pass_on_data(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    drop(stdout.write_all(bytes).and_then(|()| stdout.flush()));
}

/// Copies the error output of another program to stderr without changes.
pub(crate) fn pass_on_talk(bytes: &[u8]) {
    drop(std::io::stderr().lock().write_all(bytes));
}
