//! Caches the weights of words within one text, because most words repeat.

use std::num::NonZeroU128;

use super::super::words::Words;
use super::{gate, weight};

const BITS: u32 = 9;
/// Shorter words have few features and are not cached.
const MIN_CACHED_BYTES: usize = 4;

/// The weights of some features added up, and their number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) weights: i64,
    pub(super) count: u64,
}

impl Sum {
    pub(super) fn add_feature(&mut self, feature: u32) {
        self.weights += i64::from(weight(gate::SIZE + feature as usize));
        self.count += 1;
    }

    pub(super) fn add(&mut self, other: Self) {
        self.weights += other.weights;
        self.count += other.count;
    }
}

/// The feature sums of recent words. Each slot keeps the last word with its hash.
pub(super) struct WordCache {
    slots: Vec<(Option<NonZeroU128>, Sum)>,
}

impl Default for WordCache {
    fn default() -> Self {
        Self { slots: vec![(None, Sum::default()); 1 << BITS] }
    }
}

impl WordCache {
    /// Returns the feature sum for the text of a word. Calls `compute` if the word is not cached.
    pub(super) fn sum_of(&mut self, words: &Words, index: usize, compute: impl Fn() -> Sum) -> Sum {
        let word =
            words.packed(index).filter(|word| word.get() >> (8 * (MIN_CACHED_BYTES - 1)) != 0);
        let Some(word) = word else { return compute() };
        let hash = words.list[index].hash.wrapping_mul(0x9e37_79b1);
        let slot = &mut self.slots[(hash >> (32 - BITS)) as usize];
        if slot.0 != Some(word) {
            *slot = (Some(word), compute());
        }
        slot.1
    }
}
