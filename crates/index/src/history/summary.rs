//! The history of each file of the tree.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::History;

const DAY: i64 = 24 * 60 * 60;
/// Counted back from the newest commit, so that an old clone also has recent commits.
const RECENT_DAYS: i64 = 90;
/// Commits that touch more files than this are not used for co-changes.
const MAX_FILES_TOGETHER: usize = 25;
const MAX_CO_CHANGES: usize = 16;
/// The maximum number of commits of a file whose subjects are indexed. Only commits that touch few files are used.
const MAX_SUBJECTS: usize = 200;
const MAX_SUBJECT_COMMITS: usize = 3_000;
const MAX_SUBJECT_FILES: usize = 30;
const MAX_AUTHORS: usize = 3;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileSummary {
    pub(crate) commits: u32,
    pub(crate) recent_commits: u32,
    pub(crate) last_commit: i64,
    pub(crate) n_authors: u32,
    /// Ordered by number of commits, most first.
    pub(crate) authors: Vec<u32>,
    /// The days since the Unix epoch of each commit, newest first.
    pub(crate) days: Vec<u32>,
    /// Numbers of the commits whose subjects are indexed.
    pub(crate) subjects: Vec<u32>,
    /// Files that were changed in the same commits, and in how many, most first.
    pub(crate) co_changes: Vec<(u32, u32)>,
}

/// Returns a summary for each of `n_files` files. `file_of` maps a path of the history to a current file.
pub(crate) fn summarise(
    history: &History,
    n_files: usize,
    file_of: impl Fn(&str) -> Option<u32>,
) -> Vec<FileSummary> {
    let file_by_path: Vec<Option<u32>> = history.paths.iter().map(|path| file_of(path)).collect();
    let newest = history.commits.iter().map(|commit| commit.time).max().unwrap_or(0);
    let mut summaries = vec![FileSummary::default(); n_files];
    let mut authors: Vec<FxHashMap<u32, u32>> = vec![FxHashMap::default(); n_files];
    let mut together: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for (number, commit) in history.commits.iter().enumerate() {
        let known = |path: &u32| file_by_path.get(*path as usize).copied().flatten();
        let mut files: Vec<u32> = commit.paths.iter().filter_map(known).collect();
        files.sort_unstable();
        files.dedup();
        for file in &files {
            let summary = &mut summaries[*file as usize];
            summary.commits += 1;
            summary.recent_commits +=
                u32::from(commit.time >= newest.saturating_sub(RECENT_DAYS * DAY));
            summary.last_commit = summary.last_commit.max(commit.time);
            summary.days.push(u32::try_from(commit.time / DAY).unwrap_or(0));
            let is_subject_indexed =
                number < MAX_SUBJECT_COMMITS && commit.paths.len() <= MAX_SUBJECT_FILES;
            if is_subject_indexed && summary.subjects.len() < MAX_SUBJECTS {
                summary.subjects.push(number as u32);
            }
            *authors[*file as usize].entry(commit.author).or_default() += 1;
        }
        if commit.paths.len() <= MAX_FILES_TOGETHER {
            for (at, first) in files.iter().enumerate() {
                for second in &files[at + 1..] {
                    *together.entry((*first, *second)).or_default() += 1;
                }
            }
        }
    }
    for ((first, second), count) in together {
        if count > 1 {
            summaries[first as usize].co_changes.push((second, count));
            summaries[second as usize].co_changes.push((first, count));
        }
    }
    for (summary, authors) in summaries.iter_mut().zip(authors) {
        summary.co_changes.sort_unstable_by_key(|(file, count)| (Reverse(*count), *file));
        summary.co_changes.truncate(MAX_CO_CHANGES);
        summary.n_authors = authors.len() as u32;
        let mut by_count: Vec<(u32, u32)> = authors.into_iter().collect();
        by_count.sort_unstable_by_key(|(author, count)| (Reverse(*count), *author));
        summary.authors =
            by_count.into_iter().take(MAX_AUTHORS).map(|(author, _)| author).collect();
    }
    summaries
}
