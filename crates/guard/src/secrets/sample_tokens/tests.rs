//! Tests of sample tokens, and of tokens that must not count as samples.

use super::is_sample_token;

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
