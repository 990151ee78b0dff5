//! Reads the cited files and the quoted lines from a briefing's text.

use std::collections::BTreeSet;

/// A path and a line number, counted from 1.
pub(super) type Line<'a> = (&'a str, u32);

/// The files that a briefing cites, and the lines that it quotes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Quoted<'a> {
    pub(super) files: BTreeSet<&'a str>,
    pub(super) lines: BTreeSet<Line<'a>>,
    /// The number of runs of quoted lines. A single missing line does not end a run.
    pub(super) n_regions: usize,
}

impl<'a> Quoted<'a> {
    /// Parses the text that the model receives. `paths` are the paths of the findings. A finding starts with its
    /// path.
    pub(super) fn read(text: &str, paths: &BTreeSet<&'a str>) -> Self {
        let mut quoted = Self::default();
        for finding in text.split("\n\n") {
            let Some(heading) = finding.strip_prefix("- ") else { continue };
            let is_cited = |path: &&&str| {
                let rest = heading.strip_prefix(**path);
                rest.is_some_and(|rest| rest.starts_with([':', ' ']) || rest.is_empty())
            };
            let Some(path) = paths.iter().filter(is_cited).max_by_key(|path| path.len()) else {
                continue;
            };
            quoted.files.insert(path);
            let mut last = None;
            for number in finding.lines().skip(1).filter_map(line_number) {
                quoted.n_regions += usize::from(last.is_none_or(|last| number > last + 2));
                quoted.lines.insert((path, number));
                last = Some(number);
            }
        }
        quoted
    }
}

/// Returns the line number of a quoted line, which has the form `12| text`.
fn line_number(line: &str) -> Option<u32> {
    line.split_once('|')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_files_lines_and_regions() {
        let text = "head\n\n- a/b.py:3 `f`: def f() (0.50)\n3| def f():\n4|     pass\n9| x = 1\n\n- a.py:1: words\n\nfoot";
        let quoted = Quoted::read(text, &["a/b.py", "a.py", "a"].into());
        assert_eq!(quoted.files, ["a.py", "a/b.py"].into());
        assert_eq!(quoted.lines, [("a/b.py", 3), ("a/b.py", 4), ("a/b.py", 9)].into());
        assert_eq!(quoted.n_regions, 2);
    }
}
