//! A sorted map from keys to lists that can be read without decoding all of it.
//!
//! Keys are stored in blocks of sixteen; each key omits the prefix that it shares with the previous key. A lookup is a
//! binary search over the first keys of the blocks. A finite-state transducer would be slightly smaller, but reading
//! one can panic unless all of its bytes are verified first.

#[cfg(test)]
mod tests;

use std::io;

use crate::codec::{Cursor, put_varint, u32_at};
use crate::container::Container;
use crate::posting_list::ListBytes;
use crate::spill::Section;

/// The number of keys per block.
const BLOCK: usize = 16;

/// Builds the three sections of a dictionary.
#[derive(Default)]
pub(crate) struct DictionaryWriter {
    blocks: Vec<u8>,
    starts: Vec<u8>,
    lists: Vec<u8>,
    previous_key: Vec<u8>,
    previous_list: u64,
    n_keys: usize,
    /// How many bytes of `blocks` and of `lists` have already been written to sections.
    moved: [u64; 2],
}

impl DictionaryWriter {
    /// Adds a key and its list. `list` contains `count` encoded items. Keys must be added in ascending order.
    pub(crate) fn push(&mut self, key: &[u8], count: usize, list: &[u8]) {
        let list_at = self.moved[1] + self.lists.len() as u64;
        put_varint(&mut self.lists, count as u64);
        put_varint(&mut self.lists, list.len() as u64);
        self.lists.extend_from_slice(list);
        let shared = if self.n_keys.is_multiple_of(BLOCK) {
            let block_at = (self.moved[0] + self.blocks.len() as u64) as u32;
            self.starts.extend_from_slice(&block_at.to_le_bytes());
            self.previous_list = 0;
            0
        } else {
            self.previous_key.iter().zip(key).take_while(|(a, b)| a == b).count()
        };
        put_varint(&mut self.blocks, shared as u64);
        put_varint(&mut self.blocks, (key.len() - shared) as u64);
        self.blocks.extend_from_slice(&key[shared..]);
        put_varint(&mut self.blocks, list_at - self.previous_list);
        self.previous_list = list_at;
        self.previous_key.clear();
        self.previous_key.extend_from_slice(key);
        self.n_keys += 1;
    }

    /// Moves the encoded bytes to three sections: the key blocks, the block starts and the lists. Must be called after
    /// the last key, and may also be called earlier.
    pub(crate) fn write_to(&mut self, sections: &mut [Section<'_>; 3]) -> io::Result<()> {
        self.moved[0] += self.blocks.len() as u64;
        self.moved[1] += self.lists.len() as u64;
        let all = [&mut self.blocks, &mut self.starts, &mut self.lists];
        for (section, bytes) in sections.iter_mut().zip(all) {
            section.put(bytes)?;
            bytes.clear();
        }
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.n_keys
    }
}

/// Reads a dictionary that is stored in three consecutive sections, the first of which is `section`.
#[derive(Clone, Copy)]
pub(crate) struct Dictionary<'a> {
    container: &'a Container,
    section: usize,
}

/// The list of a key. Its items are read when they are needed.
#[derive(Clone, Copy)]
pub(crate) struct KeyList<'a> {
    pub(crate) n_items: u32,
    pub(crate) bytes: ListBytes<'a>,
}

impl<'a> Dictionary<'a> {
    pub(crate) fn new(container: &'a Container, section: usize) -> Self {
        Self { container, section }
    }

    pub(crate) fn get(&self, key: &[u8]) -> Option<KeyList<'a>> {
        let mut found = None;
        self.scan_from(key, |candidate, list_at| {
            if candidate == key {
                found = Some(list_at);
            }
            candidate < key
        });
        found.map(|list_at| self.list(list_at))
    }

    fn n_blocks(&self) -> usize {
        self.container.len(self.section + 1) / 4
    }

    /// Calls `visit` with each key and the position of its list, in ascending order, starting with the block that may
    /// contain `key`. Stops when `visit` returns false.
    fn scan_from(&self, key: &[u8], mut visit: impl FnMut(&[u8], u64) -> bool) {
        let (mut low, mut high) = (0, self.n_blocks());
        while low < high {
            let middle = low + (high - low) / 2;
            let mut cursor = self.block(middle);
            cursor.varint();
            if cursor.text() <= key { low = middle + 1 } else { high = middle }
        }
        let mut candidate = Vec::new();
        for block in low.saturating_sub(1)..self.n_blocks() {
            let mut cursor = self.block(block);
            let mut list_at = 0_u64;
            if cursor.is_empty() {
                return;
            }
            while !cursor.is_empty() && !cursor.is_exhausted_early() {
                let shared = usize::try_from(cursor.varint()).unwrap_or(usize::MAX);
                candidate.truncate(shared);
                candidate.extend_from_slice(cursor.text());
                list_at = list_at.saturating_add(cursor.varint());
                if !visit(&candidate, list_at) {
                    return;
                }
            }
        }
    }

    fn block(&self, block: usize) -> Cursor<'a> {
        let start_of =
            |block: usize| u32_at(self.container.bytes(self.section + 1, block * 4, 4), 0) as usize;
        let start = start_of(block);
        let is_last = block + 1 >= self.n_blocks();
        let end = if is_last { self.container.len(self.section) } else { start_of(block + 1) };
        Cursor::new(self.container.bytes(self.section, start, end.saturating_sub(start)))
    }

    fn list(&self, at: u64) -> KeyList<'a> {
        /// The maximum length in bytes of the two numbers that precede a list.
        const HEAD: usize = 20;
        let section = self.section + 2;
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let head_bytes = HEAD.min(self.container.len(section).saturating_sub(at));
        let mut head = Cursor::new(self.container.bytes(section, at, head_bytes));
        let n_items = head.small();
        let length = head.small() as usize;
        let start = at.saturating_add(head_bytes - head.remaining());
        let bytes = ListBytes { container: self.container, section, at: start, length };
        KeyList { n_items, bytes }
    }
}
