//! Formats text of a repository, such as a command, for one line of a terminal.

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
    use super::visible;

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
