//! Caches the feature sums of words within one text, because most words occur repeatedly.

use std::num::NonZeroU128;

use super::super::words::Words;
use super::{gate, weight};

const BITS: u32 = 9;
/// The minimum length of a cached word. Shorter words are not cached, because they have few features.
const MIN_CACHED_BYTES: usize = 4;

/// The sum of feature weights, and the number of features.
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

/// The feature sums of recent words. Each slot contains the last word whose hash selected this slot.
pub(super) struct WordCache {
    slots: Vec<(Option<NonZeroU128>, Sum)>,
}

impl Default for WordCache {
    fn default() -> Self {
        Self { slots: vec![(None, Sum::default()); 1 << BITS] }
    }
}

impl WordCache {
    /// Returns the sum of a word's text features. Calls `compute` if the word is not cached.
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
