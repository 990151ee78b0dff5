//! Reads and writes deltas. A delta is a file next to a snapshot that contains changes to a few files, so that a small
//! change does not need a new snapshot.
//!
//! A delta contains the facts of changed files and the paths of deleted files. It is valid for one snapshot or, if the
//! snapshot has a patch, for one patch. A view combines the snapshot, the patch and the delta. The next full build
//! reuses the facts in the delta.

use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::assemble::FileStamp;
use crate::codec::{Cursor, put_text, put_varint, zigzag};
use crate::container::{Container, ContainerWriter, OpenError};
use crate::fact_store::FactKey;

#[derive(Default)]
pub(crate) struct Delta {
    /// The commit that was checked out when the whole tree was last compared. If `None`, the commit of the snapshot or
    /// patch applies.
    pub(crate) head: Option<String>,
    pub(crate) files: FxHashMap<String, DeltaFile>,
    pub(crate) deleted: FxHashSet<String>,
}

/// A file that changed after the snapshot was written. The fields describe the file as it was when the delta was
/// written.
pub(crate) struct DeltaFile {
    pub(crate) stamp: FileStamp,
    pub(crate) key: FactKey,
    pub(crate) record: Vec<u8>,
}

impl Delta {
    /// Opens the delta at `path` for the snapshot or patch with this identity. Returns `None` if the file does not
    /// exist or belongs to another snapshot or patch. A delta that cannot be read is an error, because a view without
    /// it would show an older state of the tree.
    pub(crate) fn open(path: &Path, identity: [u8; 32]) -> Result<Option<Self>, OpenError> {
        const DAMAGED: OpenError = OpenError::Damaged { what: "changes beside it" };
        let container = match Container::open(path) {
            Ok(container) => container,
            Err(error) if error.is_absent() => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut cursor = Cursor::new(container.whole(0));
        let belongs_here = cursor.slice(32) == identity;
        if container.damaged() {
            return Err(DAMAGED);
        }
        if !belongs_here {
            return Ok(None);
        }
        let head = Some(cursor.utf8().to_owned()).filter(|head| !head.is_empty());
        let mut delta = Self { head, ..Self::default() };
        let n_deleted = cursor.varint();
        for _ in 0..n_deleted {
            delta.deleted.insert(cursor.utf8().to_owned());
            if cursor.is_exhausted_early() {
                return Err(DAMAGED);
            }
        }
        while !cursor.is_empty() {
            let path = cursor.utf8().to_owned();
            let stamp = FileStamp { modified: cursor.signed(), size: cursor.varint() };
            let key = FactKey::read(&mut cursor);
            let record = cursor.text().to_vec();
            delta.files.insert(path, DeltaFile { stamp, key, record });
        }
        if cursor.is_exhausted_early() { Err(DAMAGED) } else { Ok(Some(delta)) }
    }

    /// Returns the bytes of a delta for the snapshot or patch with this identity.
    pub(crate) fn encode<'a>(
        identity: [u8; 32],
        head: Option<&str>,
        deleted: &[String],
        files: impl Iterator<Item = (&'a str, FileStamp, FactKey, &'a [u8])>,
    ) -> Vec<u8> {
        let mut out = identity.to_vec();
        put_text(&mut out, head.unwrap_or_default().as_bytes());
        put_varint(&mut out, deleted.len() as u64);
        for path in deleted {
            put_text(&mut out, path.as_bytes());
        }
        for (path, stamp, key, record) in files {
            put_text(&mut out, path.as_bytes());
            put_varint(&mut out, zigzag(stamp.modified));
            put_varint(&mut out, stamp.size);
            key.put(&mut out);
            put_text(&mut out, record);
        }
        let mut writer = ContainerWriter::new();
        writer.section(&out);
        writer.finish()
    }

    /// Returns the file with this path if it has this stamp.
    pub(crate) fn get(&self, path: &str, stamp: FileStamp) -> Option<&DeltaFile> {
        self.files.get(path).filter(|file| file.stamp == stamp)
    }
}
