//! Writes a container piece by piece, to a file or to memory. If it is written to a file, only a few of its pages are
//! in memory at a time.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::{
    ChecksumTable, FORMAT, HEADER, HEADER_HASH, MAGIC, MAX_SECTIONS, PAGE, SECTION_ROW,
    SECTION_TABLE,
};

/// The number of bytes that are written at once, a multiple of the page size.
const WRITTEN_AT_ONCE: usize = 16 * PAGE;

/// Writes the sections of a container one after another.
pub(crate) struct ContainerStream {
    target: Target,
    /// The file position at which `pages` will be written.
    written: usize,
    /// The bytes that have not been written yet. They start at a page boundary.
    pages: Vec<u8>,
    sums: ChecksumTable,
    /// The part of the header up to the end of the section table.
    table: Vec<u8>,
    n_sections: usize,
    /// The section that was started last.
    current: usize,
}

enum Target {
    File(File),
    Memory(Vec<u8>),
}

impl ContainerStream {
    /// Creates a stream that writes to an empty file.
    pub(crate) fn to_file(file: File) -> Self {
        Self::new(Target::File(file))
    }

    pub(crate) fn in_memory() -> Self {
        Self::new(Target::Memory(vec![0; HEADER]))
    }

    fn new(target: Target) -> Self {
        let table = vec![0; SECTION_TABLE + MAX_SECTIONS * SECTION_ROW];
        let pages = Vec::with_capacity(WRITTEN_AT_ONCE);
        let sums = ChecksumTable::default();
        Self { target, written: HEADER, pages, sums, table, n_sections: 0, current: 0 }
    }

    fn position(&self) -> usize {
        self.written + self.pages.len()
    }

    /// Starts a section. The sections may be written in any order.
    pub(crate) fn start_section(&mut self, number: usize) -> io::Result<()> {
        assert!(number < MAX_SECTIONS, "a container has at most {MAX_SECTIONS} sections");
        // Alignment reduces the number of fixed-size records that cross a page boundary.
        let padding = self.position().next_multiple_of(8) - self.position();
        self.append(&[0; 8][..padding])?;
        let row = SECTION_TABLE + number * SECTION_ROW;
        let at = (self.position() as u64).to_le_bytes();
        self.table[row..row + 8].copy_from_slice(&at);
        self.n_sections = self.n_sections.max(number + 1);
        self.current = number;
        Ok(())
    }

    /// Starts the section after the last one.
    pub(crate) fn start_next_section(&mut self) -> io::Result<()> {
        self.start_section(self.n_sections)
    }

    /// Writes the section after the last one.
    pub(crate) fn put_next_section(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.start_next_section()?;
        self.put(bytes)
    }

    pub(crate) fn n_sections(&self) -> usize {
        self.n_sections
    }

    /// Appends bytes to the section that was started last.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.append(bytes)?;
        let row = SECTION_TABLE + self.current * SECTION_ROW;
        let mut start = [0; 8];
        start.copy_from_slice(&self.table[row..row + 8]);
        let length = self.position() as u64 - u64::from_le_bytes(start);
        self.table[row + 8..row + 16].copy_from_slice(&length.to_le_bytes());
        Ok(())
    }

    fn append(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (some, rest) = bytes.split_at(bytes.len().min(WRITTEN_AT_ONCE - self.pages.len()));
            self.pages.extend_from_slice(some);
            bytes = rest;
            if self.pages.len() == WRITTEN_AT_ONCE {
                self.write_pages()?;
            }
        }
        Ok(())
    }

    fn write_pages(&mut self) -> io::Result<()> {
        self.pages.chunks(PAGE).for_each(|page| self.sums.push(page));
        self.target.write(&self.pages, self.written)?;
        self.written += self.pages.len();
        self.pages.clear();
        Ok(())
    }

    /// Writes the checksums and the header. Returns the length of the container, and its bytes if they are in memory.
    pub(crate) fn finish(mut self) -> io::Result<(usize, Vec<u8>)> {
        self.write_pages()?;
        let (page_sums, group_sums) = self.sums.finish();
        let groups_at = self.written + page_sums.len();
        let length = groups_at + group_sums.len();
        let header = sealed_header(&self.table, self.n_sections, self.written, length, &group_sums);
        self.target.write(&page_sums, self.written)?;
        self.target.write(&group_sums, groups_at)?;
        self.target.write(&header, 0)?;
        match self.target {
            Target::File(_) => Ok((length, Vec::new())),
            Target::Memory(bytes) => Ok((length, bytes)),
        }
    }
}

/// Returns the bytes of a container with these sections.
pub(crate) fn container_of(
    sections: impl IntoIterator<Item = impl AsRef<[u8]>>,
) -> io::Result<Vec<u8>> {
    let mut stream = ContainerStream::in_memory();
    for section in sections {
        stream.put_next_section(section.as_ref())?;
    }
    Ok(stream.finish()?.1)
}

/// Returns the complete header of a container. `table` is the start of the header and includes the section table.
fn sealed_header(
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

impl Target {
    fn write(&mut self, bytes: &[u8], at: usize) -> io::Result<()> {
        match self {
            Self::File(file) => file.write_all_at(bytes, at as u64),
            Self::Memory(all) => {
                all.resize(all.len().max(at + bytes.len()), 0);
                all[at..at + bytes.len()].copy_from_slice(bytes);
                Ok(())
            }
        }
    }
}
