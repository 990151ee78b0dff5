//! Tests of the shape notation.

use super::matched_length;

fn check(shape: &str, text: &str, expected: Option<usize>) {
    assert_eq!(matched_length(shape, text.as_bytes()), expected, "`{shape}` on `{text}`");
}

#[test]
fn a_run_has_bounds() {
    check("{x4}", "beef", Some(4));
    check("{x4}", "bee", None);
    check("{x4}", "beefs", Some(4));
    check("{x4}", "beefa", None);
    check("{x2-4}", "bee!", Some(3));
    check("{x2-}", "beefbeef ", Some(8));
}

#[test]
fn literals_stand_between_runs() {
    check("{d2}-{a3}", "12-abc", Some(6));
    check("{d2}-{a3}", "12_abc", None);
    check("{d2}.{a3}.", "12.abc.def", Some(7));
}
