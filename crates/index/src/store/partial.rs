//! Stores changes next to a snapshot, in a delta or in a patch, instead of building a new snapshot.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;

use disk::Replacement;
use rustc_hash::FxHashSet;

use super::changes::{MAX_DELTA_FILES, max_patch_files};
use super::{Refreshed, Store, add_facts_of};
use crate::assemble::{LayerInput, assemble_layer};
use crate::build::{Attempts, BuildOptions, Content, Gathered, Known, Pauses, gather};
use crate::cache_paths::write_atomically;
use crate::container::ContainerStream;
use crate::delta::Delta;
use crate::fact_store::FactStore;
use crate::freshness::Changes;
use crate::patch::write_patch;
use crate::snapshot::Snapshot;
use crate::tree_scan::ScannedFile;
use crate::view::{FileId, Layer, View};

/// The minimum number of changed files for which all facts are verified and loaded at once. For this many files,
/// looking up the facts one by one would take longer.
const MANY_FILES: usize = 256;

impl Store {
    /// Writes a delta or a patch instead of a new snapshot. Returns `None` if a full build is needed: too many files
    /// changed, an ignore file changed, the comparison did not finish, the parser cannot be run, the deadline passes,
    /// or the options require a complete index and the stored one is incomplete.
    pub(super) fn refresh_partly(
        &self,
        options: &BuildOptions,
        stored: &View,
        delta: &Delta,
    ) -> io::Result<Option<Refreshed>> {
        if options.complete && !self.is_complete(options, stored) {
            return Ok(None);
        }
        if let Some(changes) = self.named_changes(options, stored, delta) {
            let compared_at = self.last_refresh();
            let written =
                self.write_delta(options, stored, delta, changes, delta.head.as_deref())?;
            let file = File::options().write(true).open(self.delta_path());
            // If the time cannot be set, the only effect is that the next comparison of the whole tree starts later.
            let _ignored = compared_at.map(|at| file.and_then(|file| file.set_modified(at)));
            return Ok(written);
        }
        // The commit is read before the comparison. If it changes in the meantime, the next comparison finds the
        // changes.
        let head = self.head(options);
        let Some(changes) = self.all_changes(options, stored) else { return Ok(None) };
        self.write_changes(options, stored, delta, changes, head.as_deref())
    }

    /// Writes the changes to a delta or, if there are too many for a delta and the index need not be complete, to a
    /// patch. Returns `None` if a full build is needed.
    pub(super) fn write_changes(
        &self,
        options: &BuildOptions,
        stored: &View,
        delta: &Delta,
        changes: Changes,
        head: Option<&str>,
    ) -> io::Result<Option<Refreshed>> {
        if changes.len() <= MAX_DELTA_FILES {
            return self.write_delta(options, stored, delta, changes, head);
        }
        let files = patched_files(stored, &changes);
        let hidden = hidden_files(stored, &changes);
        let max_files = max_patch_files(stored.meta().files as usize);
        if options.complete || files.len().max(hidden.len()) > max_files {
            return Ok(None);
        }
        let contents =
            PatchContents { files, hidden, directories: patched_directories(stored, &changes) };
        self.write_patch(options, stored, delta, contents, head)
    }

    /// Writes a delta with the changed, new and deleted files. Returns `None` if the parser cannot be run or the
    /// deadline passes.
    fn write_delta(
        &self,
        options: &BuildOptions,
        stored: &View,
        delta: &Delta,
        changes: Changes,
        head: Option<&str>,
    ) -> io::Result<Option<Refreshed>> {
        let n_added = changes.n_added();
        let Changes { files, mut deleted, .. } = changes;
        let (same, new): (Vec<ScannedFile>, Vec<ScannedFile>) =
            files.into_iter().partition(|file| delta.get(&file.path, file.stamp).is_some());
        let facts = FactStore::open_for_few(&self.folder);
        let attempts = Attempts::start(&self.folder);
        let mut known = Known { facts, attempts, ..Known::default() };
        let gathered = gather(&self.root, &new, options, &known, &Pauses::default(), &|_| {});
        if gathered.parser_failure().is_some() || gathered.is_out_of_time() {
            return Ok(None);
        }
        let analysed = known.facts.n_added();
        let locations = gathered.contents().iter().map(|it| it.as_ref().map(Content::location));
        let records = known.facts.records(locations)?;
        let contents = new.iter().zip(gathered.contents()).zip(&records);
        let gathered_files = contents.filter_map(|((file, content), record)| {
            let content = content.as_ref()?;
            Some((file.path.as_str(), content.stamp(), content.key(), record.as_slice()))
        });
        let same_files = same.iter().filter_map(|file| {
            let known = delta.get(&file.path, file.stamp)?;
            Some((file.path.as_str(), known.stamp, known.key, known.record.as_slice()))
        });
        deleted.extend(gathered.refused().iter().map(|at| new[*at].path.clone()));
        let files = gathered_files.chain(same_files);
        let bytes = Delta::encode(stored.identity(), head, &deleted, files);
        write_atomically(&self.delta_path(), &bytes)?;
        let files = (stored.n_files() + n_added).saturating_sub(deleted.len());
        Ok(Some(Refreshed { files, analysed, bytes: bytes.len() }))
    }

    /// Writes a patch. Returns `None` if the parser cannot be run or the deadline passes.
    fn write_patch(
        &self,
        options: &BuildOptions,
        stored: &View,
        delta: &Delta,
        contents: PatchContents,
        head: Option<&str>,
    ) -> io::Result<Option<Refreshed>> {
        let PatchContents { files, hidden, directories } = contents;
        let facts = FactStore::open_for_changes(&self.folder, files.len() >= MANY_FILES);
        add_facts_of(delta, &facts)?;
        let n_known = facts.n_added();
        let attempts = Attempts::start(&self.folder);
        let mut known = Known { facts, attempts, ..Known::default() };
        let pauses = Pauses::new(options.pauses, options.threads);
        let gathered = gather(&self.root, &files, options, &known, &pauses, &|_| {});
        if gathered.parser_failure().is_some() || gathered.is_out_of_time() {
            return Ok(None);
        }
        let analysed = known.facts.n_added() - n_known;
        known.facts.end_adding()?;
        let snapshot = assemble(&files, &gathered, directories, &known.facts, options, &pauses)?;
        let layer = Layer::of_changes(stored, snapshot, &hidden);
        let n_files =
            stored.meta().files as usize - hidden.len() + layer.snapshot.meta().files as usize;
        let mut file = Replacement::start(&self.patch_path(), None)?;
        let mut stream = ContainerStream::to_file(file.file().try_clone()?);
        write_patch(&layer, stored.base_snapshot().identity(), head, &mut stream)?;
        let (bytes, _) = stream.finish()?;
        file.finish()?;
        self.note_verified();
        // The delta belongs to the previous patch, so readers ignore it even if it cannot be removed.
        let _ignored = fs::remove_file(self.delta_path());
        Ok(Some(Refreshed { files: n_files, analysed, bytes }))
    }
}

/// The contents of a patch: the files and directories that changed since the base snapshot was built, and the base
/// snapshot's files that the patch hides.
struct PatchContents {
    files: Vec<ScannedFile>,
    directories: Vec<(String, i64)>,
    hidden: Vec<FileId>,
}

/// Returns the files for the new patch, sorted by path: the changed files, and the files of the previous patch that
/// have neither changed again nor been deleted.
fn patched_files(stored: &View, changes: &Changes) -> Vec<ScannedFile> {
    let changed = changes.files.iter().map(|file| file.path.as_str());
    let gone: FxHashSet<&str> = changed.chain(changes.deleted.iter().map(String::as_str)).collect();
    let mut files = changes.files.clone();
    if let Some(patch) = stored.patch() {
        let snapshot = &patch.snapshot;
        let old = (0..snapshot.meta().files).map(|number| snapshot.file(number));
        files.extend(
            old.filter(|file| !gone.contains(file.path()))
                .map(|file| ScannedFile { path: file.path().to_owned(), stamp: file.stamp() }),
        );
    }
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    files
}

/// Returns the directories that changed since the base snapshot was built, with their modification times, sorted by
/// path.
fn patched_directories(stored: &View, changes: &Changes) -> Vec<(String, i64)> {
    let mut directories: BTreeMap<String, i64> = BTreeMap::new();
    if let Some(patch) = stored.patch() {
        let snapshot = &patch.snapshot;
        for number in 0..snapshot.n_directories() {
            let (path, modified) = snapshot.directory(number);
            directories.insert(path.to_owned(), modified);
        }
    }
    directories.extend(changes.directories.iter().map(|(path, time)| (path.clone(), *time)));
    directories.into_iter().collect()
}

/// Returns the base snapshot's files that have been changed or deleted, in ascending order.
fn hidden_files(stored: &View, changes: &Changes) -> Vec<FileId> {
    let base = stored.base_snapshot();
    let changed = changes.files.iter().map(|file| file.path.as_str());
    let paths = changed.chain(changes.deleted.iter().map(String::as_str));
    let mut hidden: Vec<FileId> =
        paths.filter_map(|path| base.file_by_path(path)).map(FileId).collect();
    hidden.extend(stored.patch().into_iter().flat_map(|patch| patch.hidden.files()).map(FileId));
    hidden.sort_unstable();
    hidden.dedup();
    hidden
}

fn assemble(
    files: &[ScannedFile],
    gathered: &Gathered,
    directories: Vec<(String, i64)>,
    facts: &FactStore,
    options: &BuildOptions,
    pauses: &Pauses,
) -> io::Result<Snapshot> {
    let mut input = LayerInput::new(directories, options.threads);
    for (file, content) in files.iter().zip(gathered.contents()) {
        if let Some(content) = content {
            input.push(&file.path, content.stamp(), content.hash(), content.location());
        }
    }
    let bytes = assemble_layer(input, facts, pauses)?;
    Snapshot::from_bytes(bytes).map_err(io::Error::other)
}
