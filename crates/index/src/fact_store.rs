//! Facts kept on disk by content, so that the same bytes are never parsed twice: not after a restart, not on another
//! branch, not in another worktree.
//!
//! A pack is written once and never changed. New facts go into a new pack; when there are too many packs, or too much in
//! them is of no use any more, they are written together. Only the holder of the store's lock writes or removes packs.

#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use syntax::Language;

use crate::codec::{Cursor, put_varint};
use crate::container::{Container, ContainerWriter, FORMAT};
use crate::facts::FACTS_VERSION;
use crate::place::write_atomically;

const MAX_PACKS: usize = 12;
/// Facts of other branches are kept until they outweigh those of this tree by this much.
const MAX_DEAD_SHARE: u64 = 1;

/// What a record of facts is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FactKey {
    pub(crate) hash: [u8; 16],
    language: u8,
}

impl FactKey {
    pub(crate) fn new(hash: [u8; 16], language: Option<Language>) -> Self {
        Self { hash, language: language.map_or(0, |language| language as u8 + 1) }
    }
}

/// All packs of a repository.
#[derive(Default)]
pub(crate) struct FactStore {
    packs: Vec<Pack>,
    places: FxHashMap<FactKey, Place>,
}

struct Pack {
    path: PathBuf,
    number: u64,
    container: Container,
}

#[derive(Clone, Copy)]
struct Place {
    pack: u32,
    at: u64,
    length: u32,
}

const TABLE: usize = 0;
const RECORDS: usize = 1;

impl FactStore {
    /// Opens all packs in `folder`; what cannot be read is passed over.
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
                store.add(Pack { path, number, container });
            }
        }
        store
    }

    fn add(&mut self, pack: Pack) {
        let number = self.packs.len() as u32;
        let mut cursor = Cursor::new(pack.container.whole(TABLE));
        let n_records = cursor.varint();
        let mut at = 0;
        for _ in 0..n_records {
            let mut hash = [0; 16];
            let bytes = cursor.slice(16);
            let language = cursor.byte();
            let length = cursor.small();
            if cursor.is_exhausted_early() {
                break;
            }
            hash.copy_from_slice(bytes);
            self.places.insert(FactKey { hash, language }, Place { pack: number, at, length });
            at += u64::from(length);
        }
        self.packs.push(pack);
    }

    /// The facts of this content, if they are known and intact.
    pub(crate) fn get(&self, key: FactKey) -> Option<&[u8]> {
        let place = self.places.get(&key)?;
        let pack = self.packs.get(place.pack as usize)?;
        let record =
            pack.container.bytes(RECORDS, usize::try_from(place.at).ok()?, place.length as usize);
        (!record.is_empty()).then_some(record)
    }

    /// Writes new facts, and puts packs together when that is due. `live` are the facts the tree uses now.
    pub(crate) fn save(
        &self,
        folder: &Path,
        new: &[(FactKey, &[u8])],
        live: &[FactKey],
    ) -> io::Result<()> {
        let next = self.packs.iter().map(|pack| pack.number + 1).max().unwrap_or(1);
        let live_bytes: u64 = live
            .iter()
            .filter_map(|key| self.places.get(key))
            .map(|place| u64::from(place.length))
            .sum();
        let all_bytes: u64 = self.packs.iter().map(|pack| pack.container.len(RECORDS) as u64).sum();
        let too_much_dead = all_bytes > live_bytes.saturating_mul(1 + MAX_DEAD_SHARE) + (1 << 20);
        if !too_much_dead && self.packs.len() < MAX_PACKS {
            return if new.is_empty() {
                Ok(())
            } else {
                write_pack(folder, next, new.iter().copied())
            };
        }
        let mut kept: Vec<(FactKey, &[u8])> = if too_much_dead {
            live.iter().filter_map(|key| Some((*key, self.get(*key)?))).collect()
        } else {
            self.places.keys().filter_map(|key| Some((*key, self.get(*key)?))).collect()
        };
        kept.extend(new);
        kept.sort_unstable_by_key(|(key, _)| *key);
        kept.dedup_by_key(|(key, _)| *key);
        write_pack(folder, next, kept.into_iter())?;
        for pack in &self.packs {
            // A pack that cannot be removed is only room; its facts are in the new one too.
            let _left_behind = fs::remove_file(&pack.path);
        }
        Ok(())
    }
}

fn write_pack<'a>(
    folder: &Path,
    number: u64,
    records: impl Iterator<Item = (FactKey, &'a [u8])>,
) -> io::Result<()> {
    let (mut table, mut bytes) = (Vec::new(), Vec::new());
    let mut count = 0_u64;
    for (key, record) in records {
        table.extend_from_slice(&key.hash);
        table.push(key.language);
        put_varint(&mut table, record.len() as u64);
        bytes.extend_from_slice(record);
        count += 1;
    }
    let mut counted = Vec::with_capacity(table.len() + 8);
    put_varint(&mut counted, count);
    counted.extend_from_slice(&table);
    let mut writer = ContainerWriter::new();
    writer.section(&counted);
    writer.section(&bytes);
    write_atomically(&folder.join(pack_name(number)), &writer.finish())
}

fn pack_name(number: u64) -> String {
    format!("facts-{FORMAT}.{FACTS_VERSION}-{number}.pack")
}

/// The number of a pack of this build's version.
fn pack_number(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    let number: u64 = name.strip_suffix(".pack")?.rsplit_once('-')?.1.parse().ok()?;
    (name == pack_name(number)).then_some(number)
}
