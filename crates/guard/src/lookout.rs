//! Finds every occurrence of many fixed strings in one pass, without case for ASCII letters.
//!
//! A table of the strings' first three bytes answers "nothing starts here" for nearly every position. It is built in
//! microseconds: a hook process lives for milliseconds, and an automaton over the same strings would cost one of them.

const TABLE_BITS: u32 = 14;
const SEEN_BITS: u32 = 17;
/// Folds ASCII letters of three bytes to lower case; what else it maps together is told apart by comparing.
const FOLD: u32 = 0x0020_2020;
const KEY: u32 = 0x00ff_ffff;
const NONE: u16 = 0;

pub(crate) struct Lookout {
    /// One bit by a longer hash: it is small enough to stay close, and says no to nearly every position.
    seen: Vec<u64>,
    /// Index + 1 into `entries` by hash of the first three bytes.
    heads: Vec<u16>,
    entries: Vec<Entry>,
    patterns: Vec<Vec<u8>>,
    places: Places,
}

/// Where a pattern may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Places {
    Anywhere,
    /// Not in the middle of an ASCII word.
    WordStarts,
}

struct Entry {
    /// Up to eight bytes of the pattern, folded, and which of them count: most entries of a chain differ here.
    start: u64,
    mask: u64,
    pattern: u16,
    next: u16,
}

/// One occurrence: which pattern, and where it starts and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) pattern: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Lookout {
    /// Patterns have three bytes or more; at one position longer ones are found first.
    pub(crate) fn new(patterns: Vec<String>, places: Places) -> Self {
        let mut order: Vec<usize> = (0..patterns.len()).collect();
        // Chains are built back to front, so the longest comes last here.
        order.sort_by_key(|&index| patterns[index].len());
        let mut heads = vec![NONE; 1 << TABLE_BITS];
        let mut seen = vec![0; 1 << (SEEN_BITS - 6)];
        let mut entries = Vec::with_capacity(patterns.len());
        for index in order {
            let Some(key) = key_at(patterns[index].as_bytes(), 0) else { continue };
            let (word, bit) = seen_at(key);
            seen[word] |= bit;
            let head = &mut heads[hash(key)];
            let bytes = patterns[index].as_bytes();
            let mask = u64::MAX >> (8 * 8_usize.saturating_sub(bytes.len()));
            let start = folded_at(bytes, 0) & mask;
            entries.push(Entry { start, mask, pattern: narrow(index), next: *head });
            *head = narrow(entries.len());
        }
        Self {
            seen,
            heads,
            entries,
            places,
            patterns: patterns.into_iter().map(String::into_bytes).collect(),
        }
    }

    /// The occurrences that start at `at`, longer ones first.
    pub(crate) fn hits_at<'l>(
        &'l self,
        text: &'l [u8],
        at: usize,
    ) -> impl Iterator<Item = Hit> + 'l {
        let mut hits = Hits { lookout: self, text, at: at + 1, chain: NONE, folded: 0 };
        if let Some(key) = key_at(text, at)
            && self.may_have(key)
            && hits.may_start(at)
        {
            hits.chain = self.heads[hash(key)];
            hits.folded = folded_at(text, at);
        }
        std::iter::from_fn(move || hits.next_here())
    }

    fn may_have(&self, key: u32) -> bool {
        let (word, bit) = seen_at(key);
        self.seen[word] & bit != 0
    }

    /// All occurrences in order of their start.
    pub(crate) fn hits<'l>(&'l self, text: &'l [u8]) -> Hits<'l> {
        Hits { lookout: self, text, at: 0, chain: NONE, folded: 0 }
    }
}

pub(crate) struct Hits<'l> {
    lookout: &'l Lookout,
    text: &'l [u8],
    at: usize,
    /// Index + 1 of the next entry to compare at `at - 1`.
    chain: u16,
    /// The eight bytes from there on, folded.
    folded: u64,
}

impl Iterator for Hits<'_> {
    type Item = Hit;

    fn next(&mut self) -> Option<Hit> {
        loop {
            let hit = self.next_here();
            if hit.is_some() {
                return hit;
            }
            self.advance()?;
        }
    }
}

impl Hits<'_> {
    /// The next occurrence that starts at `at - 1`.
    fn next_here(&mut self) -> Option<Hit> {
        while self.chain != NONE {
            let entry = &self.lookout.entries[usize::from(self.chain) - 1];
            self.chain = entry.next;
            let hit = self.compare(entry, self.at - 1);
            if hit.is_some() {
                return hit;
            }
        }
        None
    }

    /// Moves to just behind the next position where a pattern may start.
    fn advance(&mut self) -> Option<()> {
        let first = self.at;
        for (offset, window) in self.text.get(first..)?.windows(3).enumerate() {
            let key = u32::from_le_bytes([window[0], window[1], window[2], 0]) | FOLD;
            if self.lookout.may_have(key) && self.may_start(first + offset) {
                self.at = first + offset + 1;
                self.chain = self.lookout.heads[hash(key)];
                self.folded = folded_at(self.text, first + offset);
                return Some(());
            }
        }
        None
    }

    fn may_start(&self, at: usize) -> bool {
        let is_in_word = || {
            at > 0 && self.text[at - 1].is_ascii_alphabetic() && self.text[at].is_ascii_alphabetic()
        };
        self.lookout.places == Places::Anywhere || !is_in_word()
    }

    fn compare(&self, entry: &Entry, start: usize) -> Option<Hit> {
        if self.folded & entry.mask != entry.start {
            return None;
        }
        let pattern = usize::from(entry.pattern);
        let bytes = self.lookout.patterns[pattern].as_slice();
        let end = start + bytes.len();
        // Folding maps more together than upper and lower case.
        let is_match =
            self.text.get(start..end).is_some_and(|found| found.eq_ignore_ascii_case(bytes));
        is_match.then_some(Hit { pattern, start, end })
    }
}

/// Eight bytes from `at` on, as far as there are any, with the bit set that tells upper from lower case.
fn folded_at(bytes: &[u8], at: usize) -> u64 {
    let mut eight = [0; 8];
    let rest = &bytes[at.min(bytes.len())..];
    match rest.first_chunk::<8>() {
        Some(whole) => eight = *whole,
        None => eight[..rest.len()].copy_from_slice(rest),
    }
    u64::from_le_bytes(eight) | 0x2020_2020_2020_2020
}

fn key_at(bytes: &[u8], at: usize) -> Option<u32> {
    let window = bytes.get(at..at + 3)?;
    Some(u32::from_le_bytes([window[0], window[1], window[2], 0]) | FOLD)
}

/// Word and bit of a key in the table of bits.
fn seen_at(key: u32) -> (usize, u64) {
    let hash = (key & KEY).wrapping_mul(0x9e37_79b1) >> (32 - SEEN_BITS);
    ((hash >> 6) as usize, 1 << (hash & 63))
}

fn hash(key: u32) -> usize {
    ((key & KEY).wrapping_mul(0x9e37_79b1) >> (32 - TABLE_BITS)) as usize
}

/// Tables have a few hundred strings; one that outgrows this would lose its last strings, and the tests of each would fail.
fn narrow(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests;
