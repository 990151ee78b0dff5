//! A few changes kept beside a snapshot, so that one saved file does not cost a whole merge.
//!
//! Holds the facts of changed files; which files are gone is seen when looking. It belongs to one snapshot and is worth
//! nothing beside another. A view puts both together; the next full build takes its facts over.

use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::assemble::FileStamp;
use crate::codec::{Cursor, put_text, put_varint, zigzag};
use crate::container::{Container, ContainerWriter};
use crate::fact_store::FactKey;

/// What a snapshot's neighbour knows.
#[derive(Default)]
pub(crate) struct Delta {
    pub(crate) files: FxHashMap<String, DeltaFile>,
    pub(crate) deleted: FxHashSet<String>,
}

/// A file that changed since the snapshot, as it was when that was noticed.
pub(crate) struct DeltaFile {
    pub(crate) stamp: FileStamp,
    pub(crate) key: FactKey,
    pub(crate) record: Vec<u8>,
}

impl Delta {
    /// The changes at `path`, if they belong to the snapshot with this identity.
    pub(crate) fn open(path: &Path, snapshot: [u8; 32]) -> Option<Self> {
        let container = Container::open(path).ok()?;
        let mut cursor = Cursor::new(container.whole(0));
        if cursor.slice(32) != snapshot {
            return None;
        }
        let mut delta = Self::default();
        let n_deleted = cursor.varint();
        for _ in 0..n_deleted {
            delta.deleted.insert(cursor.utf8().to_owned());
            if cursor.is_exhausted_early() {
                return None;
            }
        }
        while !cursor.is_empty() {
            let path = cursor.utf8().to_owned();
            let stamp = FileStamp { modified: cursor.signed(), size: cursor.varint() };
            let key = FactKey::read(&mut cursor);
            let record = cursor.text().to_vec();
            delta.files.insert(path, DeltaFile { stamp, key, record });
        }
        (!cursor.is_exhausted_early()).then_some(delta)
    }

    /// The bytes of a delta file for the snapshot with this identity.
    pub(crate) fn encode<'a>(
        snapshot: [u8; 32],
        deleted: &[String],
        files: impl Iterator<Item = (&'a str, FileStamp, FactKey, &'a [u8])>,
    ) -> Vec<u8> {
        let mut out = snapshot.to_vec();
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

    /// What is known of a file with this path and stamp.
    pub(crate) fn get(&self, path: &str, stamp: FileStamp) -> Option<&DeltaFile> {
        self.files.get(path).filter(|file| file.stamp == stamp)
    }
}
