//! Assigns consecutive indices, starting at zero, to distinct byte strings.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// A hash table with open addressing that stores all keys in one buffer. A build looks up millions of words, most of
/// which are already in the table.
pub(crate) struct Interner {
    /// For each slot, the key's hash in the high 32 bits and its index in the low 32 bits, or [`FREE`]. Keys are
    /// compared only if their hashes are equal.
    table: Vec<u64>,
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

const FREE: u64 = u64::MAX;
/// The number of slots of a new table.
const MIN_SLOTS: usize = 1 << 12;

impl Interner {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, number: u32) -> &[u8] {
        let at = number as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.bytes[start..self.ends[at] as usize]
    }

    /// Returns the key with the index `number` as text, or an empty string if the key is not valid UTF-8.
    pub(crate) fn text(&self, number: u32) -> &str {
        std::str::from_utf8(self.get(number)).unwrap_or_default()
    }

    /// Returns the size of the interner in memory, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.table.len() * 8 + self.ends.len() * 4 + self.bytes.len()
    }

    /// Returns the index of `key`, or `None` if the key has not been added.
    pub(crate) fn find(&self, key: &[u8]) -> Option<u32> {
        self.search(key, hash_of(key)).ok()
    }

    /// Returns the index of `key`, or the free slot for it as an error.
    #[inline]
    fn search(&self, key: &[u8], hash: u32) -> Result<u32, usize> {
        let mut slot = self.slot_of(hash);
        loop {
            let entry = self.table[slot];
            if entry == FREE {
                return Err(slot);
            }
            if (entry >> 32) as u32 == hash && self.get(entry as u32) == key {
                return Ok(entry as u32);
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
    }

    /// Returns the index of `key`. A new key is added and gets the next index.
    pub(crate) fn number(&mut self, key: &[u8]) -> u32 {
        if self.ends.len() * 2 >= self.table.len() {
            self.grow();
        }
        let hash = hash_of(key);
        let slot = match self.search(key, hash) {
            Ok(number) => return number,
            Err(slot) => slot,
        };
        let number = self.ends.len() as u32;
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len() as u32);
        self.table[slot] = u64::from(hash) << 32 | u64::from(number);
        number
    }

    /// Returns the indices of all keys, sorted by key.
    pub(crate) fn sorted(&self) -> Vec<u32> {
        let numbers = 0..self.ends.len() as u32;
        let mut order: Vec<(u64, u32)> = numbers.map(|it| (prefix(self.get(it)), it)).collect();
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| self.get(a.1).cmp(self.get(b.1))));
        order.into_iter().map(|(_, number)| number).collect()
    }

    fn slot_of(&self, hash: u32) -> usize {
        hash as usize & (self.table.len() - 1)
    }

    fn grow(&mut self) {
        let larger = vec![FREE; self.table.len() * 2];
        for entry in std::mem::replace(&mut self.table, larger) {
            if entry == FREE {
                continue;
            }
            let mut slot = self.slot_of((entry >> 32) as u32);
            while self.table[slot] != FREE {
                slot = (slot + 1) & (self.table.len() - 1);
            }
            self.table[slot] = entry;
        }
    }
}

impl Default for Interner {
    fn default() -> Self {
        Self { table: vec![FREE; MIN_SLOTS], ends: Vec::new(), bytes: Vec::new() }
    }
}

fn hash_of(key: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(key);
    hasher.finish() as u32
}

/// Returns the first eight bytes of `key` as an integer that sorts in the same order as the bytes. Most comparisons of
/// two keys need only these integers.
pub(crate) fn prefix(key: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let length = key.len().min(8);
    bytes[..length].copy_from_slice(&key[..length]);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Interner, MIN_SLOTS};

    #[test]
    fn numbers_are_kept_when_the_table_grows() {
        let mut interner = Interner::default();
        let key = |number: usize| format!("key {number}").into_bytes();
        let n_keys = MIN_SLOTS * 3;
        for number in 0..n_keys {
            assert_eq!(interner.number(&key(number)) as usize, number);
        }
        for number in (0..n_keys).rev() {
            assert_eq!(interner.number(&key(number)) as usize, number);
            assert_eq!(interner.get(number as u32), key(number));
        }
        assert_eq!(interner.len(), n_keys);
        assert_eq!(interner.find(b"another key"), None);
    }
}
