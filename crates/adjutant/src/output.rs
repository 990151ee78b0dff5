//! Prints results to standard output and messages to standard error. No other module writes to them, so that everything
//! that is printed goes through [`for_terminal`].

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::edge;
use crate::failure::Failure;
use crate::style;

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
    data(&text.map_err(|error| Failure::tool_failed(failure(error)))?);
    Ok(ExitCode::SUCCESS)
}

/// Prints a message and a line break to stderr.
pub(crate) fn talk(text: &str) {
    let mut stderr = anstream::stderr().lock();
    drop(writeln!(stderr, "{}", for_terminal(text)));
}

/// Prints an error to stderr.
pub(crate) fn error(text: &str) {
    talk(&format!("{} {text}", style::paint(style::BAD, "error:")));
}

/// Prints a warning to stderr.
pub(crate) fn warning(text: &str) {
    talk(&format!("{} {text}", style::paint(style::WARNING, "warning:")));
}

/// Prints a hint to stderr, after an empty line.
pub(crate) fn hint(text: &str) {
    talk(&format!("\n{} {text}", style::paint(style::HINT, "hint:")));
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

/// Returns `text` with every character that a terminal interprets shown as an escape sequence of JSON, such as
/// `\u009b`. Line breaks, tabs and the colours of [`style`] stay. JSON keeps its meaning, because only its strings can
/// contain such a character.
pub(crate) fn for_terminal(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(is_interpreted) else { return Cow::Borrowed(text) };
    let (start, mut rest) = text.split_at(first);
    let mut shown = start.to_owned();
    while let Some(character) = rest.chars().next() {
        let kept = match character {
            '\u{1b}' => style::sequence_length(rest),
            '\r' if rest.starts_with("\r\n") => 2,
            other if is_interpreted(other) => 0,
            other => other.len_utf8(),
        };
        if kept == 0 {
            let _infallible = write!(shown, "\\u{:04x}", u32::from(character));
        }
        shown.push_str(&rest[..kept]);
        rest = &rest[kept.max(character.len_utf8())..];
    }
    Cow::Owned(shown)
}

/// Returns whether a terminal may interpret the character instead of showing it: a control character other than a line
/// break or a tab, a separator of lines, or a character that changes the direction of text.
pub(crate) fn is_interpreted(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
}

/// Returns `text` on one line. Control characters, white space other than the space, and characters that are not visible
/// are shown as escape sequences, such as `\n` and `\u{a0}`. Otherwise, they could hide a part of the text or add lines
/// that look like messages of Adjutant. Markup that is meant for a model is changed too.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            // These characters are visible, although `escape_debug` escapes them.
            '\\' | '\'' | '"' => shown.push(character),
            _ => shown.extend(character.escape_debug()),
        }
    }
    guard::neutralise(&shown).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{for_terminal, visible};
    use crate::style;

    #[test]
    fn a54_nothing_but_colours_and_line_breaks_is_interpreted_by_a_terminal() {
        let kept = "a\tb\nc\r\n工具 é 👩\u{200d}💻";
        assert_eq!(for_terminal(kept), kept);
        for (hostile, shown) in [
            ("safe\rhidden", "safe\\u000dhidden"),
            ("\r\r\n", "\\u000d\r\n"),
            ("\u{9b}2J\u{85}\u{7f}\u{8}\0", "\\u009b2J\\u0085\\u007f\\u0008\\u0000"),
            ("\u{1b}[2J\u{1b}]52;c;eA==\u{7}\u{1b}", "\\u001b[2J\\u001b]52;c;eA==\\u0007\\u001b"),
            ("\u{1b}[8mhidden\u{1b}[30;40m", "\\u001b[8mhidden\\u001b[30;40m"),
            ("\u{202e}\u{2066}\u{200f}\u{61c}\u{2029}", "\\u202e\\u2066\\u200f\\u061c\\u2029"),
        ] {
            assert_eq!(for_terminal(hostile), shown);
        }
    }

    #[test]
    fn a54_the_colours_of_adjutant_and_the_meaning_of_json_are_kept() {
        let help = crate::hook::command().render_help().ansi().to_string();
        assert_eq!(for_terminal(&help), help);
        for one in style::ALL {
            let painted = style::paint(one, "text");
            assert_eq!(for_terminal(&painted), painted);
        }
        let value = serde_json::json!({ "\u{9b}": ["\u{202e}\u{1b}[2J\r\n\t\u{7f}"] });
        for text in [value.to_string(), format!("{value:#}")] {
            let shown = for_terminal(&text);
            assert!(!shown.contains(super::is_interpreted), "{shown}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        }
    }

    #[test]
    fn a54_hidden_characters_are_shown_on_one_line() {
        assert_eq!(visible("sh 'a b' \"c\\d\" 工具 é"), "sh 'a b' \"c\\d\" 工具 é");
        assert_eq!(visible("make\r\n  with\tx"), "make\\r\\n  with\\tx");
        assert_eq!(visible("x\u{a0}\u{3000}\u{b}"), "x\\u{a0}\\u{3000}\\u{b}");
        assert_eq!(
            visible("\u{1b}[2K\u{202e}\u{200b}\u{85}"),
            "\\u{1b}[2K\\u{202e}\\u{200b}\\u{85}"
        );
        assert_eq!(visible("a\u{2028}b\u{feff}"), "a\\u{2028}b\\u{feff}");
    }
}
