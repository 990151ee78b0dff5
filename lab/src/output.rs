//! Prints results to stdout and messages to stderr.

use std::io::Write;

pub(crate) fn print_result(text: &str) {
    drop(writeln!(std::io::stdout().lock(), "{text}"));
}

pub(crate) fn print_message(text: &str) {
    drop(writeln!(std::io::stderr().lock(), "{text}"));
}
