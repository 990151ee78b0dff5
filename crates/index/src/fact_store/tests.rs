//! Tests that packs are stored, read and merged, and that damaged packs are ignored.

use std::fs;
use std::path::Path;

use super::{FactKey, FactStore, MAX_PACKS};
use crate::facts::Reading;

fn key(number: u8) -> FactKey {
    FactKey::new([number; 16], Reading::Prose)
}

/// Adds facts and merges packs if necessary, as a build does.
fn save(folder: &Path, new: &[(FactKey, &[u8])], live: &[FactKey]) {
    let mut store = FactStore::open(folder);
    for (key, record) in new {
        store.add(*key, record).unwrap();
    }
    store.end_adding().unwrap();
    let live: Vec<_> = live.iter().filter_map(|key| store.find(*key)).collect();
    store.merge_packs(&live).unwrap();
}

#[test]
fn facts_are_found_again_and_packs_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let records: Vec<Vec<u8>> = (0..30_u8).map(|number| vec![number; 100]).collect();
    for (number, record) in records.iter().enumerate() {
        let live: Vec<FactKey> = (0..number as u8).map(key).collect();
        save(folder.path(), &[(key(number as u8), record)], &live);
    }
    let store = FactStore::open(folder.path());
    for (number, record) in records.iter().enumerate() {
        assert_eq!(store.get(key(number as u8)).as_ref(), Some(record));
    }
    assert_eq!(store.get(key(99)), None);
    assert_eq!(store.get(FactKey::new([1; 16], Reading::Data)), None);
    assert!(fs::read_dir(folder.path()).unwrap().count() <= MAX_PACKS);
}

#[test]
fn unused_facts_are_dropped_when_they_outweigh_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let big = vec![1; 3 << 20];
    save(folder.path(), &[(key(1), &big), (key(2), b"small")], &[key(1), key(2)]);
    save(folder.path(), &[(key(3), b"new")], &[key(2), key(3)]);
    let store = FactStore::open(folder.path());
    assert_eq!(
        (store.get(key(1)), store.get(key(2)), store.get(key(3))),
        (None, Some(b"small".to_vec()), Some(b"new".to_vec()))
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_damaged_pack_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    save(folder.path(), &[(key(1), b"one")], &[key(1)]);
    save(folder.path(), &[(key(2), b"two")], &[key(1), key(2)]);
    let mut packs: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    packs.sort();
    let mut bytes = fs::read(&packs[0]).unwrap();
    bytes.truncate(bytes.len() - 1);
    fs::write(&packs[0], bytes).unwrap();
    let store = FactStore::open(folder.path());
    assert_eq!((store.get(key(1)), store.get(key(2))), (None, Some(b"two".to_vec())));
}

#[test]
fn a_damaged_record_is_not_found() {
    let folder = tempfile::tempdir().unwrap();
    let record: Vec<u8> = (0..u16::MAX).flat_map(u16::to_le_bytes).collect();
    save(folder.path(), &[(key(1), &record)], &[key(1)]);
    let pack = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&pack).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    fs::write(&pack, bytes).unwrap();
    assert_eq!(FactStore::open(folder.path()).find(key(1)), None);
    assert_eq!(FactStore::open_for_few(folder.path(), false).find(key(1)), None);
}

#[test]
fn records_that_were_added_without_a_folder_are_read_from_memory() {
    let mut store = FactStore::default();
    let place = store.add(key(1), b"one").unwrap();
    assert_eq!(store.add(key(1), b"one").unwrap(), place);
    store.end_adding().unwrap();
    assert_eq!(store.reader().record(place), Some(b"one".as_slice()));
}
