//! Scores files by what the session did before the prompt.

use index::{FileId, Node, SymbolId, View};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::RankContext;
use super::mentions;
use super::terms::weigh;
use super::text::{TextScores, TextSignal};
use crate::location::file_of;
use crate::query::Query;
use crate::session::SessionContext;

/// The maximum number of touched files whose neighbours are scored.
const MAX_LEADERS: usize = 6;
/// The maximum number of files in a repository in which the folders of touched files are listed.
const MAX_FILES_TO_SCAN: usize = 20_000;
const MAX_SIBLINGS: usize = 100;
/// The maximum number of definitions per touched file whose edges are read.
const MAX_SYMBOLS: u32 = 200;
/// The total edge confidence at which a neighbour gets half of the maximum score.
const HALF: f32 = 3.0;

/// The accesses of a session to one file.
#[derive(Clone, Copy, Default)]
pub(super) struct Access {
    /// The number of files that were edited after this file. `None` if the file was not edited.
    edit_rank: Option<usize>,
    read_rank: Option<usize>,
    /// The number of files that were read or edited after this file.
    touch_rank: usize,
    prompts_ago: u32,
    edit_prompts_ago: Option<u32>,
}

/// The files of a view that the session touched.
#[derive(Default)]
pub(super) struct SessionFiles {
    accesses: FxHashMap<FileId, Access>,
    /// The touched files, newest first.
    newest_first: Vec<FileId>,
    named: Vec<FileId>,
    prompts: Vec<TextScores>,
}

impl SessionFiles {
    pub(super) fn find(
        view: &View,
        session: &SessionContext,
        deadline: std::time::Instant,
    ) -> Self {
        let mut found = Self::default();
        let (mut n_edits, mut n_reads) = (0, 0);
        for touched in session.files.iter().rev() {
            let Some(file) = view.file_by_path(&touched.path) else { continue };
            let touch_rank = found.newest_first.len();
            let access = found.accesses.entry(file).or_insert_with(|| {
                found.newest_first.push(file);
                Access { touch_rank, prompts_ago: touched.prompts_ago, ..Access::default() }
            });
            if touched.is_edit && access.edit_rank.is_none() {
                access.edit_rank = Some(n_edits);
                access.edit_prompts_ago = Some(touched.prompts_ago);
                n_edits += 1;
            } else if !touched.is_edit && access.read_rank.is_none() {
                access.read_rank = Some(n_reads);
                n_reads += 1;
            }
        }
        for output in &session.outputs {
            let query = Query::read(output);
            for mention in &query.paths {
                found.named.extend(
                    mentions::resolve(view, &mention.text).into_iter().map(|(file, _)| file),
                );
            }
            found.named.extend(super::trace::TraceFiles::find(view, &query).files());
        }
        let mut prompts: Vec<&str> = session.prompts.iter().rev().map(String::as_str).collect();
        let all = prompts.join("\n");
        prompts.truncate(1);
        prompts.push(&all);
        for prompt in prompts {
            let query = Query::read(prompt);
            let terms =
                weigh(&query.terms, view.totals().files, |term| view.document_frequency(term));
            found.prompts.push(TextScores::read(view, &terms, deadline));
        }
        found
    }

    /// Returns the files that are candidates regardless of their text: touched and named files, and files in the folder of
    /// a touched file or that changed with it.
    pub(super) fn candidates(&self, view: &View) -> Vec<FileId> {
        let mut files: Vec<FileId> = self.newest_first.iter().chain(&self.named).copied().collect();
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

    fn each(context: &RankContext<'_>, value: impl Fn(&Access) -> f32) -> Vec<f32> {
        context.each(|file| context.session.accesses.get(&file).map_or(0.0, &value))
    }
}

fn reciprocal(rank: Option<usize>) -> f32 {
    rank.map_or(0.0, |rank| 1.0 / (1.0 + rank as f32))
}

pub(super) fn edited(context: &RankContext<'_>) -> Vec<f32> {
    SessionFiles::each(context, |access| f32::from(u8::from(access.edit_rank.is_some())))
}

pub(super) fn edit_rank(context: &RankContext<'_>) -> Vec<f32> {
    SessionFiles::each(context, |access| reciprocal(access.edit_rank))
}

pub(super) fn read(context: &RankContext<'_>) -> Vec<f32> {
    SessionFiles::each(context, |access| f32::from(u8::from(access.read_rank.is_some())))
}

pub(super) fn read_rank(context: &RankContext<'_>) -> Vec<f32> {
    SessionFiles::each(context, |access| reciprocal(access.read_rank))
}

pub(super) fn touch_rank(context: &RankContext<'_>) -> Vec<f32> {
    SessionFiles::each(context, |access| reciprocal(Some(access.touch_rank)))
}

pub(super) fn last_turn(context: &RankContext<'_>) -> Vec<f32> {
    SessionFiles::each(context, |access| f32::from(u8::from(access.prompts_ago == 0)))
}

pub(super) fn last_edit(context: &RankContext<'_>) -> Vec<f32> {
    SessionFiles::each(context, |access| f32::from(u8::from(access.edit_prompts_ago == Some(0))))
}

pub(super) fn named(context: &RankContext<'_>) -> Vec<f32> {
    context.each(|file| f32::from(u8::from(context.session.named.contains(&file))))
}

pub(super) fn previous_prompt(context: &RankContext<'_>) -> Vec<f32> {
    prompt_text(context, 0)
}

pub(super) fn all_prompts(context: &RankContext<'_>) -> Vec<f32> {
    prompt_text(context, 1)
}

fn prompt_text(context: &RankContext<'_>, at: usize) -> Vec<f32> {
    let scores = context.session.prompts.get(at);
    context.each(|file| scores.map_or(0.0, |scores| scores.of(TextSignal::Whole, file)))
}

/// Scores files in the folder of a touched file.
pub(super) fn sibling(context: &RankContext<'_>) -> Vec<f32> {
    by_path(context, folder)
}

/// Scores files with the name of a touched file and another extension or folder, such as `cart.test.ts` beside `cart.ts`.
pub(super) fn same_stem(context: &RankContext<'_>) -> Vec<f32> {
    by_path(context, stem)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    let name = name.trim_start_matches("test_");
    let stem = name.split('.').next().unwrap_or_default();
    stem.trim_end_matches("_test").trim_end_matches("Test").trim_end_matches("Tests")
}

fn by_path(context: &RankContext<'_>, part: impl Fn(&str) -> &str) -> Vec<f32> {
    let session = &context.session;
    let mut best: FxHashMap<String, (f32, FileId)> = FxHashMap::default();
    for (rank, file) in session.newest_first.iter().enumerate() {
        let part = part(context.view.path(*file));
        best.entry(part.to_owned()).or_insert((reciprocal(Some(rank)), *file));
    }
    context.each(|file| {
        let found = best.get(part(context.view.path(file)));
        found.filter(|(_, other)| *other != file).map_or(0.0, |(score, _)| *score)
    })
}

/// Scores files that changed in the same commits as the touched files.
pub(super) fn changed_together(context: &RankContext<'_>) -> Vec<f32> {
    let positions = context.positions();
    let mut scores = vec![0.0; context.candidates.len()];
    for (rank, file) in context.session.newest_first.iter().take(MAX_LEADERS).enumerate() {
        let commits = context.view.file(*file).history.commits as f32;
        for (other, n_commits) in context.view.co_changes(*file) {
            if let Some(at) = positions.get(&other) {
                scores[*at] += reciprocal(Some(rank)) * n_commits as f32 / (1.0 + commits);
            }
        }
    }
    scores
}

/// Scores files that use a touched file or that a touched file uses.
pub(super) fn linked(context: &RankContext<'_>) -> Vec<f32> {
    let positions = context.positions();
    let view = context.view;
    let mut scores = vec![0.0_f32; context.candidates.len()];
    for (rank, id) in context.session.newest_first.iter().take(MAX_LEADERS).enumerate() {
        let file = view.file(*id);
        let symbols = file.symbols.start
            ..file.symbols.end.min(file.symbols.start.saturating_add(MAX_SYMBOLS));
        let nodes = symbols.map(|number| Node::Symbol(SymbolId(number))).chain([Node::File(*id)]);
        let mut strength: FxHashMap<FileId, f32> = FxHashMap::default();
        for node in nodes {
            for edge in view.edges_from(node) {
                *strength.entry(file_of(view, edge.to)).or_default() += edge.confidence;
            }
            for edge in view.edges_into(node) {
                *strength.entry(file_of(view, edge.from)).or_default() += edge.confidence;
            }
        }
        for (other, strength) in strength.into_iter().filter(|(other, _)| other != id) {
            if let Some(at) = positions.get(&other) {
                scores[*at] += reciprocal(Some(rank)) * strength / (strength + HALF);
            }
        }
    }
    scores
}
