//! The colours of the output. They are omitted if the output is not a terminal or `NO_COLOR` is set.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

pub(crate) const HEADING: Style = Style::new().bold().underline();
pub(crate) const PLACE: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = colour(AnsiColor::Green);
pub(crate) const WARNING: Style = colour(AnsiColor::Yellow);
pub(crate) const BAD: Style = colour(AnsiColor::Red).bold();
pub(crate) const HINT: Style = colour(AnsiColor::Cyan);

#[cfg(test)]
pub(crate) const ALL: [Style; 7] = [HEADING, PLACE, DIM, GOOD, WARNING, BAD, HINT];

const fn colour(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(anstyle::Color::Ansi(colour)))
}

/// The sequences with which terminals switch on the styles above, each alone, and the one that switches them off.
const SEQUENCES: [&str; 8] = [
    "\u{1b}[0m",
    "\u{1b}[1m",
    "\u{1b}[2m",
    "\u{1b}[4m",
    "\u{1b}[31m",
    "\u{1b}[32m",
    "\u{1b}[33m",
    "\u{1b}[36m",
];

/// Returns the length of the style sequence with which `text` begins, or 0 if it begins with none of them.
pub(crate) fn sequence_length(text: &str) -> usize {
    SEQUENCES.into_iter().find(|sequence| text.starts_with(sequence)).map_or(0, str::len)
}

/// Returns the text formatted in a style.
pub(crate) fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}
