//! Prints a text table: columns are as wide as their widest cell, and numbers are right-aligned. On a terminal, long
//! cells are cut so that every row fits on one line.

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::output::is_interpreted;
use crate::{output, style};

const GAP: usize = 2;
/// On a narrow terminal, columns are shortened to this width before an optional column is left out. Columns of paths
/// are shortened only to [`READABLE_PLACE_WIDTH`].
const READABLE_WIDTH: usize = 12;
const READABLE_PLACE_WIDTH: usize = 28;
/// The width to which columns are shortened after all optional columns have been left out.
const MIN_WIDTH: usize = 6;
/// Columns that contain paths. They are cut at the start, because the end of a path is its file name.
const PLACES: [&str; 3] = ["place", "path", "file"];

/// The heading of a column, whether the column is shown, and the function that returns its cells.
pub(super) type Column<'a, T> = (&'static str, bool, &'a dyn Fn(&T) -> String);

pub(super) struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    optional: Vec<&'static str>,
}

impl Table {
    pub(super) fn new(headings: impl IntoIterator<Item = &'static str>) -> Self {
        Self { headings: headings.into_iter().collect(), rows: Vec::new(), optional: Vec::new() }
    }

    /// Creates a table with one row for each of `rows`.
    pub(super) fn of<T>(rows: &[T], columns: &[Column<'_, T>]) -> Self {
        let shown = || columns.iter().filter(|(_, is_shown, _)| *is_shown);
        let mut table = Self::new(shown().map(|(heading, _, _)| *heading));
        for row in rows {
            table.row(shown().map(|(_, _, cell)| cell(row)));
        }
        table
    }

    /// Sets the columns that can be left out on a narrow terminal. The first one is left out first.
    pub(super) fn optional(mut self, headings: &[&'static str]) -> Self {
        self.optional = headings.to_vec();
        self
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| one_line(&cell)).collect());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Prints the table to stdout. Prints nothing if the table has no rows.
    pub(super) fn print_rows(&self) {
        if !self.is_empty() {
            output::data(&self.text(output::terminal_width(std::io::stdout())));
        }
    }

    /// Prints the table to stdout, or `nothing` to stderr if the table has no rows.
    pub(super) fn print(&self, nothing: &str) {
        if self.is_empty() {
            output::talk(nothing);
        }
        self.print_rows();
    }

    /// Returns the table as text. Each row is at most `max_width` terminal columns wide.
    pub(super) fn text(&self, max_width: Option<usize>) -> String {
        let columns = self.fitted(max_width.unwrap_or(usize::MAX));
        let heading = self.line(&columns, |column| self.headings[column], |_| style::HEADING);
        let rows = self.rows.iter().map(|row| {
            let style = |column: usize| match self.headings[column] {
                heading if PLACES.contains(&heading) => style::PLACE,
                _ => Style::new(),
            };
            self.line(&columns, |column| &row[column], style)
        });
        std::iter::once(heading).chain(rows).collect::<Vec<_>>().join("\n")
    }

    /// Returns the index and the width of each column to show.
    fn fitted(&self, max_width: usize) -> Vec<(usize, usize)> {
        let cells = |column: usize| self.rows.iter().map(move |row| row[column].as_str());
        let width = |column: usize| {
            let widths = cells(column).map(UnicodeWidthStr::width);
            widths.chain([self.headings[column].width()]).max().unwrap_or(0)
        };
        let natural: Vec<(usize, usize)> =
            (0..self.headings.len()).map(|column| (column, width(column))).collect();
        let mut columns = natural.clone();
        for n_dropped in 0..=self.optional.len() {
            let dropped = &self.optional[..n_dropped];
            let is_kept = |column: usize| !dropped.contains(&self.headings[column]);
            columns = natural.iter().copied().filter(|(column, _)| is_kept(*column)).collect();
            self.shrink(&mut columns, max_width, |is_place| {
                if is_place { READABLE_PLACE_WIDTH } else { READABLE_WIDTH }
            });
            if total(&columns) <= max_width {
                return columns;
            }
        }
        self.shrink(&mut columns, max_width, |_| MIN_WIDTH);
        columns
    }

    /// Makes the widest columns narrower until the row fits or every column has its minimum width. Columns of numbers
    /// are not changed. `min_width` returns the minimum width of a column; its argument is true for a column of paths.
    fn shrink(
        &self,
        columns: &mut [(usize, usize)],
        max_width: usize,
        min_width: impl Fn(bool) -> usize,
    ) {
        let is_number = |column: usize| self.rows.iter().all(|row| is_number(&row[column]));
        while total(columns) > max_width {
            let can_shrink = |(column, width): &&mut (usize, usize)| {
                let heading = self.headings[*column];
                let min = min_width(PLACES.contains(&heading)).max(heading.width());
                *width > min && !is_number(*column)
            };
            let widest = columns.iter_mut().filter(can_shrink).max_by_key(|(_, width)| *width);
            let Some((_, width)) = widest else { break };
            *width -= 1;
        }
    }

    fn line<'a>(
        &self,
        columns: &[(usize, usize)],
        cell: impl Fn(usize) -> &'a str,
        style: impl Fn(usize) -> Style,
    ) -> String {
        let mut line = String::new();
        for (at, &(column, width)) in columns.iter().enumerate() {
            let text = cut(cell(column), width, PLACES.contains(&self.headings[column]));
            let blanks = " ".repeat(width.saturating_sub(text.width()));
            let shown = style::paint(style(column), &text);
            let is_last = at + 1 == columns.len();
            line.push_str(&match (is_number(&text), is_last) {
                (true, _) => format!("{blanks}{shown}"),
                (false, true) => shown,
                (false, false) => format!("{shown}{blanks}"),
            });
            if !is_last {
                line.push_str(&" ".repeat(GAP));
            }
        }
        line.trim_end().to_owned()
    }
}

fn total(columns: &[(usize, usize)]) -> usize {
    columns.iter().map(|(_, width)| width + GAP).sum::<usize>().saturating_sub(GAP)
}

fn is_number(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit()) && cell.parse::<f64>().is_ok()
}

/// Replaces characters that a terminal interprets and that could break the row. A cell may contain text from a
/// repository.
fn one_line(cell: &str) -> String {
    cell.chars().map(|c| if c.is_control() || is_interpreted(c) { ' ' } else { c }).collect()
}

/// Cuts `text` to at most `width` columns. A cut is marked with `…`.
fn cut(text: &str, width: usize, at_start: bool) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut left = width.saturating_sub(1);
    let mut fits = |c: &char| {
        let needed = c.width().unwrap_or(0);
        let is_fitting = needed <= left;
        left = left.saturating_sub(needed);
        is_fitting
    };
    if at_start {
        let kept: Vec<char> = text.chars().rev().take_while(&mut fits).collect();
        return format!("…{}", kept.into_iter().rev().collect::<String>());
    }
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::{Table, cut};

    fn table() -> Table {
        let mut table = Table::new(["score", "place", "authors"]).optional(&["authors"]);
        let path = "src/deeply/nested/folder/with/a/long/name/retry_budget.rs:214".to_owned();
        table.row(["0.42".to_owned(), path, "张伟, A very long name of an author".to_owned()]);
        table
    }

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn rows_fit_the_terminal_and_places_keep_their_end() {
        for width in [100, 80, 60, 40, 20] {
            let text = plain(&table().text(Some(width)));
            assert!(text.lines().all(|line| line.width() <= width), "{width}: {text}");
            assert!(text.contains(".rs:214") && text.contains("0.42"), "{width}: {text}");
        }
        let whole = plain(&table().text(None));
        assert!(whole.contains("src/deeply/") && whole.ends_with("of an author"), "{whole}");
    }

    #[test]
    fn wide_characters_count_twice_and_control_characters_are_removed() {
        assert_eq!(cut("张伟张伟", 5, false), "张伟…");
        assert_eq!(cut("abc", 3, false), "abc");
        let mut table = Table::new(["path"]);
        table.row(["a\u{1b}[2Jb\nc\u{202e}d".to_owned()]);
        assert_eq!(plain(&table.text(None)), "path\na [2Jb c d");
    }
}
