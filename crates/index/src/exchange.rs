//! Exports the facts of a tree for other machines, and imports facts that other machines exported.
//!
//! Files with the same content have the same facts on every machine that uses the same format, so facts can be shared.
//! Imported facts are checked before they are stored. Facts contain no paths: the local tree always determines which
//! file has which content.

mod export;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use syntax::Language;
use thiserror::Error;

use crate::build::{BuildError, BuildOptions, content_hash, read_bounded, scanned};
use crate::codec::Cursor;
use crate::container::FORMAT;
use crate::fact_store::{FactKey, FactStore};
use crate::facts::{FACTS_VERSION, MAX_FILE_BYTES, Reading, check_record};
use crate::snapshot::Snapshot;
use crate::store::{RefreshError, Store};
use crate::threads;
use crate::tree_scan::ScannedFile;
pub use export::{Exported, RedactText, StoredFacts};

const KEY_BYTES: usize = 17;

/// The key of a fact record as bytes: the start of the content's BLAKE3 hash, and a code for the way the content is
/// read.
pub type FactKeyBytes = [u8; KEY_BYTES];

/// Returns the format of the facts that this program writes. The program cannot use facts in another format.
#[must_use]
pub fn facts_format() -> String {
    format!("{FORMAT}.{FACTS_VERSION}")
}

/// Identifies the content of one file in a tree, by its path and the key of its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeContent {
    /// The path relative to the root.
    path: String,
    key: FactKey,
}

impl TreeContent {
    #[must_use]
    pub fn key(&self) -> FactKeyBytes {
        key_bytes(self.key)
    }
}

/// The reason why facts are not imported.
#[derive(Debug, Error)]
pub enum ImportError {
    #[error("the facts of the content {key} are not well formed: {what}")]
    Malformed { key: String, what: &'static str },
    #[error(transparent)]
    Store(#[from] RefreshError),
}

impl Store {
    /// Returns the contents whose facts may be shared: those of all files that are indexed and not too large to be
    /// read. Reads all files.
    pub fn contents(&self, options: &BuildOptions) -> Result<Vec<TreeContent>, BuildError> {
        self.read_tree(options, &|_| None)
    }

    /// Returns the keys of the file contents whose facts are not stored. Files that have not changed since the snapshot
    /// are not read.
    pub fn lacking(&self, options: &BuildOptions) -> Result<Vec<FactKeyBytes>, BuildError> {
        let facts = FactStore::open(self.folder());
        let snapshot = self.open().ok();
        let known = |file: &ScannedFile| known_content(snapshot.as_ref()?, file);
        let mut contents = self.read_tree(options, &known)?;
        contents.retain(|content| facts.find(content.key).is_none());
        let mut keys: Vec<FactKeyBytes> = contents.iter().map(TreeContent::key).collect();
        keys.sort_unstable();
        keys.dedup();
        Ok(keys)
    }

    /// Stores facts from another machine. If one of them is malformed, none are stored.
    pub fn import(&self, records: &[(FactKeyBytes, Vec<u8>)]) -> Result<(), ImportError> {
        let mut checked = Vec::with_capacity(records.len());
        for (bytes, record) in records {
            let malformed = |what| ImportError::Malformed { key: hex(bytes), what };
            let reading = Reading::of_code(bytes[KEY_BYTES - 1]);
            let reading = reading.ok_or_else(|| malformed("its kind of reading is unknown"))?;
            check_record(record, reading).map_err(malformed)?;
            checked.push((FactKey::read(&mut Cursor::new(bytes)), record.as_slice()));
        }
        self.add_facts(&checked).map_err(ImportError::Store)
    }

    /// Returns the content keys of the tree's files, sorted by path. Reads only the files for which `known` returns
    /// `None`.
    fn read_tree(
        &self,
        options: &BuildOptions,
        known: &(dyn Fn(&ScannedFile) -> Option<FactKey> + Sync),
    ) -> Result<Vec<TreeContent>, BuildError> {
        let root = self.root();
        let scanned = scanned(root, options, options.git(root).as_ref())?;
        let files = scanned.files;
        let next = AtomicUsize::new(0);
        let read_some = || {
            let mut found = Vec::new();
            while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                if let Some(key) = known(file).or_else(|| content_key(root, file, options)) {
                    found.push(TreeContent { path: file.path.clone(), key });
                }
            }
            found
        };
        let read_some = &read_some;
        let mut contents: Vec<TreeContent> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..options.access.threads.max(1))
                .map(|_| threads::start(scope, read_some))
                .collect();
            threads.into_iter().filter_map(|thread| thread.join()).flatten().collect()
        });
        contents.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(contents)
    }
}

/// Returns the key of a file's content. Returns `None` if the file cannot be read, is too large or must not be indexed.
fn content_key(root: &Path, file: &ScannedFile, options: &BuildOptions) -> Option<FactKey> {
    let bytes = read_content(root, &file.path, options)?;
    Some(FactKey::new(content_hash(&bytes), Reading::of_content(&file.path, &bytes)))
}

fn read_content(root: &Path, path: &str, options: &BuildOptions) -> Option<Vec<u8>> {
    let (stamp, bytes) = read_bounded(&root.join(path))?;
    let is_whole = stamp.size <= MAX_FILE_BYTES;
    (is_whole && (options.access.admits_content)(Path::new(path), &bytes)).then_some(bytes)
}

/// Returns the key of a file's content without reading the file, or `None` if the file does not have the same stamp as
/// in the snapshot. If the file has changed but its stamp has not, the key is wrong. This only causes an unnecessary
/// analysis.
fn known_content(snapshot: &Snapshot, file: &ScannedFile) -> Option<FactKey> {
    let old = snapshot.file(snapshot.file_by_path(&file.path)?);
    let language = Language::of_path(&file.path).or_else(|| old.language());
    (old.stamp() == file.stamp).then(|| FactKey::new(old.hash(), Reading::of(&file.path, language)))
}

fn key_bytes(key: FactKey) -> FactKeyBytes {
    let mut bytes = Vec::with_capacity(KEY_BYTES);
    key.put(&mut bytes);
    bytes.try_into().unwrap_or([0; KEY_BYTES])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
