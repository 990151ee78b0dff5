use super::*;

fn rules(patterns: &[&str]) -> Redaction {
    let patterns = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
    Redaction::new(&RedactionRules { enabled: true, patterns }).unwrap()
}

/// Put together here so that no line of ours looks like a live token.
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
    assert!(error.contains("`([a-z` is no regular expression"), "{error}");
}

#[test]
fn c7_a_value_known_by_its_name_goes_without_its_name_too() {
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
