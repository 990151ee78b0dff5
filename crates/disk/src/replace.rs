//! Replaces files atomically.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The default permissions of a new file.
const PRIVATE_FILE: u32 = 0o600;

/// Replaces the content of a file with `bytes`.
///
/// A reader sees either the old file or the complete new file, even after a crash of the process or the system. The new
/// file has the permissions `mode`. If `mode` is `None`, it has the permissions of the old file, or 0600 if there was no
/// file. The folder must exist. A symbolic link at `path` is replaced, not followed.
///
/// # Errors
/// If the file cannot be written. The old file is then unchanged, and the temporary file is removed.
pub fn replace_file(path: &Path, bytes: &[u8], mode: Option<u32>) -> io::Result<()> {
    let mut replacement = Replacement::start(path, mode)?;
    replacement.file().write_all(bytes)?;
    replacement.finish()
}

/// A new version of a file that is being written. If it is dropped before [`Self::finish`], the old file is unchanged, and
/// the temporary file is removed. See [`replace_file`].
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    temporary: PathBuf,
    file: File,
    mode: u32,
}

impl Replacement {
    /// Creates the temporary file.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn start(path: &Path, mode: Option<u32>) -> io::Result<Self> {
        let old = || fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file);
        let kept = || old().map(|old| old.permissions().mode() & 0o777);
        let mode = mode.or_else(kept).unwrap_or(PRIVATE_FILE);
        let (temporary, file) = create_temporary(path)?;
        Ok(Self { path: path.to_owned(), temporary, file, mode })
    }

    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Replaces the old file.
    ///
    /// # Errors
    /// If the file cannot be written. The old file is then unchanged.
    pub fn finish(self) -> io::Result<()> {
        self.file.set_permissions(Permissions::from_mode(self.mode))?;
        // Without this call, some file systems write the rename to disk before the content.
        self.file.sync_all()?;
        fs::rename(&self.temporary, &self.path)
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // After a successful `finish`, the temporary file no longer exists, and this call has no effect.
        let _removed = fs::remove_file(&self.temporary);
    }
}

/// Creates a temporary file in the folder of `path`, with a name that no other thread or process uses.
fn create_temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // The name is shortened, because a file name can have at most 255 bytes.
        let name: String = name.chars().take(40).collect();
        let temporary = path.with_file_name(format!(".{name}.{}-{number}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).mode(PRIVATE_FILE).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            // The existing file was left by a killed process that had the same process id.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a50_a_new_file_is_private_and_a_replaced_file_keeps_its_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace_file(&path, b"one", None).unwrap();
        assert_eq!((fs::read(&path).unwrap(), mode(&path)), (b"one".to_vec(), 0o600));
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        replace_file(&path, b"two", None).unwrap();
        assert_eq!((fs::read(&path).unwrap(), mode(&path)), (b"two".to_vec(), 0o640));
        replace_file(&path, b"three", Some(0o755)).unwrap();
        assert_eq!(mode(&path), 0o755);
    }

    #[test]
    fn a_failed_replacement_leaves_the_old_file_and_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("folder");
        fs::create_dir(&path).unwrap();
        replace_file(&path, b"x", None).unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        replace_file(&folder.path().join("absent/file"), b"x", None).unwrap_err();
    }

    #[test]
    fn concurrent_replacements_leave_one_complete_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("长".repeat(80));
        std::thread::scope(|scope| {
            for letter in [b'a', b'b', b'c', b'd'] {
                let path = &path;
                scope.spawn(move || replace_file(path, &[letter; 50_000], None).unwrap());
            }
        });
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.len() == 50_000 && bytes.iter().all(|byte| *byte == bytes[0]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
