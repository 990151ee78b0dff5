//! Looks up files by the hash of a key in one sorted array, which takes eight bytes per entry, and groups items by a
//! numeric key.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// Files sorted by the hash of their keys. Different keys may have the same hash, so callers also compare the keys.
#[derive(Default)]
pub(super) struct KeyTable {
    /// Each element contains a hash in its high half and a file in its low half.
    sorted: Vec<u64>,
}

impl KeyTable {
    /// Adds an entry. [`Self::sort`] must be called after the last one.
    pub(super) fn push(&mut self, key: impl Hash, file: u32) {
        self.sorted.push(u64::from(short_hash(key)) << 32 | u64::from(file));
    }

    pub(super) fn sort(&mut self) {
        self.sorted.sort_unstable();
        self.sorted.shrink_to_fit();
    }

    /// Returns the files whose keys may be `key`, in ascending order.
    pub(super) fn get(&self, key: impl Hash) -> impl DoubleEndedIterator<Item = u32> + '_ {
        let hash = u64::from(short_hash(key));
        let start = self.sorted.partition_point(|entry| entry >> 32 < hash);
        let rest = &self.sorted[start..];
        let length = rest.partition_point(|entry| entry >> 32 == hash);
        rest[..length].iter().map(|entry| *entry as u32)
    }

    /// Returns the groups of files whose keys may be equal.
    pub(super) fn groups(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        let groups = self.sorted.chunk_by(|a, b| a >> 32 == b >> 32);
        groups.map(|group| group.iter().map(|entry| *entry as u32).collect())
    }
}

/// Groups items by key and keeps their order within each group. Returns the start of each group, followed by the end of
/// the last one, and the items.
pub(super) fn grouped<T: Copy + Default>(
    n_keys: usize,
    pairs: impl Iterator<Item = (usize, T)> + Clone,
) -> (Vec<u32>, Vec<T>) {
    let mut starts = vec![0_u32; n_keys + 1];
    for (key, _) in pairs.clone() {
        starts[key + 1] += 1;
    }
    for key in 0..n_keys {
        starts[key + 1] += starts[key];
    }
    let mut next = starts.clone();
    let mut groups = vec![T::default(); starts.last().map_or(0, |end| *end as usize)];
    for (key, item) in pairs {
        groups[next[key] as usize] = item;
        next[key] += 1;
    }
    (starts, groups)
}

fn short_hash(key: impl Hash) -> u32 {
    (hash_key(key) >> 32) as u32
}

pub(super) fn hash_key(key: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}
