//! A table that maps hashes to small integers. It is fast enough to look up every word of a text.

const FILTER_BITS: u32 = 15;

/// A multimap from hashes to values: several values may have the same hash.
pub(crate) struct HashTable {
    /// A bit set, indexed by the upper [`FILTER_BITS`] bits of a hash. It rules out nearly every hash that is not in
    /// the table.
    filter: Vec<u64>,
    /// The hashes and values, with open addressing. A value of 0 marks a free slot. At most half of the slots are used.
    slots: Vec<(u32, u16)>,
    used: usize,
}

impl Default for HashTable {
    fn default() -> Self {
        Self { filter: vec![0; 1 << (FILTER_BITS - 6)], slots: vec![(0, 0); 64], used: 0 }
    }
}

impl HashTable {
    /// Adds `value`, which must not be 0.
    pub(crate) fn insert(&mut self, hash: u32, value: u16) {
        if (self.used + 1) * 2 > self.slots.len() {
            let larger = vec![(0, 0); self.slots.len() * 2];
            for (hash, value) in std::mem::replace(&mut self.slots, larger) {
                if value != 0 {
                    self.place(hash, value);
                }
            }
        }
        let (word, bit) = filter_at(hash);
        self.filter[word] |= bit;
        self.used += 1;
        self.place(hash, value);
    }

    fn place(&mut self, hash: u32, value: u16) {
        let mut slot = self.first_slot(hash);
        while self.slots[slot].1 != 0 {
            slot = (slot + 1) % self.slots.len();
        }
        self.slots[slot] = (hash, value);
    }

    /// Returns false if it is certain that no value has this hash.
    pub(crate) fn may_contain(&self, hash: u32) -> bool {
        let (word, bit) = filter_at(hash);
        self.filter[word] & bit != 0
    }

    /// Returns all values with this hash.
    pub(crate) fn values(&self, hash: u32) -> impl Iterator<Item = u16> + '_ {
        let (wrapped, from_first) = self.slots.split_at(self.first_slot(hash));
        let slots = from_first.iter().chain(wrapped);
        slots
            .take_while(|(_, value)| *value != 0)
            .filter(move |(other, _)| *other == hash)
            .map(|(_, value)| *value)
    }

    fn first_slot(&self, hash: u32) -> usize {
        hash.wrapping_mul(0x9e37_79b1) as usize >> 8 & (self.slots.len() - 1)
    }
}

/// Returns the index and the bit of a hash in [`HashTable::filter`].
fn filter_at(hash: u32) -> (usize, u64) {
    let index = hash >> (32 - FILTER_BITS);
    ((index >> 6) as usize, 1 << (index & 63))
}

#[cfg(test)]
mod tests;
