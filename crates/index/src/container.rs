//! The file a snapshot lives in: a header, sections, and a checksum for every page of them.
//!
//! Opening verifies the header and the checksums' own hash, nothing else; a page is verified when it is first
//! touched, so a query pays for what it reads and no damaged byte reaches an answer. What the sections mean is not known here.

mod pages;
#[cfg(test)]
mod tests;
mod write;

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;
use thiserror::Error;

use crate::codec::{u32_at, u64_at};
use pages::PageSums;
pub(crate) use write::ContainerWriter;

pub(crate) const MAGIC: [u8; 8] = *b"adjsnap\n";
/// Raised with every change of what the sections hold; it is also part of the file name.
pub(crate) const FORMAT: u32 = 2;
pub(crate) const PAGE: usize = 16 * 1024;
const HEADER: usize = 4096;
const SECTION_TABLE: usize = 64;
const SECTION_ROW: usize = 16;
const MAX_SECTIONS: usize = 200;
/// The header's own hash stands at its end.
const HEADER_HASH: usize = HEADER - 32;

/// Why a file is not a snapshot this build can read.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The file cannot be read at all.
    #[error("cannot read the snapshot")]
    Unreadable(#[source] io::Error),
    /// It is a snapshot of another build.
    #[error("snapshot has format {found}, this build reads {FORMAT}")]
    OtherFormat {
        /// The format the file claims.
        found: u32,
    },
    /// It was cut short, overwritten, or its bits have rotted.
    #[error("snapshot is damaged: {what}")]
    Damaged {
        /// What gave it away.
        what: &'static str,
    },
}

enum Backing {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Backing {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

/// An open container.
pub(crate) struct Container {
    backing: Backing,
    sections: Vec<(usize, usize)>,
    pages: PageSums,
}

impl Container {
    /// Maps the file at `path`.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        let file = File::open(path).map_err(OpenError::Unreadable)?;
        if !file.metadata().map_err(OpenError::Unreadable)?.is_file() {
            return Err(OpenError::Damaged { what: "not a file" });
        }
        let map = map_read_only(&file).map_err(OpenError::Unreadable)?;
        Self::over(Backing::Mapped(map))
    }

    /// Takes over bytes made by a [`ContainerWriter`] in this process.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Result<Self, OpenError> {
        Self::over(Backing::Owned(bytes))
    }

    fn over(backing: Backing) -> Result<Self, OpenError> {
        let bytes = backing.bytes();
        let damaged = |what| Err(OpenError::Damaged { what });
        let Some(header) = bytes.get(..HEADER) else { return damaged("shorter than its header") };
        if header.get(..8) != Some(MAGIC.as_slice()) {
            return damaged("no magic");
        }
        let found = u32_at(header, 8);
        if found != FORMAT {
            return Err(OpenError::OtherFormat { found });
        }
        if u64_at(header, 16) != bytes.len() as u64 {
            return damaged("length differs");
        }
        let sums_at = usize::try_from(u64_at(header, 24)).unwrap_or(usize::MAX);
        let Some(sums) = bytes.get(sums_at..) else { return damaged("no checksums") };
        let hashed = blake3::Hasher::new().update(&header[..HEADER_HASH]).update(sums).finalize();
        if header.get(HEADER_HASH..) != Some(hashed.as_bytes().as_slice()) {
            return damaged("header hash differs");
        }
        let n_sections = (u32_at(header, 12) as usize).min(MAX_SECTIONS);
        let sections = (0..n_sections).map(|section| section_row(header, section)).collect();
        let pages = PageSums::new(sums_at..bytes.len(), HEADER..sums_at);
        Ok(Self { backing, sections, pages })
    }

    /// Bytes `start..start + length` of a section, verified; empty when out of range or damaged.
    pub(crate) fn bytes(&self, section: usize, start: usize, length: usize) -> &[u8] {
        let Some(&(at, size)) = self.sections.get(section) else { return &[] };
        let in_section = start.checked_add(length).is_some_and(|end| end <= size);
        let (Some(from), Some(to)) =
            (at.checked_add(start), at.checked_add(start.saturating_add(length)))
        else {
            return &[];
        };
        if !in_section {
            self.pages.note_damage();
            return &[];
        }
        let all = self.backing.bytes();
        if !self.pages.verify(all, from..to) {
            return &[];
        }
        all.get(from..to).unwrap_or_default()
    }

    /// The size of a section, zero if there is none.
    pub(crate) fn len(&self, section: usize) -> usize {
        self.sections.get(section).map_or(0, |&(_, size)| size)
    }

    /// A whole section, verified.
    pub(crate) fn whole(&self, section: usize) -> &[u8] {
        self.bytes(section, 0, self.len(section))
    }

    /// True once a damaged page or an impossible reference was met.
    pub(crate) fn damaged(&self) -> bool {
        self.pages.damaged()
    }

    /// Lets a reader of a section report what cannot be.
    pub(crate) fn note_damage(&self) {
        self.pages.note_damage();
    }

    /// Reads and verifies every page.
    pub(crate) fn verify_all(&self) -> bool {
        let all = self.backing.bytes();
        self.pages.verify(all, HEADER..self.pages.data_end()) && !self.damaged()
    }

    /// Tells two containers apart: the hash over all that is in it.
    pub(crate) fn identity(&self) -> [u8; 32] {
        let mut identity = [0; 32];
        if let Some(hash) = self.backing.bytes().get(HEADER_HASH..HEADER) {
            identity.copy_from_slice(hash);
        }
        identity
    }

    /// The size of the file.
    pub(crate) fn size(&self) -> usize {
        self.backing.bytes().len()
    }
}

fn section_row(header: &[u8], section: usize) -> (usize, usize) {
    let at = SECTION_TABLE + section * SECTION_ROW;
    let to_size = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
    (to_size(u64_at(header, at)), to_size(u64_at(header, at + 8)))
}

#[expect(
    unsafe_code,
    reason = "mapping a file is unsafe because another process may change it; snapshots are only ever replaced by rename, never written in place"
)]
fn map_read_only(file: &File) -> io::Result<Mmap> {
    // SAFETY: the store writes a snapshot under another name and renames it, so a mapped file keeps its bytes; every
    // page is verified before use, and the file belongs to the user's own cache folder.
    unsafe { Mmap::map(file) }
}
