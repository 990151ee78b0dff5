//! Writes sections into the bytes of a container.

use super::checksums::ChecksumTable;
use super::{FORMAT, HEADER, HEADER_HASH, MAGIC, MAX_SECTIONS, PAGE, SECTION_ROW, SECTION_TABLE};

/// Collects sections in order.
pub(crate) struct ContainerWriter {
    bytes: Vec<u8>,
    n_sections: usize,
}

impl ContainerWriter {
    pub(crate) fn new() -> Self {
        Self { bytes: vec![0; HEADER], n_sections: 0 }
    }

    /// Appends a section and returns its number.
    pub(crate) fn section(&mut self, content: &[u8]) -> usize {
        assert!(self.n_sections < MAX_SECTIONS, "a container has at most {MAX_SECTIONS} sections");
        // Alignment reduces the number of fixed-size records that cross a page boundary.
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let row = SECTION_TABLE + self.n_sections * SECTION_ROW;
        let at = self.bytes.len() as u64;
        self.put(row, &at.to_le_bytes());
        self.put(row + 8, &(content.len() as u64).to_le_bytes());
        self.bytes.extend_from_slice(content);
        self.n_sections += 1;
        self.n_sections - 1
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let sums_at = self.bytes.len();
        let mut sums = ChecksumTable::default();
        self.bytes[HEADER..].chunks(PAGE).for_each(|page| sums.push(page));
        let (page_sums, group_sums) = sums.finish();
        self.bytes.extend_from_slice(&page_sums);
        self.bytes.extend_from_slice(&group_sums);
        let length = self.bytes.len() as u64;
        self.put(0, &MAGIC);
        self.put(8, &FORMAT.to_le_bytes());
        self.put(12, &(self.n_sections as u32).to_le_bytes());
        self.put(16, &length.to_le_bytes());
        self.put(24, &(sums_at as u64).to_le_bytes());
        let hash =
            blake3::Hasher::new().update(&self.bytes[..HEADER_HASH]).update(&group_sums).finalize();
        self.put(HEADER_HASH, hash.as_bytes());
        self.bytes
    }

    fn put(&mut self, at: usize, value: &[u8]) {
        self.bytes[at..at + value.len()].copy_from_slice(value);
    }
}
