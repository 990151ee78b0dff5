//! Looks up symbols by a compound key in one sorted array, which is faster to build than a map of lists.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// Symbols sorted by the hash of their keys. Different keys may have the same hash, so callers also compare the names.
#[derive(Default)]
pub(super) struct SymbolsByKey {
    sorted: Vec<(u64, u32)>,
    /// `starts[b]` is the position in `sorted` of the first entry whose hash has the high bits `b`. A final element
    /// marks the end.
    starts: Vec<u32>,
    shift: u32,
}

impl SymbolsByKey {
    pub(super) fn new(mut pairs: Vec<(u64, u32)>) -> Self {
        pairs.sort_unstable();
        let bits = pairs.len().next_power_of_two().trailing_zeros().clamp(1, 24);
        let shift = 64 - bits;
        let mut starts = vec![0_u32; (1 << bits) + 1];
        for (key, _) in &pairs {
            starts[(key >> shift) as usize + 1] += 1;
        }
        for bucket in 1..starts.len() {
            starts[bucket] += starts[bucket - 1];
        }
        Self { sorted: pairs, starts, shift }
    }

    /// Returns the symbols with this key, in ascending order.
    pub(super) fn get(&self, key: u64) -> impl Iterator<Item = u32> + '_ {
        let bucket = key.checked_shr(self.shift).unwrap_or(0) as usize;
        let start = self.starts.get(bucket).copied().unwrap_or(0) as usize;
        let end = self.starts.get(bucket + 1).copied().unwrap_or(0) as usize;
        let of_bucket = self.sorted.get(start..end).unwrap_or_default();
        of_bucket.iter().filter(move |(other, _)| *other == key).map(|(_, symbol)| *symbol)
    }
}

pub(super) fn hash_key(key: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}

/// Returns the same key for owners spelled `HttpClient`, `http_client` and `httpClient`.
pub(super) fn normalized_owner_key(owner: &str, name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    for byte in owner.bytes().filter(|byte| *byte != b'_') {
        hasher.write_u8(byte.to_ascii_lowercase());
    }
    name.hash(&mut hasher);
    hasher.finish()
}
