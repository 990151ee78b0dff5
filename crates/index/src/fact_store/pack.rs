//! One pack: records that are compressed in blocks, and a table of their keys.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use disk::Replacement;

use super::{FactKey, pack_name};
use crate::codec::{Cursor, put_varint};
use crate::container::{Container, ContainerStream};

const TABLE_SECTION: usize = 0;
const BLOCKS_SECTION: usize = 1;
/// The target size of a block before compression: large enough to compress well, small enough that reading a few
/// records is cheap.
const BLOCK_BYTES: usize = 256 * 1024;
/// The maximum size of a decompressed block. Records are a few megabytes at most, so a larger block is treated as
/// damaged.
const MAX_BLOCK_BYTES: usize = 256 * 1024 * 1024;

pub(super) enum Pack {
    File {
        path: PathBuf,
        number: u64,
        container: Container,
        blocks: Vec<Block>,
        record_bytes: u64,
    },
    /// Blocks that are not compressed.
    Memory(Vec<Vec<u8>>),
}

/// The position and the sizes of a block.
#[derive(Clone, Copy)]
pub(super) struct Block {
    at: usize,
    packed: usize,
    unpacked: usize,
}

impl Pack {
    /// Opens a pack, and calls `visit` with the key, the block, the position and the length of each record.
    pub(super) fn read(
        path: PathBuf,
        number: u64,
        container: Container,
        mut visit: impl FnMut(FactKey, u32, u32, u32),
    ) -> Self {
        let mut blocks: Vec<Block> = Vec::new();
        let (mut block_at, mut record_bytes) = (0_usize, 0);
        let table = container.copy(TABLE_SECTION, 0, container.len(TABLE_SECTION));
        let mut cursor = Cursor::new(table.as_deref().unwrap_or_default());
        while !cursor.is_empty() {
            let (packed, unpacked) = read_block(&mut cursor, |key, at, length| {
                visit(key, blocks.len() as u32, at, length);
                Ok(())
            })
            .unwrap_or_default();
            record_bytes += unpacked as u64;
            blocks.push(Block { at: block_at, packed, unpacked });
            block_at = block_at.saturating_add(packed);
        }
        Self::File { path, number, container, blocks, record_bytes }
    }

    /// Calls `visit` with the key, the block, the position and the length of each record.
    pub(super) fn for_each(
        &self,
        mut visit: impl FnMut(FactKey, u32, u32, u32) -> io::Result<()>,
    ) -> io::Result<()> {
        let Self::File { container, .. } = self else { return Ok(()) };
        let table = container.copy(TABLE_SECTION, 0, container.len(TABLE_SECTION));
        let mut cursor = Cursor::new(table.as_deref().unwrap_or_default());
        let mut block = 0;
        while !cursor.is_empty() {
            read_block(&mut cursor, |key, at, length| visit(key, block, at, length))?;
            block += 1;
        }
        Ok(())
    }

    /// Returns the block, the position and the length of a record.
    pub(super) fn find(&self, key: FactKey) -> Option<(u32, u32, u32)> {
        let mut found = None;
        let _searched = self.for_each(|other, block, at, length| {
            if other == key {
                found = Some((block, at, length));
            }
            Ok(())
        });
        found
    }

    pub(super) fn number(&self) -> u64 {
        match self {
            Self::File { number, .. } => *number,
            Self::Memory(_) => 0,
        }
    }

    /// Returns the size of the decompressed records.
    pub(super) fn record_bytes(&self) -> u64 {
        match self {
            Self::File { record_bytes, .. } => *record_bytes,
            Self::Memory(_) => 0,
        }
    }

    /// Returns the decompressed bytes of a block. They are empty if the block is damaged.
    pub(super) fn block(&self, number: u32) -> Vec<u8> {
        let (container, blocks) = match self {
            Self::Memory(blocks) => {
                return blocks.get(number as usize).cloned().unwrap_or_default();
            }
            Self::File { container, blocks, .. } => (container, blocks),
        };
        let block = blocks.get(number as usize).filter(|it| it.unpacked <= MAX_BLOCK_BYTES);
        let unpacked = block.and_then(|block| {
            let packed = container.copy(BLOCKS_SECTION, block.at, block.packed)?;
            lz4_flex::block::decompress(&packed, block.unpacked).ok()
        });
        unpacked.unwrap_or_default()
    }

    /// Removes the file. A pack that cannot be removed is harmless: its records are also in another pack.
    pub(super) fn remove(&self) {
        if let Self::File { path, .. } = self {
            let _ignored = fs::remove_file(path);
        }
    }
}

/// Reads the table entry of one block. Calls `visit` with the key, the position in the block and the length of each
/// record. Returns the compressed and the decompressed size of the block.
fn read_block(
    cursor: &mut Cursor<'_>,
    mut visit: impl FnMut(FactKey, u32, u32) -> io::Result<()>,
) -> io::Result<(usize, usize)> {
    let (packed, n_records) = (cursor.small() as usize, cursor.small());
    let mut at = 0_u32;
    for _ in 0..n_records {
        let key = FactKey::read(cursor);
        let length = cursor.small();
        if cursor.is_exhausted_early() {
            break;
        }
        visit(key, at, length)?;
        at = at.saturating_add(length);
    }
    Ok((packed, at as usize))
}

/// Writes a pack, to a file or to memory.
pub(super) struct PackWriter {
    target: Option<Target>,
    table: Vec<u8>,
    /// The finished blocks of a pack in memory.
    blocks: Vec<Vec<u8>>,
    n_blocks: u32,
    /// The number of records in the block that is being written.
    count: u64,
    /// The table rows of the block that is being written.
    rows: Vec<u8>,
    /// The uncompressed records of the block that is being written.
    bytes: Vec<u8>,
}

/// The file of a pack.
struct Target {
    path: PathBuf,
    number: u64,
    replacement: Replacement,
    stream: ContainerStream,
}

impl PackWriter {
    /// Starts a pack in `folder`, or in memory if `folder` is `None`.
    pub(super) fn start(folder: Option<&Path>, number: u64) -> io::Result<Self> {
        let target = match folder {
            Some(folder) => {
                let path = folder.join(pack_name(number));
                let mut replacement = Replacement::start(&path, None)?;
                let mut stream = ContainerStream::to_file(replacement.file().try_clone()?);
                stream.start_section(BLOCKS_SECTION)?;
                Some(Target { path, number, replacement, stream })
            }
            None => None,
        };
        let (table, blocks, rows, bytes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Ok(Self { target, table, blocks, n_blocks: 0, count: 0, rows, bytes })
    }

    /// Adds a record. Returns its block and its position in the block.
    pub(super) fn push(&mut self, key: FactKey, record: &[u8]) -> io::Result<(u32, u32)> {
        let place = (self.n_blocks, self.bytes.len() as u32);
        key.put(&mut self.rows);
        put_varint(&mut self.rows, record.len() as u64);
        self.bytes.extend_from_slice(record);
        self.count += 1;
        if self.bytes.len() >= BLOCK_BYTES {
            self.close_block()?;
        }
        Ok(place)
    }

    fn close_block(&mut self) -> io::Result<()> {
        if self.count == 0 {
            return Ok(());
        }
        match &mut self.target {
            Some(target) => {
                let packed = lz4_flex::block::compress(&self.bytes);
                put_varint(&mut self.table, packed.len() as u64);
                put_varint(&mut self.table, self.count);
                self.table.extend_from_slice(&self.rows);
                target.stream.put(&packed)?;
                self.bytes.clear();
            }
            None => self.blocks.push(std::mem::take(&mut self.bytes)),
        }
        self.n_blocks += 1;
        self.count = 0;
        self.rows.clear();
        Ok(())
    }

    /// Writes the rest of the pack, and opens it.
    pub(super) fn finish(mut self) -> io::Result<Pack> {
        self.close_block()?;
        let Some(target) = self.target else { return Ok(Pack::Memory(self.blocks)) };
        let Target { path, number, replacement, mut stream } = target;
        stream.start_section(TABLE_SECTION)?;
        stream.put(&self.table)?;
        stream.finish()?;
        replacement.finish()?;
        let container = Container::open(&path).map_err(io::Error::other)?;
        Ok(Pack::read(path, number, container, |_, _, _, _| ()))
    }
}
