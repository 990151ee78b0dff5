//! The trust store, which records the repository files that the user trusts, identified by path and exact content.
//!
//! The store lists the hook files and configuration files of repositories. It is a file in the user's configuration
//! folder, never in a repository, and is read at the first lookup.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use disk::Links;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

const FILE_NAME: &str = "trust.json";
const FORMAT: u32 = 1;
/// The maximum number of trusted versions per file. A file may have several trusted versions, because branches
/// differ. The oldest versions are removed first.
const MAX_CONTENTS: usize = 16;
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The hash of a file's content, written as `sha256:…`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentHash(String);

impl ContentHash {
    /// Hashes each piece together with its length, so that moving bytes from one piece to another changes the hash.
    pub fn of<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hasher = ContentHasher::default();
        pieces.into_iter().for_each(|piece| hasher.piece(piece));
        hasher.end()
    }

    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// Computes a [`ContentHash`] incrementally.
#[derive(Default)]
pub(crate) struct ContentHasher(Sha256);

impl ContentHasher {
    pub(crate) fn piece(&mut self, piece: &[u8]) {
        self.0.update((piece.len() as u64).to_le_bytes());
        self.0.update(piece);
    }

    /// Hashes a piece from a reader and writes the same bytes to `copy`. Fails if the reader does not return exactly `length`
    /// bytes.
    pub(crate) fn stream(
        &mut self,
        length: u64,
        from: impl Read,
        copy: &mut dyn Write,
    ) -> io::Result<()> {
        self.0.update(length.to_le_bytes());
        // Reads one extra byte to detect that the file has grown.
        let mut from = from.take(length.saturating_add(1));
        let read = io::copy(&mut from, &mut Tee(&mut self.0, copy))?;
        if read == length { Ok(()) } else { Err(io::Error::other("it changed while it was read")) }
    }

    pub(crate) fn end(self) -> ContentHash {
        ContentHash(format!("sha256:{:x}", self.0.finalize()))
    }
}

/// Writes the same bytes to a hash and to a copy.
struct Tee<'a>(&'a mut Sha256, &'a mut dyn Write);

impl Write for Tee<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.write_all(bytes)?;
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.1.flush()
    }
}

/// The user's trust in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// The user trusts exactly this content.
    Trusted,
    /// The user trusts a different version of the same file.
    Changed,
    Never,
}

impl Trust {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Trusted => "trusted",
            Self::Changed => "changed",
            Self::Never => "untrusted",
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    #[error("no configuration folder for the trust store")]
    NoFolder,
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("`{}` is not a trust file: {reason}", path.display())]
    Invalid { path: PathBuf, reason: String },
    #[error("cannot write `{}`", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Trusted {
    version: u32,
    /// Content hashes by path, newest last.
    files: BTreeMap<PathBuf, Vec<ContentHash>>,
}

impl Default for Trusted {
    fn default() -> Self {
        Self { version: FORMAT, files: BTreeMap::new() }
    }
}

#[derive(Debug, Default)]
pub struct TrustStore {
    folder: Option<PathBuf>,
    read: OnceLock<Trusted>,
}

impl TrustStore {
    /// Creates a store in `folder`, the user's configuration folder. If `folder` is `None`, no file is trusted.
    #[must_use]
    pub fn in_folder(folder: Option<&Path>) -> Self {
        Self { folder: folder.map(Path::to_owned), read: OnceLock::new() }
    }

    /// Returns the user's trust in a file with this content. `path` must be canonical ([`Path::canonicalize`]).
    pub fn judge(&self, path: &Path, content: &ContentHash) -> Result<Trust, TrustError> {
        let Some(contents) = self.trusted()?.files.get(path) else { return Ok(Trust::Never) };
        Ok(if contents.contains(content) { Trust::Trusted } else { Trust::Changed })
    }

    /// Returns the user's trust in a file whose content cannot be hashed. The result is never [`Trust::Trusted`].
    pub fn judge_unhashed(&self, path: &Path) -> Result<Trust, TrustError> {
        let is_known = self.trusted()?.files.contains_key(path);
        Ok(if is_known { Trust::Changed } else { Trust::Never })
    }

    pub fn add(&mut self, path: &Path, content: &ContentHash) -> Result<(), TrustError> {
        let mut trusted = self.trusted()?.clone();
        let contents = trusted.files.entry(path.to_owned()).or_default();
        contents.retain(|known| known != content);
        contents.push(content.clone());
        let excess = contents.len().saturating_sub(MAX_CONTENTS);
        contents.drain(..excess);
        self.write(trusted)
    }

    /// Returns all trusted files with the versions of their content that the user trusts.
    pub fn list(&self) -> Result<&BTreeMap<PathBuf, Vec<ContentHash>>, TrustError> {
        Ok(&self.trusted()?.files)
    }

    /// Removes a file from the store and returns whether the store contained it.
    pub fn remove(&mut self, path: &Path) -> Result<bool, TrustError> {
        let mut trusted = self.trusted()?.clone();
        let was_there = trusted.files.remove(path).is_some();
        self.write(trusted)?;
        Ok(was_there)
    }

    fn path(&self) -> Result<PathBuf, TrustError> {
        self.folder.as_ref().map(|folder| folder.join(FILE_NAME)).ok_or(TrustError::NoFolder)
    }

    fn trusted(&self) -> Result<&Trusted, TrustError> {
        if let Some(trusted) = self.read.get() {
            return Ok(trusted);
        }
        let trusted = match self.path() {
            Ok(path) => read(&path)?,
            Err(_) => Trusted::default(),
        };
        Ok(self.read.get_or_init(|| trusted))
    }

    /// Writes the store atomically.
    fn write(&mut self, trusted: Trusted) -> Result<(), TrustError> {
        let path = self.path()?;
        let unwritable = |source| TrustError::Unwritable { path: path.clone(), source };
        let folder = path.parent().unwrap_or(Path::new("."));
        disk::create_private_folder(folder).map_err(unwritable)?;
        let text = serde_json::to_string_pretty(&trusted).unwrap_or_default();
        disk::replace_file(&path, text.as_bytes(), Some(0o600)).map_err(unwritable)?;
        self.read = OnceLock::from(trusted);
        Ok(())
    }
}

fn read(path: &Path) -> Result<Trusted, TrustError> {
    let unreadable = |source| TrustError::Unreadable { path: path.to_owned(), source };
    let invalid = |reason: String| TrustError::Invalid { path: path.to_owned(), reason };
    // If another user can write to the folder, that user could add trust, so the store is not read.
    let checked = path.parent().map_or(Ok(()), disk::check_private_folder);
    let bytes = match checked.and_then(|()| disk::read(path, Links::Follow, MAX_BYTES)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Trusted::default()),
        Err(error) => return Err(unreadable(error)),
    };
    let trusted: Trusted =
        serde_json::from_slice(&bytes).map_err(|error| invalid(error.to_string()))?;
    if trusted.version != FORMAT {
        return Err(invalid(format!("format {}, this build reads {FORMAT}", trusted.version)));
    }
    Ok(trusted)
}

#[cfg(test)]
mod tests;
