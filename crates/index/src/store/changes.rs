//! Determines whether a refresh can store the changes in a delta or a patch, or must build a new snapshot.

use std::time::{Duration, Instant};

use super::Store;
use super::partial::Contents;
use crate::build::BuildOptions;
use crate::freshness::{Changes, LookOptions, changes, changes_of, current_commit};
use crate::history::current_head;
use crate::view::{Change, View};

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

    pub(super) fn is_complete(&self, options: &BuildOptions, stored: &View) -> bool {
        stored.patch().is_none() && self.head(options) == stored.meta().head
    }

    /// Returns the current commit, or `None` if the options do not request the git history or if it cannot be read
    /// because a file of the git directory would block git.
    pub(super) fn head(&self, options: &BuildOptions) -> Option<String> {
        let git = options.git(&self.root).filter(|git| !git.is_blocked())?;
        current_commit(&self.root).or_else(|| current_head(&git))
    }

    /// Compares the paths in `options.changed` and the files in the delta with the stored index. Returns `None` if
    /// `options.changed` is `None`, if there are too many changes for a delta, or if an ignore file changed.
    pub(super) fn named_changes(&self, options: &BuildOptions, stored: &View) -> Option<Changes> {
        let paths = options.changed.iter().flatten().map(String::as_str);
        options.changed.as_ref()?;
        let also = paths.chain(stored.delta_paths()).map(str::to_owned).collect();
        let changes = changes_of(stored, &LookOptions { also, ..look_options(options) });
        let is_small = Contents::of(stored, &changes, Change::Delta).len(stored) <= MAX_DELTA_FILES;
        (is_small && !changes.has_ignore_file()).then_some(changes)
    }

    /// Compares the whole tree with the stored index. Returns `None` if a full build is needed because an ignore file
    /// changed or the comparison did not finish.
    pub(super) fn all_changes(&self, options: &BuildOptions, stored: &View) -> Option<Changes> {
        let look = LookOptions { max_added: MAX_PATCH_FILES + 1, ..look_options(options) };
        let changes = changes(stored, &look);
        (changes.complete && !changes.has_ignore_file()).then_some(changes)
    }
}

fn look_options(options: &BuildOptions) -> LookOptions {
    let deadline = options.deadline.unwrap_or_else(|| Instant::now() + COMPARE_TIMEOUT);
    let access = options.access.clone();
    LookOptions { access, ..LookOptions::until(deadline, options.access.parser.clone()) }
}
