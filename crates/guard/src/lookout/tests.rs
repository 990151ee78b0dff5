//! Tests of the search for many strings.

use proptest::prelude::*;

use super::{Hit, Lookout, Places};

fn check(patterns: Vec<&'static str>, text: &str, expected: &[(usize, usize)]) {
    let lookout = Lookout::new(patterns.into_iter().map(str::to_owned).collect(), Places::Anywhere);
    let found: Vec<(usize, usize)> =
        lookout.hits(text.as_bytes()).map(|hit| (hit.pattern, hit.start)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn overlapping_patterns_are_all_found_longest_first() {
    check(vec!["secret", "secret_key", "ret_"], "a SECRET_KEY", &[(1, 2), (0, 2), (2, 5)]);
}

#[test]
fn ends_of_texts_are_searched() {
    check(vec!["abc", "xyz"], "abcxyz", &[(0, 0), (1, 3)]);
    check(vec!["abc"], "ab", &[]);
    check(vec!["忽略"], "请忽略", &[(0, 3)]);
}

#[test]
fn word_starts_leave_out_the_middle_of_words() {
    let lookout = Lookout::new(vec!["ignore".to_owned(), "忽略".to_owned()], Places::WordStarts);
    let found: Vec<usize> =
        lookout.hits("gitignore _ignore 请忽略".as_bytes()).map(|hit| hit.start).collect();
    assert_eq!(found, [11, 21]);
}

proptest! {
    #[test]
    fn finds_what_a_plain_search_finds(text in "[abAB_]{0,40}") {
        let patterns = ["aba", "bab_", "aab", "b_a"];
        let lookout = Lookout::new(patterns.iter().map(|word| (*word).to_owned()).collect(), Places::Anywhere);
        let lower = text.to_lowercase();
        let mut expected: Vec<Hit> = Vec::new();
        for start in 0..lower.len() {
            for (pattern, word) in patterns.iter().enumerate() {
                if lower[start..].starts_with(word) {
                    expected.push(Hit { pattern, start, end: start + word.len() });
                }
            }
        }
        let found: Vec<Hit> = lookout.hits(text.as_bytes()).collect();
        prop_assert_eq!(found, expected);
    }
}
