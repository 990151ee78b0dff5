//! Formats text that may come from a repository, a model or another program for a terminal.

use std::borrow::Cow;
use std::fmt::Write;

use crate::style;

/// Returns `text` with every character that a terminal interprets shown as an escape sequence of JSON, such as
/// `\u009b`. Line breaks, tabs and the colours of [`style`] stay. JSON keeps its meaning, because only its strings can
/// contain such a character.
pub(crate) fn for_terminal(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(is_interpreted) else { return Cow::Borrowed(text) };
    let (start, mut rest) = text.split_at(first);
    let mut shown = start.to_owned();
    while let Some(character) = rest.chars().next() {
        let kept = match character {
            '\u{1b}' => style::sequence_length(rest),
            '\r' if rest.starts_with("\r\n") => 2,
            other if is_interpreted(other) => 0,
            other => other.len_utf8(),
        };
        if kept == 0 {
            let _infallible = write!(shown, "\\u{:04x}", u32::from(character));
        }
        shown.push_str(&rest[..kept]);
        rest = &rest[kept.max(character.len_utf8())..];
    }
    Cow::Owned(shown)
}

/// Returns whether a terminal may interpret the character instead of showing it: a control character other than a line
/// break or a tab, a separator of lines, or a character that changes the direction of text.
pub(crate) fn is_interpreted(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
}

/// Returns `text` on one line. Control characters, white space other than the space, and characters that are not visible
/// are shown as escape sequences, such as `\n` and `\u{a0}`. Otherwise, they could hide a part of the text or add lines
/// that look like messages of Adjutant. Markup that is meant for a model is changed too.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            // These characters are visible, although `escape_debug` escapes them.
            '\\' | '\'' | '"' => shown.push(character),
            _ => shown.extend(character.escape_debug()),
        }
    }
    guard::neutralise(&shown).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{for_terminal, visible};
    use crate::style;

    #[test]
    fn a54_nothing_but_colours_and_line_breaks_is_interpreted_by_a_terminal() {
        let kept = "a\tb\nc\r\n工具 é 👩\u{200d}💻";
        assert_eq!(for_terminal(kept), kept);
        for (hostile, shown) in [
            ("safe\rhidden", "safe\\u000dhidden"),
            ("\r\r\n", "\\u000d\r\n"),
            ("\u{9b}2J\u{85}\u{7f}\u{8}\0", "\\u009b2J\\u0085\\u007f\\u0008\\u0000"),
            ("\u{1b}[2J\u{1b}]52;c;eA==\u{7}\u{1b}", "\\u001b[2J\\u001b]52;c;eA==\\u0007\\u001b"),
            ("\u{1b}[8mhidden\u{1b}[30;40m", "\\u001b[8mhidden\\u001b[30;40m"),
            ("\u{202e}\u{2066}\u{200f}\u{61c}\u{2029}", "\\u202e\\u2066\\u200f\\u061c\\u2029"),
        ] {
            assert_eq!(for_terminal(hostile), shown);
        }
    }

    #[test]
    fn a54_the_colours_of_adjutant_and_the_meaning_of_json_are_kept() {
        let help = crate::hook::command().render_help().ansi().to_string();
        assert_eq!(for_terminal(&help), help);
        for one in style::ALL {
            let painted = style::paint(one, "text");
            assert_eq!(for_terminal(&painted), painted);
        }
        let value = serde_json::json!({ "\u{9b}": ["\u{202e}\u{1b}[2J\r\n\t\u{7f}"] });
        for text in [value.to_string(), format!("{value:#}")] {
            let shown = for_terminal(&text);
            assert!(!shown.contains(super::is_interpreted), "{shown}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
        }
    }

    #[test]
    fn a54_hidden_characters_are_shown_on_one_line() {
        assert_eq!(visible("sh 'a b' \"c\\d\" 工具 é"), "sh 'a b' \"c\\d\" 工具 é");
        assert_eq!(visible("make\r\n  with\tx"), "make\\r\\n  with\\tx");
        assert_eq!(visible("x\u{a0}\u{3000}\u{b}"), "x\\u{a0}\\u{3000}\\u{b}");
        assert_eq!(
            visible("\u{1b}[2K\u{202e}\u{200b}\u{85}"),
            "\\u{1b}[2K\\u{202e}\\u{200b}\\u{85}"
        );
        assert_eq!(visible("a\u{2028}b\u{feff}"), "a\\u{2028}b\\u{feff}");
    }
}
