//! Scores files by the earlier activity in the session.

use std::time::Instant;

use index::{FileId, Node, View};
use rustc_hash::{FxHashMap, FxHashSet};

use super::candidates;
use super::context::RankContext;
use super::mentions::TraceFiles;
use super::neighbours::{MAX_EDGES, add_links};
use super::terms::weigh;
use super::text::{TextScores, TextSignal};
use super::{flag, mentions};
use crate::query::Query;
use crate::search::SessionContext;

/// The maximum number of touched files (files that the session read or edited) whose neighbours are scored.
const MAX_LEADERS: usize = 6;
/// The folders of touched files are listed only in repositories with at most this many files.
const MAX_FILES_TO_SCAN: usize = 20_000;
const MAX_SIBLINGS: usize = 100;

/// A session's accesses to one file.
#[derive(Clone, Copy, Default)]
pub(crate) struct Access {
    pub(super) is_edited: bool,
    pub(super) is_read: bool,
    /// The number of files that were touched after this file.
    pub(super) n_later: usize,
    /// The number of prompts since the last access to the file.
    pub(super) prompts_ago: u32,
}

/// The files of a view that the session read, edited or named.
#[derive(Default)]
pub(super) struct SessionFiles {
    accesses: FxHashMap<FileId, Access>,
    /// The files that the session read or edited, most recent first.
    newest_first: Vec<FileId>,
    /// The files that are named in the outputs of the previous turn.
    named: FxHashSet<FileId>,
    /// The recently changed files. Empty in the first turn.
    recent: Vec<FileId>,
    /// The text scores of the files for the earlier prompts.
    prompts: Option<TextScores>,
}

impl SessionFiles {
    pub(super) fn find(view: &View, session: &SessionContext, deadline: Instant) -> Self {
        let mut found = Self::default();
        for touched in session.files.iter().rev() {
            let Some(file) = view.file_by_path(&touched.path) else { continue };
            let n_later = found.newest_first.len();
            let access = found.accesses.entry(file).or_insert_with(|| {
                found.newest_first.push(file);
                Access { n_later, prompts_ago: touched.prompts_ago, ..Access::default() }
            });
            access.is_edited |= touched.is_edit;
            access.is_read |= !touched.is_edit;
        }
        for output in &session.outputs {
            let query = Query::read(output);
            let mentioned = query.paths.iter().flat_map(|path| mentions::resolve(view, &path.text));
            found.named.extend(mentioned.map(|(file, _)| file));
            found.named.extend(TraceFiles::find(view, &query).files());
        }
        if !session.is_first_turn() {
            found.recent = candidates::recently_changed(view);
        }
        if !session.prompts.is_empty() {
            let query = Query::read(&session.prompts.join("\n"));
            let terms =
                weigh(&query.terms, view.totals().files, |term| view.document_frequency(term));
            found.prompts = Some(TextScores::read(view, &terms, deadline));
        }
        found
    }

    /// Returns the files that are candidates regardless of their text scores: touched, named and recently changed
    /// files, files in the same folder as a touched file, and files that changed together with a touched file.
    pub(super) fn candidates(&self, view: &View) -> Vec<FileId> {
        let mut files: Vec<FileId> =
            self.newest_first.iter().chain(&self.named).chain(&self.recent).copied().collect();
        let leaders = &self.newest_first[..self.newest_first.len().min(MAX_LEADERS)];
        if leaders.is_empty() {
            return files;
        }
        files.extend(leaders.iter().flat_map(|file| view.co_changes(*file)).map(|(file, _)| file));
        if view.file_slots() <= MAX_FILES_TO_SCAN {
            let folders: FxHashSet<&str> =
                leaders.iter().map(|file| folder(view.path(*file))).collect();
            let siblings = view.files().filter(|file| folders.contains(folder(view.path(*file))));
            files.extend(siblings.take(MAX_SIBLINGS));
        }
        files
    }
}

/// Returns the value of each candidate that the session read or edited, and 0 for the other candidates.
pub(super) fn each(context: &RankContext<'_>, value: impl Fn(&Access) -> f32) -> Vec<f32> {
    context.each(|file| context.session.accesses.get(&file).map_or(0.0, &value))
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn recency_of(n_later: usize) -> f32 {
    1.0 / (1.0 + n_later as f32)
}

pub(super) fn named(context: &RankContext<'_>) -> Vec<f32> {
    context.each(|file| flag(context.session.named.contains(&file)))
}

pub(super) fn earlier_prompts(context: &RankContext<'_>) -> Vec<f32> {
    let scores = context.session.prompts.as_ref();
    context.each(|file| scores.map_or(0.0, |scores| scores.of(TextSignal::Whole, file)))
}

/// Scores files that use a touched file or are used by one. A touched file is one that the session read or edited.
pub(super) fn linked(context: &RankContext<'_>) -> Vec<f32> {
    let view = context.view;
    let edges = |node: Node| {
        let outgoing = view.edges_from(node).take(MAX_EDGES).map(|edge| (edge.to, edge.confidence));
        let incoming =
            view.edges_into(node).take(MAX_EDGES).map(|edge| (edge.from, edge.confidence));
        outgoing.chain(incoming).collect()
    };
    let mut scores = vec![0.0_f32; context.candidates.len()];
    for (n_later, file) in context.session.newest_first.iter().take(MAX_LEADERS).enumerate() {
        add_links(context, &mut scores, *file, recency_of(n_later), edges);
    }
    scores
}
