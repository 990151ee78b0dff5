//! Reads the fact records of a tree's files.

use crate::fact_store::{BlockReader, FactStore, RecordLocation};

/// The fact records of a tree's files, in file order.
pub(crate) struct Records<'a> {
    pub(crate) store: &'a FactStore,
    pub(crate) locations: Vec<RecordLocation>,
}

impl Records<'_> {
    /// Returns a reader. Each thread has its own reader, which caches a few decompressed blocks.
    pub(super) fn reader(&self) -> RecordReader<'_> {
        RecordReader { locations: &self.locations, blocks: self.store.reader() }
    }
}

pub(super) struct RecordReader<'r> {
    locations: &'r [RecordLocation],
    blocks: BlockReader<'r>,
}

impl RecordReader<'_> {
    /// Calls `read` with the record of a file. The record is empty if it is damaged.
    pub(super) fn with<T>(&mut self, file: u32, read: impl FnOnce(&[u8]) -> T) -> T {
        read(self.blocks.record(self.locations[file as usize]).unwrap_or_default())
    }
}
