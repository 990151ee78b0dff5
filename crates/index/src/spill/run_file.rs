//! A temporary file with several runs, which are written one after the other and read at the same time.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use super::Spill;

/// The number of bytes that are written at a time.
const PIECE: usize = 64 * 1024;

/// Writes runs to one file.
pub(crate) struct RunFile<'s> {
    spill: &'s Spill,
    file: Option<Arc<File>>,
    /// The bytes that are not in the file yet.
    buffer: Vec<u8>,
    written: u64,
    /// The start of the run that is being written.
    start: u64,
}

impl<'s> RunFile<'s> {
    pub(crate) fn new(spill: &'s Spill) -> Self {
        Self { spill, file: None, buffer: Vec::new(), written: 0, start: 0 }
    }

    /// Returns whether runs can be written. Otherwise all data stays in memory.
    pub(crate) fn is_available(&self) -> bool {
        self.spill.has_files()
    }

    /// Returns the buffer to which the next bytes are appended. [`Self::flush`] must be called regularly, so that the
    /// buffer does not grow.
    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    /// Writes the buffer to the file if it is large.
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

    /// Ends a run.
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
