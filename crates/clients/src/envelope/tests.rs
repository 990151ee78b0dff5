use serde_json::Value;

use super::*;
use crate::Client;

fn text_of(n_findings: usize, finding: &str) -> String {
    ModelText {
        head: "Auto Tools Results".into(),
        findings: vec![finding.into(); n_findings],
        foot: "end".into(),
    }
    .text()
}

#[test]
fn a4_the_envelope_has_known_fields_only() {
    let envelope = Envelope::new("evidence", Some("two\nlines".into()));
    let expected = r#"{"hookSpecificOutput":{"additionalContext":"evidence","hookEventName":"UserPromptSubmit"},"systemMessage":"two lines"}"#;
    assert_eq!(Client::ClaudeCode.envelope(&envelope), expected);
    assert_eq!(Client::Codex.envelope(&envelope), expected);
}

#[test]
fn nothing_to_say_is_still_one_object() {
    let empty = Envelope::default();
    let claude: Value = serde_json::from_str(&Client::ClaudeCode.envelope(&empty)).unwrap();
    assert_eq!(claude["hookSpecificOutput"]["additionalContext"], "");
    assert_eq!(Client::Codex.envelope(&empty), "{}");
}

#[test]
fn a_long_context_is_cut_between_findings_for_bytes_and_utf16_alike() {
    for finding in ["x".repeat(900), "长".repeat(300), "🦀".repeat(225)] {
        let context = Envelope::new(&text_of(20, &finding), None).context;
        assert!(context.len() <= MAX_UNITS && context.encode_utf16().count() <= MAX_UNITS);
        let whole = context.split("\n\n").filter(|part| *part == finding).count();
        assert!(whole >= 9, "{whole}");
        assert!(context.contains("[truncated") && context.ends_with("end"));
    }
}

#[test]
fn a_text_of_another_layout_is_cut_at_a_line() {
    let context = Envelope::new(&"a line of another kernel\n".repeat(1000), None).context;
    assert!(context.len() <= MAX_UNITS && context.ends_with("kernel\n[truncated]"));
    assert_eq!(Envelope::new(&"x".repeat(20_000), None).context, "");
}

proptest::proptest! {
    #[test]
    fn every_client_takes_whatever_a_kernel_says(
        pieces in proptest::collection::vec("(\\PC{0,40}|\n|\n\n|[\r\t\u{0}\u{1b}\u{2028}]|登录|😀){0,8}", 0..40),
        times in 1..60_usize,
        message in proptest::option::of("(?s:.){0,400}"),
    ) {
        let context = pieces.concat().repeat(times);
        let envelope = Envelope::new(&context, message);
        proptest::prop_assert!(fits(&envelope.context));
        proptest::prop_assert!(!fits(&context) || envelope.context == context);
        for client in [Client::ClaudeCode, Client::Codex] {
            let said = client.envelope(&envelope);
            proptest::prop_assert!(serde_json::from_str::<Value>(&said).is_ok_and(|said| said.is_object()));
            proptest::prop_assert!(!said.contains('\n'));
        }
    }
}
