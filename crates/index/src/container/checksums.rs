//! The checksums of a container, in two levels: one for each page, and one for each group of page checksums. The hash
//! in the header covers the second level only, so opening a container of any size reads only a few kilobytes.

use std::ops::Range;

use super::PAGE;
use crate::codec::u64_at;

/// The size of a checksum in bytes.
pub(super) const SUM: usize = 8;
/// The number of page checksums in a group. A group is as large as a page.
pub(super) const SUMS_PER_GROUP: usize = PAGE / SUM;

/// Returns the checksum of a page, or of a group of page checksums: the first eight bytes of its hash.
pub(super) fn page_sum(bytes: &[u8]) -> u64 {
    u64_at(blake3::hash(bytes).as_bytes(), 0)
}

/// Returns the size in bytes of both levels of checksums for `n_pages` pages.
pub(super) fn table_bytes(n_pages: usize) -> usize {
    n_pages * SUM + group_bytes(n_pages)
}

/// Returns the size in bytes of the second level of checksums for `n_pages` pages.
pub(super) fn group_bytes(n_pages: usize) -> usize {
    n_pages.div_ceil(SUMS_PER_GROUP) * SUM
}

/// Returns the byte range of a group within the first level of checksums.
pub(super) fn group_range(n_pages: usize, group: usize) -> Range<usize> {
    let end = n_pages * SUM;
    (group * PAGE).min(end)..(group * PAGE + PAGE).min(end)
}

/// Computes the checksums of pages that are added in order.
#[derive(Default)]
pub(super) struct ChecksumTable {
    pages: Vec<u8>,
}

impl ChecksumTable {
    pub(super) fn push(&mut self, page: &[u8]) {
        self.pages.extend_from_slice(&page_sum(page).to_le_bytes());
    }

    /// Returns the checksums of the pages, and those of the groups.
    pub(super) fn finish(self) -> (Vec<u8>, Vec<u8>) {
        let groups =
            self.pages.chunks(PAGE).flat_map(|group| page_sum(group).to_le_bytes()).collect();
        (self.pages, groups)
    }
}
