//! Tests of this module.

use crate::redact;
use crate::secrets::stand_ins::{NAMES, PUBLISHED, is_dummy, is_example, is_label};
use crate::table::section;

#[test]
fn published_values_are_not_redacted() {
    for [first, second] in PUBLISHED.iter() {
        for text in [
            format!("token = \"{first}{second}\""),
            format!("Authorization: Bearer {first}{second}"),
            format!("see {first}{second} there"),
        ] {
            assert!(redact(&text).redactions.is_empty(), "{text}");
        }
    }
}

#[test]
fn a_value_that_differs_in_one_character_is_redacted() {
    let text = format!("aws {}{}", "AKIA", "IOSFODNN7EXAMPLF");
    assert_eq!(redact(&text).text, "aws AKIA<redacted>");
}

#[test]
fn alphabets_repetitions_and_words_are_dummies() {
    for value in [
        "0123456789abcdef0123456789abcdef",
        "abcde+fghijklmnopqrstuvwxyz012345",
        "1bcdefghij2bcdefghij3bcdefghijABCD",
        "aBcDeFgHiJkLmNoPqRsTuVwXyZ012345",
        "zyxwvutsrqponmlkjihgfedcba",
        "a1b2a1b2a1b2a1b2",
        "lRq7K-z5kf4-please-ignore-me-X-XIJM2",
        "fake-token-7f3a9b2c4d",
    ] {
        assert!(is_dummy(value), "{value}");
    }
}

#[test]
fn random_values_are_not_dummies() {
    for value in [
        "b901ny2ffwazl8s",
        "4960d2fba0e68491bf25ef938e60fe83",
        "605b80c8-185f-379f-ee6e-00e8993fc5da",
        "12345678-abcd-abcd-abcd-1234567890ab",
        "wzRk3fQ2VbW8mYpLtXcN5dJhGsA7uEoI",
        "6670114519852943",
        "MC4CAQAwBQYDK2VwBCIEIJ7kFBaOujmoz1gv",
    ] {
        assert!(!is_dummy(value), "{value}");
    }
}

/// Generates hexadecimal keys with a small pseudorandom generator. None of the keys may count as a dummy value.
#[test]
fn random_hexadecimal_keys_are_not_dummies() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let taken = (0..20_000).filter(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        is_dummy(&format!(
            "{state:016x}{:016x}",
            state.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ))
    });
    assert_eq!(taken.count(), 0);
}

#[test]
fn word_lists_are_sorted() {
    for name in ["labels", "ambiguous"] {
        assert!(section(NAMES, name).is_sorted(), "{name}");
    }
}

#[test]
fn labels_are_recognised_in_every_spelling() {
    for label in ["access_token", "Confirm password", "invalidToken", "NEW_PASSWORD"] {
        assert!(is_label(label), "{label}");
    }
    for value in ["hunter", "rootpasswd", "token7", ""] {
        assert!(!is_label(value), "{value}");
    }
}

#[test]
fn placeholders_and_examples_are_recognised() {
    for value in [
        "tq7RmEXAMPLEw2Zk",
        "FIXME!qz7",
        "backup_EXAMPLE",
        "EXAMPLE-7731-NODE",
        "set-your-mongo-pass-here",
        "PASTE_TOKEN_HERE!",
        "placeholder-secret.98765",
        "yourClientSecret",
        "sample_password",
        "secret_to_change",
        "ENTER-A-STRONG-PASSWORD",
    ] {
        assert!(is_example(value), "{value}");
    }
}

#[test]
fn passwords_with_similar_words_are_not_examples() {
    for value in [
        "Example2024!x",
        "MYEXAMPLE77",
        "love-your-neighbour-daily",
        "secret-garden-is-here",
        "your-pass-4kT9",
        "SuperSecretPassword!",
        "change-Password-2024",
        "hunter2",
        "TODO2024!",
        "Fixme!qz7",
        "placeholder",
    ] {
        assert!(!is_example(value), "{value}");
    }
}
