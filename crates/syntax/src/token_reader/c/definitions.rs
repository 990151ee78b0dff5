//! Records C and C++ definitions, given the indices of their tokens.

use super::Reader;
use crate::definition::Kind;
use crate::signature::{Cut, signature};
use crate::span::Span;
use crate::token_reader::builder::Draft;
use crate::token_reader::token_cursor::TokenCursor;

impl Reader<'_> {
    /// Starts a definition at token `first`. Its header ends before token `end`. Its doc comment is the comment above
    /// token `doc_from`.
    pub(super) fn begin(
        &mut self,
        kind: Kind,
        first: usize,
        name: Span,
        owner: Option<Span>,
        end: usize,
        doc_from: usize,
    ) {
        let draft = self.draft(kind, first, (name, owner), end, doc_from);
        let saved = self.builder.begin(draft);
        self.level().open_item = Some(saved);
    }

    /// Records a definition without members, from token `first` to the token before `end`.
    pub(super) fn leaf(
        &mut self,
        kind: Kind,
        first: usize,
        name: Span,
        end: usize,
        doc_from: usize,
    ) {
        self.owned_leaf(kind, first, (name, None), end, doc_from);
    }

    pub(super) fn owned_leaf(
        &mut self,
        kind: Kind,
        first: usize,
        names: (Span, Option<Span>),
        end: usize,
        doc_from: usize,
    ) {
        let mut draft = self.draft(kind, first, names, end, doc_from);
        draft.has_body = false;
        let saved = self.builder.begin(draft);
        let last = self.token_at(end.saturating_sub(1));
        self.builder.end(saved, last.end, last.last_line());
    }

    fn draft(
        &mut self,
        kind: Kind,
        first: usize,
        (name, owner): (Span, Option<Span>),
        end: usize,
        doc_from: usize,
    ) -> Draft {
        let (first, doc) = (self.token_at(first), self.token_at(doc_from));
        let has_body = self.token_at(end).opens(b'{');
        let last = if has_body {
            self.token_at(end).start
        } else {
            self.token_at(end.saturating_sub(1)).end
        };
        let cut = if kind.is_callable() || has_body { Cut::AtLength } else { Cut::AtLineEnd };
        // In `typedef struct { … } name`, the name follows the body.
        let last = if has_body { last } else { last.max(name.end) };
        let range = first.start as usize..last as usize;
        let head = signature(self.builder.source, range, cut);
        let doc = self.builder.take_doc(doc.start, doc.line);
        Draft {
            kind,
            name,
            owner,
            start: first.start,
            first_line: first.line,
            signature: head,
            doc,
            has_body,
        }
    }
}
