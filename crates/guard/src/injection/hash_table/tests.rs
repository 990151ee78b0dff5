//! Tests of the hash table.

use super::HashTable;

fn values(table: &HashTable, hash: u32) -> Vec<u16> {
    table.values(hash).collect()
}

#[test]
fn every_value_is_found_after_growth() {
    let mut table = HashTable::default();
    let hash = |value: u16| u32::from(value).wrapping_mul(0x0100_0193);
    (1..=2000).for_each(|value| table.insert(hash(value), value));
    for value in 1..=2000 {
        assert!(table.may_contain(hash(value)));
        assert_eq!(values(&table, hash(value)), [value]);
    }
    assert!(values(&table, hash(2001)).is_empty());
}

#[test]
fn values_of_one_hash_are_all_found() {
    let mut table = HashTable::default();
    (1..=100).for_each(|value| table.insert(u32::MAX, value));
    let mut found = values(&table, u32::MAX);
    found.sort_unstable();
    assert_eq!(found, (1..=100).collect::<Vec<u16>>());
    assert!(!table.may_contain(0));
}
