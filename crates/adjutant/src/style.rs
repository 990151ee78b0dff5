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

const fn colour(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(anstyle::Color::Ansi(colour)))
}

/// Returns the text formatted in a style.
pub(crate) fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}
