//! Builds the bytes of a container from its sections.

use super::checksums::ChecksumTable;
use super::{FORMAT, HEADER, HEADER_HASH, MAGIC, MAX_SECTIONS, PAGE, SECTION_ROW, SECTION_TABLE};

/// Collects the sections of a container, in order.
pub(crate) struct ContainerWriter {
    bytes: Vec<u8>,
    n_sections: usize,
}

impl ContainerWriter {
    pub(crate) fn new() -> Self {
        Self { bytes: vec![0; HEADER], n_sections: 0 }
    }

    /// Appends a section and returns its index.
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
        let length = self.bytes.len();
        let header =
            sealed_header(&self.bytes[..HEADER], self.n_sections, sums_at, length, &group_sums);
        self.put(0, &header);
        self.bytes
    }

    fn put(&mut self, at: usize, value: &[u8]) {
        self.bytes[at..at + value.len()].copy_from_slice(value);
    }
}

/// Returns the complete header of a container. `table` is the start of the header and includes the section table.
pub(super) fn sealed_header(
    table: &[u8],
    n_sections: usize,
    sums_at: usize,
    length: usize,
    group_sums: &[u8],
) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..table.len()].copy_from_slice(table);
    let mut put = |at: usize, value: &[u8]| header[at..at + value.len()].copy_from_slice(value);
    put(0, &MAGIC);
    put(8, &FORMAT.to_le_bytes());
    put(12, &(n_sections as u32).to_le_bytes());
    put(16, &(length as u64).to_le_bytes());
    put(24, &(sums_at as u64).to_le_bytes());
    let hash = blake3::Hasher::new().update(&header[..HEADER_HASH]).update(group_sums).finalize();
    header[HEADER_HASH..].copy_from_slice(hash.as_bytes());
    header
}
