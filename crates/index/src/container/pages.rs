//! Which pages of a container have been verified, and whether any was bad.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::PAGE;
use crate::codec::u64_at;

/// Checksums of all pages and the memory of which were checked.
pub(super) struct PageSums {
    sums: Range<usize>,
    data: Range<usize>,
    verified: Box<[AtomicU64]>,
    damaged: AtomicBool,
}

impl PageSums {
    pub(super) fn new(sums: Range<usize>, data: Range<usize>) -> Self {
        let n_pages = data.len().div_ceil(PAGE);
        let verified = (0..n_pages.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Self { sums, data, verified, damaged: AtomicBool::new(false) }
    }

    pub(super) fn data_end(&self) -> usize {
        self.data.end
    }

    pub(super) fn damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    pub(super) fn note_damage(&self) {
        self.damaged.store(true, Ordering::Relaxed);
    }

    /// True if every page that `range` touches has its checksum; each page is hashed once per process.
    #[inline]
    pub(super) fn verify(&self, all: &[u8], range: Range<usize>) -> bool {
        if range.start < self.data.start || range.end > self.data.end {
            self.note_damage();
            return false;
        }
        if range.is_empty() {
            return true;
        }
        let first = (range.start - self.data.start) / PAGE;
        let last = (range.end - 1 - self.data.start) / PAGE;
        (first..=last).all(|page| self.is_verified(page) || self.verify_page(all, page))
    }

    #[inline]
    fn is_verified(&self, page: usize) -> bool {
        self.verified
            .get(page / 64)
            .is_some_and(|word| word.load(Ordering::Relaxed) >> (page % 64) & 1 == 1)
    }

    #[cold]
    fn verify_page(&self, all: &[u8], page: usize) -> bool {
        let start = self.data.start + page * PAGE;
        let bytes = all.get(start..(start + PAGE).min(self.data.end)).unwrap_or_default();
        let recorded_at = self.sums.start + page * 8;
        let intact =
            recorded_at + 8 <= self.sums.end && page_sum(bytes) == u64_at(all, recorded_at);
        if intact {
            if let Some(word) = self.verified.get(page / 64) {
                word.fetch_or(1 << (page % 64), Ordering::Relaxed);
            }
        } else {
            self.note_damage();
        }
        intact
    }
}

/// The first eight bytes of a page's hash.
pub(super) fn page_sum(bytes: &[u8]) -> u64 {
    u64_at(blake3::hash(bytes).as_bytes(), 0)
}
