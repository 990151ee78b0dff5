//! Tests of this module.

use super::*;

#[test]
fn a53_one_wrong_letter_is_corrected() {
    for (word, expected) in [
        ("iunstructions", "instructions"),
        ("instuctions", "instructions"),
        ("insturctions", "instructions"),
        ("instructoins", "instructions"),
        ("instruktion", "instruction"),
        ("prevoius", "previous"),
        ("previuos", "previous"),
        ("ingore", "ignore"),
        ("ignnore", "ignore"),
        ("disreguard", "disregard"),
        ("guidlines", "guidelines"),
        ("assistent", "assistant"),
    ] {
        assert_eq!(corrected(word), Some(expected), "{word}");
    }
}

#[test]
fn other_words_are_not_corrected() {
    for word in [
        "ignored",
        "ignores",
        "ignorer",
        "ignore",
        "previously",
        "overrides",
        "overridden",
        "instructor",
        "instruct",
        "constructions",
        "directions",
        "detective",
        "detectives",
        "inspections",
        "institutions",
        "guideline",
        "assistance",
        "resistant",
        "outside",
        "i",
        "",
    ] {
        assert_eq!(corrected(word), None, "{word}");
    }
}

#[test]
fn misspelt_first_words_are_corrected_to_a_first_word() {
    for word in misspelt_first_words() {
        assert!(corrected(&word).is_some_and(|key| FIRST_WORDS.contains(&key)), "{word}");
    }
    assert!(misspelt_first_words().any(|word| word == "ignroe"));
}
