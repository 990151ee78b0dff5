//! Collects the bytes of one section, in memory or in a temporary file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use super::Spill;

/// The size of the buffer for writing to and reading from a file.
const BUFFER: usize = 64 * 1024;

/// The bytes of one section. A large section is written to a temporary file.
pub(crate) struct Section<'s> {
    spill: &'s Spill,
    file: Option<File>,
    /// The bytes that have not been written to the file.
    buffer: Vec<u8>,
    in_file: u64,
}

impl<'s> Section<'s> {
    pub(crate) fn new(spill: &'s Spill) -> Self {
        Self { spill, file: None, buffer: Vec::new(), in_file: 0 }
    }

    pub(crate) fn len(&self) -> u64 {
        self.in_file + self.buffer.len() as u64
    }

    /// Returns the buffer to which the caller appends the next bytes. The caller must call [`Self::flush`] regularly
    /// to limit the size of the buffer.
    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Appends bytes to the section.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.buffer.extend_from_slice(bytes);
        self.flush()
    }

    /// Writes the buffer to a file if the buffer is large.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        let max = if self.file.is_some() { BUFFER } else { self.spill.max_section().max(BUFFER) };
        if self.buffer.len() < max || !self.spill.has_files() {
            return Ok(());
        }
        if self.file.is_none() {
            self.file = Some(self.spill.create()?);
        }
        if let Some(file) = &mut self.file {
            file.write_all(&self.buffer)?;
            self.in_file += self.buffer.len() as u64;
            self.buffer = Vec::with_capacity(2 * BUFFER);
        }
        Ok(())
    }

    /// Passes all bytes to `take`, in pieces.
    pub(crate) fn read(mut self, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(0))?;
            let mut piece = vec![0; BUFFER];
            let mut left = self.in_file;
            while left > 0 {
                let length = BUFFER.min(usize::try_from(left).unwrap_or(BUFFER));
                file.read_exact(&mut piece[..length])?;
                take(&piece[..length])?;
                left -= length as u64;
            }
        }
        take(&self.buffer)
    }

    /// Like [`Self::read`], but passes pieces of `size` bytes each. The section must consist of rows of this size.
    pub(crate) fn read_rows(
        self,
        size: usize,
        mut take: impl FnMut(&mut [u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut row = Vec::with_capacity(size);
        self.read(|mut piece| {
            while !piece.is_empty() {
                let (some, rest) = piece.split_at(piece.len().min(size - row.len()));
                row.extend_from_slice(some);
                piece = rest;
                if row.len() == size {
                    take(&mut row)?;
                    row.clear();
                }
            }
            Ok(())
        })
    }
}
