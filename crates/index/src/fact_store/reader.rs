//! Reads records, and caches the most recently used blocks.

use super::pack::Pack;
use super::{FactStore, RecordLocation};

/// The number of blocks that a reader caches. One is not enough: a build reads the files' records in order but, in
/// between, also the records of imported modules.
const MAX_BLOCKS: usize = 8;

pub(crate) struct BlockReader<'s> {
    packs: &'s [Pack],
    /// The cached blocks. The most recently used one is last.
    blocks: Vec<KeptBlock>,
}

struct KeptBlock {
    pack: u32,
    block: u32,
    bytes: Vec<u8>,
}

impl<'s> BlockReader<'s> {
    pub(super) fn new(packs: &'s [Pack]) -> Self {
        Self { packs, blocks: Vec::with_capacity(MAX_BLOCKS) }
    }

    /// Returns the record at `location`, or `None` if it is damaged.
    pub(crate) fn record(&mut self, location: RecordLocation) -> Option<&[u8]> {
        let RecordLocation { pack, block, at, length } = location;
        let known = self.blocks.iter().position(|it| (it.pack, it.block) == (pack, block));
        match known {
            Some(place) if place + 1 == self.blocks.len() => {}
            Some(place) => {
                let used = self.blocks.remove(place);
                self.blocks.push(used);
            }
            None => {
                let bytes = self.packs.get(pack as usize)?.block(block);
                if self.blocks.len() == MAX_BLOCKS {
                    self.blocks.remove(0);
                }
                self.blocks.push(KeptBlock { pack, block, bytes });
            }
        }
        let start = at as usize;
        let end = start.checked_add(length as usize)?;
        self.blocks.last()?.bytes.get(start..end).filter(|record| !record.is_empty())
    }
}

/// Reads the fact records of a tree's files. Each thread has its own reader, which caches a few decompressed blocks.
pub(crate) struct RecordReader<'r> {
    locations: &'r [RecordLocation],
    blocks: BlockReader<'r>,
}

impl<'r> RecordReader<'r> {
    /// Returns a reader of the records at `locations`, which are in file order.
    pub(crate) fn new(store: &'r FactStore, locations: &'r [RecordLocation]) -> Self {
        Self { locations, blocks: store.reader() }
    }

    /// Calls `read` with the record of a file. The record is empty if it is damaged.
    pub(crate) fn with<T>(&mut self, file: u32, read: impl FnOnce(&[u8]) -> T) -> T {
        read(self.blocks.record(self.locations[file as usize]).unwrap_or_default())
    }
}
