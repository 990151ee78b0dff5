//! Tests of this module.

use crate::bytes::ends_with;
use crate::secrets::forms::{is_chosen_password, is_random};

#[test]
fn random_values_are_recognised() {
    for value in [
        "b901ny2ffwazl8s",
        "4960d2fba0e68491bf25ef938e60fe83",
        "605b80c8-185f-379f-ee6e-00e8993fc5da",
        "615e42b0:9390375d",
        "SKe6b21946630120f246177f31f293bad5",
        "6670114519852943",
        "1977053759392363-zEMmG1qnxrJIie3gmEpARY5XOo",
    ] {
        assert!(is_random(value), "{value}");
    }
}

#[test]
fn look_alikes_are_not_random() {
    for value in [
        "getFrozenTopLeftViewPointRange",
        "oplog_reader_password",
        "${SECRET_FROM_ENV_7f3a9b}",
        "https://example.com/a8f3",
        "11111111-1111-1111-1111-111111111111",
        "your_api_key_x7f2q9",
        "sha256:9f86d081884c7d659a2feaa0c55ad015",
        "xxxxxxxxxxxxxxxx",
    ] {
        assert!(!is_random(value), "{value}");
    }
}

#[test]
fn the_end_of_a_name_is_compared_without_case() {
    assert!(ends_with(b"DB_UserName", b"username"));
    assert!(!ends_with(b"name", b"username"));
    assert!(!ends_with("é".as_bytes(), b"e"));
}

#[test]
fn a_password_has_three_kinds_of_characters() {
    for password in
        ["yew.Tree.Gravel", "n3ttle^fen", "larkRise44", "iDr@c-Turnstone", "sand.martin8"]
    {
        assert!(is_chosen_password(password), "{password}");
    }
}

#[test]
fn addresses_versions_and_descriptions_are_not_passwords() {
    for other in [
        "j.Doe@acme.io",
        "v1.24.0-rc1",
        "2024-05-01",
        "Base64-encoded",
        "README.md",
        "db1.acme.lan",
        "A=b.c1xyz",
        "correct-horse",
        "password1",
        "Access-Token",
    ] {
        assert!(!is_chosen_password(other), "{other}");
    }
}
