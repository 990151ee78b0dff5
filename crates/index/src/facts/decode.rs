//! Reads a record of facts. A record that does not fit reads as less, never as a panic.

use syntax::{Complexity, Kind, Language};

use super::{
    FactsHead, ImportFact, PassageFact, REFERENCE_KINDS, ReferenceFact, SymbolFact, TermList,
    counts,
};
use crate::codec::Cursor;
use crate::role::ContentMark;
use crate::text::FIELDS;

/// Reads the parts of a record in the order they were written.
pub(crate) struct FactsReader<'a> {
    pub(crate) head: FactsHead,
    cursor: Cursor<'a>,
    names: Vec<&'a str>,
}

impl<'a> FactsReader<'a> {
    pub(crate) fn new(record: &'a [u8]) -> Self {
        let mut cursor = Cursor::new(record);
        let mark = ContentMark::of_code(cursor.byte());
        let language = usize::from(cursor.byte())
            .checked_sub(1)
            .and_then(|code| Language::ALL.get(code).copied());
        let lines = cursor.small();
        let mut lengths = [0; FIELDS];
        for length in &mut lengths {
            *length = cursor.small();
        }
        Self { head: FactsHead { mark, language, lines, lengths }, cursor, names: Vec::new() }
    }

    /// First: the terms, sorted, each with its encoded counts.
    pub(crate) fn terms(&mut self, mut visit: impl FnMut(&[u8], &'a [u8])) {
        let n_terms = self.cursor.varint();
        let mut term = Vec::with_capacity(32);
        for _ in 0..n_terms {
            let shared = self.cursor.small() as usize;
            term.truncate(shared);
            term.extend_from_slice(self.cursor.text());
            let mut after = self.cursor;
            counts::read(&mut after);
            let encoded = self.cursor.slice(self.cursor.remaining() - after.remaining());
            if self.cursor.is_exhausted_early() {
                return;
            }
            visit(&term, encoded);
        }
    }

    /// Second: the symbols. Reads the table of names on the way.
    pub(crate) fn symbols(&mut self, mut visit: impl FnMut(SymbolFact<'a>)) {
        let n_names = self.cursor.varint();
        for _ in 0..n_names {
            self.names.push(self.cursor.utf8());
            if self.cursor.is_exhausted_early() {
                return;
            }
        }
        let n_symbols = self.cursor.varint();
        let mut previous_line = 0;
        for _ in 0..n_symbols {
            let symbol = self.symbol(&mut previous_line);
            if self.cursor.is_exhausted_early() {
                return;
            }
            visit(symbol);
        }
    }

    fn symbol(&mut self, previous_line: &mut i64) -> SymbolFact<'a> {
        let cursor = &mut self.cursor;
        let kind = Kind::ALL.get(usize::from(cursor.byte())).copied().unwrap_or(Kind::Variable);
        let name = cursor.utf8();
        let qualified = cursor.utf8();
        let container = cursor.small().checked_sub(1);
        let first_line = line_after(previous_line, cursor.signed());
        let last_line = first_line.saturating_add(cursor.small());
        let signature = cursor.utf8();
        let doc = cursor.utf8();
        let complexity = (cursor.byte() == 1).then(|| {
            let mut figure = || u16::try_from(cursor.varint()).unwrap_or(u16::MAX);
            Complexity { cyclomatic: figure(), cognitive: figure(), nesting: figure() }
        });
        let terms = self.term_list();
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

    fn term_list(&mut self) -> TermList<'a> {
        let count = self.cursor.small();
        TermList { count, encoded: Cursor::new(self.cursor.text()) }
    }

    /// Third: the references.
    pub(crate) fn references(&mut self, mut visit: impl FnMut(ReferenceFact<'a>)) {
        let n_references = self.cursor.varint();
        let mut previous_line = 0;
        for _ in 0..n_references {
            let kind = REFERENCE_KINDS
                .get(usize::from(self.cursor.byte()))
                .copied()
                .unwrap_or(REFERENCE_KINDS[4]);
            let name = self.name();
            let receiver = self.name();
            let line = line_after(&mut previous_line, self.cursor.signed());
            let enclosing = self.cursor.small().checked_sub(1);
            if self.cursor.is_exhausted_early() {
                return;
            }
            visit(ReferenceFact { kind, name, receiver, line, enclosing });
        }
    }

    /// Fourth: the imports.
    pub(crate) fn imports(&mut self, mut visit: impl FnMut(ImportFact<'a>)) {
        let n_imports = self.cursor.varint();
        for _ in 0..n_imports {
            let (path, item, alias) = (self.name(), self.name(), self.name());
            let line = self.cursor.small();
            if self.cursor.is_exhausted_early() {
                return;
            }
            visit(ImportFact { path, item, alias, line });
        }
    }

    /// Last: the passages.
    pub(crate) fn passages(&mut self, mut visit: impl FnMut(PassageFact<'a>)) {
        let n_passages = self.cursor.varint();
        let mut previous_line = 0;
        for _ in 0..n_passages {
            let symbol = self.cursor.small().checked_sub(1);
            let first_line = line_after(&mut previous_line, self.cursor.signed());
            let last_line = first_line.saturating_add(self.cursor.small());
            let length = self.cursor.small();
            let terms = self.term_list();
            if self.cursor.is_exhausted_early() {
                return;
            }
            visit(PassageFact { symbol, first_line, last_line, length, terms });
        }
    }

    fn name(&mut self) -> &'a str {
        let number = self.cursor.small() as usize;
        self.names.get(number).copied().unwrap_or_default()
    }
}

fn line_after(previous: &mut i64, step: i64) -> u32 {
    *previous = previous.saturating_add(step);
    u32::try_from(*previous).unwrap_or(0)
}
