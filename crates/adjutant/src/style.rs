//! How the output looks: its colours, which are omitted if the output is not a terminal or `NO_COLOR` is set, and the time
//! since an event.

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

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// Returns how long `then` was before `now`, such as `5 min ago`. Both are in RFC 3339 format. Returns `then` if one of
/// them cannot be parsed.
pub(crate) fn ago(then: &str, now: &str) -> String {
    let seconds = |time: &str| time.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second);
    match (seconds(then), seconds(now)) {
        (Some(then), Some(now)) => seconds_ago(now - then),
        _ => then.to_owned(),
    }
}

/// Formats a number of seconds in the largest unit that fits, such as `3 h ago`.
pub(crate) fn seconds_ago(seconds: i64) -> String {
    match seconds.max(0) {
        n if n < MINUTE => format!("{n} s ago"),
        n if n < HOUR => format!("{} min ago", n / MINUTE),
        n if n < 2 * DAY => format!("{} h ago", n / HOUR),
        n => format!("{} days ago", n / DAY),
    }
}

#[cfg(test)]
mod tests {
    use super::ago;

    #[test]
    fn the_largest_unit_is_used() {
        let check = |then: &str, expected: &str| {
            assert_eq!(ago(then, "2026-11-16T12:00:00Z"), expected);
        };
        check("2026-11-16T11:59:58Z", "2 s ago");
        check("2026-11-16T11:50:00Z", "10 min ago");
        check("2026-11-16T09:00:00Z", "3 h ago");
        check("2026-11-13T12:00:00Z", "3 days ago");
        check("2026-11-16T12:00:09Z", "0 s ago");
        check("some time", "some time");
    }
}
