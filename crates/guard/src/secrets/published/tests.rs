//! Tests of published values: they are never redacted, but similar values are.

use super::PUBLISHED;
use crate::redact;

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
