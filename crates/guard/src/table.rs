//! Reads the tables of the guard, which are text files: one row per line, with columns that are separated by tabs.
//!
//! Empty lines and lines that start with `# ` are skipped. A line `[name]` starts a section.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::OnceLock;

/// Returns the rows of `table`. Missing columns are empty.
pub(crate) fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    lines(table).map(|line| {
        let mut columns = line.split('\t');
        std::array::from_fn(|_| columns.next().unwrap_or_default())
    })
}

fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|line| !line.is_empty() && !line.starts_with("# "))
}

/// Returns the lines of the section `name`.
pub(crate) fn section(table: &'static str, name: &str) -> impl Iterator<Item = &'static str> {
    let title = format!("[{name}]");
    lines(table)
        .skip_while(move |line| *line != title)
        .skip(1)
        .take_while(|line| !(line.starts_with('[') && line.ends_with(']')))
}

/// Replaces `\n`, `\t` and `\\` by the characters that they stand for, and each `·` by a blank. An editor would remove blanks
/// at the end of a line.
pub(crate) fn unescaped(column: &'static str) -> Cow<'static, str> {
    if !column.contains(['\\', '·']) {
        return Cow::Borrowed(column);
    }
    let mut text = String::with_capacity(column.len());
    let mut characters = column.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '·' => ' ',
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                other => other.unwrap_or('\\'),
            },
            other => other,
        });
    }
    Cow::Owned(text)
}

/// A list of words, which is a section of a table. It is read when it is needed first.
pub(crate) struct WordList {
    table: &'static str,
    section: &'static str,
    words: OnceLock<Vec<&'static str>>,
}

impl WordList {
    pub(crate) const fn new(table: &'static str, section: &'static str) -> Self {
        Self { table, section, words: OnceLock::new() }
    }

    /// Returns whether the list contains `word` in any case. The list must be sorted and in lower case.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.binary_search(&word.to_ascii_lowercase().as_str()).is_ok()
    }
}

impl Deref for WordList {
    type Target = [&'static str];

    fn deref(&self) -> &[&'static str] {
        self.words.get_or_init(|| {
            section(self.table, self.section)
                .map(|word| match unescaped(word) {
                    Cow::Borrowed(word) => word,
                    Cow::Owned(word) => word.leak(),
                })
                .collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{rows, section, unescaped};

    #[test]
    fn rows_and_sections_skip_comments() {
        let table = "# comment\na\tb\n\n[x]\nc\n# comment\nd\n[y]\ne\n";
        assert_eq!(rows::<3>(table).next(), Some(["a", "b", ""]));
        assert_eq!(section(table, "x").collect::<Vec<_>>(), ["c", "d"]);
        assert_eq!(section(table, "y").collect::<Vec<_>>(), ["e"]);
    }

    #[test]
    fn escapes_stand_for_invisible_characters() {
        assert_eq!(unescaped(r"·a\n\\n·"), " a\n\\n ");
    }
}
