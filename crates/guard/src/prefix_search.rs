//! Finds all occurrences of many fixed strings in one pass, ignoring ASCII case.
//!
//! A table of the first four bytes of the strings rules out nearly every position. Building the table takes
//! microseconds. Building an Aho-Corasick automaton for the same strings takes more than a millisecond, which is too
//! long for a hook process.

const TABLE_BITS: u32 = 14;
const SEEN_BITS: u32 = 16;
const SEEN_SHORT_BITS: u32 = 13;
/// A mask that sets the case bit in each of four bytes. This makes upper-case and lower-case letters equal, but also
/// some other characters, so a full comparison follows.
const FOLD: u32 = 0x2020_2020;
/// A mask that sets the case bit in each of eight bytes.
const FOLD_EIGHT: u64 = 0x2020_2020_2020_2020;
/// Eight blanks, as in an indentation. All but the last are skipped, because no pattern starts with two blanks.
const BLANKS: u64 = 0x2020_2020_2020_2020;
/// The number of four-byte windows in a block of eight bytes.
const BLOCK: usize = 5;
/// A mask that selects the first three of four bytes.
const KEY: u32 = 0x00ff_ffff;
const END_OF_CHAIN: u16 = 0;

pub(crate) struct PrefixSearch {
    /// For each hash of [`SEEN_BITS`] bits, 1 if a pattern of more than three bytes has this hash, otherwise 0. The
    /// table rules out nearly every position, and the entries that a typical text needs mostly fit into the processor's
    /// cache.
    seen: Box<[u8; 1 << SEEN_BITS]>,
    /// For each hash of [`SEEN_SHORT_BITS`] bits, 1 if a pattern of three bytes has this hash, otherwise 0. In `seen`,
    /// such a pattern would need an entry for every possible fourth byte.
    seen_short: Box<[u8; 1 << SEEN_SHORT_BITS]>,
    /// For each hash of three bytes, the start of a chain: a linked list of the entries whose patterns start with bytes
    /// of this hash. It is stored as an index into `entries` plus 1, or as [`END_OF_CHAIN`] if the chain is empty.
    heads: Vec<u16>,
    entries: Vec<Entry>,
    patterns: Vec<Vec<u8>>,
    start_rule: StartRule,
}

/// The positions at which a match may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StartRule {
    Anywhere,
    /// Anywhere except between two ASCII letters.
    WordStarts,
}

struct Entry {
    /// The first bytes of the pattern, at most eight, with the case bits set. `mask` selects the bytes to compare.
    start: u64,
    mask: u64,
    pattern: u16,
    next: u16,
}

/// One occurrence of a pattern, as a byte range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) pattern: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl PrefixSearch {
    /// Builds the tables. A pattern with fewer than three bytes, or with two blanks at its start, is never found. At
    /// each position, the longest pattern is found first.
    pub(crate) fn new(patterns: Vec<String>, start_rule: StartRule) -> Self {
        let mut order: Vec<usize> = (0..patterns.len()).collect();
        // Each entry is inserted at the front of its chain, so the longest pattern has to be inserted last.
        order.sort_by_key(|&index| patterns[index].len());
        let mut heads = vec![END_OF_CHAIN; 1 << TABLE_BITS];
        let mut seen = Box::new([0; 1 << SEEN_BITS]);
        let mut seen_short = Box::new([0; 1 << SEEN_SHORT_BITS]);
        let mut entries = Vec::with_capacity(patterns.len());
        for index in order {
            let Some(key) = key_at(patterns[index].as_bytes(), 0) else { continue };
            let bytes = patterns[index].as_bytes();
            if bytes.len() == 3 {
                seen_short[seen_short_hash(key)] = 1;
            } else {
                seen[seen_hash(key)] = 1;
            }
            let head = &mut heads[hash(key)];
            let mask = u64::MAX >> (8 * 8_usize.saturating_sub(bytes.len()));
            let start = folded_at(bytes, 0) & mask;
            entries.push(Entry { start, mask, pattern: narrow(index), next: *head });
            *head = narrow(entries.len());
        }
        let patterns = patterns.into_iter().map(String::into_bytes).collect();
        Self { seen, seen_short, heads, entries, start_rule, patterns }
    }

    /// Returns the occurrences that start at `at`, longest first.
    pub(crate) fn hits_at<'l>(
        &'l self,
        text: &'l [u8],
        at: usize,
    ) -> impl Iterator<Item = Hit> + 'l {
        let mut hits = self.hits(text);
        hits.at = at + 1;
        if let Some(key) = key_at(text, at)
            && self.seen_mark(key) != 0
            && hits.may_start(at)
        {
            hits.stop_at(at, key);
        }
        std::iter::from_fn(move || hits.next_here())
    }

    /// Returns 1 if a pattern may start with the bytes in `key`, otherwise 0.
    fn seen_mark(&self, key: u32) -> u8 {
        self.seen[seen_hash(key)] | self.seen_short[seen_short_hash(key)]
    }

    /// Returns all occurrences, ordered by start.
    pub(crate) fn hits<'l>(&'l self, text: &'l [u8]) -> Hits<'l> {
        Hits { search: self, text, at: 0, chain: END_OF_CHAIN, folded: 0 }
    }
}

pub(crate) struct Hits<'l> {
    search: &'l PrefixSearch,
    text: &'l [u8],
    at: usize,
    /// The next entry to compare with the text at `at - 1`, stored as in `heads`.
    chain: u16,
    /// The eight bytes at `at - 1`, with the case bit set.
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
    /// Returns the next occurrence that starts at `at - 1`.
    fn next_here(&mut self) -> Option<Hit> {
        while self.chain != END_OF_CHAIN {
            let entry = &self.search.entries[usize::from(self.chain) - 1];
            self.chain = entry.next;
            let hit = self.compare(entry, self.at - 1);
            if hit.is_some() {
                return hit;
            }
        }
        None
    }

    /// Moves `at` to one byte after the next position where a pattern may start. Returns `None` if there is no such
    /// position.
    fn advance(&mut self) -> Option<()> {
        let mut at = self.skip_blocks();
        while self.chain == END_OF_CHAIN {
            let key = key_at(self.text, at)?;
            if self.search.seen_mark(key) != 0 && self.may_start(at) {
                self.stop_at(at, key);
            }
            at += 1;
        }
        Some(())
    }

    /// Searches whole blocks and stops at the first position where a pattern may start. Returns that position, or the
    /// end of the last whole block. A single branch rules out most blocks.
    fn skip_blocks(&mut self) -> usize {
        let mut at = self.at;
        while let Some(eight) = self.text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            let raw = u64::from_le_bytes(*eight);
            if raw == BLANKS {
                // Only the last blank can be the start of a pattern.
                at += 7;
                continue;
            }
            let folded = raw | FOLD_EIGHT;
            let key = |offset: usize| low_half(folded >> (8 * offset));
            // Each bit represents a position where a pattern may start.
            let mut found = (0..BLOCK).fold(0, |found, offset| {
                found | u32::from(self.search.seen_mark(key(offset))) << offset
            });
            while found != 0 {
                let offset = found.trailing_zeros() as usize;
                found &= found - 1;
                if self.may_start(at + offset) {
                    self.stop_at(at + offset, key(offset));
                    if self.chain != END_OF_CHAIN {
                        return at + offset;
                    }
                }
            }
            at += BLOCK;
        }
        at
    }

    fn stop_at(&mut self, at: usize, key: u32) {
        self.at = at + 1;
        self.chain = self.search.heads[hash(key)];
        self.folded = folded_at(self.text, at);
    }

    fn may_start(&self, at: usize) -> bool {
        let is_in_word = || {
            at > 0 && self.text[at - 1].is_ascii_alphabetic() && self.text[at].is_ascii_alphabetic()
        };
        self.search.start_rule == StartRule::Anywhere || !is_in_word()
    }

    fn compare(&self, entry: &Entry, start: usize) -> Option<Hit> {
        if self.folded & entry.mask != entry.start {
            return None;
        }
        let pattern = usize::from(entry.pattern);
        let bytes = self.search.patterns[pattern].as_slice();
        let end = start + bytes.len();
        // Setting the case bits also makes other characters equal, so the bytes have to be compared again.
        let is_match =
            self.text.get(start..end).is_some_and(|found| found.eq_ignore_ascii_case(bytes));
        is_match.then_some(Hit { pattern, start, end })
    }
}

/// Returns up to eight bytes from `at`, padded with zeros, with the case bit set in each byte.
fn folded_at(bytes: &[u8], at: usize) -> u64 {
    let mut eight = [0; 8];
    let rest = &bytes[at.min(bytes.len())..];
    match rest.first_chunk::<8>() {
        Some(whole) => eight = *whole,
        None => eight[..rest.len()].copy_from_slice(rest),
    }
    u64::from_le_bytes(eight) | FOLD_EIGHT
}

/// Returns the four bytes at `at` with the case bit set. The fourth byte is zero if there are only three.
fn key_at(bytes: &[u8], at: usize) -> Option<u32> {
    let window = bytes.get(at..at + 3)?;
    let fourth = bytes.get(at + 3).copied().unwrap_or(0);
    Some(u32::from_le_bytes([window[0], window[1], window[2], fourth]) | FOLD)
}

/// Returns the position of `key` in [`PrefixSearch::seen`].
fn seen_hash(key: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b1) >> (32 - SEEN_BITS)) as usize
}

/// Returns the position of the first three bytes of `key` in [`PrefixSearch::seen_short`].
fn seen_short_hash(key: u32) -> usize {
    ((key & KEY).wrapping_mul(0x9e37_79b1) >> (32 - SEEN_SHORT_BITS)) as usize
}

fn low_half(word: u64) -> u32 {
    let [first, second, third, fourth, ..] = word.to_le_bytes();
    u32::from_le_bytes([first, second, third, fourth])
}

/// Returns the position of the first three bytes of `key` in [`PrefixSearch::heads`].
fn hash(key: u32) -> usize {
    ((key & KEY).wrapping_mul(0x9e37_79b1) >> (32 - TABLE_BITS)) as usize
}

/// Converts an index to `u16`. Each table has only a few hundred strings. If a table had more than `u16::MAX`
/// strings, the last strings would not be found, and the tests for them would fail.
fn narrow(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests;
