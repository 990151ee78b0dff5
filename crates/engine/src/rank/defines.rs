//! Files that define the names of the prompt; a name that few files define says more.

use index::{FileId, Role, View};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::RankContext;
use crate::query::{Identifier, Query, Zone};

/// Which names count. The discriminant is the slot in a score.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Title,
    Prose,
    Code,
}

const PARTS: usize = 3;
/// A name that more files define than this is vocabulary.
const MAX_FILES: usize = 30;
const MAX_IDENTIFIERS: usize = 120;

/// Files by what they define.
#[derive(Default)]
pub(super) struct Definitions {
    scores: FxHashMap<FileId, [f32; PARTS]>,
}

impl Definitions {
    pub(super) fn find(view: &View, query: &Query) -> Self {
        let mut definitions = Self::default();
        let n_files = view.totals().files.max(2) as f32;
        for identifier in query.identifiers.iter().take(MAX_IDENTIFIERS) {
            let files = defining_files(view, &identifier.name);
            if files.is_empty() || files.len() > MAX_FILES {
                continue;
            }
            let count = files.len() as f32;
            let rarity =
                (1.0 + (n_files / count).ln().max(0.0)) / (1.0 + n_files.ln()) / count.sqrt();
            let parts = parts_of(identifier);
            for file in files {
                let row = definitions.scores.entry(file).or_default();
                for (score, stands) in row.iter_mut().zip(parts) {
                    *score += if stands { rarity } else { 0.0 };
                }
            }
        }
        definitions
    }

    pub(super) fn files(&self) -> impl Iterator<Item = FileId> {
        self.scores.keys().copied()
    }
}

pub(super) fn measure(context: &RankContext<'_>, part: Part) -> Vec<f32> {
    let score =
        |file: FileId| context.definitions.scores.get(&file).map_or(0.0, |row| row[part as usize]);
    context.candidates.iter().map(|candidate| score(candidate.file)).collect()
}

/// Code first: a test that repeats a name does not make it common.
fn defining_files(view: &View, name: &str) -> FxHashSet<FileId> {
    let all: FxHashSet<FileId> =
        view.symbols_named(name).into_iter().map(|symbol| view.file_of(symbol)).collect();
    let source: FxHashSet<FileId> =
        all.iter().copied().filter(|file| view.role(*file) == Role::Source).collect();
    if source.is_empty() { all } else { source }
}

fn parts_of(identifier: &Identifier) -> [bool; PARTS] {
    let stands = |zones: &[Zone]| zones.iter().any(|zone| identifier.zones.of(*zone) > 0.0);
    [
        stands(&[Zone::Title]),
        stands(&[Zone::Prose, Zone::Inline, Zone::Error]),
        stands(&[Zone::Code, Zone::Trace]),
    ]
}
