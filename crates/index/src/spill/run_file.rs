//! Stores several runs (sorted sequences of records) in one temporary file. The runs are written one after another,
//! and can be read at the same time.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use super::Spill;

/// The number of bytes that are written at a time.
const PIECE: usize = 64 * 1024;

/// Writes sorted runs to one file, one after the other.
pub(crate) struct RunFile<'s> {
    spill: &'s Spill,
    file: Option<Arc<File>>,
    /// The bytes that have not been written to the file yet.
    buffer: Vec<u8>,
    written: u64,
    /// The position in the file at which the current run starts.
    start: u64,
}

impl<'s> RunFile<'s> {
    pub(crate) fn new(spill: &'s Spill) -> Self {
        Self { spill, file: None, buffer: Vec::new(), written: 0, start: 0 }
    }

    /// Returns whether runs can be written to a file. If not, all data must stay in memory.
    pub(crate) fn is_available(&self) -> bool {
        self.spill.has_files()
    }

    /// Returns the buffer to which the caller appends the next bytes. The caller must call [`Self::flush`] regularly
    /// to limit the size of the buffer.
    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Writes the buffer to the file if the buffer is large.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if self.buffer.len() >= PIECE { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> io::Result<()> {
        let file = match &self.file {
            Some(file) => file,
            None => self.file.insert(Arc::new(self.spill.create()?)),
        };
        file.write_all_at(&self.buffer, self.written)?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Ends the current run and returns a reader for it.
    pub(crate) fn end_run(&mut self) -> io::Result<RunReader> {
        self.write()?;
        let at = std::mem::replace(&mut self.start, self.written);
        Ok(RunReader { file: self.file.clone(), at, end: self.written })
    }
}

/// Reads the bytes of one run.
pub(crate) struct RunReader {
    file: Option<Arc<File>>,
    at: u64,
    end: u64,
}

impl Read for RunReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let length = buffer.len().min(left);
        let Some(file) = self.file.as_ref().filter(|_| length > 0) else { return Ok(0) };
        let n_read = file.read_at(&mut buffer[..length], self.at)?;
        self.at += n_read as u64;
        Ok(n_read)
    }
}
