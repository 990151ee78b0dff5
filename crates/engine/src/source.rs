//! Access to the files of a repository: which files may be read, and how they are opened.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

const MAX_LINE_CHARS: usize = 200;
/// Lines beyond this offset in a file are not read.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

pub struct Source<'a> {
    pub root: &'a Path,
    /// Returns false for files that are never quoted.
    pub admits: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Opens a file below the root for searching.
    pub open: &'a (dyn Fn(&Path) -> io::Result<File> + Sync),
    /// Decides what may be quoted from a file. The decision includes the content of the file and the target of a link.
    pub to_quote: &'a (dyn Fn(&Path) -> ToQuote + Sync),
}

/// How much of a file may be shown.
#[derive(Debug)]
pub enum ToQuote {
    Text(File),
    /// Only the path: the file is binary, too large, or not readable.
    Path,
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    pub first_line: u64,
    pub lines: Vec<String>,
}

/// Reads at most `max_lines` lines, starting at `first_line`. Returns `None` if the file is missing or may not be quoted.
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
        lines.push(text.trim_end().chars().take(MAX_LINE_CHARS).collect());
    }
    (!lines.is_empty()).then_some(Snippet { first_line, lines })
}
