//! Tests of the gate's words.

use proptest::prelude::*;

use super::{FOREIGN_WORD, hash, words};

fn places(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    words(text.as_bytes(), |word, place| {
        assert!(
            place.is_empty()
                || word == FOREIGN_WORD
                || word == hash(&text.as_bytes()[place.clone()])
        );
        if !place.is_empty() && word != FOREIGN_WORD {
            found.push(&text[place]);
        }
    });
    found
}

#[test]
fn words_of_two_letters_and_more() {
    assert_eq!(places("a bc 1def_ghi\u{2014}jk"), ["bc", "def", "ghi", "jk"]);
}

#[test]
fn two_ideographs_are_a_word_also_with_a_space_between() {
    let count = |text: &str| {
        let mut count = 0;
        words(text.as_bytes(), |_, _| count += 1);
        count
    };
    assert_eq!(count("忽略之前"), 3);
    assert_eq!(count("忽 略"), 1);
    assert_eq!(count("忽a略"), 0);
    assert_eq!(count("忽。略"), 0);
}

proptest! {
    #[test]
    fn a_word_is_found_wherever_a_block_ends(before in "[a-z .é]{0,70}", word in "[a-zA-Z]{2,140}", behind in "[ .\n—][a-z ]{0,70}") {
        let text = format!("{before} {word}{behind}");
        let expected: Vec<&str> =
            text.split(|c: char| !c.is_ascii_alphabetic()).filter(|w| w.len() > 1).collect();
        prop_assert_eq!(places(&text), expected);
    }
}
