//! Maps files to summaries of their git history. In a large tree, most files have no history in the commits that were
//! read, so summaries are stored only for the others.

use std::io;

use super::paths::Paths;
use crate::codec::put_varint;
use crate::history::{FileSummary, History, summarise};
use crate::spill::{Section, Spill};

#[derive(Default)]
pub(super) struct Summaries {
    /// The files with a history, in ascending order.
    files: Vec<u32>,
    /// The summaries of `files`. They identify other files by their positions in `files`.
    summaries: Vec<FileSummary>,
    none: FileSummary,
}

impl Summaries {
    pub(super) fn new(history: Option<&History>, paths: &Paths) -> Self {
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

    pub(super) fn get(&self, file: u32) -> &FileSummary {
        self.files.binary_search(&file).map_or(&self.none, |place| &self.summaries[place])
    }

    /// Returns the commit subjects that are indexed for a file.
    pub(super) fn subjects<'h>(
        &self,
        file: u32,
        history: Option<&'h History>,
    ) -> impl Iterator<Item = &'h str> {
        let commits = history.map_or(&[][..], |history| &history.commits);
        let subjects = &self.get(file).subjects;
        subjects.iter().filter_map(|at| Some(commits.get(*at as usize)?.subject.as_str()))
    }

    /// Returns two sections: the list offsets, and for each file the list of files that changed in the same commits.
    pub(super) fn co_changes<'s>(
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
    pub(super) fn touches<'s>(
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
