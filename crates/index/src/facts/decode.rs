//! Decodes a record of facts. An invalid record yields fewer facts but never causes a panic.

mod check;

use syntax::{BindingKind, Complexity, Kind, Language};

use super::{
    FactsHead, ImportFact, PassageFact, REFERENCE_KINDS, ReferenceFact, SymbolFact, TermList,
    counts,
};
use crate::codec::Cursor;
use crate::role::ContentMark;
use crate::text::FIELDS;
pub(crate) use check::check_record;

/// Reads a record. Each method decodes one part.
#[derive(Clone, Copy)]
pub(crate) struct FactsReader<'a> {
    pub(crate) head: FactsHead,
    terms: Cursor<'a>,
    names: Cursor<'a>,
    symbols: Cursor<'a>,
    references: Cursor<'a>,
    imports: Cursor<'a>,
    bindings: Cursor<'a>,
    passages: Cursor<'a>,
}

impl<'a> FactsReader<'a> {
    pub(crate) fn new(record: &'a [u8]) -> Self {
        let mut cursor = Cursor::new(record);
        let mark = ContentMark::of_code(cursor.byte());
        let language = Language::of_number(cursor.byte());
        let lines = cursor.small();
        let lengths: [u32; FIELDS] = std::array::from_fn(|_| cursor.small());
        let sizes: [u32; 7] = std::array::from_fn(|_| cursor.small());
        let [terms, names, symbols, references, imports, bindings, passages] =
            sizes.map(|size| Cursor::new(cursor.slice(size as usize)));
        let head = FactsHead { mark, language, lines, lengths };
        Self { head, terms, names, symbols, references, imports, bindings, passages }
    }

    /// Calls `visit` with each term, in ascending order, and its encoded counts.
    pub(crate) fn terms(&self, mut visit: impl FnMut(&[u8], &'a [u8])) {
        let mut cursor = self.terms;
        let mut term = Vec::with_capacity(64);
        while !cursor.is_empty() {
            let shared = cursor.small() as usize;
            term.truncate(shared);
            term.extend_from_slice(cursor.text());
            let mut after = cursor;
            counts::read(&mut after);
            let encoded = cursor.slice(cursor.remaining() - after.remaining());
            if cursor.is_exhausted_early() {
                return;
            }
            visit(&term, encoded);
        }
    }

    /// Calls `visit` with each symbol, in source order.
    pub(crate) fn symbols(&self, mut visit: impl FnMut(SymbolFact<'a>)) {
        let mut cursor = self.symbols;
        let mut previous_line = 0;
        while !cursor.is_empty() {
            let symbol = symbol(&mut cursor, &mut previous_line);
            if cursor.is_exhausted_early() {
                return;
            }
            visit(symbol);
        }
    }

    /// Returns the names to which references, imports and bindings refer by index.
    pub(crate) fn names(&self) -> Vec<&'a str> {
        let mut cursor = self.names;
        let mut names = Vec::new();
        while !cursor.is_empty() {
            names.push(cursor.utf8());
        }
        names
    }

    /// Calls `visit` with each reference and its lines. `names` is the result of [`Self::names`].
    pub(crate) fn references(
        &self,
        names: &[&'a str],
        mut visit: impl FnMut(ReferenceFact<'a>, &[u32]),
    ) {
        let mut cursor = self.references;
        let mut previous_line = 0;
        let mut lines = Vec::new();
        while !cursor.is_empty() {
            let code = usize::from(cursor.byte());
            let kind = REFERENCE_KINDS.get(code).copied().unwrap_or(REFERENCE_KINDS[4]);
            let (name, receiver) = (name_at(names, cursor.small()), name_at(names, cursor.small()));
            let enclosing = cursor.small().checked_sub(1);
            lines.clear();
            for _ in 0..cursor.small() {
                lines.push(line_after(&mut previous_line, cursor.signed()));
                if cursor.is_exhausted_early() {
                    return;
                }
            }
            visit(ReferenceFact { kind, name, receiver, enclosing }, &lines);
        }
    }

    pub(crate) fn has_bindings(&self) -> bool {
        !self.bindings.is_empty()
    }

    /// Calls `visit` with each binding: its kind, the position of the enclosing definition, and the indices of its name
    /// and value in [`Self::names`].
    pub(crate) fn bindings(&self, mut visit: impl FnMut(BindingKind, Option<u32>, [u32; 2])) {
        let mut cursor = self.bindings;
        while !cursor.is_empty() {
            let code = usize::from(cursor.byte());
            let kind = BindingKind::ALL.get(code).copied().unwrap_or(BindingKind::Parameter);
            let scope = cursor.small().checked_sub(1);
            let numbers = [cursor.small(), cursor.small()];
            if cursor.is_exhausted_early() {
                return;
            }
            visit(kind, scope, numbers);
        }
    }

    /// Calls `visit` with each import. `names` is the result of [`Self::names`].
    pub(crate) fn imports(&self, names: &[&'a str], mut visit: impl FnMut(ImportFact<'a>)) {
        self.numbered_imports(|[path, item, _], line| {
            let [path, item] = [path, item].map(|number| name_at(names, number));
            visit(ImportFact { path, item, line });
        });
    }

    /// Like [`Self::imports`], but passes the indices of the path, the item and the alias, and the line.
    pub(crate) fn numbered_imports(&self, mut visit: impl FnMut([u32; 3], u32)) {
        let mut cursor = self.imports;
        while !cursor.is_empty() {
            let numbers = std::array::from_fn(|_| cursor.small());
            let line = cursor.small();
            if cursor.is_exhausted_early() {
                return;
            }
            visit(numbers, line);
        }
    }

    /// Calls `visit` with each passage, in source order.
    pub(crate) fn passages(&self, mut visit: impl FnMut(PassageFact<'a>)) {
        let mut cursor = self.passages;
        let mut previous_line = 0;
        while !cursor.is_empty() {
            let symbol = cursor.small().checked_sub(1);
            let first_line = line_after(&mut previous_line, cursor.signed());
            let last_line = first_line.saturating_add(cursor.small());
            let length = cursor.small();
            let terms = term_list(&mut cursor);
            if cursor.is_exhausted_early() {
                return;
            }
            visit(PassageFact { symbol, first_line, last_line, length, terms });
        }
    }
}

fn symbol<'a>(cursor: &mut Cursor<'a>, previous_line: &mut i64) -> SymbolFact<'a> {
    let kind = Kind::ALL.get(usize::from(cursor.byte())).copied().unwrap_or(Kind::Variable);
    let qualified = cursor.utf8();
    let name = match (cursor.small() as usize).checked_sub(1) {
        Some(length) => ending(qualified, length),
        None => cursor.utf8(),
    };
    let container = cursor.small().checked_sub(1);
    let first_line = line_after(previous_line, cursor.signed());
    let last_line = first_line.saturating_add(cursor.small());
    let signature = cursor.utf8();
    let doc = cursor.utf8();
    let complexity = (cursor.byte() == 1).then(|| {
        let mut figure = || u16::try_from(cursor.varint()).unwrap_or(u16::MAX);
        Complexity { cyclomatic: figure(), cognitive: figure(), nesting: figure() }
    });
    let terms = term_list(cursor);
    SymbolFact {
        kind,
        name,
        qualified,
        container,
        first_line,
        last_line,
        signature,
        doc,
        complexity,
        terms,
    }
}

/// Returns the last `length` bytes of `text`, or an empty string if `text` is shorter or the bytes do not start at a
/// character boundary.
pub(crate) fn ending(text: &str, length: usize) -> &str {
    text.len().checked_sub(length).and_then(|start| text.get(start..)).unwrap_or_default()
}

fn term_list<'a>(cursor: &mut Cursor<'a>) -> TermList<'a> {
    let count = cursor.small();
    TermList { count, encoded: Cursor::new(cursor.text()) }
}

/// Returns the name with this index, or an empty string if there is none, which means that the record is damaged.
pub(crate) fn name_at<'a>(names: &[&'a str], number: u32) -> &'a str {
    names.get(number as usize).copied().unwrap_or_default()
}

fn line_after(previous: &mut i64, step: i64) -> u32 {
    *previous = previous.saturating_add(step);
    u32::try_from(*previous).unwrap_or(0)
}
