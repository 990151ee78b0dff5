//! Every rule takes out its own example, under its own kind, and leaves the prefix.

use super::RULES;
use crate::redact;

#[test]
fn a52_every_rule_takes_out_its_example() {
    for rule in RULES {
        let token = format!("{}{}", rule.prefix, rule.example);
        let text = format!("see {token} there");
        let redacted = redact(&text);
        assert_eq!(redacted.text, format!("see {}<redacted> there", rule.prefix), "{token}");
        assert_eq!(redacted.redactions[0].kind, rule.kind, "{token}");
    }
}

#[test]
fn a52_half_a_token_is_not_one() {
    for rule in RULES {
        let text = format!("see {}", rule.prefix);
        assert_eq!(redact(&text).text, text);
    }
}

#[test]
fn rules_with_the_same_prefix_stand_together() {
    for (index, rule) in RULES.iter().enumerate() {
        let first = RULES.iter().position(|other| other.prefix == rule.prefix).unwrap();
        assert!(
            RULES[first..index].iter().all(|other| other.prefix == rule.prefix),
            "{}",
            rule.prefix
        );
    }
}
