//! Finds the definitions whose names are exactly the names in the prompt. In the symbol mode, they come first.

use index::{FileId, SymbolId, View};
use rustc_hash::FxHashMap;

use super::symbols::{RankedSymbol, outermost_function};
use crate::query::Query;

const MAX_NAMES: usize = 120;
/// The value that is added to the score of a file that defines a name. It is larger than the sum of the other signals
/// of the symbol mode, except for tests.
const BONUS: f32 = 4.0;
/// The bonus if the definition is inside a function.
const NESTED_BONUS: f32 = 2.0;

#[derive(Default)]
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
        let lists = exact_names.definitions.values_mut();
        lists.for_each(|list| list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))));
        exact_names
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
