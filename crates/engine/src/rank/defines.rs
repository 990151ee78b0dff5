//! Scores files that define names from the prompt. A name that few files define counts more.

use index::{FileId, Role, View};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::RankContext;
use super::terms::{SCOPES, Scope};
use crate::query::{Query, Section};

/// The maximum number of files that may define a name. A more common name is ignored, because it does not distinguish
/// files.
const MAX_FILES: usize = 30;
const MAX_IDENTIFIERS: usize = 120;

/// Returns the files that define names from the prompt, with their scores in each scope.
pub(super) fn find(view: &View, query: &Query) -> FxHashMap<FileId, [f32; SCOPES]> {
    let mut scores: FxHashMap<FileId, [f32; SCOPES]> = FxHashMap::default();
    let n_files = view.totals().files.max(2) as f32;
    for identifier in query.identifiers.iter().take(MAX_IDENTIFIERS) {
        let files = defining_files(view, &identifier.name);
        if files.is_empty() || files.len() > MAX_FILES {
            continue;
        }
        let count = files.len() as f32;
        let rarity = (1.0 + (n_files / count).ln().max(0.0)) / (1.0 + n_files.ln()) / count.sqrt();
        let mut scopes = vec![Scope::Title, Scope::Prose, Scope::Code];
        scopes.retain(|scope| identifier.sections.occurs_in(sections_of(*scope)));
        for file in files {
            let row = scores.entry(file).or_default();
            scopes.iter().for_each(|scope| row[*scope as usize] += rarity);
        }
    }
    scores
}

pub(super) fn measure(context: &RankContext<'_>, scope: Scope) -> Vec<f32> {
    context.each(|file| context.definitions.get(&file).map_or(0.0, |row| row[scope as usize]))
}

/// Returns the source files that define `name` or, if there are none, all files that define it. Stops if more than
/// [`MAX_FILES`] source files define it.
fn defining_files(view: &View, name: &str) -> FxHashSet<FileId> {
    let (mut all, mut source) = (FxHashSet::default(), FxHashSet::default());
    for symbol in view.symbols_named_like(name) {
        let symbol = view.symbol(symbol);
        if symbol.name != name || !all.insert(symbol.file) {
            continue;
        }
        if view.role(symbol.file) == Role::Source {
            source.insert(symbol.file);
        }
        if source.len() > MAX_FILES {
            return source;
        }
    }
    if source.is_empty() { all } else { source }
}

fn sections_of(scope: Scope) -> &'static [Section] {
    match scope {
        Scope::Whole | Scope::Title => &[Section::Title],
        Scope::Prose => &[Section::Prose, Section::Inline, Section::Error],
        Scope::Code => &[Section::Code, Section::Trace],
    }
}
