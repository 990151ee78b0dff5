//! Tests of keys that are assigned to the name of a service, of passwords made of words, and of look-alikes near them.

use super::positions::{check_removed, check_unchanged};

#[test]
fn a52_words_with_a_number_are_a_password_after_its_name() {
    check_removed(&[
        ("{\"secret\":\"HeronPass123456\"}", "HeronPass123456"),
        ("REPORT TOKEN=\"ReportDbPass20417\"", "ReportDbPass20417"),
        ("Password: GuestPassword482", "GuestPassword482"),
        ("password = \"WelcomeBack123456\"", "WelcomeBack123456"),
    ]);
    check_unchanged(&[
        "secret: db-credentials",
        "password: password-reset",
        "token: \"accessToken1\"",
        "token = \"BypassToken2\"",
        "secretName: \"AppSecret2024\"",
        "Password: Sha512",
        "token_class = \"PasswordHasher256\"",
    ]);
}
