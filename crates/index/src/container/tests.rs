//! A container comes back whole, and no damage goes unseen.

use proptest::prelude::*;

use super::{Container, ContainerWriter, OpenError};

fn sample() -> Vec<u8> {
    let mut writer = ContainerWriter::new();
    assert_eq!(writer.section(b"first"), 0);
    assert_eq!(writer.section(&[7; 50_000]), 1);
    assert_eq!(writer.section(b""), 2);
    writer.finish()
}

#[test]
fn sections_come_back() {
    let container = Container::from_bytes(sample()).unwrap();
    assert_eq!(container.whole(0), b"first");
    assert_eq!(container.bytes(1, 49_990, 10), [7; 10]);
    assert_eq!(container.whole(2), b"");
    assert!(container.verify_all());
}

#[test]
fn a_reference_past_the_end_is_damage_not_a_panic() {
    let container = Container::from_bytes(sample()).unwrap();
    assert_eq!(container.bytes(0, 3, 3), b"");
    assert!(container.damaged());
    assert_eq!(container.bytes(9, 0, 1), b"");
    assert_eq!(container.bytes(1, usize::MAX, 2), b"");
}

#[test]
fn another_format_is_told_apart_from_damage() {
    let mut bytes = sample();
    bytes[8] += 1;
    assert!(matches!(Container::from_bytes(bytes), Err(OpenError::OtherFormat { .. })));
}

proptest! {
    #[test]
    fn every_flipped_bit_is_found(at in any::<prop::sample::Index>(), bit in 0..8_u32) {
        let mut bytes = sample();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        if let Ok(container) = Container::from_bytes(bytes) {
            prop_assert!(!container.verify_all(), "flip at byte {} went unseen", at);
        }
    }

    #[test]
    fn every_truncation_is_found(keep in any::<prop::sample::Index>()) {
        let mut bytes = sample();
        bytes.truncate(keep.index(bytes.len()));
        prop_assert!(Container::from_bytes(bytes).is_err());
    }
}
