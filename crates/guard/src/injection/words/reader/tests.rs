//! Tests of the fast character checks.

use super::{HANGUL_FIRST, HANGUL_LAST, is_alphanumeric};

#[test]
fn fast_checks_agree_with_the_standard_library() {
    for character in '\0'..=char::MAX {
        assert_eq!(is_alphanumeric(character), character.is_alphanumeric(), "{character:?}");
    }
    for character in HANGUL_FIRST..=HANGUL_LAST {
        assert!(character.to_lowercase().eq([character]), "{character:?}");
    }
}
