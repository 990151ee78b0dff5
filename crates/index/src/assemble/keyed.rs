//! Symbols by a compound key, as one sorted array: cheaper to build than a map of lists, and as quick to ask.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// Symbols in the order of their keys' hashes. Who asks compares names, so a collision costs nothing but a look.
#[derive(Default)]
pub(super) struct Keyed {
    sorted: Vec<(u64, u32)>,
}

impl Keyed {
    pub(super) fn new(mut pairs: Vec<(u64, u32)>) -> Self {
        pairs.sort_unstable();
        Self { sorted: pairs }
    }

    /// The symbols with this key, ascending.
    pub(super) fn get(&self, key: u64) -> impl Iterator<Item = u32> + '_ {
        let start = self.sorted.partition_point(|(other, _)| *other < key);
        self.sorted[start..].iter().take_while(move |(other, _)| *other == key).map(|(_, symbol)| *symbol)
    }
}

/// The hash of a key.
pub(super) fn key_of(key: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}

/// Names written `HttpClient`, `http_client` and `httpClient` have the same key.
pub(super) fn plain_key(owner: &str, name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    for byte in owner.bytes().filter(|byte| *byte != b'_') {
        hasher.write_u8(byte.to_ascii_lowercase());
    }
    name.hash(&mut hasher);
    hasher.finish()
}
