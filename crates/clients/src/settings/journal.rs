//! Writes several files, and restores all of them if one file cannot be written.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::Problem;
use super::write::{missing_folders, read, replace};

pub(crate) struct Journal {
    /// The path, the old content and the old permissions of each written file. The content and the permissions are `None`
    /// if the file did not exist.
    before: Vec<(PathBuf, Option<String>, Option<u32>)>,
    /// The folders that did not exist, the deepest first.
    pub(crate) folders: Vec<PathBuf>,
    /// The lock on the receipt folder. The system releases it when the process ends.
    _lock: File,
}

impl Journal {
    /// Locks the receipt folder. Blocks while another installation is running.
    pub(crate) fn begin(receipt: &Path) -> Result<Self, Problem> {
        let folder = receipt.parent().unwrap_or(Path::new("."));
        let folders = missing_folders(receipt);
        disk::create_private_folder(folder).map_err(Problem::io(folder))?;
        let lock = File::open(folder).map_err(Problem::io(folder))?;
        lock.lock().map_err(Problem::io(folder))?;
        Ok(Self { before: Vec::new(), folders, _lock: lock })
    }

    pub(crate) fn write(
        &mut self,
        path: &Path,
        text: Option<&str>,
        mode: Option<u32>,
    ) -> Result<(), Problem> {
        self.before.push((path.to_owned(), read(path)?, mode_of(path)));
        self.folders.splice(0..0, missing_folders(path));
        replace(path, text, mode)
    }

    /// Returns `result`. Restores all files if `result` is an error.
    pub(crate) fn finish<T>(self, result: Result<T, Problem>) -> Result<T, Problem> {
        if result.is_err() {
            for (path, text, mode) in self.before.into_iter().rev() {
                // This may fail for the file that could not be written, but that file is unchanged.
                let _restored = replace(&path, text.as_deref(), mode);
            }
            for folder in self.folders {
                let _is_removed = fs::remove_dir(folder);
            }
        }
        result
    }
}

pub(crate) fn mode_of(path: &Path) -> Option<u32> {
    fs::metadata(path).ok().map(|found| found.permissions().mode() & 0o777)
}
