//! The memory for pages that have been read. It is allocated for several pages at once, because separate allocations
//! would need one more system call per page.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::PAGE;

const PAGES_PER_CHUNK: usize = 32;

type Chunk = Box<[OnceLock<[u8; PAGE]>]>;

/// Pages in the order in which they were added. A page never moves or changes.
pub(super) struct PageMemory {
    chunks: Box<[OnceLock<Chunk>]>,
    n_pages: AtomicUsize,
}

impl PageMemory {
    /// Creates an empty memory for up to `max_pages` pages. It is allocated when pages are added.
    pub(super) fn new(max_pages: usize) -> Self {
        let n_chunks = max_pages.div_ceil(PAGES_PER_CHUNK);
        let chunks = (0..n_chunks).map(|_| OnceLock::new()).collect();
        Self { chunks, n_pages: AtomicUsize::new(0) }
    }

    /// Adds a page and returns its index, or `None` if there are too many pages.
    pub(super) fn add(&self, page: [u8; PAGE]) -> Option<usize> {
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
    pub(super) fn get(&self, number: usize) -> Option<&[u8; PAGE]> {
        self.chunks.get(number / PAGES_PER_CHUNK)?.get()?.get(number % PAGES_PER_CHUNK)?.get()
    }
}
