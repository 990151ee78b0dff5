//! Finds the definitions whose names are exactly the names in the prompt. In the symbol mode, they come first.

use index::{FileId, Kind, SymbolId, View};
use rustc_hash::FxHashMap;

use super::flag;
use super::symbols::{RankedSymbol, outermost_function};
use crate::naming::find_symbols;
use crate::query::{Form, Query};

const MAX_NAMES: usize = 120;
/// The value that is added to the score of a file that defines a name. It is larger than the sum of the other signals
/// of the symbol mode, except for tests.
const BONUS: f32 = 4.0;
/// The bonus if the definition is inside a function.
const NESTED_BONUS: f32 = 2.0;
/// The bonus if the prompt consists of the name. It is larger than the difference that all signals make.
const NAME_BONUS: f32 = 20.0;
/// The maximum logarithm of the length of a definition that counts.
const MAX_LENGTH: f32 = 6.0;

#[derive(Clone, Default)]
pub(super) struct ExactNames {
    /// The definitions in each file, with the bonus of each.
    definitions: FxHashMap<FileId, Vec<(SymbolId, f32)>>,
}

impl ExactNames {
    /// Finds the definitions, ignoring case. The names are the prompt's identifiers or, if the prompt is a single word,
    /// this word.
    pub(super) fn find(view: &View, query: &Query) -> Self {
        let identifiers = query.identifiers.iter().map(|identifier| identifier.name.as_str());
        let word = match query.words.as_slice() {
            [word] if query.identifiers.is_empty() => Some(word.as_str()),
            _ => None,
        };
        let mut exact_names = Self::default();
        for name in identifiers.chain(word).take(MAX_NAMES) {
            for symbol in view.symbols_named_like(name) {
                let is_nested = outermost_function(view, symbol) != symbol;
                let bonus = if is_nested { NESTED_BONUS } else { BONUS };
                let file = view.file_of(symbol);
                exact_names.definitions.entry(file).or_default().push((symbol, bonus));
            }
        }
        exact_names.sort();
        exact_names
    }

    /// Finds the definitions of the name that the prompt consists of. Their files come before all other files. The
    /// longest definition in a file that is named after it is most likely the one that declares the name.
    pub(super) fn of_name(view: &View, query: &Query) -> Self {
        let Form::Name(name) = &query.form else { return Self::default() };
        let last = last_component(name);
        let mut exact_names = Self::default();
        for symbol in find_symbols(view, name) {
            let found = view.symbol(symbol);
            if !found.name.eq_ignore_ascii_case(last) {
                continue;
            }
            let nesting = match found.parent.map(|parent| view.symbol(parent).kind) {
                None | Some(Kind::Module) => 0.0,
                Some(kind) if kind.is_callable() => 3.0,
                Some(_) => 1.5,
            };
            let kind = if found.kind.has_methods() {
                2.0
            } else if found.kind.is_callable() {
                1.5
            } else {
                0.0
            };
            let n_lines = found.lines.end().saturating_sub(*found.lines.start()) as f32;
            let bonus = NAME_BONUS
                + 3.0 * flag(found.name == last)
                + 2.0 * flag(is_named_after(view.path(found.file), last))
                - nesting
                + kind
                + 0.5 * (1.0 + n_lines).ln().min(MAX_LENGTH);
            exact_names.definitions.entry(found.file).or_default().push((symbol, bonus));
        }
        exact_names.sort();
        exact_names
    }

    fn sort(&mut self) {
        let lists = self.definitions.values_mut();
        lists.for_each(|list| list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.definitions.is_empty()
    }

    /// Returns the files that contain the definitions.
    pub(super) fn files(&self) -> impl Iterator<Item = FileId> + '_ {
        self.definitions.keys().copied()
    }

    /// Returns the value to add to the score of a file, which is 0 if the file defines none of the names.
    pub(super) fn bonus(&self, file: FileId) -> f32 {
        self.of(file).first().map_or(0.0, |(_, bonus)| *bonus)
    }

    /// Moves the definition with one of the names to the start of the definitions of its file, or inserts it there.
    pub(super) fn put_first(&self, view: &View, file: FileId, symbols: &mut Vec<RankedSymbol>) {
        let Some((symbol, _)) = self.of(file).first() else { return };
        let best = symbols.first().map_or(0.0, |best| best.score);
        let known = symbols.iter().position(|ranked| ranked.symbol == *symbol);
        let lines = match known {
            Some(at) => symbols.remove(at).lines,
            None => view.symbol(*symbol).lines,
        };
        symbols.insert(0, RankedSymbol { symbol: *symbol, score: best, lines });
    }

    fn of(&self, file: FileId) -> &[(SymbolId, f32)] {
        self.definitions.get(&file).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Returns the part of a qualified name after the last separator.
fn last_component(name: &str) -> &str {
    name.rsplit(['.', ':', '#', '\\']).next().unwrap_or(name)
}

/// Returns whether the file name, without extension, is `name`. Case, underscores and hyphens are ignored.
fn is_named_after(path: &str, name: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let letters = |text: &str| {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.collect::<String>().to_lowercase()
    };
    letters(file.split('.').next().unwrap_or_default()) == letters(name)
}
