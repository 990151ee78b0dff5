//! Reads the fact records of a tree's files from memory or from packs.

use crate::fact_store::{BlockReader, FactStore, RecordLocation};

/// The fact records of a tree's files, in file order.
pub(crate) enum Records<'a> {
    Memory(Vec<&'a [u8]>),
    Packs { store: &'a FactStore, locations: Vec<RecordLocation> },
}

impl Records<'_> {
    /// Returns a reader. Each thread has its own reader, which caches a few decompressed blocks.
    pub(super) fn reader(&self) -> RecordReader<'_> {
        let blocks = match self {
            Self::Memory(_) => None,
            Self::Packs { store, .. } => Some(store.reader()),
        };
        RecordReader { records: self, blocks }
    }
}

pub(super) struct RecordReader<'r> {
    records: &'r Records<'r>,
    blocks: Option<BlockReader<'r>>,
}

impl RecordReader<'_> {
    /// Calls `read` with the record of a file. The record is empty if it is damaged.
    pub(super) fn with<T>(&mut self, file: u32, read: impl FnOnce(&[u8]) -> T) -> T {
        let record = match (self.records, &mut self.blocks) {
            (Records::Memory(records), _) => records[file as usize],
            (Records::Packs { locations, .. }, Some(blocks)) => {
                blocks.record(locations[file as usize]).unwrap_or_default()
            }
            (Records::Packs { .. }, None) => &[],
        };
        read(record)
    }
}
