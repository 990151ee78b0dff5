//! Tests of printed values: each stays wherever a secret would go, and its neighbours go.

use super::PUBLISHED;
use crate::redact;

#[test]
fn printed_values_stay() {
    for (first, second) in PUBLISHED {
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
fn a_value_that_differs_in_one_character_goes() {
    let text = format!("aws {}{}", "AKIA", "IOSFODNN7EXAMPLF");
    assert_eq!(redact(&text).text, "aws AKIA<redacted>");
}
