//! Tests of this module.

use crate::secrets::presentation::own_texts;

fn check(text: &str, expected: &[&str]) {
    let found: Vec<String> = own_texts(text).into_iter().map(|own| own.text).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn line_numbers_are_prefixes() {
    check("7| a:\n8|   b\n", &["a:\n  b\n"]);
    check("7:a:\n8:  b\n", &["a:\n  b\n"]);
    check("     7\ta\n     8\tb\n", &["a\nb\n"]);
    check("     7→a\n     8→b\n", &["a\nb\n"]);
    check("   7 │ a\n   8 │ b\n", &["a\nb\n"]);
    check("   7 a\n   8 b\n", &["a\nb\n"]);
    check("7-a\n8:b\n--\n", &["a\nb\n", "-\n", ""]);
    check("8: a\n7: b\n", &[" a\n", " b\n"]);
    check("seven apples\n", &[]);
}

#[test]
fn places_and_labels_are_prefixes() {
    check("src/a.rs:7:a\nsrc/a.rs:8:b\nsrc/b.rs:1:c\n", &["a\nb\n", "c\n"]);
    check("src/a.rs-7-a\nsrc/a.rs:8:5:b\n", &["a\nb\n"]);
    check("src/a.yaml:a: 1\nsrc/a.yaml:b: 2\n", &["a: 1\nb: 2\n"]);
    check("web-1  | a\nweb-1  | b\n", &["a\nb\n"]);
    check("[worker] a\n[worker] b\n", &["a\nb\n"]);
    check("spring.url: a\nspring.user: b\n", &[" a\n", " b\n"]);
}

#[test]
fn time_stamps_are_prefixes() {
    for stamp in [
        "2026-11-18T10:00:00Z ",
        "2026-11-18T10:00:00.123+01:00 ",
        "2026-11-18 10:00:00,123 INFO ",
        "[2026-11-18 10:00:00] ",
        "2026/11/18 10:00:00 ",
        "10:00:00 [warn] ",
        "Nov  8 10:00:00 host sshd[12]: ",
    ] {
        check(&format!("{stamp}a\n{stamp}b\n"), &["a\nb\n"]);
    }
}

#[test]
fn a_diff_has_an_old_and_a_new_text() {
    check("@@ -1,2 +1,2 @@\n a\n-b\n+c\n d\n", &["a\nb\nd\n", "a\nc\nd\n"]);
    check("- a\n  b\n- c\n", &[" a\n b\n c\n", " b\n"]);
    check("    indented\n    code\n", &[]);
}

#[test]
fn quote_marks_are_prefixes() {
    check("> a\n>\n> b\n", &["a\n\nb\n"]);
    check("< a\n---\n> b\n", &["a\n", "--\n", "", "b\n"]);
}
