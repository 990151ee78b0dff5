//! Writes `job.log`, the redacted log of a session.
//!
//! A full log file is renamed to `job.log.1`, and the new file starts with the same heading. Write errors do not end
//! the run; the number of lost bytes is reported instead.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::files;
use crate::redaction::{CleanStream, Redaction};

/// The maximum number of older log files that are kept.
const MAX_OLDER_FILES: u32 = 2;

pub(crate) struct JobLog {
    path: PathBuf,
    file: Option<File>,
    n_bytes: u64,
    max_bytes: u64,
    heading: String,
    clean: CleanStream,
    pub(crate) n_rotations: u32,
    /// The message of the last write error.
    pub(crate) failure: Option<String>,
    pub(crate) n_lost_bytes: u64,
}

impl JobLog {
    pub(crate) fn open(path: &Path, max_bytes: u64, redaction: &Redaction) -> Self {
        let opened = files::open_for_appending(path);
        let n_bytes = opened
            .as_ref()
            .ok()
            .and_then(|file| file.metadata().ok())
            .map_or(0, |found| found.len());
        let failure = opened.as_ref().err().map(ToString::to_string);
        Self {
            path: path.to_owned(),
            file: opened.ok(),
            n_bytes,
            max_bytes: max_bytes.max(64 * 1024),
            heading: String::new(),
            clean: redaction.stream(),
            n_rotations: 0,
            failure,
            n_lost_bytes: 0,
        }
    }

    /// Writes the heading. Every file of this log starts with these lines.
    pub(crate) fn heading(&mut self, lines: &[String]) {
        self.heading = lines.iter().map(|line| format!("{line}\n")).collect();
        let heading = self.heading.clone();
        self.text(&heading);
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.text(&format!("{line}\n"));
    }

    pub(crate) fn text(&mut self, text: &str) {
        let clean = self.clean.push(text.as_bytes());
        self.write(&clean);
    }

    /// Writes the complete lines that were held back for redaction.
    pub(crate) fn flush(&mut self) {
        let clean = self.clean.flush();
        self.write(&clean);
    }

    /// Writes the remaining lines. If an earlier write failed, the file is opened again.
    pub(crate) fn finish(&mut self, redaction: &Redaction) {
        let rest = std::mem::replace(&mut self.clean, redaction.stream()).finish();
        if self.file.is_none() && self.path.parent().is_some_and(Path::exists) {
            self.file = files::open_for_appending(&self.path).ok();
            let note = format!("\n[log] {} bytes could not be written here\n", self.n_lost_bytes);
            self.write(note.as_bytes());
        }
        self.write(&rest);
    }

    fn write(&mut self, bytes: &[u8]) {
        // A single line can be longer than the maximum file size.
        let max_part = usize::try_from(self.max_bytes / 2).unwrap_or(usize::MAX);
        bytes.chunks(max_part).for_each(|part| self.write_part(part));
    }

    fn write_part(&mut self, bytes: &[u8]) {
        if self.n_bytes + bytes.len() as u64 > self.max_bytes && self.n_bytes > 0 {
            self.rotate();
        }
        let Some(file) = &mut self.file else {
            self.n_lost_bytes += bytes.len() as u64;
            return;
        };
        match file.write_all(bytes) {
            Ok(()) => self.n_bytes += bytes.len() as u64,
            Err(error) => {
                self.failure = Some(error.to_string());
                self.n_lost_bytes += bytes.len() as u64;
                self.file = None;
            }
        }
    }

    fn rotate(&mut self) {
        if self.file.is_none() {
            return;
        }
        match self.next_file() {
            Ok(file) => {
                self.file = Some(file);
                self.n_bytes = 0;
                self.n_rotations += 1;
            }
            Err(error) => {
                self.failure = Some(error.to_string());
                self.file = None;
            }
        }
    }

    fn next_file(&self) -> io::Result<File> {
        let older = |n: u32| PathBuf::from(format!("{}.{n}", self.path.display()));
        for n in (1..MAX_OLDER_FILES).rev() {
            if older(n).exists() {
                fs::rename(older(n), older(n + 1))?;
            }
        }
        fs::rename(&self.path, older(1))?;
        let mut file = files::open_for_appending(&self.path)?;
        file.write_all(self.heading.as_bytes())?;
        writeln!(file, "[log] continued from {}", older(1).display())?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests;
