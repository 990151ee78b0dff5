//! Tests of the gate's words.

use proptest::prelude::*;

use super::{BITS, FOREIGN_WORD, GateWords};

/// Returns the words that consist of ASCII letters.
fn ascii_words(text: &str) -> Vec<&str> {
    GateWords::new(text.as_bytes())
        .filter(|word| word.start < word.end && word.index != FOREIGN_WORD)
        .inspect(|word| assert_eq!(word.index, index(&text[word.start..word.end])))
        .map(|word| &text[word.start..word.end])
        .collect()
}

fn index(word: &str) -> u32 {
    let hash = word
        .to_lowercase()
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash >> (32 - BITS)
}

#[test]
fn words_have_at_least_two_letters() {
    assert_eq!(ascii_words("a bc 1def_ghi\u{2014}jk"), ["bc", "def", "ghi", "jk"]);
}

#[test]
fn two_ideographs_are_a_word_even_with_a_space_between() {
    let count = |text: &str| GateWords::new(text.as_bytes()).count();
    assert_eq!(count("忽略之前"), 3);
    assert_eq!(count("忽 略"), 1);
    assert_eq!(count("忽a略"), 0);
    assert_eq!(count("忽。略"), 0);
}

proptest! {
    #[test]
    fn a_word_is_found_at_any_block_boundary(before in "[a-z .é]{0,70}", word in "[a-zA-Z]{2,140}", after in "[ .\n—][a-z ]{0,70}") {
        let text = format!("{before} {word}{after}");
        let expected: Vec<&str> =
            text.split(|c: char| !c.is_ascii_alphabetic()).filter(|w| w.len() > 1).collect();
        prop_assert_eq!(ascii_words(&text), expected);
    }
}
