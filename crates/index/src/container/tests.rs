//! Tests round trips of a container and the detection of damage.

use std::fs;

use proptest::prelude::*;
use tempfile::TempDir;

use super::{Container, OpenError, PAGE, container_of};

fn sample() -> Vec<u8> {
    container_of([b"first".to_vec(), many_bytes(), Vec::new()]).unwrap()
}

/// Returns more than three pages of bytes. Each page is different.
fn many_bytes() -> Vec<u8> {
    (0..50_000_u32).map(|number| (number / 251) as u8 ^ number as u8).collect()
}

fn opened(bytes: &[u8]) -> (TempDir, Result<Container, OpenError>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("container");
    fs::write(&path, bytes).unwrap();
    let container = Container::open(&path);
    (folder, container)
}

#[test]
fn sections_are_read_back() {
    let (_folder, from_file) = opened(&sample());
    for container in [from_file.unwrap(), Container::from_bytes(sample()).unwrap()] {
        assert_eq!(container.whole(0), b"first");
        assert_eq!(container.whole(1), many_bytes());
        assert_eq!(container.whole(2), b"");
        // Ranges within one page and across one or two page boundaries, not sorted by length.
        for (start, end) in
            [(49_990, 50_000), (100, 17_000), (16_000, 16_500), (100, 40_000), (0, 5)]
        {
            assert_eq!(container.bytes(1, start, end - start), &many_bytes()[start..end]);
        }
        assert!(container.verify_all() && !container.damaged());
    }
}

#[test]
fn a_part_within_a_page_is_a_prefix() {
    let (_folder, container) = opened(&sample());
    let container = container.unwrap();
    let near = container.bytes_in_page(1, 16_000, 8_000);
    assert!(!near.is_empty() && near.len() < 8_000);
    assert_eq!(near, &many_bytes()[16_000..16_000 + near.len()]);
    assert_eq!(container.bytes_in_page(1, 0, 10), &many_bytes()[..10]);
}

#[test]
fn a_file_overwritten_while_open_does_not_change_what_was_read() {
    let (folder, container) = opened(&sample());
    let (container, path) = (container.unwrap(), folder.path().join("container"));
    let read = container.bytes(1, 0, 100).to_vec();
    fs::write(&path, vec![0; sample().len()]).unwrap();
    assert_eq!(container.bytes(1, 0, 100), read);
    assert!(!container.damaged());
    assert!(container.bytes(1, 40_000, 100).is_empty() && container.damaged());
}

#[test]
fn a_file_truncated_while_open_is_reported_as_damage() {
    let (folder, container) = opened(&sample());
    let container = container.unwrap();
    fs::write(folder.path().join("container"), b"").unwrap();
    assert!(container.bytes(1, 40_000, 100).is_empty() && container.damaged());
    assert!(!container.verify_all());
}

#[test]
fn swapped_pages_are_detected() {
    let mut bytes = sample();
    let (one, other) = (super::HEADER..super::HEADER + PAGE, super::HEADER + PAGE);
    let moved = bytes[one.clone()].to_vec();
    bytes.copy_within(other..other + PAGE, one.start);
    bytes[other..other + PAGE].copy_from_slice(&moved);
    let (_folder, container) = opened(&bytes);
    assert!(!container.unwrap().verify_all());
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
fn another_format_is_distinguished_from_damage() {
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
        let (_folder, container) = opened(&bytes);
        if let Ok(container) = container {
            prop_assert!(!container.verify_all(), "flip at byte {} was not detected", at);
        }
    }

    #[test]
    fn every_truncation_is_found(keep in any::<prop::sample::Index>()) {
        let mut bytes = sample();
        bytes.truncate(keep.index(bytes.len()));
        prop_assert!(opened(&bytes).1.is_err());
    }
}
