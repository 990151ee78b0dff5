//! Keeps results on disk until they are in the store.

use std::fs;
use std::io;
use std::path::PathBuf;

use disk::Links;
use serde::{Deserialize, Serialize};

use crate::claim::Lease;
use crate::finish::RunReport;
use crate::owner::Owner;

const MAX_BYTES: u64 = 1024 * 1024;

/// A folder with one file for each result that is not in the store yet.
#[derive(Clone, Debug)]
pub(crate) struct Spool {
    folder: PathBuf,
    /// The location of the store, without a password. The folder can also contain results for other stores.
    store: String,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    store: String,
    owner: Owner,
    lease: Lease,
    report: RunReport,
}

impl Spool {
    pub(crate) fn new(folder: PathBuf, store: String) -> io::Result<Self> {
        disk::create_private_folder(&folder)?;
        Ok(Self { folder, store })
    }

    pub(crate) fn put(&self, owner: &Owner, lease: &Lease, report: &RunReport) -> io::Result<()> {
        let (store, owner) = (self.store.clone(), owner.clone());
        let entry = Entry { store, owner, lease: lease.clone(), report: report.clone() };
        disk::replace_file(&self.path(lease), &serde_json::to_vec(&entry)?, None)
    }

    pub(crate) fn remove(&self, lease: &Lease) {
        // The file does not exist if the disk was full when the result was written.
        drop(fs::remove_file(self.path(lease)));
    }

    /// Returns the results that dead workers on this machine left in the folder.
    pub(crate) fn abandoned(&self, owner: &Owner) -> Vec<(Lease, RunReport)> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let paths = entries.flatten().map(|entry| entry.path());
        let paths = paths.filter(|path| path.extension().is_some_and(|end| end == "json"));
        let read = |path: PathBuf| {
            let bytes = disk::read(&path, Links::Refuse, MAX_BYTES).ok()?;
            serde_json::from_slice::<Entry>(&bytes).ok()
        };
        paths
            .filter_map(read)
            .filter(|entry| entry.store == self.store && owner.knows_death_of(&entry.owner))
            .map(|entry| (entry.lease, entry.report))
            .collect()
    }

    fn path(&self, lease: &Lease) -> PathBuf {
        self.folder.join(format!("{}-{}.json", lease.task, lease.generation))
    }
}
