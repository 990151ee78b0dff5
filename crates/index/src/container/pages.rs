//! Reads the pages of a container file. A page is read with `pread` when it is first needed, verified, and kept in
//! memory.
//!
//! The file is not memory-mapped: if another process truncated a mapped file, a signal would end the reader, and if
//! another process overwrote the file, bytes would change after they were verified.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;

use super::PAGE;
use crate::codec::u64_at;

/// Reads, verifies and caches the pages of one file.
pub(super) struct Pages {
    file: File,
    /// The range of the file that contains the pages.
    data: Range<usize>,
    /// The checksums, eight bytes for each page. The hash in the header covers them.
    sums: Box<[u8]>,
    /// Single pages. A slot is unset until its page is read; an empty slice marks a damaged page.
    pages: Box<[OnceLock<Box<[u8]>>]>,
    /// Copies of several consecutive pages, by the number of their first page.
    runs: Box<[OnceLock<Box<Run>>]>,
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
    /// Creates the cache without reading pages. `sums` contains eight bytes for each page in `data`.
    pub(super) fn new(file: File, data: Range<usize>, sums: Box<[u8]>) -> Self {
        let n_pages = data.len().div_ceil(PAGE);
        let pages = (0..n_pages).map(|_| OnceLock::new()).collect();
        let runs = (0..n_pages).map(|_| OnceLock::new()).collect();
        Self { file, data, sums, pages, runs }
    }

    /// Returns the bytes at `range` of the file, or `None` if some are outside `data` or in a damaged page.
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

    /// Returns a copy of the bytes at `range` of the file, or `None` if some are outside `data` or in a damaged page. The
    /// pages are not kept in memory.
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
    fn page(&self, page: usize) -> Option<&[u8]> {
        let slot = self.pages.get(page)?;
        Some(slot.get_or_init(|| self.read(page, 1)))
    }

    /// Returns the bytes of at least `n_pages` pages starting at `first`. The pages are copied on first use.
    fn run(&self, first: usize, n_pages: usize) -> Option<&[u8]> {
        let mut slot = self.runs.get(first)?;
        loop {
            let run = slot.get_or_init(|| {
                let bytes = self.joined(first, n_pages).unwrap_or_default().into_boxed_slice();
                Box::new(Run { n_pages, bytes, next: OnceLock::new() })
            });
            if run.n_pages >= n_pages {
                return Some(&run.bytes);
            }
            slot = &run.next;
        }
    }

    /// Reads and verifies pages one by one and joins them. Returns `None` if one of them is damaged.
    fn joined(&self, first: usize, n_pages: usize) -> Option<Vec<u8>> {
        let mut joined = Vec::with_capacity(n_pages * PAGE);
        for page in first..first + n_pages {
            joined.extend_from_slice(self.page(page).filter(|bytes| !bytes.is_empty())?);
        }
        Some(joined)
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
        page * 8 + 8 <= self.sums.len() && page_sum(bytes) == u64_at(&self.sums, page * 8)
    }

    /// Returns whether all pages are intact and the file has the expected length. Reads every page without keeping it
    /// in memory.
    pub(super) fn are_all_intact(&self) -> bool {
        const AT_A_TIME: usize = 16;
        let n_pages = self.pages.len();
        let has_same_length = self
            .file
            .metadata()
            .is_ok_and(|it| it.len() == (self.data.end + self.sums.len()) as u64);
        has_same_length
            && (0..n_pages)
                .step_by(AT_A_TIME)
                .all(|first| !self.read(first, AT_A_TIME.min(n_pages - first)).is_empty())
    }
}

/// Returns the checksum of a page: the first eight bytes of its hash.
pub(super) fn page_sum(bytes: &[u8]) -> u64 {
    u64_at(blake3::hash(bytes).as_bytes(), 0)
}
