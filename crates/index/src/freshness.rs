//! Compares the stamps of files and directories (modification times and sizes) to find the files that changed after a
//! snapshot was written. The search ends at a deadline.
//!
//! A new file changes the modification time of its directory, so only changed directories are listed. Changed files
//! are analysed, and their facts form a small snapshot in memory, the overlay. If more files changed than the limits
//! allow, the changes in the remaining files are not in the view, but these files are counted.

mod compare;
mod head;

use std::path::Path;
use std::time::Instant;

use crate::assemble::{TreeFiles, assemble_layer};
use crate::build::{Analysis, Known, Pauses, TreeAccess, gather};
use crate::history::HistoryOptions;
use crate::parser::Parser;
use crate::snapshot::Snapshot;
use crate::tree_scan::ScannedFile;
use crate::view::{Freshness, View};
pub(crate) use compare::{Changes, changes_of, compare};
pub(crate) use head::current_commit;

/// Limits for finding the changes since a snapshot.
#[derive(Clone, Debug)]
pub struct LookOptions {
    pub deadline: Instant,
    /// The maximum number of changed files to analyse.
    pub max_files: usize,
    /// The maximum number of files and directories in a tree that is compared as a whole. In a larger tree, only the
    /// most recently modified ones, the paths in `also` and the files that git reports as changed are compared.
    pub max_compared: usize,
    /// The maximum number of most recently modified files that are compared in a tree larger than `max_compared`. The
    /// same maximum applies to directories.
    pub max_newest: usize,
    /// Whether all directories of a tree larger than `max_compared` are compared, so that all new files are found.
    pub all_directories: bool,
    /// Paths of files and directories that are always compared, relative to the root. They need not exist.
    pub also: Vec<String>,
    /// The options for git. If only a part of the tree is compared, git lists the files that differ between the
    /// snapshot's commit and the current commit, and these files are compared too. If `None`, git is not started.
    pub git: Option<HistoryOptions>,
    /// The maximum number of new files to find. The search for new files ends at this number.
    pub max_added: usize,
    pub access: TreeAccess,
}

impl LookOptions {
    /// Returns options with this deadline and default limits. The whole tree is compared.
    pub fn until(deadline: Instant, parser: Parser) -> Self {
        Self {
            deadline,
            max_files: 64,
            max_compared: usize::MAX,
            max_newest: usize::MAX,
            all_directories: false,
            also: Vec::new(),
            git: None,
            max_added: 2_000,
            access: TreeAccess::new(parser),
        }
    }
}

/// Returns a view of the current tree. It adds to `stored`, which contains the snapshot, the patch and the delta, an
/// overlay of the files that changed after they were written.
pub(crate) fn current_view(stored: View, options: &LookOptions) -> View {
    // The delta's files have changed recently, so they are always compared.
    let mut also: Vec<&str> = options.also.iter().map(String::as_str).collect();
    also.extend(stored.delta_paths());
    let compared = compare(&stored, options, &also, compare_deadline(options.deadline));
    let Changes { files: mut fresh, added, mut deleted, complete, .. } = compared;
    // Sorts the files by modification time, newest first. If not all of them can be analysed, the most recently
    // edited files are the most relevant.
    fresh.sort_unstable_by_key(|file| std::cmp::Reverse(file.stamp.modified));
    let n_fresh = fresh.len();
    fresh.truncate(options.max_files);
    let OverlayBuild { snapshot: overlay, analysed, refused } =
        build_overlay(stored.root(), options, fresh);
    let left_out = u32::try_from(n_fresh - analysed.len() - refused.len()).unwrap_or(u32::MAX);
    deleted.extend(refused.into_iter().filter(|path| !added.contains(path)));
    let hidden: Vec<String> = analysed.iter().chain(&deleted).cloned().collect();
    let (added, changed): (Vec<String>, Vec<String>) =
        analysed.into_iter().partition(|path| added.contains(path));
    let freshness = Freshness { changed, added, deleted, complete, left_out };
    stored.with_overlay(overlay, &hidden, freshness)
}

/// Returns the deadline of the comparison. It leaves a quarter of the remaining time for the analysis of the changed
/// files.
fn compare_deadline(deadline: Instant) -> Instant {
    let now = Instant::now();
    now + deadline.saturating_duration_since(now) * 3 / 4
}

impl View {
    /// Compares the files at `paths` and their directories with the tree again. Returns the paths of changed, deleted
    /// and new files in these directories. Changes that the view already contains are left out.
    pub fn outdated(&self, paths: &[String], options: &LookOptions) -> Vec<String> {
        let named = LookOptions { also: paths.to_vec(), ..options.clone() };
        let Changes { files, deleted, .. } = changes_of(self, &named);
        files.into_iter().map(|file| file.path).chain(deleted).collect()
    }
}

/// The result of [`build_overlay`].
struct OverlayBuild {
    /// The overlay, or `None` if no files changed or the overlay cannot be assembled.
    snapshot: Option<Snapshot>,
    /// Paths of the files that were analysed for the overlay.
    analysed: Vec<String>,
    /// Paths of the files whose content was refused.
    refused: Vec<String>,
}

fn build_overlay(root: &Path, options: &LookOptions, mut fresh: Vec<ScannedFile>) -> OverlayBuild {
    fresh.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    let threads = options.access.threads.min(fresh.len().div_ceil(4)).max(1);
    let access = TreeAccess { threads, ..options.access.clone() };
    let (pauses, mut found) = (Pauses::default(), Known::default());
    let analysis = Analysis { access: &access, deadline: Some(options.deadline) };
    let gathered = gather(root, &fresh, analysis, &found, &pauses, &|_| {});
    let is_analysed = |at: &usize| gathered.contents[*at].is_some();
    let path = |at: usize| fresh[at].path.clone();
    let analysed: Vec<String> = (0..fresh.len()).filter(is_analysed).map(path).collect();
    let refused = gathered.refused.iter().copied().map(path).collect();
    let assembled = found.facts.end_adding().and_then(|()| {
        let files = TreeFiles::of(fresh.iter().map(|file| &file.path), &gathered);
        assemble_layer(files, &found.facts, Vec::new(), 1, &pauses)
    });
    let snapshot = assembled.ok().filter(|_| !analysed.is_empty());
    OverlayBuild { snapshot, analysed, refused }
}
