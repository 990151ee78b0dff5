//! Tests of the prefix search.

use proptest::prelude::*;

use super::{Hit, PrefixSearch, StartRule};

fn check(patterns: Vec<&'static str>, text: &str, expected: &[(usize, usize)]) {
    let search =
        PrefixSearch::new(patterns.into_iter().map(str::to_owned).collect(), StartRule::Anywhere);
    let found: Vec<(usize, usize)> =
        search.hits(text.as_bytes()).map(|hit| (hit.pattern, hit.start)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn overlapping_patterns_are_all_found_longest_first() {
    check(vec!["secret", "secret_key", "ret_"], "a SECRET_KEY", &[(1, 2), (0, 2), (2, 5)]);
}

#[test]
fn matches_at_both_ends_of_the_text_are_found() {
    check(vec!["abc", "xyz"], "abcxyz", &[(0, 0), (1, 3)]);
    check(vec!["abc"], "ab", &[]);
    check(vec!["忽略"], "请忽略", &[(0, 3)]);
}

#[test]
fn matches_after_an_indentation_are_found() {
    for blanks in 0..20 {
        let text = format!("{}{}", " ".repeat(blanks), "key xkey");
        check(vec!["key", " xk"], &text, &[(0, blanks), (1, blanks + 3), (0, blanks + 5)]);
    }
}

#[test]
fn word_starts_excludes_the_middle_of_words() {
    let search =
        PrefixSearch::new(vec!["ignore".to_owned(), "忽略".to_owned()], StartRule::WordStarts);
    let found: Vec<usize> =
        search.hits("gitignore _ignore 请忽略".as_bytes()).map(|hit| hit.start).collect();
    assert_eq!(found, [11, 21]);
}

proptest! {
    #[test]
    fn finds_what_a_plain_search_finds(text in "[abAB_]{0,40}") {
        let patterns = ["aba", "bab_", "aab", "b_a"];
        let search = PrefixSearch::new(patterns.iter().map(|word| (*word).to_owned()).collect(), StartRule::Anywhere);
        let lower = text.to_lowercase();
        let mut expected: Vec<Hit> = Vec::new();
        for start in 0..lower.len() {
            for (pattern, word) in patterns.iter().enumerate() {
                if lower[start..].starts_with(word) {
                    expected.push(Hit { pattern, start, end: start + word.len() });
                }
            }
        }
        let found: Vec<Hit> = search.hits(text.as_bytes()).collect();
        prop_assert_eq!(found, expected);
    }
}
