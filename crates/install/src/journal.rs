//! Files written one after another that come back together if one of them cannot be written. One writer at a time.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::problem::Problem;
use crate::write::{read, replace};

pub(crate) struct Journal {
    /// What was there before each write, and how it was protected.
    before: Vec<(PathBuf, Option<String>, Option<u32>)>,
    /// Of the folder of receipts; the system frees it when the process ends, however it ends.
    _lock: File,
}

impl Journal {
    /// Waits for another install to end.
    pub(crate) fn begin(receipt: &Path) -> Result<Self, Problem> {
        let folder = receipt.parent().unwrap_or(Path::new("."));
        disk::create_private_folder(folder).map_err(Problem::io(folder))?;
        let lock = File::open(folder).map_err(Problem::io(folder))?;
        lock.lock().map_err(Problem::io(folder))?;
        Ok(Self { before: Vec::new(), _lock: lock })
    }

    pub(crate) fn write(
        &mut self,
        path: &Path,
        text: Option<&str>,
        mode: Option<u32>,
    ) -> Result<(), Problem> {
        self.before.push((path.to_owned(), read(path)?, mode_of(path)));
        replace(path, text, mode)
    }

    /// The end: what was done stays, or, if not all could be done, nothing of it.
    pub(crate) fn settle<T>(self, done: Result<T, Problem>) -> Result<T, Problem> {
        if done.is_err() {
            for (path, text, mode) in self.before.into_iter().rev() {
                // What failed was not written; to take away what is not there fails again, and rightly.
                let _as_it_was = replace(&path, text.as_deref(), mode);
            }
        }
        done
    }
}

pub(crate) fn mode_of(path: &Path) -> Option<u32> {
    fs::metadata(path).ok().map(|found| found.permissions().mode() & 0o777)
}
