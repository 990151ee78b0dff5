//! The lines around a hit, numbered.

use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::Source;

const LONGEST_LINE: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    pub first_line: u64,
    pub lines: Vec<String>,
}

/// A few lines before, the rest after: what follows a definition says more than what precedes it.
pub(super) fn around(
    source: &Source<'_>,
    path: &str,
    line: u64,
    max_lines: usize,
) -> Option<Snippet> {
    let file = (source.open)(Path::new(path)).ok()?;
    let first_line = line.saturating_sub(3).max(1);
    let skip = usize::try_from(first_line - 1).ok()?;
    let mut lines = Vec::new();
    for line in BufReader::new(file).split(b'\n').skip(skip).take(max_lines) {
        let line = line.ok()?;
        let text = String::from_utf8_lossy(&line);
        lines.push(text.trim_end().chars().take(LONGEST_LINE).collect());
    }
    (!lines.is_empty()).then_some(Snippet { first_line, lines })
}
