//! Tests of this module.

use crate::secrets::tokens::{INFIX_RULES, RULES, is_sample_token};
use crate::{redact, table};

#[test]
fn a52_every_rule_redacts_its_example() {
    let rows = table::rows(include_str!("../tables/tokens.txt"));
    for (rule, [_, _, _, example]) in RULES.iter().zip(rows) {
        let token = format!("{}{}", rule.prefix, table::unescaped(example));
        let text = format!("see {token}\nthere");
        let redacted = redact(&text);
        if !rule.shape.contains("{!}") {
            assert_eq!(redacted.text, format!("see {}<redacted>\nthere", rule.prefix), "{token}");
        }
        let secret_end = &token[token.len() - 8..];
        assert!(redacted.text.ends_with("<redacted>\nthere"), "{}", redacted.text);
        assert!(!redacted.text.contains(secret_end), "{}", redacted.text);
        assert_eq!(redacted.redactions[0].kind, rule.kind, "{token}");
    }
}

#[test]
fn a52_a_prefix_alone_is_not_redacted() {
    for rule in RULES.iter() {
        let text = format!("see {}", rule.prefix);
        assert_eq!(redact(&text).text, text);
    }
}

#[test]
fn rules_with_the_same_prefix_are_adjacent() {
    for (index, rule) in RULES.iter().enumerate() {
        let first = RULES.iter().position(|other| other.prefix == rule.prefix).unwrap();
        assert!(
            RULES[first..index].iter().all(|other| other.prefix == rule.prefix),
            "{}",
            rule.prefix
        );
    }
}

#[test]
fn a52_every_infix_rule_redacts_its_example() {
    let rows = table::rows(include_str!("../tables/infix_tokens.txt"));
    for (rule, [_, _, _, _, before, after]) in INFIX_RULES.iter().zip(rows) {
        let token = format!("{before}{}{after}", rule.anchor);
        let redacted = redact(&token);
        assert_eq!(redacted.text, "<redacted>", "{token}");
        assert_eq!(redacted.redactions[0].kind, rule.kind, "{token}");
    }
}

#[test]
fn a52_a_token_in_a_changed_format_is_recognised_by_its_prefix() {
    for token in
        ["CLOJARS_ab023EFd4a266e37d0bc5dba42dcceb36c2", "glsa_18expFWzOsKBumus4TqW7_e5c6b96"]
    {
        let redacted = redact(token);
        assert!(redacted.text.ends_with("_<redacted>"), "{}", redacted.text);
    }
}

#[test]
fn a52_names_that_start_like_a_token_are_not_redacted() {
    for name in [
        "lin_oauth_callback_handler_for_tests",
        "shippo_live_rates_are_loaded_here_v2",
        "test_4f3c2b1a9d8e7f605142332415a6b7c8d9e0f1a2",
        "anyscale_cluster_environment_build_v2_name",
        "retool_workspace_settings_are_loaded_here_v2",
        "cog_rotation_matrix_apk_user_settings_apk_signing_config_release",
        "dict.1.1.0 and trnsl.1.1.20260311",
        "see T3BlbkFJIG1vZGVscw and sk-learn-T3BlbkFJ",
        "1PRK-ABCD is the start of a recovery code",
        "define('AUTH_KEY', AUTH_KEY_FROM_ENVIRONMENT);",
        "define('NONCE_SALT', 'put your unique phrase here');",
        "integrity sha512-mISydD0En55Fq8FXbUfX720K8Vc6/aQYtkFmkp7ntsM=",
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
    ] {
        assert_eq!(redact(name).text, name);
    }
}

#[test]
fn a52_a_signature_inside_a_longer_string_is_not_redacted() {
    let rows = table::rows(include_str!("../tables/infix_tokens.txt"));
    for (rule, [_, _, _, _, before, after]) in INFIX_RULES.iter().zip(rows) {
        if rule.before.max == Some(rule.before.min) {
            let longer = format!("{}{before}{}{after}", &before[..1], rule.anchor);
            assert_eq!(redact(&longer).text, longer);
        }
    }
}

fn is_sample(body: &str) -> bool {
    is_sample_token(&format!("ghp_{body}"), 4)
}

#[test]
fn masks_and_instructions_are_samples() {
    for body in [
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "XXXX-XXXX-XXXX",
        "XXXXXXXXXXXX_BBBBBBBB",
        "9dKxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxTq4",
        "XXXXXX_PASTE_YOUR_KEY_HERE_XXXXXX",
        "2-WorkspaceInstallationTokenHere",
        "1-SOMETHINGFROMTHEPAGEHERE",
        "ghp-my-bot-token",
        "k7Wm2EXAMPLEpQ9xLr4T",
    ] {
        assert!(is_sample(body), "{body}");
    }
}

#[test]
fn other_tokens_are_not_samples() {
    for body in [
        "abcdefghijklmnopqrstuvwxyz0123456789",
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "AAAAAAAAAAAA_BBBBBBBB",
        "62833bf8c07c531abxxxxxxxxxxa6678",
        "k7Wm2pQ9xLr4Tn8vBz3Yc6Hd1Fj5Gs0aHere",
        "k7Wm2exAmplepQ9xLr4Tn8vBz3",
    ] {
        assert!(!is_sample(body), "{body}");
    }
}

/// A text can repeat a prefix and a mask, so a sample is recognised by the start of its body.
#[test]
fn only_the_start_of_a_long_body_is_examined() {
    let body = format!("{}EXAMPLE", "k7Wm2pQ9".repeat(40));
    assert!(!is_sample(&body));
}
