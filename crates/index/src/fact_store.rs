//! Stores facts on disk by content hash, so that the same content is analysed only once, even after restarts and in
//! other branches and worktrees.
//!
//! Facts are written to immutable files called packs. Records are compressed in blocks, because a build reads nearly
//! all of them. New facts are written to a new pack. If there are too many packs, or too many unused records in them,
//! the packs are merged into one. Only the process that holds the store's lock writes or removes packs.

#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cache_paths::write_atomically;
use crate::codec::{Cursor, put_varint};
use crate::container::{Container, ContainerWriter, FORMAT};
use crate::facts::{FACTS_VERSION, Reading};

/// The number of packs that triggers a merge. If there are at least this many packs, the next save merges them into
/// one.
const MAX_PACKS: usize = 12;
/// The maximum size of unused records, as a multiple of the size of the used ones. Unused records, such as those of
/// other branches, are removed only if they exceed this size by more than 1 MiB.
const MAX_UNUSED_RATIO: u64 = 1;

/// The key of a record of facts: the hash of the content, and a code for the way the content was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FactKey {
    pub(crate) hash: [u8; 16],
    reading: u8,
}

impl FactKey {
    pub(crate) fn new(hash: [u8; 16], reading: Reading) -> Self {
        Self { hash, reading: reading.code() }
    }

    pub(crate) fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.hash);
        out.push(self.reading);
    }

    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Self {
        let mut hash = [0; 16];
        if let Ok(bytes) = cursor.slice(16).try_into() {
            hash = bytes;
        }
        Self { hash, reading: cursor.byte() }
    }
}

#[derive(Default)]
pub(crate) struct FactStore {
    packs: Vec<Pack>,
    locations: FxHashMap<FactKey, RecordLocation>,
    /// Facts that are not yet in a pack.
    unsaved: FxHashMap<FactKey, Vec<u8>>,
}

struct Pack {
    path: PathBuf,
    number: u64,
    container: Container,
    blocks: Vec<Block>,
    record_bytes: u64,
}

/// Records that are compressed together. The block is decompressed when one of its records is first read.
struct Block {
    at: usize,
    packed: usize,
    unpacked: usize,
    bytes: OnceLock<Vec<u8>>,
}

#[derive(Clone, Copy)]
struct RecordLocation {
    pack: u32,
    block: u32,
    at: u32,
    length: u32,
}

const TABLE_SECTION: usize = 0;
const BLOCKS_SECTION: usize = 1;
/// The target size of a block before compression: large enough to compress well, small enough that reading a few
/// records is cheap.
const BLOCK_BYTES: usize = 256 * 1024;
/// The maximum size of a decompressed block. Records are a few megabytes at most, so a larger block is treated as
/// damaged.
const MAX_BLOCK_BYTES: usize = 256 * 1024 * 1024;

impl FactStore {
    /// Opens all packs in `folder`. Packs that cannot be opened are ignored.
    pub(crate) fn open(folder: &Path) -> Self {
        let mut store = Self::default();
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<(u64, PathBuf)> = entries
            .map(|entry| entry.path())
            .filter_map(|path| Some((pack_number(&path)?, path)))
            .collect();
        paths.sort_unstable();
        for (number, path) in paths {
            if let Ok(container) = Container::open(&path) {
                store.add(path, number, container);
            }
        }
        store
    }

    /// Adds an opened pack. The pack's table has one entry per block, which contains the compressed size and the
    /// records of the block in order.
    fn add(&mut self, path: PathBuf, number: u64, container: Container) {
        let pack = self.packs.len() as u32;
        let (mut blocks, mut block_at, mut record_bytes) = (Vec::new(), 0, 0);
        let mut cursor = Cursor::new(container.whole(TABLE_SECTION));
        while !cursor.is_empty() {
            let (packed, n_records) = (cursor.small() as usize, cursor.small());
            let mut at = 0_u32;
            for _ in 0..n_records {
                let key = FactKey::read(&mut cursor);
                let length = cursor.small();
                if cursor.is_exhausted_early() {
                    break;
                }
                let location = RecordLocation { pack, block: blocks.len() as u32, at, length };
                self.locations.insert(key, location);
                at = at.saturating_add(length);
            }
            record_bytes += u64::from(at);
            blocks.push(Block {
                at: block_at,
                packed,
                unpacked: at as usize,
                bytes: OnceLock::new(),
            });
            block_at = block_at.saturating_add(packed);
        }
        self.packs.push(Pack { path, number, container, blocks, record_bytes });
    }

    /// Adds facts that the next [`Self::save`] writes to a pack.
    pub(crate) fn add_unsaved(&mut self, key: FactKey, record: Vec<u8>) {
        if !self.locations.contains_key(&key) {
            self.unsaved.insert(key, record);
        }
    }

    /// Writes `records` to a new pack. Does not merge packs; the next [`Self::save`] does.
    pub(crate) fn add_pack(&self, folder: &Path, records: &[(FactKey, &[u8])]) -> io::Result<()> {
        let next = self.packs.iter().map(|pack| pack.number + 1).max().unwrap_or(1);
        write_pack(folder, next, records.iter().copied())
    }

    /// Returns the record with this key, or `None` if it is unknown or damaged.
    pub(crate) fn get(&self, key: FactKey) -> Option<&[u8]> {
        if let Some(record) = self.unsaved.get(&key) {
            return Some(record);
        }
        let location = self.locations.get(&key)?;
        let pack = self.packs.get(location.pack as usize)?;
        let block = pack.blocks.get(location.block as usize)?;
        let bytes = block.bytes.get_or_init(|| {
            let packed = pack.container.bytes(BLOCKS_SECTION, block.at, block.packed);
            if block.unpacked > MAX_BLOCK_BYTES {
                return Vec::new();
            }
            lz4_flex::block::decompress(packed, block.unpacked).unwrap_or_default()
        });
        let start = location.at as usize;
        bytes
            .get(start..start.checked_add(location.length as usize)?)
            .filter(|record| !record.is_empty())
    }

    /// Writes new and unsaved facts, and merges packs if necessary. `live` contains the keys of the facts that the
    /// current tree uses.
    pub(crate) fn save(
        &self,
        folder: &Path,
        new: &[(FactKey, &[u8])],
        live: &[FactKey],
    ) -> io::Result<()> {
        // A new pack keeps the order of `new`, in which files of the same folder are close together. They share words,
        // which compresses well.
        let taken: FxHashSet<FactKey> = new.iter().map(|(key, _)| *key).collect();
        let unsaved = self.unsaved.iter().map(|(key, record)| (*key, record.as_slice()));
        let new: Vec<(FactKey, &[u8])> =
            new.iter().copied().chain(unsaved.filter(|(key, _)| !taken.contains(key))).collect();
        let next = self.packs.iter().map(|pack| pack.number + 1).max().unwrap_or(1);
        let live_bytes: u64 = live
            .iter()
            .filter_map(|key| self.locations.get(key))
            .map(|location| u64::from(location.length))
            .sum();
        let all_bytes: u64 = self.packs.iter().map(|pack| pack.record_bytes).sum();
        let has_too_much_unused =
            all_bytes > live_bytes.saturating_mul(1 + MAX_UNUSED_RATIO) + (1 << 20);
        if !has_too_much_unused && self.packs.len() < MAX_PACKS {
            return if new.is_empty() { Ok(()) } else { write_pack(folder, next, new.into_iter()) };
        }
        let mut kept: Vec<(FactKey, &[u8])> = if has_too_much_unused {
            live.iter().filter_map(|key| Some((*key, self.get(*key)?))).collect()
        } else {
            self.locations.keys().filter_map(|key| Some((*key, self.get(*key)?))).collect()
        };
        kept.extend(new);
        kept.sort_unstable_by_key(|(key, _)| *key);
        kept.dedup_by_key(|(key, _)| *key);
        write_pack(folder, next, kept.into_iter())?;
        for pack in &self.packs {
            // A pack that cannot be removed is harmless: the new pack contains all of its records that are still
            // needed.
            let _ignored = fs::remove_file(&pack.path);
        }
        Ok(())
    }
}

fn write_pack<'a>(
    folder: &Path,
    number: u64,
    records: impl Iterator<Item = (FactKey, &'a [u8])>,
) -> io::Result<()> {
    let mut pack = PackWriter::default();
    for (key, record) in records {
        pack.push(key, record);
    }
    pack.close_block();
    let mut writer = ContainerWriter::new();
    writer.section(&pack.table);
    writer.section(&pack.blocks);
    write_atomically(&folder.join(pack_name(number)), &writer.finish())
}

#[derive(Default)]
struct PackWriter {
    table: Vec<u8>,
    blocks: Vec<u8>,
    /// The number of records in the block that is being written.
    count: u64,
    /// The table rows of the block that is being written.
    rows: Vec<u8>,
    /// The uncompressed records of the block that is being written.
    bytes: Vec<u8>,
}

impl PackWriter {
    fn push(&mut self, key: FactKey, record: &[u8]) {
        key.put(&mut self.rows);
        put_varint(&mut self.rows, record.len() as u64);
        self.bytes.extend_from_slice(record);
        self.count += 1;
        if self.bytes.len() >= BLOCK_BYTES {
            self.close_block();
        }
    }

    fn close_block(&mut self) {
        if self.count == 0 {
            return;
        }
        let packed = lz4_flex::block::compress(&self.bytes);
        put_varint(&mut self.table, packed.len() as u64);
        put_varint(&mut self.table, self.count);
        self.table.extend_from_slice(&self.rows);
        self.blocks.extend_from_slice(&packed);
        self.count = 0;
        self.rows.clear();
        self.bytes.clear();
    }
}

fn pack_name(number: u64) -> String {
    format!("facts-{FORMAT}.{FACTS_VERSION}-{number}.pack")
}

/// Returns the number of a pack, or `None` if the file is not a pack or has another version.
fn pack_number(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    let number: u64 = name.strip_suffix(".pack")?.rsplit_once('-')?.1.parse().ok()?;
    (name == pack_name(number)).then_some(number)
}
