//! Builds an outline from the definitions, references and comments that a token reader finds.

use std::time::Instant;

use super::token::Token;
use crate::complexity::{Branch, Complexity, separates_operators};
use crate::definition::{Cut, Definition, DefinitionId, Kind, signature};
use crate::languages::Language;
use crate::outline::{Outline, OutlineProblem, ProblemKind, Reference, ReferenceKind, Text};
use crate::span::{Lines, Span};

/// A comment, or several comments on consecutive lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Comment {
    pub(super) text: Text,
    pub(super) own_line: bool,
    pub(super) is_doc: bool,
}

/// A definition that [`Builder::begin`] records.
pub(super) struct Item {
    kind: Kind,
    name: Span,
    owner: Option<Span>,
    /// The position and the line at which the definition starts.
    start: (u32, u32),
    /// The position in the source at which the header ends.
    end: u32,
    has_body: bool,
    cut: Cut,
    /// The position and the line below which the doc comment ends.
    doc: (u32, u32),
    /// The docstring, which replaces the comment above the definition.
    docstring: Option<Span>,
}

impl Item {
    /// Returns a definition without a body, which starts at the position and line `start`.
    pub(super) fn new(kind: Kind, name: Span, start: (u32, u32), end: u32) -> Self {
        let cut = if kind.is_callable() { Cut::AtLength } else { Cut::AtLineEnd };
        let (has_body, doc) = (false, start);
        Self { kind, name, owner: None, start, end, has_body, cut, doc, docstring: None }
    }

    pub(super) fn owned_by(self, owner: Option<Span>) -> Self {
        Self { owner, ..self }
    }

    pub(super) fn with_body(self, has_body: bool) -> Self {
        let cut = if has_body { Cut::AtLength } else { self.cut };
        Self { has_body, cut, ..self }
    }

    pub(super) fn ending_at(self, end: u32) -> Self {
        Self { end, ..self }
    }

    pub(super) fn cut(self, cut: Cut) -> Self {
        Self { cut, ..self }
    }

    pub(super) fn with_docstring(self, docstring: Option<Span>) -> Self {
        Self { docstring, ..self }
    }

    /// Sets the position and the line below the doc comment.
    pub(super) fn documented_above(self, start: u32, line: u32) -> Self {
        Self { doc: (start, line), ..self }
    }
}

/// The builder's state before a definition began. Restored when the definition ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct SavedState {
    definition: DefinitionId,
    enclosing: Option<DefinitionId>,
    callable: Option<DefinitionId>,
    nesting: u16,
}

pub(super) struct Builder<'s> {
    pub(super) source: &'s [u8],
    pub(super) outline: Outline,
    pub(super) names: &'s mut Vec<Reference>,
    pub(super) comments: &'s mut Vec<Comment>,
    /// The index of the first comment after the start of the last definition.
    next_comment: usize,
    pub(super) enclosing: Option<DefinitionId>,
    pub(super) callable: Option<DefinitionId>,
    pub(super) nesting: u16,
    last_operator: Option<(u8, u32)>,
    pub(super) marked_as_test: bool,
}

/// The number of tokens that are read between two checks of the deadline. The clock is not read for every token,
/// because reading the clock takes longer than reading a token.
const TOKENS_BETWEEN_CLOCK_READINGS: usize = 1 << 16;

impl<'s> Builder<'s> {
    /// Returns whether the deadline has passed, and records a problem if so. The clock is read only if the token index
    /// `at` is a multiple of [`TOKENS_BETWEEN_CLOCK_READINGS`].
    pub(super) fn is_out_of_time(
        &mut self,
        at: usize,
        line: u32,
        deadline: Option<Instant>,
    ) -> bool {
        let is_over = at.is_multiple_of(TOKENS_BETWEEN_CLOCK_READINGS)
            && deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if is_over {
            self.outline.problems.push(OutlineProblem { kind: ProblemKind::OutOfTime, line });
        }
        is_over
    }

    pub(super) fn new(
        source: &'s [u8],
        outline: Outline,
        names: &'s mut Vec<Reference>,
        comments: &'s mut Vec<Comment>,
    ) -> Self {
        names.clear();
        Self {
            source,
            outline,
            names,
            comments,
            next_comment: 0,
            enclosing: None,
            callable: None,
            nesting: 0,
            last_operator: None,
            marked_as_test: false,
        }
    }

    /// Records a definition that encloses everything until [`Self::end`] is called with the returned state.
    pub(super) fn begin(&mut self, item: Item) -> SavedState {
        let (start, first_line) = item.start;
        let signature = signature(self.source, start as usize..item.end as usize, item.cut);
        let comment = self.take_doc(item.doc.0, item.doc.1);
        let is_test = std::mem::take(&mut self.marked_as_test);
        let kind = item.kind.or_test(is_test).inside(self.enclosing_kind());
        let definition = DefinitionId(self.outline.definitions.len() as u32);
        let saved = SavedState {
            definition,
            enclosing: self.enclosing,
            callable: self.callable,
            nesting: self.nesting,
        };
        let is_body_read = kind.is_callable() && item.has_body;
        self.outline.definitions.push(Definition {
            kind,
            name: item.name,
            container: self.enclosing,
            owner: item.owner,
            span: Span { start, end: signature.end },
            lines: Lines { first: first_line, last: first_line },
            signature,
            doc: item.docstring.or(comment),
            complexity: is_body_read.then_some(Complexity::NO_BRANCHES),
        });
        self.enclosing = Some(definition);
        if is_body_read {
            self.callable = Some(definition);
            self.nesting = 0;
        }
        saved
    }

    /// Ends a definition and restores the state that was saved before it began.
    pub(super) fn end(&mut self, saved: SavedState, end: u32, last_line: u32) {
        if let Some(definition) = self.outline.definitions.get_mut(saved.definition.index()) {
            definition.span.end = end.max(definition.signature.end);
            definition.lines.last = last_line.max(definition.lines.first);
        }
        self.enclosing = saved.enclosing;
        self.callable = saved.callable;
        self.nesting = saved.nesting;
    }

    pub(super) fn enclosing_kind(&self) -> Option<Kind> {
        self.outline.definitions.get(self.enclosing?.index()).map(|it| it.kind)
    }

    /// Returns the comment directly above `first_line` and marks it as the doc comment of the definition that starts at
    /// byte `start`. Returns `None` if there is no such comment.
    fn take_doc(&mut self, start: u32, first_line: u32) -> Option<Span> {
        while self.comments.get(self.next_comment).is_some_and(|it| it.text.span.start < start) {
            self.next_comment += 1;
        }
        let comment = self.comments.get_mut(self.next_comment.checked_sub(1)?)?;
        let inner = comment.text.span.of(self.source);
        let is_about_the_file = self.outline.language == Language::Rust
            && (inner.starts_with(b"//!") || inner.starts_with(b"/*!"));
        let fits = comment.own_line
            && !comment.is_doc
            && comment.text.lines.last + 1 >= first_line
            && !is_about_the_file;
        comment.is_doc |= fits;
        fits.then_some(comment.text.span)
    }

    pub(super) fn refer(&mut self, kind: ReferenceKind, name: Token, receiver: Option<Span>) {
        // A single letter is usually a type parameter or a loop variable.
        if name.end > name.start + 1 || kind == ReferenceKind::Call {
            self.outline.references.push(Reference {
                kind,
                name: name.span(),
                receiver,
                line: name.line,
                enclosing: self.enclosing,
            });
        }
    }

    pub(super) fn name(&mut self, name: Token, receiver: Option<Span>) {
        let (kind, enclosing) = (ReferenceKind::Use, self.enclosing);
        self.names.push(Reference {
            kind,
            name: name.span(),
            receiver,
            line: name.line,
            enclosing,
        });
    }

    /// Adds a branch to the complexity of the enclosing function.
    pub(super) fn branch(&mut self, branch: Branch) {
        let nesting = self.nesting;
        if let Some(complexity) = self.complexity() {
            complexity.add(branch, nesting);
        }
    }

    pub(super) fn operator(&mut self, sign: Token) {
        let starts_a_run = self.last_operator.is_none_or(|(code, end)| {
            let between = Span { start: end, end: sign.start }.of(self.source);
            code != sign.code || separates_operators(between)
        });
        if let Some(complexity) = self.complexity() {
            complexity.add_operator(starts_a_run);
            self.last_operator = Some((sign.code, sign.end));
        }
    }

    fn complexity(&mut self) -> Option<&mut Complexity> {
        let callable = self.callable?.index();
        self.outline.definitions.get_mut(callable)?.complexity.as_mut()
    }

    /// Adds the references to known names and all comments except doc comments, and returns the outline.
    pub(super) fn finish(mut self) -> Outline {
        let others = self.comments.iter().filter(|it| !it.is_doc).map(|it| it.text);
        self.outline.comments.extend(others);
        self.outline.comments.sort_by_key(|it| it.span);
        crate::known_names::keep_known(&mut self.outline, self.source, self.names);
        self.outline
    }
}

/// Adds a comment. If the comment follows directly on the line after the last comment, and no code precedes either of
/// them on its line, the last comment is extended instead.
pub(super) fn push_comment(comments: &mut Vec<Comment>, text: Text, own_line: bool) {
    match comments.last_mut() {
        Some(last) if own_line && last.own_line && last.text.lines.last + 1 == text.lines.first => {
            last.text.span.end = text.span.end;
            last.text.lines.last = text.lines.last;
        }
        _ => comments.push(Comment { text, own_line, is_doc: false }),
    }
}
