//! Tests of redaction (A52).

use super::redact;

fn check(text: &str, expected: &str) {
    let redacted = redact(text);
    assert_eq!(redacted.text, expected);
    assert_eq!(redact(&redacted.text).text, expected, "redacting twice changes nothing more");
}

#[test]
fn a52_tokens_keep_their_prefix() {
    check(concat!("id AK", "IAQ3EGRT7ZK2MWX5NB end"), "id AKIA<redacted> end");
    check("Authorization: Bearer 8fK2mQ9xLr4Tn8vBz3Yc", "Authorization: Bearer <redacted>");
}

#[test]
fn a52_a_private_key_goes_as_a_whole() {
    check(
        "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq0\nabcdefgh\n-----END RSA PRIVATE KEY-----\nb",
        "a\n-----BEGIN RSA PRIVATE KEY-----<redacted>-----END RSA PRIVATE KEY-----\nb",
    );
}

#[test]
fn ordinary_code_is_untouched() {
    for line in
        ["password = None", "token = self.get_token(request)", "let secret = Secret::new();"]
    {
        check(line, line);
    }
}
