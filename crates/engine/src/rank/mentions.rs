//! Files the prompt names, as far as it spells their paths.

use index::{FileId, View};
use rustc_hash::FxHashMap;

use super::context::RankContext;
use crate::query::Query;

/// Names that many folders have; alone they point nowhere.
const COMMON_STEMS: &[&str] = &["__init__", "index", "lib", "main", "mod", "test", "utils"];
const COMMON: f32 = 0.15;
const WHOLE_PATH: f32 = 1.2;
const MAX_SAME_NAME: usize = 20;

/// Files named by the prompt, and how clearly.
#[derive(Default)]
pub(super) struct Named {
    clearness: FxHashMap<FileId, f32>,
}

impl Named {
    pub(super) fn find(view: &View, query: &Query) -> Self {
        let mut named = Self::default();
        for mention in &query.paths {
            for (file, clearness) in resolve(view, &mention.text) {
                let known = named.clearness.entry(file).or_default();
                *known = known.max(clearness);
            }
        }
        named
    }

    pub(super) fn files(&self) -> impl Iterator<Item = FileId> {
        self.clearness.keys().copied()
    }
}

pub(super) fn measure(context: &RankContext<'_>) -> Vec<f32> {
    let clearness = |file: FileId| context.named.clearness.get(&file).copied().unwrap_or(0.0);
    context.candidates.iter().map(|candidate| clearness(candidate.file)).collect()
}

/// The files that end like `path`: all of it, or as many of its last parts as any file has.
pub(super) fn resolve(view: &View, path: &str) -> Vec<(FileId, f32)> {
    let mut suffix = path;
    let mut parts = path.split('/').count();
    loop {
        let found = view.files_with_suffix(suffix);
        if !found.is_empty() && found.len() <= MAX_SAME_NAME {
            let stem = suffix.split('.').next().unwrap_or_default();
            let alone = parts == 1 && COMMON_STEMS.contains(&stem);
            let clear = if alone { COMMON } else { 1.0 / (found.len() as f32).sqrt() };
            let whole = |file: FileId| {
                if view.path(file).len() == suffix.len() && parts > 1 { WHOLE_PATH } else { 1.0 }
            };
            return found.into_iter().map(|file| (file, clear * whole(file))).collect();
        }
        match suffix.split_once('/') {
            Some((_, shorter)) if !shorter.is_empty() => {
                suffix = shorter;
                parts -= 1;
            }
            _ => return Vec::new(),
        }
    }
}
