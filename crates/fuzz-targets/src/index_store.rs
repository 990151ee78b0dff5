//! Fuzzes the readers of index store objects and of the facts in them.

/// Reads the bytes as every kind of object and as a record of facts. No reader may panic, and reading the same bytes
/// must always have the same result.
pub fn index_store(bytes: &[u8]) {
    assert_eq!(
        fact_exchange::fuzzing::read_object(bytes),
        fact_exchange::fuzzing::read_object(bytes)
    );
    assert_eq!(index::fuzzing::read_facts(bytes), index::fuzzing::read_facts(bytes));
}
