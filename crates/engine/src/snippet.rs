//! Some lines of a file, as it is now.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::{Source, ToQuote};

const LONGEST_LINE: usize = 200;
/// A line that starts further into a file than this is not looked for.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    pub first_line: u64,
    pub lines: Vec<String>,
}

/// Lines from `first_line` on, at most `max_lines`; nothing if the file is gone or may not be opened.
#[must_use]
pub fn snippet(
    source: &Source<'_>,
    path: &str,
    first_line: u64,
    max_lines: usize,
) -> Option<Snippet> {
    if !(source.admits)(Path::new(path)) {
        return None;
    }
    let ToQuote::Text(file) = (source.to_quote)(Path::new(path)) else { return None };
    let first_line = first_line.max(1);
    let skip = usize::try_from(first_line - 1).ok()?;
    let mut lines = Vec::new();
    for line in BufReader::new(file.take(MAX_BYTES)).split(b'\n').skip(skip).take(max_lines) {
        let line = line.ok()?;
        let text = String::from_utf8_lossy(&line);
        lines.push(text.trim_end().chars().take(LONGEST_LINE).collect());
    }
    (!lines.is_empty()).then_some(Snippet { first_line, lines })
}
