//! Formats a number with its noun, and shortens a text.

/// Returns a number with its noun in the singular or plural: `1 file`, `2 files`, `0 entries`.
#[must_use]
pub fn counted(n: usize, noun: &str) -> String {
    let is_vowel = |c: char| "aeiou".contains(c);
    match noun.strip_suffix('y') {
        _ if n == 1 => format!("{n} {noun}"),
        Some(stem) if !stem.ends_with(is_vowel) => format!("{n} {stem}ies"),
        _ if ["s", "x", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => {
            format!("{n} {noun}es")
        }
        _ => format!("{n} {noun}s"),
    }
}

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
    use super::{counted, shortened};

    #[test]
    fn a_noun_agrees_with_its_number() {
        let check = |n: usize, noun: &str, expected: &str| assert_eq!(counted(n, noun), expected);
        check(0, "file", "0 files");
        check(1, "file", "1 file");
        check(2, "weaker finding", "2 weaker findings");
        check(2, "repository", "2 repositories");
        check(2, "day", "2 days");
        check(3, "match", "3 matches");
    }

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
