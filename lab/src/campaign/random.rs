//! Generates reproducible random numbers, so that the same seed and run give the same fault.

/// The SplitMix64 generator.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// Creates the generator for one run. Its numbers do not depend on earlier runs.
    pub(super) fn of_run(seed: u64, run: u64) -> Self {
        let mut random = Self(seed ^ run.wrapping_mul(0xd6e8_feb8_6659_fd93));
        random.next();
        random
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from `low` to `high`, both inclusive.
    pub(super) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    pub(super) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        let at = self.between(0, choices.len() as u64 - 1);
        choices[usize::try_from(at).unwrap_or_default()]
    }

    pub(super) fn is_one_in(&mut self, n: u64) -> bool {
        self.next().is_multiple_of(n)
    }

    pub(super) fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next().to_le_bytes()[0]).collect()
    }
}
