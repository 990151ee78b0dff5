//! Stores facts on disk by content hash, so that the same content is analysed only once, even after restarts and in
//! other branches and worktrees.
//!
//! Facts are written to immutable files called packs. Records are compressed in blocks, because a build reads nearly
//! all of them. New facts are written to a new pack while files are analysed, so they do not stay in memory. If there
//! are too many packs, or too many unused records in them, the packs are merged into one. Only the process that holds
//! the store's lock writes or removes packs.

mod pack;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::codec::Cursor;
use crate::container::{Container, FORMAT};
use crate::facts::{FACTS_VERSION, Reading};
use pack::{Pack, PackWriter};

/// If there are at least this many packs, the next full build merges them into one.
const MAX_PACKS: usize = 12;
/// The maximum size of unused records, as a multiple of the size of the used ones. Unused records, such as those of
/// other branches, are removed only if they exceed this size by more than 1 MiB.
const MAX_UNUSED_RATIO: u64 = 1;

/// The key of a fact record: the hash of the content, and a code for the way the content was read.
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

/// The stored facts, and the facts that the current build adds.
#[derive(Default)]
pub(crate) struct FactStore {
    /// The folder of the packs. If `None`, new facts stay in memory.
    folder: Option<PathBuf>,
    packs: Vec<Pack>,
    locations: FxHashMap<FactKey, RecordLocation>,
    /// Whether the keys of stored records are looked up in the tables of the packs. If false, they are in `locations`.
    searches_tables: bool,
    added: Mutex<Added>,
}

/// The facts that a build adds.
#[derive(Default)]
struct Added {
    pack: Option<PackWriter>,
    locations: FxHashMap<FactKey, RecordLocation>,
}

/// The location of a record: a pack, a block of records that are compressed together, and a range of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordLocation {
    pack: u32,
    block: u32,
    at: u32,
    length: u32,
}

impl FactStore {
    /// Opens all packs in `folder` and verifies their pages. Damaged packs are ignored.
    pub(crate) fn open(folder: &Path) -> Self {
        let store = Self { folder: Some(folder.to_owned()), ..Self::default() };
        store.with_packs(folder)
    }

    /// Opens all packs in `folder` to look up a few records, which is faster than [`Self::open`]. Added records are
    /// written to a new pack if `keeps_added` is true, and stay in memory otherwise.
    pub(crate) fn open_for_few(folder: &Path, keeps_added: bool) -> Self {
        let target = keeps_added.then(|| folder.to_owned());
        Self { folder: target, searches_tables: true, ..Self::default() }.with_packs(folder)
    }

    fn with_packs(mut self, folder: &Path) -> Self {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<(u64, PathBuf)> = entries
            .map(|entry| entry.path())
            .filter_map(|path| Some((pack_number(&path)?, path)))
            .collect();
        paths.sort_unstable();
        for (number, path) in paths {
            let Ok(container) = Container::open(&path) else { continue };
            // A build looks up records by their keys and reads them later, when it can no longer analyse the files
            // instead. So all pages are verified now.
            if self.searches_tables || container.verify_all() {
                self.add_pack(path, number, container);
            }
        }
        self
    }

    fn add_pack(&mut self, path: PathBuf, number: u64, container: Container) {
        let pack = self.packs.len() as u32;
        let added = Pack::read(path, number, container, |key, block, at, length| {
            if !self.searches_tables {
                self.locations.insert(key, RecordLocation { pack, block, at, length });
            }
        });
        self.packs.push(added);
    }

    /// Returns the location of the record with this key, or `None` if it is unknown or damaged.
    pub(crate) fn find(&self, key: FactKey) -> Option<RecordLocation> {
        let known = self.locations.get(&key).copied();
        let known = known.or_else(|| self.added().locations.get(&key).copied());
        if known.is_some() || !self.searches_tables {
            return known;
        }
        let mut packs = self.packs.iter().enumerate().rev();
        packs.find_map(|(pack, contents)| {
            let (block, at, length) = contents.find(key)?;
            let location = RecordLocation { pack: pack as u32, block, at, length };
            self.reader().record(location).is_some().then_some(location)
        })
    }

    /// Returns the number of records that were added.
    pub(crate) fn n_added(&self) -> usize {
        self.added().locations.len()
    }

    /// Adds a record and returns its location. The record can be read after [`Self::end_adding`] has been called.
    pub(crate) fn add(&self, key: FactKey, record: &[u8]) -> io::Result<RecordLocation> {
        let mut added = self.added();
        let Added { pack, locations } = &mut *added;
        if let Some(known) = locations.get(&key) {
            return Ok(*known);
        }
        let pack = match pack {
            Some(pack) => pack,
            None => pack.insert(PackWriter::start(self.folder.as_deref(), self.next_number())?),
        };
        let (block, at) = pack.push(key, record)?;
        let location = RecordLocation {
            pack: self.packs.len() as u32,
            block,
            at,
            length: record.len() as u32,
        };
        locations.insert(key, location);
        Ok(location)
    }

    fn added(&self) -> MutexGuard<'_, Added> {
        // The map and the pack are only extended, so a panic in another thread leaves them usable.
        self.added.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_number(&self) -> u64 {
        self.packs.iter().map(|pack| pack.number() + 1).max().unwrap_or(1)
    }

    /// Completes the pack that contains the added records.
    pub(crate) fn end_adding(&mut self) -> io::Result<()> {
        let Added { pack, locations } = std::mem::take(&mut *self.added());
        if let Some(pack) = pack {
            self.packs.push(pack.finish()?);
            self.locations.extend(locations);
        }
        Ok(())
    }

    /// Drops the keys of all records to free about 80 bytes per record. After that, [`Self::find`] finds nothing.
    pub(crate) fn forget_keys(&mut self) {
        self.locations = FxHashMap::default();
    }

    pub(crate) fn reader(&self) -> BlockReader<'_> {
        BlockReader::new(&self.packs)
    }

    /// Returns the record with this key, or `None` if it is unknown or damaged.
    #[cfg(test)]
    pub(crate) fn get(&self, key: FactKey) -> Option<Vec<u8>> {
        let location = self.find(key)?;
        self.reader().record(location).map(<[u8]>::to_vec)
    }

    /// Merges the packs if there are too many of them, or too many unused records in them. `live` contains the location
    /// of each file's record in the current tree, in file order.
    pub(crate) fn merge_packs(&self, live: &[RecordLocation]) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let mut seen: FxHashSet<(u32, u32, u32)> = FxHashSet::default();
        let place = |location: &RecordLocation| (location.pack, location.block, location.at);
        let all_bytes: u64 = self.packs.iter().map(Pack::record_bytes).sum();
        // Packs of at most 1 MiB in total cannot contain too many unused records.
        if self.packs.len() < MAX_PACKS && all_bytes <= 1 << 20 {
            return Ok(());
        }
        let live_bytes: u64 = live
            .iter()
            .filter(|location| seen.insert(place(location)))
            .map(|location| u64::from(location.length))
            .sum();
        let has_too_much_unused =
            all_bytes > live_bytes.saturating_mul(1 + MAX_UNUSED_RATIO) + (1 << 20);
        if !has_too_much_unused && self.packs.len() < MAX_PACKS {
            return Ok(());
        }
        // The records are stored in file order, so that a build reads each block once. Files in the same folder also
        // share words, so their records compress well together.
        let mut merged = PackWriter::start(Some(folder), self.next_number())?;
        seen.clear();
        let mut reader = self.reader();
        let keys = self.keys_by_place()?;
        let mut copy = |location: RecordLocation, merged: &mut PackWriter| -> io::Result<()> {
            let key = keys.get(&place(&location));
            if let (true, Some(key)) = (seen.insert(place(&location)), key)
                && let Some(record) = reader.record(location)
            {
                merged.push(*key, record)?;
            }
            Ok(())
        };
        for location in live {
            copy(*location, &mut merged)?;
        }
        if !has_too_much_unused {
            for (pack, contents) in self.packs.iter().enumerate() {
                contents.for_each(|_, block, at, length| {
                    copy(RecordLocation { pack: pack as u32, block, at, length }, &mut merged)
                })?;
            }
        }
        merged.finish()?;
        for pack in &self.packs {
            pack.remove();
        }
        Ok(())
    }

    fn keys_by_place(&self) -> io::Result<FxHashMap<(u32, u32, u32), FactKey>> {
        let mut keys = FxHashMap::default();
        for (number, pack) in self.packs.iter().enumerate() {
            pack.for_each(|key, block, at, _| {
                keys.insert((number as u32, block, at), key);
                Ok(())
            })?;
        }
        Ok(keys)
    }
}

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
    fn new(packs: &'s [Pack]) -> Self {
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

fn pack_name(number: u64) -> String {
    format!("facts-{FORMAT}.{FACTS_VERSION}-{number}.pack")
}

/// Returns the number of a pack, or `None` if the file is not a pack or has another version.
fn pack_number(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    let number: u64 = name.strip_suffix(".pack")?.rsplit_once('-')?.1.parse().ok()?;
    (name == pack_name(number)).then_some(number)
}
