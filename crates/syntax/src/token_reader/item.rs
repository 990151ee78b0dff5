//! Starts and ends the definitions that a token reader finds, and assigns their doc comments.

use super::reader::{Reader, Rules};
use super::token::Token;
use crate::builder::SavedState;
use crate::definition::{Cut, Definition, Kind, signature};
use crate::span::{Lines, Span};

/// A definition that a reader starts.
pub(super) struct Item {
    pub(super) kind: Kind,
    pub(super) name: Span,
    pub(super) owner: Option<Span>,
    /// The position and the line at which the definition starts.
    pub(super) start: (u32, u32),
    /// The position in the source at which the header ends.
    pub(super) end: u32,
    pub(super) has_body: bool,
    pub(super) cut: Cut,
    /// The position and the line below which the doc comment ends.
    pub(super) doc: (u32, u32),
    /// The docstring, which replaces the comment above the definition.
    pub(super) docstring: Option<Span>,
}

impl Item {
    /// Returns a definition without a body, which starts at the position and line `start`.
    pub(super) fn new(kind: Kind, name: Span, start: (u32, u32), end: u32) -> Self {
        let cut = if kind.is_callable() { Cut::AtLength } else { Cut::AtLineEnd };
        let (has_body, doc) = (false, start);
        Self { kind, name, owner: None, start, end, has_body, cut, doc, docstring: None }
    }

    pub(super) fn with_body(self, has_body: bool) -> Self {
        let cut = if has_body { Cut::AtLength } else { self.cut };
        Self { has_body, cut, ..self }
    }
}

impl<R: Rules> Reader<'_, R> {
    /// Returns a definition without a body, whose header extends from token `first` to the token before `end`.
    pub(super) fn item(&self, kind: Kind, first: usize, name: Span, end: usize) -> Item {
        let end = self.token_at(end.saturating_sub(1)).end.max(name.end);
        let Token { start, line, .. } = self.token_at(first);
        Item::new(kind, name, (start, line), end)
    }

    /// Starts a definition, which ends with its body or with [`Self::end_open_item`].
    pub(super) fn begin(&mut self, item: Item) {
        let saved = self.begin_item(item);
        self.level().open_item = Some(saved);
    }

    /// Records a definition without a body, which ends with token `last`.
    pub(super) fn define(&mut self, item: Item, last: usize) {
        let saved = self.begin_item(item.with_body(false));
        let last = self.token_at(last);
        self.end_item(saved, last.end, last.last_line());
    }

    /// Ends the open definition at this level, if there is one, with the token `last`.
    pub(super) fn end_open_item(&mut self, last: Token) {
        if let Some(saved) = self.level().open_item.take() {
            self.end_item(saved, last.end, last.last_line());
        }
    }

    /// Records a definition that encloses everything until [`Self::end_item`] is called with the returned state.
    pub(super) fn begin_item(&mut self, item: Item) -> SavedState {
        let (start, first_line) = item.start;
        let signature = signature(self.builder.source, start as usize..item.end as usize, item.cut);
        let comment = self.take_doc(item.doc.0, item.doc.1);
        let definition = Definition {
            kind: item.kind,
            name: item.name,
            container: self.builder.enclosing,
            owner: item.owner,
            span: Span { start, end: signature.end },
            lines: Lines { first: first_line, last: first_line },
            signature,
            doc: item.docstring.or(comment),
            complexity: None,
        };
        let definition = self.builder.define(definition, item.has_body);
        self.builder.enclose_in(definition)
    }

    /// Ends a definition and restores the state that was saved before it began.
    pub(super) fn end_item(&mut self, saved: SavedState, end: u32, last_line: u32) {
        let definition = &mut self.builder.outline.definitions[saved.definition.index()];
        definition.span.end = end.max(definition.signature.end);
        definition.lines.last = last_line.max(definition.lines.first);
        self.builder.leave(saved);
    }

    /// Returns the comment directly above `first_line` and marks it as the doc comment of the definition that starts at
    /// byte `start`. Returns `None` if there is no such comment.
    fn take_doc(&mut self, start: u32, first_line: u32) -> Option<Span> {
        while self.comments.get(self.next_comment).is_some_and(|it| it.text.span.start < start) {
            self.next_comment += 1;
        }
        let comment = self.comments.get_mut(self.next_comment.checked_sub(1)?)?;
        let fits = comment.own_line
            && !comment.is_doc
            && comment.text.lines.last + 1 >= first_line
            && !self.builder.is_about_the_file(comment.text.span);
        comment.is_doc |= fits;
        fits.then_some(comment.text.span)
    }
}
