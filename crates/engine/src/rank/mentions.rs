//! Scores files whose paths occur in the prompt, completely or in part.

use index::{FileId, View};
use rustc_hash::FxHashMap;

use super::context::RankContext;
use crate::query::Query;

/// File names, without extension, that occur in many folders. Such a name alone does not identify a file.
const COMMON_STEMS: &[&str] = &["__init__", "index", "lib", "main", "mod", "test", "utils"];
const COMMON_STEM_SCORE: f32 = 0.15;
/// The score factor for a file whose complete path occurs in the prompt.
const WHOLE_PATH: f32 = 1.2;
const MAX_FILES_PER_MENTION: usize = 20;

/// Returns the mentioned files with their scores.
pub(super) fn find(view: &View, query: &Query) -> FxHashMap<FileId, f32> {
    let mut scores: FxHashMap<FileId, f32> = FxHashMap::default();
    for (file, score) in query.paths.iter().flat_map(|mention| resolve(view, &mention.text)) {
        let known = scores.entry(file).or_default();
        *known = known.max(score);
    }
    scores
}

pub(super) fn measure(context: &RankContext<'_>) -> Vec<f32> {
    context.each(|file| context.mentioned.get(&file).copied().unwrap_or(0.0))
}

/// Returns the files that `path` may refer to, each with a score. The first folders of `path` are removed one by one
/// until the paths of at least one and at most [`MAX_FILES_PER_MENTION`] files end with the rest.
pub(super) fn resolve(view: &View, path: &str) -> Vec<(FileId, f32)> {
    let mut suffix = path;
    let mut n_parts = path.split('/').count();
    loop {
        let found = view.files_with_suffix(suffix);
        if !found.is_empty() && found.len() <= MAX_FILES_PER_MENTION {
            let stem = suffix.split('.').next().unwrap_or_default();
            let is_common = n_parts == 1 && COMMON_STEMS.contains(&stem);
            let score =
                if is_common { COMMON_STEM_SCORE } else { 1.0 / (found.len() as f32).sqrt() };
            let factor = |file: FileId| {
                let is_whole = view.path(file).len() == suffix.len() && n_parts > 1;
                if is_whole { WHOLE_PATH } else { 1.0 }
            };
            return found.into_iter().map(|file| (file, score * factor(file))).collect();
        }
        match suffix.split_once('/') {
            Some((_, shorter)) if !shorter.is_empty() => {
                suffix = shorter;
                n_parts -= 1;
            }
            _ => return Vec::new(),
        }
    }
}
