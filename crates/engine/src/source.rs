//! Reads the files of a repository through callbacks that decide which files may be read and quoted.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The maximum number of characters of a line that are quoted.
pub(crate) const MAX_LINE_CHARS: usize = 200;

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
#[derive(Clone, Debug)]
pub enum ToQuote {
    /// The text of the file without its secrets. Every line has the same number as in the file.
    Text(Arc<str>),
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
    let ToQuote::Text(text) = (source.to_quote)(Path::new(path)) else { return None };
    let first_line = first_line.max(1);
    let skip = usize::try_from(first_line - 1).ok()?;
    let quoted = |line: &str| line.trim_end().chars().take(MAX_LINE_CHARS).collect();
    let lines = text.lines().skip(skip).take(max_lines).map(quoted);
    let lines: Vec<(u64, String)> = (first_line..).zip(lines).collect();
    (!lines.is_empty()).then_some(Snippet { lines })
}
