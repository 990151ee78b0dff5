//! The weights of words that were met before in the same text: most words of a text repeat.

use std::num::NonZeroU128;

use super::super::words::Words;
use super::{gate, weight};

const BITS: u32 = 9;
/// Shorter words have few features.
const MIN_WORD: usize = 4;

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

/// The sums of the features of texts of words; the last word of each slot.
pub(super) struct KnownWords {
    slots: Vec<(Option<NonZeroU128>, Sum)>,
}

impl Default for KnownWords {
    fn default() -> Self {
        Self { slots: vec![(None, Sum::default()); 1 << BITS] }
    }
}

impl KnownWords {
    /// The sum for the text of a word, which `compute` finds out if it is not known.
    pub(super) fn sum_of(&mut self, words: &Words, index: usize, compute: impl Fn() -> Sum) -> Sum {
        let word = words.packed(index).filter(|word| word.get() >> (8 * (MIN_WORD - 1)) != 0);
        let Some(word) = word else { return compute() };
        let hash = words.list[index].hash.wrapping_mul(0x9e37_79b1);
        let slot = &mut self.slots[(hash >> (32 - BITS)) as usize];
        if slot.0 != Some(word) {
            *slot = (Some(word), compute());
        }
        slot.1
    }
}
