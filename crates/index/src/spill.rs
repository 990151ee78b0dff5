//! Keeps data that is too large for memory in temporary files: sorted runs, and the sections of a snapshot.
//!
//! The files are created in the repository's cache folder and unlinked immediately, so that no file remains if the
//! process is killed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The folder for a build's temporary files, and the maximum amount of memory that the build uses.
#[derive(Debug)]
pub(crate) struct Spill {
    /// The folder of the temporary files. If `None`, all data stays in memory.
    folder: Option<PathBuf>,
    /// The maximum number of bytes of memory that a build uses.
    memory: usize,
    next: AtomicUsize,
}

/// The build's memory limit divided by this number is the maximum size of a section in memory.
const SECTION_SHARE: usize = 128;
/// The number of bytes that are written to a file or read from it at a time.
const PIECE: usize = 64 * 1024;

impl Spill {
    pub(crate) fn to_folder(folder: &Path, memory: usize) -> Self {
        Self { folder: Some(folder.to_owned()), memory, next: AtomicUsize::new(0) }
    }

    /// Returns a `Spill` without a folder, so that all data stays in memory.
    pub(crate) fn in_memory() -> Self {
        Self { folder: None, memory: usize::MAX, next: AtomicUsize::new(0) }
    }

    pub(crate) fn memory(&self) -> usize {
        self.memory
    }

    /// Returns the size in bytes up to which a section stays in memory.
    fn max_section(&self) -> usize {
        if self.folder.is_some() { self.memory / SECTION_SHARE } else { usize::MAX }
    }

    /// Returns whether data can be written to files. If not, all data must stay in memory.
    pub(crate) fn has_files(&self) -> bool {
        self.folder.is_some()
    }

    /// Creates a temporary file and unlinks it immediately, so that it is deleted when it is closed.
    fn create(&self) -> io::Result<File> {
        let folder = self.folder.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".spill.{}-{number}.tmp", std::process::id()));
            let opened =
                OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path);
            match opened {
                Ok(file) => {
                    fs::remove_file(&path)?;
                    return Ok(file);
                }
                // This file was left by a killed process that had the same process id.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Writes sorted runs to one file, one after the other. They can be read at the same time.
pub(crate) struct RunFile<'s> {
    pub(crate) spill: &'s Spill,
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
        let max = if self.file.is_some() { PIECE } else { self.spill.max_section().max(PIECE) };
        if self.buffer.len() < max || !self.spill.has_files() {
            return Ok(());
        }
        if self.file.is_none() {
            self.file = Some(self.spill.create()?);
        }
        if let Some(file) = &mut self.file {
            file.write_all(&self.buffer)?;
            self.in_file += self.buffer.len() as u64;
            self.buffer = Vec::with_capacity(2 * PIECE);
        }
        Ok(())
    }

    /// Passes all bytes to `take`, in pieces.
    pub(crate) fn read(mut self, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(0))?;
            let mut piece = vec![0; PIECE];
            let mut left = self.in_file;
            while left > 0 {
                let length = PIECE.min(usize::try_from(left).unwrap_or(PIECE));
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
