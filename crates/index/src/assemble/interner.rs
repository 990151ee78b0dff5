//! Assigns numbers to byte strings.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// A hash table with open addressing that stores all keys in one buffer. Assembling a snapshot looks up millions of
/// terms, and most are already in the table.
pub(super) struct Interner {
    table: Vec<u32>,
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

const FREE: u32 = u32::MAX;

impl Interner {
    pub(super) fn new() -> Self {
        Self { table: vec![FREE; 1 << 12], ends: Vec::new(), bytes: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, number: u32) -> &[u8] {
        let at = number as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.bytes[start..self.ends[at] as usize]
    }

    /// Returns the key with the given number. The key must have been added as text.
    pub(super) fn text(&self, number: u32) -> &str {
        std::str::from_utf8(self.get(number)).unwrap_or_default()
    }

    /// Returns the size of the interner in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        self.table.len() * 4 + self.ends.len() * 4 + self.bytes.len()
    }

    /// Returns the number of `key` if it has one.
    pub(super) fn find(&self, key: &[u8]) -> Option<u32> {
        self.search(key).ok()
    }

    /// Returns the number of `key`, or the free slot for it.
    fn search(&self, key: &[u8]) -> Result<u32, usize> {
        let mut slot = self.slot_of(key);
        loop {
            match self.table[slot] {
                FREE => return Err(slot),
                number if self.get(number) == key => return Ok(number),
                _ => slot = (slot + 1) & (self.table.len() - 1),
            }
        }
    }

    /// Returns the number of `key`. A new key gets the next free number.
    pub(super) fn number(&mut self, key: &[u8]) -> u32 {
        if self.ends.len() * 2 >= self.table.len() {
            self.grow();
        }
        let slot = match self.search(key) {
            Ok(number) => return number,
            Err(slot) => slot,
        };
        let number = self.ends.len() as u32;
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len() as u32);
        self.table[slot] = number;
        number
    }

    /// Returns all numbers, sorted by their keys.
    pub(super) fn sorted(&self) -> Vec<u32> {
        let numbers = 0..self.ends.len() as u32;
        let mut order: Vec<(u64, u32)> = numbers.map(|it| (prefix(self.get(it)), it)).collect();
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| self.get(a.1).cmp(self.get(b.1))));
        order.into_iter().map(|(_, number)| number).collect()
    }

    fn slot_of(&self, key: &[u8]) -> usize {
        let mut hasher = FxHasher::default();
        hasher.write(key);
        hasher.finish() as usize & (self.table.len() - 1)
    }

    fn grow(&mut self) {
        self.table = vec![FREE; self.table.len() * 2];
        for number in 0..self.ends.len() as u32 {
            let mut slot = self.slot_of(self.get(number));
            while self.table[slot] != FREE {
                slot = (slot + 1) & (self.table.len() - 1);
            }
            self.table[slot] = number;
        }
    }
}

/// Returns the first eight bytes of `key` as a number that sorts like the bytes. Most comparisons of two keys need only
/// this number.
pub(crate) fn prefix(key: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let length = key.len().min(8);
    bytes[..length].copy_from_slice(&key[..length]);
    u64::from_be_bytes(bytes)
}
