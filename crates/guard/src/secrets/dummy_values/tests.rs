//! Tests of dummy values, and of random values that must not count as dummy values.

use super::is_dummy;

#[test]
fn alphabets_repetitions_and_words_are_dummies() {
    for value in [
        "0123456789abcdef0123456789abcdef",
        "abcde+fghijklmnopqrstuvwxyz012345",
        "1bcdefghij2bcdefghij3bcdefghijABCD",
        "aBcDeFgHiJkLmNoPqRsTuVwXyZ012345",
        "zyxwvutsrqponmlkjihgfedcba",
        "a1b2a1b2a1b2a1b2",
        "lRq7K-z5kf4-please-ignore-me-X-XIJM2",
        "fake-token-7f3a9b2c4d",
    ] {
        assert!(is_dummy(value), "{value}");
    }
}

#[test]
fn random_values_are_not_dummies() {
    for value in [
        "b901ny2ffwazl8s",
        "4960d2fba0e68491bf25ef938e60fe83",
        "605b80c8-185f-379f-ee6e-00e8993fc5da",
        "12345678-abcd-abcd-abcd-1234567890ab",
        "wzRk3fQ2VbW8mYpLtXcN5dJhGsA7uEoI",
        "6670114519852943",
        "MC4CAQAwBQYDK2VwBCIEIJ7kFBaOujmoz1gv",
    ] {
        assert!(!is_dummy(value), "{value}");
    }
}

/// Generates hexadecimal keys with a small pseudorandom generator. None of the keys may count as a dummy value.
#[test]
fn random_hexadecimal_keys_are_not_dummies() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let taken = (0..20_000).filter(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        is_dummy(&format!(
            "{state:016x}{:016x}",
            state.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ))
    });
    assert_eq!(taken.count(), 0);
}
