//! Maps files to summaries of their git history. In a large tree, most files have no history in the commits that were
//! read, so summaries are stored only for the others.

use std::cmp::Reverse;
use std::io;

use rustc_hash::FxHashMap;

use super::History;
use crate::assemble::Paths;
use crate::codec::put_varint;
use crate::spill::{Section, Spill};

const DAY: i64 = 24 * 60 * 60;
/// A commit is recent if it is at most this many days older than the newest commit. The days are not counted from
/// today, so that an old clone also has recent commits.
const RECENT_DAYS: i64 = 90;
/// Commits with more files than this are not used to find co-changes, which are files that change together.
const MAX_FILES_TOGETHER: usize = 25;
/// The maximum number of co-changed files that are stored for one file.
const MAX_CO_CHANGES: usize = 16;
/// The maximum number of commit subjects that are indexed for one file.
const MAX_SUBJECTS: usize = 200;
/// The maximum number of commits, counted from the newest, whose subjects are indexed.
const MAX_SUBJECT_COMMITS: usize = 3_000;
/// The maximum number of files in a commit whose subject is indexed.
const MAX_SUBJECT_FILES: usize = 30;
/// The maximum number of authors that are stored for one file.
const MAX_AUTHORS: usize = 3;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileSummary {
    pub(crate) commits: u32,
    pub(crate) recent_commits: u32,
    pub(crate) last_commit: i64,
    pub(crate) n_authors: u32,
    /// The authors with the most commits, as positions in [`History::authors`], in descending order of their number
    /// of commits.
    pub(crate) authors: Vec<u32>,
    /// The day of each commit, in days since the Unix epoch, in the same order as [`History::commits`].
    pub(crate) days: Vec<u32>,
    /// The commits whose subjects are indexed, as positions in [`History::commits`].
    pub(crate) subjects: Vec<u32>,
    /// The files that changed together with this file in at least two commits, each with the number of such commits,
    /// in descending order of this number.
    pub(crate) co_changes: Vec<(u32, u32)>,
}

#[derive(Default)]
pub(crate) struct Summaries {
    /// The files with a history, in ascending order.
    files: Vec<u32>,
    /// The summaries of `files`. They identify other files by their positions in `files`.
    summaries: Vec<FileSummary>,
    none: FileSummary,
}

impl Summaries {
    pub(crate) fn new(history: Option<&History>, paths: &Paths) -> Self {
        let Some(history) = history else { return Self::default() };
        let mut files: Vec<u32> =
            history.paths.iter().filter_map(|path| paths.find(path)).collect();
        files.sort_unstable();
        files.dedup();
        let place_of = |path: &str| {
            let place = files.binary_search(&paths.find(path)?).ok()?;
            Some(place as u32)
        };
        let summaries = summarise(history, files.len(), place_of);
        Self { files, summaries, none: FileSummary::default() }
    }

    pub(crate) fn get(&self, file: u32) -> &FileSummary {
        self.files.binary_search(&file).map_or(&self.none, |place| &self.summaries[place])
    }

    /// Returns the commit subjects that are indexed for a file.
    pub(crate) fn subjects<'h>(
        &self,
        file: u32,
        history: Option<&'h History>,
    ) -> impl Iterator<Item = &'h str> {
        let commits = history.map_or(&[][..], |history| &history.commits);
        let subjects = &self.get(file).subjects;
        subjects.iter().filter_map(|at| Some(commits.get(*at as usize)?.subject.as_str()))
    }

    /// Returns two sections: the list offsets, and for each file the list of files that changed in the same commits.
    pub(crate) fn co_changes<'s>(
        &self,
        n_files: usize,
        spill: &'s Spill,
    ) -> io::Result<[Section<'s>; 2]> {
        self.lists(n_files, spill, |summary, out| {
            for (place, count) in &summary.co_changes {
                put_varint(out, u64::from(self.files[*place as usize]));
                put_varint(out, u64::from(*count));
            }
        })
    }

    /// Returns two sections: the list offsets, and for each file the days of the commits that changed it, newest first.
    pub(crate) fn touches<'s>(
        &self,
        n_files: usize,
        spill: &'s Spill,
    ) -> io::Result<[Section<'s>; 2]> {
        self.lists(n_files, spill, |summary, out| {
            let mut days = summary.days.clone();
            days.sort_unstable_by(|a, b| b.cmp(a));
            let mut previous = days.first().copied().unwrap_or(0);
            if let Some(newest) = days.first() {
                put_varint(out, u64::from(*newest));
            }
            for day in days.iter().skip(1) {
                put_varint(out, u64::from(previous - day));
                previous = *day;
            }
        })
    }

    /// Encodes one list per file. Returns two sections: the start offset of each list, followed by the end offset of
    /// the last one, and the lists.
    fn lists<'s>(
        &self,
        n_files: usize,
        spill: &'s Spill,
        mut put: impl FnMut(&FileSummary, &mut Vec<u8>),
    ) -> io::Result<[Section<'s>; 2]> {
        let (mut starts, mut lists) = (Section::new(spill), Section::new(spill));
        for file in 0..n_files as u32 {
            starts.put(&(lists.len() as u32).to_le_bytes())?;
            put(self.get(file), lists.buffer());
            lists.flush()?;
        }
        starts.put(&(lists.len() as u32).to_le_bytes())?;
        Ok([starts, lists])
    }
}

/// Returns one summary for each of `n_files` files. `file_of` maps a path in the history to the index of a file in
/// the current tree.
pub(super) fn summarise(
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
