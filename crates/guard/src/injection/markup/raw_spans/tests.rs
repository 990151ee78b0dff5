//! Checks that `raw_spans` finds the same spans as a search for every tag and role at every position.

use std::ops::Range;

use proptest::prelude::*;

use super::{MARKUP, ROLE_TRIGGERS, TAGS, raw_spans};

fn check(text: &str) -> Result<(), TestCaseError> {
    let hits = MARKUP.hits(text.as_bytes()).map(|hit| (hit.start, hit.end));
    let mut expected: Vec<(usize, usize)> = hits.collect();
    let mut found: Vec<(usize, usize)> =
        raw_spans(text.as_bytes()).into_iter().map(|Range { start, end }| (start, end)).collect();
    expected.sort_unstable();
    found.sort_unstable();
    prop_assert_eq!(found, expected);
    Ok(())
}

#[test]
fn every_tag_and_role_is_found() {
    for text in TAGS.iter().chain(ROLE_TRIGGERS.iter()) {
        let text = format!("{} {}", text.to_uppercase(), text);
        assert!(raw_spans(text.as_bytes()).iter().any(|span| span.start == 0), "{text}");
        check(&text).unwrap();
    }
}

proptest! {
    #[test]
    fn nothing_else_is_found(pieces in prop::collection::vec((0..TAGS.len() + ROLE_TRIGGERS.len(), "[a-zS#<:\\[ é]{0,3}", any::<bool>()), 0..12)) {
        let mut text = String::new();
        for (index, between, is_upper) in pieces {
            let piece = TAGS.iter().chain(ROLE_TRIGGERS.iter()).nth(index).unwrap();
            text += &if is_upper { piece.to_uppercase() } else { (*piece).to_owned() };
            text += &between;
        }
        check(&text)?;
    }
}
