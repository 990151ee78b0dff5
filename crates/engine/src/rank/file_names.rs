//! Scores files whose names consist of words of the prompt, and files that define a type with such a name.

use index::text::{TokenKind, for_each_part, stem};
use index::{FileId, Role};
use rustc_hash::FxHashMap;

use super::context::RankContext;
use super::terms::{Scope, Term};

/// File names, without extension, that do not describe the content. The name of the folder is used instead.
const PLACEHOLDERS: &[&str] = &["__init__", "index", "lib", "main", "mod"];
/// The maximum number of words whose types are looked up.
const MAX_WORDS: usize = 40;
/// The maximum number of definitions of one name that are read.
const MAX_DEFINITIONS: usize = 400;
/// The factor for a word that the prompt does not write with a capital letter.
const NOT_CAPITALISED: f32 = 0.3;

/// For each candidate, returns the share of the words in its file name that occur in the prompt.
pub(super) fn covered(context: &RankContext<'_>) -> Vec<f32> {
    names(context, |name| name.covered)
}

/// For each candidate, returns the share of the prompt's weight that its file name contains, multiplied by the result
/// of [`covered`]. The share is high for a short phrase and low for a long question.
pub(super) fn shared(context: &RankContext<'_>) -> Vec<f32> {
    names(context, |name| name.covered * name.shared)
}

/// How well a file name matches the prompt.
#[derive(Default)]
struct FileName {
    covered: f32,
    shared: f32,
}

fn names(context: &RankContext<'_>, value: impl Fn(&FileName) -> f32) -> Vec<f32> {
    let weights: FxHashMap<&str, f32> =
        context.terms.iter().map(|term| (term.text, term.weight(Scope::Whole))).collect();
    let total = total_weight(context);
    context.each(|file| value(&file_name(context.view.path(file), &weights, total)))
}

fn file_name(path: &str, weights: &FxHashMap<&str, f32>, total: f32) -> FileName {
    let stem_of = |name: &'_ str| name.find('.').map_or(name.len(), |end| end);
    let mut parts = path.rsplit('/');
    let mut name = parts.next().unwrap_or_default();
    name = &name[..stem_of(name)];
    if PLACEHOLDERS.contains(&name) {
        name = parts.next().unwrap_or_default();
    }
    let mut words: Vec<String> = Vec::new();
    for run in name.split(|c: char| !c.is_alphanumeric()) {
        for_each_part(run, |part| {
            let mut word = part.to_lowercase();
            stem(&mut word);
            if word.len() > 1 && !words.contains(&word) {
                words.push(word);
            }
        });
    }
    let found: Vec<f32> =
        words.iter().filter_map(|word| weights.get(word.as_str()).copied()).collect();
    let whole = weights.get(name.to_lowercase().as_str()).copied();
    match (found.is_empty(), whole) {
        (true, None) => FileName::default(),
        (true, Some(weight)) => FileName { covered: 1.0, shared: (weight / total).min(1.0) },
        (false, _) => FileName {
            covered: found.len() as f32 / words.len() as f32,
            shared: (found.iter().sum::<f32>() / total).min(1.0),
        },
    }
}

/// Scores the source files that define a type whose name is a word of the prompt. A definition that is much longer
/// than the others counts more, because the others may only declare or extend the type.
pub(super) fn types(context: &RankContext<'_>) -> Vec<f32> {
    let total = total_weight(context);
    let mut scores: FxHashMap<FileId, f32> = FxHashMap::default();
    let words = context.terms.iter().filter(|term| term.written.len() > 2);
    for term in words.take(MAX_WORDS) {
        let factor = if term.is_capitalised { 1.0 } else { NOT_CAPITALISED };
        let files = defining_files(context, term);
        let sum: f32 = files.values().sum();
        for (file, length) in files {
            let share = term.weight(Scope::Whole) / total;
            *scores.entry(file).or_default() += factor * share * length / sum;
        }
    }
    context.each(|file| scores.get(&file).copied().unwrap_or(0.0))
}

/// Returns the source files that define a type with the name `term`, with the logarithm of its length.
fn defining_files(context: &RankContext<'_>, term: &Term<'_>) -> FxHashMap<FileId, f32> {
    let view = context.view;
    let mut files: FxHashMap<FileId, f32> = FxHashMap::default();
    let mut symbols = view.symbols_named_like(term.written);
    if term.text != term.written {
        symbols.extend(view.symbols_named_like(term.text));
    }
    for symbol in symbols.into_iter().take(MAX_DEFINITIONS) {
        let symbol = view.symbol(symbol);
        if symbol.kind.has_methods() && view.role(symbol.file) == Role::Source {
            let n_lines = symbol.lines.end().saturating_sub(*symbol.lines.start()) as f32;
            let length = files.entry(symbol.file).or_default();
            *length = length.max((2.0 + n_lines).ln());
        }
    }
    files
}

/// Returns the total weight of the prompt's words.
fn total_weight(context: &RankContext<'_>) -> f32 {
    let words = context.terms.iter().filter(|term| term.kind != TokenKind::Whole);
    words.map(|term| term.weight(Scope::Whole)).sum::<f32>().max(f32::MIN_POSITIVE)
}
