//! Reads the pages of a container file. A page is read with `pread` when it is first needed, verified, and kept in
//! memory.
//!
//! The file is not memory-mapped: if another process truncated a mapped file, a signal would kill the reading process,
//! and if another process overwrote the file, bytes could change after they had been verified.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{PAGE, SUM, SUMS_PER_GROUP, group_range, page_sum, table_bytes};
use crate::codec::u64_at;

/// The number of [`Slot`]s that are created together when one of them is first needed. Not all slots are created at the
/// start, because most pages of a large file are never read.
const SLOTS: usize = 64;

/// Reads, verifies and caches the pages of one file.
pub(super) struct Pages {
    file: File,
    /// The range of the file that contains the pages. The page checksums follow this range.
    data: Range<usize>,
    /// One checksum for each element of `groups`. The hash in the container's header covers these checksums.
    group_sums: Box<[u8]>,
    /// The checksums of the pages, in groups. A group is unset until it is read; an empty slice marks a damaged group.
    groups: Box<[OnceLock<Box<[u8]>>]>,
    slots: Box<[OnceLock<Box<[Slot]>>]>,
    memory: PageMemory,
}

/// The cached bytes of one page.
#[derive(Default)]
struct Slot {
    /// The index of the page in `Pages::memory`. Unset until the page is read; `None` marks a damaged page.
    page: OnceLock<Option<usize>>,
    /// A copy of several consecutive pages that starts with this page.
    run: OnceLock<Box<Run>>,
}

/// A copy of consecutive pages, for reads that cross a page boundary.
struct Run {
    n_pages: usize,
    /// The bytes of the pages. Empty if one of the pages is damaged.
    bytes: Box<[u8]>,
    /// The next longer run that starts at the same page.
    next: OnceLock<Box<Self>>,
}

impl Pages {
    /// Creates the cache without reading pages. `group_sums` contains eight bytes for each group of page checksums.
    pub(super) fn new(file: File, data: Range<usize>, group_sums: Box<[u8]>) -> Self {
        let n_pages = data.len().div_ceil(PAGE);
        let groups = (0..group_sums.len() / SUM).map(|_| OnceLock::new()).collect();
        let slots = (0..n_pages.div_ceil(SLOTS)).map(|_| OnceLock::new()).collect();
        Self { file, data, group_sums, groups, slots, memory: PageMemory::new(n_pages) }
    }

    /// Returns the bytes in `range` of the file, or `None` if some are outside `data` or in a damaged page.
    #[inline]
    pub(super) fn bytes(&self, range: Range<usize>) -> Option<&[u8]> {
        if range.start < self.data.start || range.end > self.data.end {
            return None;
        }
        if range.is_empty() {
            return Some(&[]);
        }
        let start = range.start - self.data.start;
        let (first, at) = (start / PAGE, start % PAGE);
        let end = at + range.len();
        let piece =
            if end <= PAGE { self.page(first)? } else { self.run(first, end.div_ceil(PAGE))? };
        piece.get(at..end)
    }

    /// Returns a copy of the bytes in `range` of the file, or `None` if some are outside `data` or in a damaged page.
    /// The pages are not kept in memory.
    pub(super) fn copy(&self, range: Range<usize>) -> Option<Vec<u8>> {
        if range.start < self.data.start || range.end > self.data.end {
            return None;
        }
        if range.is_empty() {
            return Some(Vec::new());
        }
        let start = range.start - self.data.start;
        let (first, at) = (start / PAGE, start % PAGE);
        let mut bytes = self.read(first, (at + range.len()).div_ceil(PAGE)).into_vec();
        if bytes.len() < at + range.len() {
            return None;
        }
        bytes.truncate(at + range.len());
        bytes.drain(..at);
        Some(bytes)
    }

    /// Returns the number of bytes from the file position `at` to the end of the page that contains it.
    pub(super) fn left_in_page(&self, at: usize) -> usize {
        PAGE - at.saturating_sub(self.data.start) % PAGE
    }

    #[inline]
    fn slot(&self, page: usize) -> Option<&Slot> {
        let slots = self.slots.get(page / SLOTS)?;
        slots.get_or_init(|| (0..SLOTS).map(|_| Slot::default()).collect()).get(page % SLOTS)
    }

    #[inline]
    fn page(&self, page: usize) -> Option<&[u8]> {
        let number = self.slot(page)?.page.get_or_init(|| self.read_page(page));
        self.memory.get((*number)?).map(<[u8; PAGE]>::as_slice)
    }

    /// Reads a page into `memory` and returns its index there. Returns `None` if the page cannot be read or its
    /// checksum differs.
    #[cold]
    fn read_page(&self, page: usize) -> Option<usize> {
        let start = self.data.start + page * PAGE;
        let mut bytes = [0; PAGE];
        // The last page may be shorter.
        let content = bytes.get_mut(..self.data.end.checked_sub(start)?.min(PAGE))?;
        self.file.read_exact_at(content, start as u64).ok()?;
        if self.has_sum(page, content) { self.memory.add(bytes) } else { None }
    }

    /// Returns the bytes of at least `n_pages` pages starting at `first`, or an empty slice if one of the pages is
    /// damaged. The pages are read and copied on first use.
    fn run(&self, first: usize, n_pages: usize) -> Option<&[u8]> {
        let mut slot = &self.slot(first)?.run;
        loop {
            let run = slot.get_or_init(|| {
                let bytes = self.read(first, n_pages);
                Box::new(Run { n_pages, bytes, next: OnceLock::new() })
            });
            if run.n_pages >= n_pages {
                return Some(&run.bytes);
            }
            slot = &run.next;
        }
    }

    /// Reads pages from the file. Returns an empty slice if a page cannot be read or its checksum differs.
    #[cold]
    fn read(&self, first: usize, n_pages: usize) -> Box<[u8]> {
        let start = self.data.start + first * PAGE;
        let end = (start + n_pages * PAGE).min(self.data.end);
        let mut bytes = vec![0; end.saturating_sub(start)].into_boxed_slice();
        if self.file.read_exact_at(&mut bytes, start as u64).is_err() {
            return Box::default();
        }
        let is_intact =
            (first..).zip(bytes.chunks(PAGE)).all(|(page, bytes)| self.has_sum(page, bytes));
        if is_intact { bytes } else { Box::default() }
    }

    fn has_sum(&self, page: usize, bytes: &[u8]) -> bool {
        let Some(group) = self.groups.get(page / SUMS_PER_GROUP) else { return false };
        let sums = group.get_or_init(|| self.read_group(page / SUMS_PER_GROUP));
        let at = page % SUMS_PER_GROUP * SUM;
        at + SUM <= sums.len() && page_sum(bytes) == u64_at(sums, at)
    }

    /// Reads a group of page checksums. Returns an empty slice if it cannot be read or its own checksum differs.
    #[cold]
    fn read_group(&self, group: usize) -> Box<[u8]> {
        let range = group_range(self.data.len().div_ceil(PAGE), group);
        let mut sums = vec![0; range.len()].into_boxed_slice();
        let is_read = self.file.read_exact_at(&mut sums, (self.data.end + range.start) as u64);
        let is_intact = is_read.is_ok() && page_sum(&sums) == u64_at(&self.group_sums, group * SUM);
        if is_intact { sums } else { Box::default() }
    }

    /// Returns whether all pages are intact and the file has the expected length. Reads every page without keeping it
    /// in memory.
    pub(super) fn are_all_intact(&self) -> bool {
        const AT_A_TIME: usize = 64;
        let n_pages = self.data.len().div_ceil(PAGE);
        let expected = self.data.end + table_bytes(n_pages);
        let has_same_length = self.file.metadata().is_ok_and(|it| it.len() == expected as u64);
        has_same_length
            && (0..n_pages)
                .step_by(AT_A_TIME)
                .all(|first| !self.read(first, AT_A_TIME.min(n_pages - first)).is_empty())
    }
}

const PAGES_PER_CHUNK: usize = 32;

type Chunk = Box<[OnceLock<[u8; PAGE]>]>;

/// The pages that have been read, in the order in which they were added. A page never moves or changes. Memory is
/// allocated for several pages at once, because separate allocations would need one more system call per page.
struct PageMemory {
    chunks: Box<[OnceLock<Chunk>]>,
    n_pages: AtomicUsize,
}

impl PageMemory {
    /// Creates an empty memory for up to `max_pages` pages. It is allocated when pages are added.
    fn new(max_pages: usize) -> Self {
        let n_chunks = max_pages.div_ceil(PAGES_PER_CHUNK);
        let chunks = (0..n_chunks).map(|_| OnceLock::new()).collect();
        Self { chunks, n_pages: AtomicUsize::new(0) }
    }

    /// Adds a page and returns its index, or `None` if there are too many pages.
    fn add(&self, page: [u8; PAGE]) -> Option<usize> {
        let number = self.n_pages.fetch_add(1, Ordering::Relaxed);
        let chunk = self
            .chunks
            .get(number / PAGES_PER_CHUNK)?
            .get_or_init(|| (0..PAGES_PER_CHUNK).map(|_| OnceLock::new()).collect());
        chunk.get(number % PAGES_PER_CHUNK)?.set(page).ok()?;
        Some(number)
    }

    /// Returns the page at this index.
    #[inline]
    fn get(&self, number: usize) -> Option<&[u8; PAGE]> {
        self.chunks.get(number / PAGES_PER_CHUNK)?.get()?.get(number % PAGES_PER_CHUNK)?.get()
    }
}
