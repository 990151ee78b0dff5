use super::*;

fn rules(patterns: &[&str]) -> Redaction {
    let patterns = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
    Redaction::new(&RedactionRules { enabled: true, patterns }).unwrap()
}

/// Returns a token. The parts are joined at run time so that the source contains no valid token.
fn token() -> String {
    format!("ghp_{}", "Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zB0cD3fG6")
}

#[test]
fn c7_a_callers_pattern_is_added_to_the_rules() {
    let redaction = rules(&["TICKET-[0-9]+", "a/b"]);
    let clean = redaction.text(&format!("TICKET-4711 {} a/b", token()));
    assert!(
        !clean.contains("4711") && !clean.contains(&token()) && !clean.contains("a/b"),
        "{clean}"
    );
}

#[test]
fn c7_a_bad_pattern_is_named() {
    let rules = RedactionRules { enabled: true, patterns: vec!["([a-z".to_owned()] };
    let error = Redaction::new(&rules).unwrap_err().to_string();
    assert!(error.contains("`([a-z` is not a usable regular expression"), "{error}");
}

#[test]
fn c7_a_value_recognised_by_its_name_is_removed_everywhere() {
    let redaction = rules(&[]);
    let secret = "q8Zr-2LkP-77xvWm-0aTe";
    let first = redaction.text(&format!("password = \"{secret}\""));
    assert!(!first.contains(secret), "{first}");
    let second = redaction.text(&format!("I logged in with {secret} and it worked"));
    assert!(!second.contains(secret), "{second}");
    let mut stream = redaction.stream();
    let mut out = stream.push(format!("again {}", &secret[..9]).as_bytes());
    out.extend(stream.push(format!("{}\n", &secret[9..]).as_bytes()));
    out.extend(stream.finish());
    assert!(!String::from_utf8(out).unwrap().contains(secret));
}

#[test]
fn c7_arguments_are_judged_by_the_flag_before_them() {
    let redaction = rules(&[]);
    let arguments = ["--api-key", "Zx81Kq02Lm93Pw74Rt65", "--task", "add a test"];
    let clean = redaction.arguments(&arguments.map(str::to_owned));
    assert!(!clean.join(" ").contains("Zx81Kq02Lm93Pw74Rt65"), "{clean:?}");
    assert_eq!(clean[3], "add a test");
}

#[test]
fn c7_without_redaction_every_byte_stays() {
    let redaction =
        Redaction::new(&RedactionRules { enabled: false, patterns: vec!["x+".to_owned()] })
            .unwrap();
    assert_eq!(redaction.text(&token()), token());
    assert_eq!(redaction.stream().push(b"xxx"), b"xxx");
}

/// A mark in the original text is not remembered as a value.
#[test]
fn c7_a_mark_in_the_input_is_not_remembered_as_a_value() {
    let redaction = rules(&["TICKET-[0-9]+"]);
    let clean = redaction.text("password = \"q8Zr-2LkP-77xvWm\"TICKET-0<redacted>");
    assert_eq!(clean, "password = \"<redacted>\"<redacted><redacted>");
    assert_eq!(redaction.text(&clean), clean);
    assert_eq!(redaction.text("<redacted><redacted>"), "<redacted><redacted>");
    assert_eq!(redaction.text("I typed q8Zr-2LkP-77xvWm"), "I typed <redacted>");
}

/// A model may add patterns. No pattern may hide a secret from the guard.
#[test]
fn c7_a_pattern_does_not_hide_a_secret_from_the_guard() {
    let secret = "q8Zr-2LkP-77xvWm-0aTe";
    let said = format!("password = \"{secret}\"\nsee {}\n", token());
    for pattern in ["password", "=", "\"", "ghp_", "[a-z]+ = ", "\\b", "^", "(?m)$", ""] {
        let redaction = rules(&[pattern]);
        let mut stream = redaction.stream();
        let mut out = stream.push(said.as_bytes());
        out.extend(stream.finish());
        let named = redaction.named("password", secret);
        for clean in [redaction.text(&said), String::from_utf8(out).unwrap(), named] {
            assert!(
                !clean.contains(secret) && !clean.contains(&token()[4..]),
                "{pattern}: {clean}"
            );
            assert!(clean.len() < 2 * said.len(), "{pattern}: {clean}");
        }
    }
}

#[test]
fn c7_patterns_are_bounded_in_number_length_and_size() {
    let check = |patterns: Vec<String>| {
        Redaction::new(&RedactionRules { enabled: true, patterns })
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert_eq!(check(vec!["x".to_owned(); MAX_PATTERNS]), Ok(()));
    assert!(check(vec!["x".to_owned(); MAX_PATTERNS + 1]).unwrap_err().contains("33 patterns"));
    assert!(check(vec!["x".repeat(MAX_PATTERN_BYTES + 1)]).unwrap_err().contains("1001 bytes"));
    assert!(check(vec!["(?:\\w{100}){100}".to_owned()]).unwrap_err().contains("size limit"));
}

proptest::proptest! {
    #[test]
    fn c7_no_output_breaks_a_clean_stream(
        pieces in proptest::collection::vec("(TICKET-[0-9]{1,5}|password = \"[a-z0-9!]{6,20}\"|(?s:.){0,12}|登录|\n|<redacted>|-----BEGIN RSA PRIVATE KEY-----\n){0,4}", 0..8),
        size in 1..50_usize,
    ) {
        let redaction = rules(&["TICKET-[0-9]+"]);
        let text = pieces.concat();
        let clean = redaction.text(&text);
        proptest::prop_assert_eq!(redaction.text(&clean), clean);
        let mut stream = redaction.stream();
        let mut out: Vec<u8> = text.as_bytes().chunks(size).flat_map(|chunk| stream.push(chunk)).collect();
        out.extend(stream.finish());
        let out = String::from_utf8(out);
        proptest::prop_assert!(out.as_ref().is_ok_and(|out| !out.contains("TICKET-1")), "{:?}", out);
        let mut value = serde_json::json!({"args": [text.clone(), {"password": text}]});
        redaction.json(&mut value, usize::MAX);
        proptest::prop_assert!(!value.to_string().contains("TICKET-1"));
    }
}
