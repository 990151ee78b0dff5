//! Tests of this module.

use crate::secrets::shape::{RunEnds, matched_end};

fn check(shape: &str, text: &str, expected: Option<usize>) {
    assert_eq!(
        matched_end(shape, text.as_bytes(), 0, &mut RunEnds::default()),
        expected,
        "`{shape}` on `{text}`"
    );
}

#[test]
fn a_run_respects_its_bounds() {
    check("{x4}", "beef", Some(4));
    check("{x4}", "bee", None);
    check("{x4}", "beefs", Some(4));
    check("{x4}", "beefa", None);
    check("{x2-4}", "bee!", Some(3));
    check("{x2-}", "beefbeef ", Some(8));
}

#[test]
fn literals_match_between_runs() {
    check("{d2}-{a3}", "12-abc", Some(6));
    check("{d2}-{a3}", "12_abc", None);
    check("{d2}.{a3}.", "12.abc.def", Some(7));
}

#[test]
fn a_cached_run_has_the_same_end() {
    let mut runs = RunEnds::default();
    assert_eq!(matched_end("{a2-}", b"abcdef ", 0, &mut runs), Some(6));
    assert_eq!(matched_end("{a2-}", b"abcdef ", 3, &mut runs), Some(6));
    assert_eq!(matched_end("{a2-}", b"abcdef ", 5, &mut runs), None);
}
