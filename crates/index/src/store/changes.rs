//! Stores changes next to a snapshot, in a delta or in a patch, instead of building a new snapshot.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::time::{Duration, Instant};

use disk::Replacement;
use rustc_hash::FxHashSet;

use super::{Refreshed, Store};
use crate::assemble::{TreeFiles, assemble_layer, folder_of};
use crate::build::{Attempts, BuildOptions, Gathered, Known, Pauses, gather};
use crate::container::ContainerStream;
use crate::fact_store::FactStore;
use crate::freshness::{Changes, LookOptions, changes_of, compare, current_commit};
use crate::history::current_head;
use crate::patch::{add_facts_of, put_facts, write_layer};
use crate::tree_scan::ScannedFile;
use crate::view::{Change, FileId, Layer, View};

/// The maximum number of changed files in a delta. Each refresh writes all of them with their facts.
pub(super) const MAX_DELTA_FILES: usize = 32;
/// The maximum number of changed files in a patch. With more changes, building a new snapshot does not take much
/// longer.
const MAX_PATCH_FILES: usize = 8_192;
/// The maximum number of files in a patch is the number of files in the snapshot divided by this number. It is at least
/// [`MAX_DELTA_FILES`] and at most [`MAX_PATCH_FILES`].
const MAX_PATCH_SHARE: usize = 10;
/// The maximum time for comparing the tree with the index if the build has no deadline. After this time, a full build
/// starts instead. A comparison normally finishes much sooner.
const COMPARE_TIMEOUT: Duration = Duration::from_secs(600);
/// Names of ignore files. A change to one of them changes which files belong to the tree, so it requires a full build.
const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];
/// The minimum number of changed files for which all facts are verified and loaded at once. For this many files,
/// looking up the facts one by one would take longer.
const MANY_FILES: usize = 256;

/// Returns the maximum number of changed files in a patch to a snapshot with `n_files` files.
pub(super) fn max_patch_files(n_files: usize) -> usize {
    (n_files / MAX_PATCH_SHARE).clamp(MAX_DELTA_FILES, MAX_PATCH_FILES)
}

impl Changes {
    /// Returns whether an ignore file was changed, created or deleted.
    fn has_ignore_file(&self) -> bool {
        let is_ignore_file =
            |path: &str| path.rsplit('/').next().is_some_and(|name| IGNORE_FILES.contains(&name));
        let changed = self.files.iter().map(|file| file.path.as_str());
        changed.chain(self.deleted.iter().map(String::as_str)).any(is_ignore_file)
    }
}

impl Store {
    /// Returns whether the stored index lacks something that only a full build adds: the edges of new references in
    /// the files of a patch, or the git history up to the current commit.
    pub fn is_partial(&self, options: &BuildOptions) -> bool {
        self.stored().is_ok_and(|stored| !self.is_complete(options, &stored))
    }

    fn is_complete(&self, options: &BuildOptions, stored: &View) -> bool {
        stored.patch().is_none() && self.head(options) == stored.meta().head
    }

    /// Returns the current commit, or `None` if the options do not request the git history or if it cannot be read
    /// because a file of the git directory would block git.
    pub(super) fn head(&self, options: &BuildOptions) -> Option<String> {
        let git = options.git(&self.root).filter(|git| !git.is_blocked())?;
        current_commit(&self.root).or_else(|| current_head(&git))
    }

    /// Compares the paths in `options.changed` and the files in the delta with the stored index, and returns the contents
    /// of a new delta. Returns `None` if `options.changed` is `None`, if there are too many changes for a delta, or if an
    /// ignore file changed.
    fn named_changes(&self, options: &BuildOptions, stored: &View) -> Option<Contents> {
        let paths = options.changed.as_ref()?.iter().map(String::as_str);
        let also = paths.chain(stored.delta_paths()).map(str::to_owned).collect();
        let changes = changes_of(stored, &LookOptions { also, ..look_options(options) });
        let contents = Contents::of(stored, &changes, Change::Delta);
        let is_small = contents.len(stored) <= MAX_DELTA_FILES;
        (is_small && !changes.has_ignore_file()).then_some(contents)
    }

    /// Compares the whole tree with the stored index. Returns `None` if a full build is needed because an ignore file
    /// changed or the comparison did not finish.
    fn all_changes(&self, options: &BuildOptions, stored: &View) -> Option<Changes> {
        let look = LookOptions { max_added: MAX_PATCH_FILES + 1, ..look_options(options) };
        let changes = compare(stored, &look, &[], look.deadline);
        (changes.complete && !changes.has_ignore_file()).then_some(changes)
    }

    /// Writes a delta or a patch instead of a new snapshot. Returns `None` if a full build is needed: too many files
    /// changed, an ignore file changed, the comparison did not finish, the parser cannot be run, the deadline passes,
    /// or the options require a complete index and the stored one is incomplete.
    pub(super) fn refresh_partly(
        &self,
        options: &BuildOptions,
        stored: &View,
    ) -> io::Result<Option<Refreshed>> {
        if options.complete && !self.is_complete(options, stored) {
            return Ok(None);
        }
        if let Some(contents) = self.named_changes(options, stored) {
            let compared_at = self.last_refresh();
            let written = self.write(options, stored, contents, stored.head())?;
            let file = File::options().write(true).open(self.change_path(Change::Delta));
            // If the time cannot be set, the only effect is that the next comparison of the whole tree starts later.
            let _ignored = compared_at.map(|at| file.and_then(|file| file.set_modified(at)));
            return Ok(written);
        }
        // The commit is read before the comparison. If it changes in the meantime, the next comparison finds the
        // changes.
        let head = self.head(options);
        let Some(changes) = self.all_changes(options, stored) else { return Ok(None) };
        self.write_changes(options, stored, &changes, head.as_deref())
    }

    /// Writes the changes to a delta or, if there are too many for a delta and the index need not be complete, to a
    /// patch. Returns `None` if a full build is needed.
    pub(super) fn write_changes(
        &self,
        options: &BuildOptions,
        stored: &View,
        changes: &Changes,
        head: Option<&str>,
    ) -> io::Result<Option<Refreshed>> {
        let few = Contents::of(stored, changes, Change::Delta);
        if few.len(stored) <= MAX_DELTA_FILES {
            return self.write(options, stored, few, head);
        }
        let many = Contents::of(stored, changes, Change::Patch);
        let max_files = max_patch_files(stored.meta().files as usize);
        if options.complete || many.files.len().max(many.hidden.len()) > max_files {
            return Ok(None);
        }
        self.write(options, stored, many, head)
    }

    /// Writes a delta or a patch. Returns `None` if the parser cannot be run or the deadline passes.
    fn write(
        &self,
        options: &BuildOptions,
        stored: &View,
        contents: Contents,
        head: Option<&str>,
    ) -> io::Result<Option<Refreshed>> {
        let Contents { change, files, mut hidden, mut directories } = contents;
        let facts = match change {
            Change::Patch if files.len() >= MANY_FILES => FactStore::open(&self.folder),
            Change::Patch | Change::Delta => {
                FactStore::open_for_few(&self.folder, change == Change::Patch)
            }
        };
        if let Some(delta) = stored.delta() {
            add_facts_of(delta, &facts)?;
        }
        let n_known = facts.n_added();
        let attempts = Attempts::start(&self.folder);
        let mut known = Known { facts, attempts, ..Known::default() };
        let pauses = match change {
            Change::Delta => Pauses::default(),
            Change::Patch => Pauses::new(options.pauses, options.access.threads),
        };
        let gathered = gather(&self.root, &files, options.analysis(), &known, &pauses, &|_| {});
        if gathered.parser_failure.is_some() || gathered.out_of_time {
            return Ok(None);
        }
        // The folder of a refused file counts as changed, because the layer does not contain the file's stamp.
        for at in &gathered.refused {
            directories.insert(folder_of(&files[*at].path).to_owned(), 0);
        }
        let analysed = known.facts.n_added() - n_known;
        known.facts.end_adding()?;
        let changed = TreeFiles::of(files.iter().map(|file| &file.path), &gathered);
        // A few files are assembled faster by one thread.
        let threads = if change == Change::Delta { 1 } else { options.access.threads };
        let directories = directories.into_iter().collect();
        let snapshot = assemble_layer(changed, &known.facts, directories, threads, &pauses)?;
        // The old content of a file that cannot be read remains in the index.
        for at in gathered.unread() {
            let old = stored.file_below(&files[at].path, change);
            hidden.retain(|file| Some(*file) != old);
        }
        let layer = Layer::over(stored.counts_below(change), stored, snapshot, &hidden);
        let below = stored.n_files_below(change);
        let n_files = below.saturating_sub(hidden.len()) + layer.snapshot.meta().files as usize;
        let facts = match change {
            Change::Delta => encoded_facts(&gathered, &known.facts),
            Change::Patch => Vec::new(),
        };
        let mut file = Replacement::start(&self.change_path(change), None)?;
        let mut stream = ContainerStream::to_file(file.file().try_clone()?);
        write_layer(&layer, stored.identity_below(change), head, facts, &mut stream)?;
        let (bytes, _) = stream.finish()?;
        file.finish()?;
        if change == Change::Patch {
            self.note_verified();
            // The delta belongs to the previous patch, so readers ignore it even if it cannot be removed.
            let _ignored = fs::remove_file(self.change_path(Change::Delta));
        }
        Ok(Some(Refreshed { files: n_files, analysed, bytes }))
    }
}

/// The contents of a new delta or patch: the files and directories that changed since the layers below it were written,
/// and the files of these layers that it hides.
struct Contents {
    change: Change,
    /// The changed files, sorted by path.
    files: Vec<ScannedFile>,
    /// The changed directories with their modification times.
    directories: BTreeMap<String, i64>,
    /// The hidden files, in ascending order.
    hidden: Vec<FileId>,
}

impl Contents {
    /// Adds `changes`, the differences between the tree and `stored`, to the contents of the layers that the new delta or
    /// patch replaces.
    fn of(stored: &View, changes: &Changes, change: Change) -> Self {
        let changed = changes.files.iter().map(|file| file.path.as_str());
        let mut known: FxHashSet<&str> =
            changed.chain(changes.deleted.iter().map(String::as_str)).collect();
        let mut hidden: Vec<FileId> =
            known.iter().filter_map(|path| stored.file_below(path, change)).collect();
        let mut files = changes.files.clone();
        let mut directories: BTreeMap<String, i64> = BTreeMap::new();
        for layer in stored.replaced_by(change) {
            let snapshot = &layer.snapshot;
            let old = (0..snapshot.meta().files).map(|number| snapshot.file(number));
            // A path that is known already belongs to a newer version of the file.
            files.extend(
                old.filter(|file| known.insert(file.path()))
                    .map(|file| ScannedFile { path: file.path().to_owned(), stamp: file.stamp() }),
            );
            for number in 0..snapshot.n_directories() {
                let (path, modified) = snapshot.directory(number);
                directories.entry(path.to_owned()).or_insert(modified);
            }
            for old in layer.hidden.files().map(FileId) {
                known.insert(stored.path(old));
                hidden.push(old);
            }
        }
        directories.extend(changes.directories.iter().map(|(path, time)| (path.clone(), *time)));
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        // The files of a replaced layer disappear with it.
        let n_below = stored.counts_below(change).files;
        hidden.retain(|file| file.0 < n_below);
        hidden.sort_unstable();
        hidden.dedup();
        Self { change, files, directories, hidden }
    }

    /// Returns the number of files that are changed, new or deleted.
    fn len(&self, stored: &View) -> usize {
        let is_deleted = |file: &&FileId| {
            let path = stored.path(**file);
            self.files.binary_search_by(|it| it.path.as_str().cmp(path)).is_err()
        };
        self.files.len() + self.hidden.iter().filter(is_deleted).count()
    }
}

fn look_options(options: &BuildOptions) -> LookOptions {
    let deadline = options.deadline.unwrap_or_else(|| Instant::now() + COMPARE_TIMEOUT);
    let access = options.access.clone();
    LookOptions { access, ..LookOptions::until(deadline, options.access.parser.clone()) }
}

/// Returns the facts of a delta's files for [`crate::layout::PatchSection::Facts`].
fn encoded_facts(gathered: &Gathered, facts: &FactStore) -> Vec<u8> {
    let (mut reader, mut out) = (facts.reader(), Vec::new());
    for content in gathered.contents.iter().flatten() {
        put_facts(&mut out, content.key, reader.record(content.location).unwrap_or_default());
    }
    out
}
