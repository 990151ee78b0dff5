//! The container file format: a header, sections and two levels of checksums. The first level has one checksum for each
//! page, the second level one for each group of page checksums. The hash in the header covers the second level only, so
//! opening a container of any size reads only a few kilobytes. Snapshots, patches, deltas, packs and stored histories
//! are containers.
//!
//! Opening a container verifies only the header and the second level of checksums. Each page is verified when it is
//! first read, so a query verifies only the pages that it reads, and damaged bytes are never returned. The sections of
//! a snapshot are defined in [`crate::layout`].

mod pages;
mod stream;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use crate::codec::{u32_at, u64_at};
use pages::Pages;
pub(crate) use stream::{ContainerStream, container_of};

pub(crate) const MAGIC: [u8; 8] = *b"adjsnap\n";
/// The version of the format. It is part of the file names, and must be increased whenever the format or the resolution of
/// references changes.
pub(crate) const FORMAT: u32 = 9;
/// The size of a page. A query reads single records that are far apart, so a larger page would mostly contain bytes
/// that the query does not need but would have to verify.
pub(crate) const PAGE: usize = 4 * 1024;
const HEADER: usize = 4096;
const SECTION_TABLE: usize = 64;
const SECTION_ROW: usize = 16;
const MAX_SECTIONS: usize = 200;
const HASH: usize = 32;
/// The position of the hash in the header. The hash is the last field.
const HEADER_HASH: usize = HEADER - HASH;

type Header = [u8; HEADER];

/// The reason why a container cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    #[error("cannot read the snapshot")]
    Unreadable(#[source] io::Error),
    /// The folder of the index belongs to another user, or other users can write to it. The message names the folder and
    /// the reason.
    #[error("{0}")]
    Refused(String),
    /// The file has a different format version.
    #[error("snapshot has format {found}, this build reads {FORMAT}")]
    OtherFormat {
        /// The version in the header.
        found: u32,
    },
    /// The file was truncated, overwritten or corrupted.
    #[error("snapshot is damaged: {what}")]
    Damaged {
        /// The check that failed.
        what: &'static str,
    },
}

impl OpenError {
    /// Returns whether there is no index in this format. This is not an error: the index has not been built yet, has
    /// been deleted, or was built by another version of the program.
    pub fn is_absent(&self) -> bool {
        match self {
            Self::Unreadable(error) => error.kind() == io::ErrorKind::NotFound,
            Self::OtherFormat { .. } => true,
            Self::Refused(_) | Self::Damaged { .. } => false,
        }
    }
}

enum Backing {
    /// A file, read page by page.
    Pages(Box<Pages>),
    /// Bytes that this process produced. Their pages are not verified.
    Owned(Vec<u8>),
}

pub(crate) struct Container {
    backing: Backing,
    sections: Vec<(usize, usize)>,
    identity: [u8; HASH],
    size: usize,
    damaged: AtomicBool,
}

impl Container {
    /// Opens the file at `path` and verifies its header and the second level of its checksums.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        // This is checked before the file is opened, because opening a named pipe waits for a writer.
        if !fs::metadata(path).map_err(OpenError::Unreadable)?.is_file() {
            return Err(OpenError::Damaged { what: "not a file" });
        }
        let file = disk::open_file(path, disk::Links::Refuse).map_err(OpenError::Unreadable)?;
        let size = file.metadata().map_err(OpenError::Unreadable)?.len();
        let mut header = [0; HEADER];
        let header_read = file.read_exact_at(&mut header, 0);
        header_read.map_err(|_| OpenError::Damaged { what: "shorter than its header" })?;
        let sums_start = checksums_offset(&header, size)?;
        let group_sums_start = group_sums_offset(sums_start, to_size(size));
        let mut group_sums = vec![0; to_size(size) - group_sums_start].into_boxed_slice();
        let sums_read = file.read_exact_at(&mut group_sums, group_sums_start as u64);
        sums_read.map_err(|_| OpenError::Damaged { what: "no checksums" })?;
        let identity = verified_identity(&header, &group_sums)?;
        let pages = Pages::new(file, HEADER..sums_start, group_sums);
        Ok(Self::new(Backing::Pages(Box::new(pages)), &header, identity, to_size(size)))
    }

    /// Opens the bytes that a [`ContainerStream`] in memory returned.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Result<Self, OpenError> {
        let size = bytes.len();
        let Some(header) = bytes.first_chunk::<HEADER>().copied() else {
            return Err(OpenError::Damaged { what: "shorter than its header" });
        };
        let sums_start = checksums_offset(&header, size as u64)?;
        let group_sums = bytes.get(group_sums_offset(sums_start, size)..).unwrap_or_default();
        let identity = verified_identity(&header, group_sums)?;
        Ok(Self::new(Backing::Owned(bytes), &header, identity, size))
    }

    fn new(backing: Backing, header: &Header, identity: [u8; HASH], size: usize) -> Self {
        let n_sections = (u32_at(header, 12) as usize).min(MAX_SECTIONS);
        let sections = (0..n_sections).map(|section| section_row(header, section)).collect();
        Self { backing, sections, identity, size, damaged: AtomicBool::new(false) }
    }

    /// Returns the verified bytes `start..start + length` of a section. If they are out of range or damaged, returns an
    /// empty slice and records the damage.
    pub(crate) fn bytes(&self, section: usize, start: usize, length: usize) -> &[u8] {
        self.file_range(section, start, length)
            .and_then(|file_range| self.at(file_range))
            .unwrap_or_else(|| {
                self.note_damage();
                &[]
            })
    }

    /// Like [`Self::bytes`], but returns a copy and does not cache the bytes. Returns `None` if they are out of range
    /// or damaged.
    pub(crate) fn copy(&self, section: usize, start: usize, length: usize) -> Option<Vec<u8>> {
        let file_range = self.file_range(section, start, length)?;
        match &self.backing {
            Backing::Pages(pages) => pages.copy(file_range),
            Backing::Owned(bytes) => bytes.get(file_range).map(<[u8]>::to_vec),
        }
    }

    /// Like [`Self::bytes`], but returns only the bytes up to the end of the page in which the range starts.
    pub(crate) fn bytes_in_page(&self, section: usize, start: usize, length: usize) -> &[u8] {
        let left = match (&self.backing, self.sections.get(section)) {
            (Backing::Pages(pages), Some((at, _))) => pages.left_in_page(at.saturating_add(start)),
            (Backing::Owned(_), _) | (_, None) => length,
        };
        self.bytes(section, start, length.min(left))
    }

    /// Converts a range within a section to a range within the file. Returns `None` if it is out of range.
    fn file_range(&self, section: usize, start: usize, length: usize) -> Option<Range<usize>> {
        let &(at, size) = self.sections.get(section)?;
        let end = start.checked_add(length).filter(|end| *end <= size)?;
        Some(at.checked_add(start)?..at.checked_add(end)?)
    }

    #[inline]
    fn at(&self, file_range: Range<usize>) -> Option<&[u8]> {
        match &self.backing {
            Backing::Pages(pages) => pages.bytes(file_range),
            Backing::Owned(bytes) => bytes.get(file_range),
        }
    }

    /// Returns the bytes of a section in pieces of `size` bytes, without caching them. A damaged piece is `None`.
    pub(crate) fn pieces(
        &self,
        section: usize,
        size: usize,
    ) -> impl Iterator<Item = Option<Vec<u8>>> {
        let length = self.len(section);
        let starts = (0..length).step_by(size);
        starts.map(move |start| self.copy(section, start, size.min(length - start)))
    }

    pub(crate) fn n_sections(&self) -> usize {
        self.sections.len()
    }

    /// Returns the length of a section in bytes, or zero if the section does not exist.
    pub(crate) fn len(&self, section: usize) -> usize {
        self.sections.get(section).map_or(0, |&(_, size)| size)
    }

    /// Returns all bytes of a section.
    pub(crate) fn whole(&self, section: usize) -> &[u8] {
        self.bytes(section, 0, self.len(section))
    }

    /// Returns whether any read found a damaged page, an invalid range or invalid data.
    pub(crate) fn damaged(&self) -> bool {
        self.damaged.load(Ordering::Relaxed)
    }

    /// Records that a reader of a section found invalid data.
    pub(crate) fn note_damage(&self) {
        self.damaged.store(true, Ordering::Relaxed);
    }

    /// Reads and verifies every page. Returns false if a page is damaged, or if damage was found before.
    pub(crate) fn verify_all(&self) -> bool {
        let is_intact = match &self.backing {
            Backing::Pages(pages) => pages.are_all_intact(),
            Backing::Owned(_) => true,
        };
        if !is_intact {
            self.note_damage();
        }
        !self.damaged()
    }

    /// Returns the hash of the header and the second level of checksums, which identifies the content.
    pub(crate) fn identity(&self) -> [u8; HASH] {
        self.identity
    }

    /// Returns the length of the container in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }
}

/// Checks all fields of the header except the hash, and returns the position of the checksums.
fn checksums_offset(header: &Header, size: u64) -> Result<usize, OpenError> {
    let damaged = |what| Err(OpenError::Damaged { what });
    if header.get(..8) != Some(MAGIC.as_slice()) {
        return damaged("no magic");
    }
    let found = u32_at(header, 8);
    if found != FORMAT {
        return Err(OpenError::OtherFormat { found });
    }
    if u64_at(header, 16) != size {
        return damaged("length differs");
    }
    let (sums_start, size) = (to_size(u64_at(header, 24)), to_size(size));
    let sums_fit = sums_start >= HEADER
        && size.checked_sub(sums_start) == Some(table_bytes((sums_start - HEADER).div_ceil(PAGE)));
    if sums_fit { Ok(sums_start) } else { damaged("no checksums") }
}

/// Returns the position of the second level of checksums. [`checksums_offset`] has checked both arguments.
fn group_sums_offset(sums_start: usize, size: usize) -> usize {
    size.saturating_sub(group_bytes((sums_start - HEADER).div_ceil(PAGE)))
}

/// Computes the hash of the header and the second level of checksums. Fails if the hash in the header differs.
fn verified_identity(header: &Header, group_sums: &[u8]) -> Result<[u8; HASH], OpenError> {
    let hashed = blake3::Hasher::new().update(&header[..HEADER_HASH]).update(group_sums).finalize();
    if header.get(HEADER_HASH..) == Some(hashed.as_bytes().as_slice()) {
        Ok(*hashed.as_bytes())
    } else {
        Err(OpenError::Damaged { what: "header hash differs" })
    }
}

fn to_size(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

fn section_row(header: &[u8], section: usize) -> (usize, usize) {
    let at = SECTION_TABLE + section * SECTION_ROW;
    (to_size(u64_at(header, at)), to_size(u64_at(header, at + 8)))
}

/// The size of a checksum in bytes.
const SUM: usize = 8;
/// The number of page checksums in a group. A group is as large as a page.
const SUMS_PER_GROUP: usize = PAGE / SUM;

/// Returns the checksum of a page, or of a group of page checksums: the first eight bytes of its hash.
fn page_sum(bytes: &[u8]) -> u64 {
    u64_at(blake3::hash(bytes).as_bytes(), 0)
}

/// Returns the size in bytes of both levels of checksums for `n_pages` pages.
fn table_bytes(n_pages: usize) -> usize {
    n_pages * SUM + group_bytes(n_pages)
}

/// Returns the size in bytes of the second level of checksums for `n_pages` pages.
fn group_bytes(n_pages: usize) -> usize {
    n_pages.div_ceil(SUMS_PER_GROUP) * SUM
}

/// Returns the byte range of a group within the first level of checksums.
fn group_range(n_pages: usize, group: usize) -> Range<usize> {
    let end = n_pages * SUM;
    (group * PAGE).min(end)..(group * PAGE + PAGE).min(end)
}

/// Computes the checksums of pages that are added in order.
#[derive(Default)]
struct ChecksumTable {
    pages: Vec<u8>,
}

impl ChecksumTable {
    fn push(&mut self, page: &[u8]) {
        self.pages.extend_from_slice(&page_sum(page).to_le_bytes());
    }

    /// Returns the checksums of the pages, and those of the groups.
    fn finish(self) -> (Vec<u8>, Vec<u8>) {
        let groups =
            self.pages.chunks(PAGE).flat_map(|group| page_sum(group).to_le_bytes()).collect();
        (self.pages, groups)
    }
}
