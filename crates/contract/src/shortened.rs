//! Shortens a text to a maximum length.

/// Returns `text` with at most `max` characters. A cut is marked with `…` and is made before a word, so that it does not
/// change a number such as the line of a citation. Only a word that fills most of the text is cut itself.
#[must_use]
pub fn shortened(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let ends = text.char_indices().map(|(end, _)| end);
    let end = ends.take(max).last().unwrap_or(0);
    let (head, rest) = text.split_at(end);
    let is_separator = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let is_between_words = rest.starts_with(is_separator);
    let before_word = head.rfind(char::is_whitespace).filter(|at| *at >= end / 4);
    let head = match before_word {
        Some(at) if !is_between_words => &head[..at],
        _ => head,
    };
    format!("{}…", head.trim_end_matches(is_separator))
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_text_is_cut_before_a_word() {
        let check = |text: &str, max: usize, expected: &str| {
            assert_eq!(shortened(text, max), expected);
            assert!(expected.chars().count() <= max, "{expected}");
        };
        let callers = "called at src/a.rs:35, src/b.rs:350";
        check(callers, 35, callers);
        check(callers, 34, "called at src/a.rs:35…");
        check(callers, 22, "called at src/a.rs:35…");
        check(callers, 21, "called at…");
        check("一二三四五六", 4, "一二三…");
        check("a bcdefghijklmnop", 12, "a bcdefghij…");
    }
}
