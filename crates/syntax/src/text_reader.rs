//! Reads languages whose outlines do not require a grammar: style sheets, SQL and pages.
//!
//! A reader searches the text for the constructs that it knows and ignores everything else, so it works for all
//! dialects.

mod css;
mod html;
mod sql;

use crate::definition::{Cut, Definition, DefinitionId, Kind, signature};
use crate::languages::Language;
use crate::outline::{Import, Imported, Outline, Reference, ReferenceKind, Text};
use crate::span::{Lines, Span};

pub(crate) use html::add_regions;

/// Returns the outline of a style sheet or an SQL file, or `None` for other languages.
pub(crate) fn outline(language: Language, source: &[u8]) -> Option<Outline> {
    let mut reader = Reader::new(source, Outline::empty(language));
    if language == Language::Css {
        css::read(&mut reader);
    } else if language == Language::Sql {
        sql::read(&mut reader);
    } else {
        return None;
    }
    Some(reader.outline)
}

/// The source that a reader reads and the outline that it fills.
struct Reader<'s> {
    source: &'s [u8],
    outline: Outline,
    /// The byte offset at which each line starts.
    line_starts: Vec<usize>,
}

impl<'s> Reader<'s> {
    fn new(source: &'s [u8], outline: Outline) -> Self {
        let breaks = source.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let line_starts = [0].into_iter().chain(breaks.map(|(at, _)| at + 1)).collect();
        Self { source, outline, line_starts }
    }

    /// Returns the line that contains the byte at offset `at`, counted from 1.
    fn line(&self, at: usize) -> u32 {
        self.line_starts.partition_point(|start| *start <= at) as u32
    }

    /// Records a definition that spans the bytes from `start` to `end`. Its signature ends at `header_end`.
    fn define(
        &mut self,
        kind: Kind,
        name: Span,
        (start, header_end, end): (usize, usize, usize),
        container: Option<DefinitionId>,
    ) -> DefinitionId {
        let lines = Lines { first: self.line(start), last: self.line(end.max(start + 1) - 1) };
        self.outline.definitions.push(Definition {
            kind,
            name,
            container,
            owner: None,
            span: Span::new(start..end),
            lines,
            signature: signature(self.source, start..header_end, Cut::AtLength),
            doc: None,
            complexity: None,
        });
        DefinitionId(self.outline.definitions.len() as u32 - 1)
    }

    /// Extends a definition to the byte at offset `end`.
    fn end_definition(&mut self, id: DefinitionId, end: usize) {
        let last = self.line(end.max(1) - 1);
        if let Some(definition) = self.outline.definitions.get_mut(id.index()) {
            definition.span.end = definition.span.end.max(end as u32);
            definition.lines.last = definition.lines.last.max(last);
        }
    }

    /// Records the comment from `start` to `end`.
    fn comment(&mut self, start: usize, end: usize) {
        let span = trimmed(self.source, start, end);
        let last = self.line((span.end as usize).max(start + 1) - 1);
        let lines = Lines { first: self.line(start), last };
        self.outline.comments.push(Text { span, lines });
    }

    fn refer(&mut self, name: Span, enclosing: Option<DefinitionId>) {
        let line = self.line(name.start as usize);
        let kind = ReferenceKind::Type;
        self.outline.references.push(Reference { kind, name, receiver: None, line, enclosing });
    }

    /// Records that the source refers to another file.
    fn import(&mut self, path: Span) {
        let text = path.text(self.source);
        if !text.is_empty() {
            let line = self.line(path.start as usize);
            let imported = Imported::File;
            let path = text.to_owned();
            self.outline.imports.push(Import { path, imported, alias: None, line });
        }
    }
}

/// Returns the position after the string whose opening quotation mark is at `at`, or the end of the source if the
/// string is not closed.
fn after_string(source: &[u8], at: usize) -> usize {
    let quote = source[at];
    let mut end = at + 1;
    while end < source.len() && source[end] != quote {
        end += if source[end] == b'\\' { 2 } else { 1 };
    }
    (end + 1).min(source.len())
}

/// Returns the position after the first occurrence of `text` at or after `from`, or the end of the source if there is
/// none.
pub(crate) fn after(source: &[u8], from: usize, text: &[u8]) -> usize {
    find(source, from, text).map_or(source.len(), |at| at + text.len())
}

/// Returns the position of the first occurrence of `text` at or after `from`, in upper or lower case.
pub(crate) fn find(source: &[u8], from: usize, text: &[u8]) -> Option<usize> {
    let mut windows = source.get(from..)?.windows(text.len());
    windows.position(|window| window.eq_ignore_ascii_case(text)).map(|at| from + at)
}

/// Returns the span from `start` to `end` without white space at both ends.
fn trimmed(source: &[u8], start: usize, end: usize) -> Span {
    let bytes = source.get(start..end).unwrap_or_default();
    let start = start + bytes.len() - bytes.trim_ascii_start().len();
    Span::new(start..start + bytes.trim_ascii().len())
}
