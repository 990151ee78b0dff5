//! Reads the files of a repository through callbacks that decide which files may be read and quoted.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

const MAX_LINE_CHARS: usize = 200;
/// The maximum number of bytes that are read from a file for a snippet. Later lines are never quoted.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

pub struct Source<'a> {
    pub root: &'a Path,
    /// Returns whether a file with this path may be read and quoted.
    pub admits: &'a (dyn Fn(&Path) -> bool + Sync),
    /// Opens a file to search it. The path is relative to the repository root.
    pub open: &'a (dyn Fn(&Path) -> io::Result<File> + Sync),
    /// Decides what may be quoted from a file. The decision depends on the path, the content and, for a symbolic link,
    /// the target.
    pub to_quote: &'a (dyn Fn(&Path) -> ToQuote + Sync),
}

/// The part of a file that may be shown.
#[derive(Debug)]
pub enum ToQuote {
    Text(File),
    /// Only the path, because the file is binary, too large or not readable.
    Path,
    Nothing,
}

/// Quoted lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The lines with their line numbers, counted from 1, in order. Some lines may be left out.
    pub lines: Vec<(u64, String)>,
}

/// Reads at most `max_lines` lines of a file, starting at `first_line`. Returns `None` if the file is missing or may
/// not be quoted.
#[must_use]
pub fn read_lines(
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
    let read = BufReader::new(file.take(MAX_BYTES)).split(b'\n').skip(skip).take(max_lines);
    for (number, line) in (first_line..).zip(read) {
        let line = line.ok()?;
        let text = String::from_utf8_lossy(&line);
        lines.push((number, text.trim_end().chars().take(MAX_LINE_CHARS).collect()));
    }
    (!lines.is_empty()).then_some(Snippet { lines })
}
