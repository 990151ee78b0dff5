//! Prints results to standard output and messages to standard error. No other module writes to them, so that everything
//! that is printed goes through [`for_terminal`].

use std::io::{IsTerminal, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::edge;
use crate::failure::Failure;
use crate::visible::for_terminal;

/// Prints a result to stdout. Errors are ignored, because the reader may have closed the pipe.
pub(crate) fn data(text: &str) {
    let mut stdout = anstream::stdout().lock();
    let newline = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    drop(write!(stdout, "{}{newline}", for_terminal(text)));
    drop(stdout.flush());
}

/// Prints a result to stdout as one line of JSON. Fails if the result contains a path that is not UTF-8.
///
/// The row types of the commands declare their fields sorted by name. Scores are converted to `f64`, because an `f32`
/// is printed with fewer digits.
pub(crate) fn json(result: &impl Serialize) -> Result<ExitCode, Failure> {
    print_json(serde_json::to_string(result))
}

/// Returns the exit code of a search: 0 if there are results, otherwise 1.
pub(crate) fn found(is_found: bool) -> ExitCode {
    if is_found { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Does the same as [`json`], but indents the output.
pub(crate) fn pretty_json(result: &impl Serialize) -> Result<ExitCode, Failure> {
    print_json(serde_json::to_string_pretty(result))
}

fn print_json(text: serde_json::Result<String>) -> Result<ExitCode, Failure> {
    let failure = |error| format!("cannot print the result as JSON: {error}");
    data(&text.map_err(|error| Failure::new(failure(error), contract::ExitCode::ToolFailed))?);
    Ok(ExitCode::SUCCESS)
}

/// Prints a message and a line break to stderr.
pub(crate) fn talk(text: &str) {
    let mut stderr = anstream::stderr().lock();
    drop(writeln!(stderr, "{}", for_terminal(text)));
}

/// Returns the width of the terminal that `stream` writes to, in columns, or `None` if `stream` is not a terminal. The
/// environment variable `COLUMNS` overrides the width.
pub(crate) fn terminal_width(stream: impl IsTerminal + AsFd) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    let named = edge::environment().text("COLUMNS").and_then(|columns| columns.parse().ok());
    let measured =
        || terminal_size::terminal_size_of(stream).map(|(width, _)| usize::from(width.0));
    named.or_else(measured).filter(|columns| *columns > 0)
}

/// Copies another program's output to stdout.
pub(crate) fn pass_on_data(bytes: &[u8]) {
    static UNFINISHED: Mutex<Vec<u8>> = Mutex::new(Vec::new());
    pass_on(bytes, &UNFINISHED, std::io::stdout().lock());
}

/// Copies another program's error output to stderr.
pub(crate) fn pass_on_talk(bytes: &[u8]) {
    static UNFINISHED: Mutex<Vec<u8>> = Mutex::new(Vec::new());
    pass_on(bytes, &UNFINISHED, std::io::stderr().lock());
}

/// Copies the bytes without changes, unless `stream` writes to a terminal. Then the beginning of a character or of a line
/// break at the end of the bytes is kept in `unfinished` until the rest arrives.
fn pass_on(bytes: &[u8], unfinished: &Mutex<Vec<u8>>, mut stream: impl Write + IsTerminal) {
    let copied = if stream.is_terminal() {
        let mut pending = unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        pending.extend_from_slice(bytes);
        let complete = complete_length(&pending);
        let rest = pending.split_off(complete);
        let text = std::mem::replace(&mut *pending, rest);
        write!(stream, "{}", for_terminal(&String::from_utf8_lossy(&text)))
    } else {
        stream.write_all(bytes)
    };
    drop(copied.and_then(|()| stream.flush()));
}

/// Returns the length of `bytes` without an incomplete character or a carriage return at the end.
fn complete_length(bytes: &[u8]) -> usize {
    let characters = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        Ok(_) | Err(_) => bytes.len(),
    };
    characters - usize::from(bytes[..characters].ends_with(b"\r"))
}
